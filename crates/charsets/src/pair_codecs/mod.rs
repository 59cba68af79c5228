//! Charsets of Chinese, Japanese and Korean: the codecs of single bytes and pairs, and those with shifts or
//! escapes.

pub(crate) mod bases;
#[cfg(feature = "east-asian")]
pub(crate) mod dicom;
#[cfg(feature = "east-asian")]
pub(crate) mod escapes;
mod hangul;
#[cfg(feature = "east-asian")]
pub(crate) mod iso_2022;
pub(crate) mod pairs;
#[cfg(feature = "ebcdic-east-asian")]
pub(crate) mod shifts;
pub(crate) mod table;

use self::table::{Geometry, NONE};

/// How the rows of the Standard's tables follow from pointers, for charsets with these leading and trailing bytes.
pub(crate) mod geometry {
    use super::{Geometry, NONE};

    /// Shift_JIS, in rows of 188 columns.
    pub(crate) const SHIFT_JIS: Geometry =
        Geometry { leads: [(0x81, 0x9F), (0xE0, 0xFC)], first: 0, step: 188, skip: 0 };
    /// EUC-JP, in rows of 94 columns.
    pub(crate) const EUC_JP: Geometry = Geometry { leads: [(0xA1, 0xFE), NONE], first: 0, step: 94, skip: 0 };
    /// The lower right part of an index with 190 columns, in a charset that has all of them.
    pub(crate) const SQUARE: Geometry = Geometry { leads: [(0x81, 0xFE), NONE], first: 96, step: 190, skip: 96 };
    /// The lower right part of an index with 190 columns, in a charset that has no other columns.
    pub(crate) const EUC: Geometry = Geometry { leads: [(0x81, 0xFE), NONE], first: 96, step: 190, skip: 0 };
    /// Big5, in rows of 157 columns.
    pub(crate) const BIG5: Geometry = Geometry { leads: [(0x81, 0xFE), NONE], first: 0, step: 157, skip: 0 };
    /// A charset that has no row of the index.
    pub(crate) const NOTHING: Geometry = Geometry { leads: [NONE, NONE], first: 0, step: 0, skip: 0 };
}

/// The codec called `$name` of a charset of pairs, with the tables of `crate::generated::pairs` that begin with its
/// name, the kernel's table of an encoding, and ASCII bytes that are other characters.
macro_rules! codec_of_pairs {
    ($(#[$doc:meta])* $name:ident, $type:ident, $scheme:ident, $bytes:ident, $singles:ident, $kernel:expr, $geometry:ident, $cut:expr, [$($others:expr),*]) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $type;

        impl crate::pair_codecs::pairs::Of for $type {
            const SCHEME: &'static crate::pair_codecs::pairs::Scheme = &crate::generated::pairs::$scheme;
            const PAIRS: &'static textcodec_core::convert::Pairs = {
                static SINGLES: textcodec_core::index::Characters =
                    crate::pair_codecs::pairs::upper(&crate::generated::pairs::$singles);
                static PAIRS: textcodec_core::convert::Pairs = crate::pair_codecs::pairs::pairs::<$type>(
                    &crate::generated::pairs::$scheme,
                    $kernel,
                    crate::pair_codecs::geometry::$geometry,
                    &SINGLES,
                );
                &PAIRS
            };
            const OTHERS: &'static [u8] = &[$($others),*];
            #[cfg(feature = "encode")]
            const BYTES: &'static crate::pair_codecs::pairs::SchemeBytes = &crate::generated::pairs::$bytes;
        }

        $(#[$doc])*
        pub(crate) static $name: textcodec_core::Codec = {
            static DECODER: textcodec_core::DecoderFunctions =
                textcodec_core::DecoderFunctions::of::<crate::pair_codecs::pairs::PairDecoder<$type>>();
            let codec = textcodec_core::Codec::new(&DECODER).with_cut_rule($cut);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: textcodec_core::EncoderHalf =
                    textcodec_core::EncoderHalf::new::<crate::pair_codecs::pairs::PairEncoder<$type>>();
                codec.with_encoder(&ENCODER)
            };
            codec
        };
    };
}

/// The codec called `$name` of a code page with shifts, with the tables of `crate::generated::pairs` that begin with
/// its name.
#[cfg(feature = "ebcdic-east-asian")]
macro_rules! codec_of_shifts {
    ($name:ident, $type:ident, $singles:ident, $places:ident, $low:ident) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $type;

        impl crate::pair_codecs::shifts::Of for $type {
            const SINGLES: &'static crate::pair_codecs::pairs::Singles = &crate::generated::pairs::$singles;
            const TABLE: &'static crate::pair_codecs::table::Table = &crate::generated::pairs::$name;
            #[cfg(feature = "encode")]
            const PLACES: &'static crate::pair_codecs::table::Places = &crate::generated::pairs::$places;
            #[cfg(feature = "encode")]
            const LOW: &'static [u8; 128] = &crate::generated::pairs::$low;
        }

        pub(crate) static $name: textcodec_core::Codec = {
            static DECODER: textcodec_core::DecoderFunctions =
                textcodec_core::DecoderFunctions::of::<crate::pair_codecs::shifts::ShiftDecoder<$type>>();
            let codec = textcodec_core::Codec::new(&DECODER);
            #[cfg(feature = "encode")]
            let codec = {
                static ENCODER: textcodec_core::EncoderHalf =
                    textcodec_core::EncoderHalf::new::<crate::pair_codecs::shifts::ShiftEncoder<$type>>();
                codec.with_encoder(&ENCODER)
            };
            codec
        };
    };
}

pub(crate) use codec_of_pairs;
#[cfg(feature = "ebcdic-east-asian")]
pub(crate) use codec_of_shifts;
