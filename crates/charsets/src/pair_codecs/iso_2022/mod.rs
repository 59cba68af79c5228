//! ISO 2022 in seven bits: ISO-2022-JP and its extensions, as RFC 1468, RFC 2237, RFC 1554 and glibc have them, and
//! ISO-2022-CN and its extension, as RFC 1922 has them.
//!
//! An escape designates a set of characters as one of four, G0 to G3. Bytes are characters of G0, or after the byte 0E,
//! up to the byte 0F, those of G1. `ESC N` takes one character from G2, and `ESC O` one from G3.
//!
//! The pairs of a set are those of an EUC charset without the highest bits.

mod decoder;
#[cfg(feature = "encode")]
mod encoder_cn;
#[cfg(feature = "encode")]
mod encoder_jp;

pub(crate) use decoder::Iso2022Decoder;
#[cfg(feature = "encode")]
pub(crate) use encoder_cn::Iso2022CnEncoder;
#[cfg(feature = "encode")]
pub(crate) use encoder_jp::Iso2022JpEncoder;

use textcodec_core::convert;

use super::pairs::{Of as OfPairs, Scheme};
use crate::{
    east_asian_codecs::{EucCn, EucJisx0213, EucJp, EucKr, EucTw},
    generated::pairs::EUC_JISX0213_SCHEME,
};

const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

/// A set of characters that an escape designates.
#[derive(Clone, Copy)]
enum Set {
    /// No set is designated.
    None,
    /// US-ASCII.
    Ascii,
    /// JIS X 0201 Roman: ASCII with a yen sign and an overline.
    Roman,
    /// JIS X 0201 Katakana, in the bytes 21 to 5F.
    Katakana,
    /// The upper half of ISO 8859-1.
    Latin1,
    /// The upper half of ISO 8859-7.
    Greek,
    /// The pairs of an EUC charset that follow these bytes. If there are no such bytes, also its tables for the kernel.
    Pairs(&'static Scheme, &'static [u8], Option<&'static convert::Pairs>),
}

/// The pairs of an EUC charset.
const fn pairs<S: OfPairs>() -> Set {
    Set::Pairs(S::SCHEME, b"", Some(S::PAIRS))
}

/// The pairs of an EUC charset that follow the bytes `after`.
const fn pairs_after<S: OfPairs>(after: &'static [u8]) -> Set {
    Set::Pairs(S::SCHEME, after, None)
}

const JISX0208: Set = pairs::<EucJp>();
const JISX0212: Set = pairs_after::<EucJp>(b"\x8F");
const JISX0213_1: Set = pairs::<EucJisx0213>();
const JISX0213_2: Set = pairs_after::<EucJisx0213>(b"\x8F");
const GB2312: Set = pairs::<EucCn>();
const KSX1001: Set = pairs::<EucKr>();
const CNS11643_1: Set = pairs::<EucTw>();
const CNS11643_2: Set = pairs_after::<EucTw>(b"\x8E\xA2");
const CNS11643_3: Set = pairs_after::<EucTw>(b"\x8E\xA3");
const CNS11643_4: Set = pairs_after::<EucTw>(b"\x8E\xA4");
const CNS11643_5: Set = pairs_after::<EucTw>(b"\x8E\xA5");
const CNS11643_6: Set = pairs_after::<EucTw>(b"\x8E\xA6");
const CNS11643_7: Set = pairs_after::<EucTw>(b"\x8E\xA7");

/// An escape, and the set that it designates: the place among G0 to G3, and the number in [`Rules::sets`].
type Escape = (&'static [u8], u8, u8);

/// What a decoder knows.
pub(crate) struct Rules {
    /// The sets of G0 to G3. The first one of each is that of a new decoder.
    sets: [&'static [Set]; 4],
    /// The escapes. None begins with another one.
    escapes: &'static [Escape],
    /// Whether 0E and 0F choose between G1 and G0. Without them, control characters and spaces are the same in all
    /// sets.
    has_shifts: bool,
    /// The pairs with two code points, and the number of the set of G0 that has them.
    doubles: &'static [[u16; 2]],
    set_of_doubles: u8,
}

impl Rules {
    /// Rules for escapes that designate sets of G0 and G2.
    const fn jp(g0: &'static [Set], g2: &'static [Set], escapes: &'static [Escape]) -> Self {
        Rules { sets: [g0, &[], g2, &[]], escapes, has_shifts: false, doubles: &[], set_of_doubles: 0 }
    }

    /// Rules for escapes that designate sets of G1, G2 and G3.
    const fn cn(g1: &'static [Set], g3: &'static [Set], escapes: &'static [Escape]) -> Self {
        let sets: [&[Set]; 4] = [&[Set::Ascii], g1, &[CNS11643_2], g3];
        Rules { sets, escapes, has_shifts: true, doubles: &[], set_of_doubles: 0 }
    }
}

/// ISO-2022-JP.
static JP: Rules = Rules::jp(
    &[Set::Ascii, Set::Roman, JISX0208],
    &[],
    &[(b"\x1B(B", 0, 0), (b"\x1B(J", 0, 1), (b"\x1B$@", 0, 2), (b"\x1B$B", 0, 2)],
);

/// ISO-2022-JP-1.
static JP_1: Rules = Rules::jp(
    &[Set::Ascii, Set::Roman, JISX0208, JISX0212],
    &[],
    &[(b"\x1B(B", 0, 0), (b"\x1B(J", 0, 1), (b"\x1B$@", 0, 2), (b"\x1B$B", 0, 2), (b"\x1B$(D", 0, 3)],
);

/// ISO-2022-JP-2, with katakana as in glibc.
static JP_2: Rules = Rules::jp(
    &[Set::Ascii, Set::Roman, JISX0208, JISX0212, GB2312, KSX1001, Set::Katakana],
    &[Set::None, Set::Latin1, Set::Greek],
    &[
        (b"\x1B(B", 0, 0),
        (b"\x1B(J", 0, 1),
        (b"\x1B$@", 0, 2),
        (b"\x1B$B", 0, 2),
        (b"\x1B$(D", 0, 3),
        (b"\x1B$A", 0, 4),
        (b"\x1B$(C", 0, 5),
        (b"\x1B(I", 0, 6),
        (b"\x1B.A", 2, 1),
        (b"\x1B.F", 2, 2),
    ],
);

/// ISO-2022-JP-3, with katakana as in glibc.
static JP_3: Rules = Rules {
    doubles: EUC_JISX0213_SCHEME.table.doubles,
    set_of_doubles: 3,
    ..Rules::jp(
        &[Set::Ascii, Set::Roman, JISX0208, JISX0213_1, JISX0213_2, Set::Katakana],
        &[],
        &[
            (b"\x1B(B", 0, 0),
            (b"\x1B(J", 0, 1),
            (b"\x1B$@", 0, 2),
            (b"\x1B$B", 0, 2),
            (b"\x1B$(O", 0, 3),
            (b"\x1B$(Q", 0, 3),
            (b"\x1B$(P", 0, 4),
            (b"\x1B(I", 0, 5),
        ],
    )
};

/// ISO-2022-CN. Like glibc's, the decoder takes GB 2312 for designated at the start.
static CN: Rules = Rules::cn(&[GB2312, CNS11643_1], &[], &[(b"\x1B$)A", 1, 0), (b"\x1B$)G", 1, 1), (b"\x1B$*H", 2, 0)]);

/// ISO-2022-CN-EXT, without ISO-IR-165.
static CN_EXT: Rules = Rules::cn(
    &[Set::None, GB2312, CNS11643_1],
    &[Set::None, CNS11643_3, CNS11643_4, CNS11643_5, CNS11643_6, CNS11643_7],
    &[
        (b"\x1B$)A", 1, 1),
        (b"\x1B$)G", 1, 2),
        (b"\x1B$*H", 2, 0),
        (b"\x1B$+I", 3, 1),
        (b"\x1B$+J", 3, 2),
        (b"\x1B$+K", 3, 3),
        (b"\x1B$+L", 3, 4),
        (b"\x1B$+M", 3, 5),
    ],
);

/// The character of a byte of JIS X 0201 Roman.
fn roman(byte: u8) -> char {
    match byte {
        0x5C => '¥',
        0x7E => '‾',
        _ => byte.into(),
    }
}

/// The character of a byte from A0 on in ISO 8859-7.
fn greek(byte: u8) -> Option<char> {
    match byte {
        0xA1 => Some('‘'),
        0xA2 => Some('’'),
        0xA4 => Some('€'),
        0xA5 => Some('₯'),
        0xAA => Some('ͺ'),
        0xAE | 0xD2 | 0xFF => None,
        0xAF => Some('―'),
        0xA0..=0xB3 | 0xB7 | 0xBB | 0xBD => Some(byte.into()),
        _ => char::from_u32(u32::from(byte) + 0x2D0),
    }
}

/// A charset, as a type.
pub(crate) trait Of: Copy {
    const RULES: &'static Rules;
    /// The sets of an encoder for Japanese.
    #[cfg(feature = "encode")]
    const TARGETS: &'static encoder_jp::Targets = &encoder_jp::JP;
}

/// A charset with [`Rules`], as the type `$type`, and the targets of an encoder for Japanese.
macro_rules! charset {
    ($type:ident, $rules:ident $(, $targets:ident)?) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $type;

        impl Of for $type {
            const RULES: &'static Rules = &$rules;
            $(
                #[cfg(feature = "encode")]
                const TARGETS: &'static encoder_jp::Targets = &encoder_jp::$targets;
            )?
        }
    };
}

charset!(Iso2022Jp, JP, JP);
charset!(Iso2022Jp1, JP_1, JP_1);
charset!(Iso2022Jp2, JP_2, JP_2);
charset!(Iso2022Jp3, JP_3, JP_3);
charset!(Iso2022Cn, CN);
charset!(Iso2022CnExt, CN_EXT);

/// The codec called `$name` of a charset, with the type of its encoder, if it has one.
macro_rules! codec_of_iso_2022 {
    ($(#[$doc:meta])* $name:ident, $type:ty $(, $encoder:ty)?) => {
        $(#[$doc])*
        pub(crate) static $name: textcodec_core::Codec = {
            static DECODER: textcodec_core::DecoderFunctions =
                textcodec_core::DecoderFunctions::of::<crate::pair_codecs::iso_2022::Iso2022Decoder<$type>>();
            let codec = textcodec_core::Codec::without_encoder(&DECODER);
            $(
                let _ = codec;
                let codec = textcodec_core::Codec::new(&DECODER);
                #[cfg(feature = "encode")]
                let codec = {
                    static ENCODER: textcodec_core::EncoderHalf = textcodec_core::EncoderHalf::new::<$encoder>();
                    codec.with_encoder(&ENCODER)
                };
            )?
            codec
        };
    };
}

pub(crate) use codec_of_iso_2022;
