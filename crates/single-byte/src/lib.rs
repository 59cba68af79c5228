//! The [legacy single-byte encodings](https://encoding.spec.whatwg.org/#legacy-single-byte-encodings) and
//! [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined).
//!
//! [textcodec](https://docs.rs/textcodec) re-exports these encodings, and most programs use it. A program that needs no
//! other family can use this crate with `textcodec-core`.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[cfg_attr(not(feature = "encode"), allow(dead_code, reason = "only encoders use some tables"))]
mod generated;
#[cfg(feature = "encode")]
pub mod index;
pub mod single_byte;
mod x_user_defined;

use generated as tables;
use single_byte::SingleByteDecoder;
#[cfg(feature = "encode")]
use single_byte::SingleByteEncoder;
#[cfg(feature = "encode")]
use textcodec_core::EncoderHalf;
use textcodec_core::{Codec, CutRule, DecoderFunctions, Encoding, Name};

pub use x_user_defined::X_USER_DEFINED;

/// The decoder of encodings whose texts are mostly ASCII. A codec with a table of its own can use it, too.
pub static DECODER: DecoderFunctions = DecoderFunctions::of::<SingleByteDecoder<false>>();

/// The same decoder for encodings whose texts mostly have two bytes in UTF-8 for each character. It is a `static` of
/// its own because its way to UTF-8 takes more code, which a program without these encodings does not contain.
pub static DENSE_DECODER: DecoderFunctions = DecoderFunctions::of::<SingleByteDecoder<true>>();

/// The encoding called `$name` with the tables of the module `$table`. The word `dense` gives it [`DENSE_DECODER`].
macro_rules! single_byte {
    ($name:ident, $table:ident) => {
        single_byte!(DECODER, $name, $table)
    };
    (dense $name:ident, $table:ident) => {
        single_byte!(DENSE_DECODER, $name, $table)
    };
    ($decoder:ident, $name:ident, $table:ident) => {{
        let codec = Codec::new(&$decoder).with_cut_rule(CutRule::Anywhere).with_index(&tables::$table::CODE_POINTS);
        #[cfg(feature = "encode")]
        let codec = {
            static ENCODER: EncoderHalf = EncoderHalf::new::<SingleByteEncoder>().with_index(&tables::$table::BYTES);
            codec.with_encoder(&ENCODER)
        };
        codec.named(Name::$name)
    }};
}

/// [IBM866](https://encoding.spec.whatwg.org/#ibm866).
pub static IBM866: Encoding = single_byte!(dense Ibm866, ibm866);
/// [ISO-8859-2](https://encoding.spec.whatwg.org/#iso-8859-2).
pub static ISO_8859_2: Encoding = single_byte!(Iso8859_2, iso_8859_2);
/// [ISO-8859-3](https://encoding.spec.whatwg.org/#iso-8859-3).
pub static ISO_8859_3: Encoding = single_byte!(Iso8859_3, iso_8859_3);
/// [ISO-8859-4](https://encoding.spec.whatwg.org/#iso-8859-4).
pub static ISO_8859_4: Encoding = single_byte!(Iso8859_4, iso_8859_4);
/// [ISO-8859-5](https://encoding.spec.whatwg.org/#iso-8859-5).
pub static ISO_8859_5: Encoding = single_byte!(dense Iso8859_5, iso_8859_5);
/// [ISO-8859-6](https://encoding.spec.whatwg.org/#iso-8859-6).
pub static ISO_8859_6: Encoding = single_byte!(dense Iso8859_6, iso_8859_6);
/// [ISO-8859-7](https://encoding.spec.whatwg.org/#iso-8859-7).
pub static ISO_8859_7: Encoding = single_byte!(dense Iso8859_7, iso_8859_7);
/// [ISO-8859-8](https://encoding.spec.whatwg.org/#iso-8859-8).
pub static ISO_8859_8: Encoding = single_byte!(dense Iso8859_8, iso_8859_8);
/// [ISO-8859-8-I](https://encoding.spec.whatwg.org/#iso-8859-8-i), which shares its index with ISO-8859-8; they differ
/// in the direction that a page is laid out in.
pub static ISO_8859_8_I: Encoding = single_byte!(dense Iso8859_8I, iso_8859_8);
/// [ISO-8859-10](https://encoding.spec.whatwg.org/#iso-8859-10).
pub static ISO_8859_10: Encoding = single_byte!(Iso8859_10, iso_8859_10);
/// [ISO-8859-13](https://encoding.spec.whatwg.org/#iso-8859-13).
pub static ISO_8859_13: Encoding = single_byte!(Iso8859_13, iso_8859_13);
/// [ISO-8859-14](https://encoding.spec.whatwg.org/#iso-8859-14).
pub static ISO_8859_14: Encoding = single_byte!(Iso8859_14, iso_8859_14);
/// [ISO-8859-15](https://encoding.spec.whatwg.org/#iso-8859-15).
pub static ISO_8859_15: Encoding = single_byte!(Iso8859_15, iso_8859_15);
/// [ISO-8859-16](https://encoding.spec.whatwg.org/#iso-8859-16).
pub static ISO_8859_16: Encoding = single_byte!(Iso8859_16, iso_8859_16);
/// [KOI8-R](https://encoding.spec.whatwg.org/#koi8-r).
pub static KOI8_R: Encoding = single_byte!(dense Koi8R, koi8_r);
/// [KOI8-U](https://encoding.spec.whatwg.org/#koi8-u).
pub static KOI8_U: Encoding = single_byte!(dense Koi8U, koi8_u);
/// [macintosh](https://encoding.spec.whatwg.org/#macintosh).
pub static MACINTOSH: Encoding = single_byte!(Macintosh, macintosh);
/// [windows-874](https://encoding.spec.whatwg.org/#windows-874).
pub static WINDOWS_874: Encoding = single_byte!(Windows874, windows_874);
/// [windows-1250](https://encoding.spec.whatwg.org/#windows-1250).
pub static WINDOWS_1250: Encoding = single_byte!(Windows1250, windows_1250);
/// [windows-1251](https://encoding.spec.whatwg.org/#windows-1251).
pub static WINDOWS_1251: Encoding = single_byte!(dense Windows1251, windows_1251);
/// [windows-1252](https://encoding.spec.whatwg.org/#windows-1252).
pub static WINDOWS_1252: Encoding = single_byte!(Windows1252, windows_1252);
/// [windows-1253](https://encoding.spec.whatwg.org/#windows-1253).
pub static WINDOWS_1253: Encoding = single_byte!(dense Windows1253, windows_1253);
/// [windows-1254](https://encoding.spec.whatwg.org/#windows-1254).
pub static WINDOWS_1254: Encoding = single_byte!(Windows1254, windows_1254);
/// [windows-1255](https://encoding.spec.whatwg.org/#windows-1255).
pub static WINDOWS_1255: Encoding = single_byte!(dense Windows1255, windows_1255);
/// [windows-1256](https://encoding.spec.whatwg.org/#windows-1256).
pub static WINDOWS_1256: Encoding = single_byte!(dense Windows1256, windows_1256);
/// [windows-1257](https://encoding.spec.whatwg.org/#windows-1257).
pub static WINDOWS_1257: Encoding = single_byte!(Windows1257, windows_1257);
/// [windows-1258](https://encoding.spec.whatwg.org/#windows-1258).
pub static WINDOWS_1258: Encoding = single_byte!(Windows1258, windows_1258);
/// [x-mac-cyrillic](https://encoding.spec.whatwg.org/#x-mac-cyrillic).
pub static X_MAC_CYRILLIC: Encoding = single_byte!(dense XMacCyrillic, x_mac_cyrillic);

#[cfg(test)]
mod tests {
    use textcodec_core::testing::battery;

    use super::*;

    /// No conversion reads some entries. A new version of an index changes the digest.
    #[test]
    fn every_entry_of_the_generated_tables_has_the_value_of_the_generator() {
        macro_rules! tables {
            ($($name:ident)+) => {
                [$(&(&tables::$name::CODE_POINTS, &tables::$name::BYTES) as &dyn core::fmt::Debug,)+]
            };
        }
        let tables = tables! {
            ibm866 iso_8859_10 iso_8859_13 iso_8859_14 iso_8859_15 iso_8859_16
            iso_8859_2 iso_8859_3 iso_8859_4 iso_8859_5 iso_8859_6 iso_8859_7
            iso_8859_8 koi8_r koi8_u macintosh windows_1250 windows_1251
            windows_1252 windows_1253 windows_1254 windows_1255 windows_1256 windows_1257
            windows_1258 windows_874 x_mac_cyrillic
        };
        textcodec_core::testing::check_digests(&[(&tables, 0x9AC57DBA4F2E6007)]);
    }

    /// A table that the Standard does not have: code page 437 begins like this one.
    #[test]
    fn any_table_makes_a_codec() {
        use textcodec_core::{
            index::Characters,
            testing::{Subject, check_text, check_texts},
        };

        const fn code_points() -> [u16; 128] {
            let mut code_points = [0xFFFD; 128];
            let start = [0xC7, 0xFC, 0xE9, 0xE2, 0xE4, 0xE0, 0xE5, 0xE7];
            let mut at = 0;
            while at < start.len() {
                code_points[at] = start[at];
                at += 1;
            }
            code_points
        }
        static CODE_POINTS: Characters = Characters::new(code_points());
        static CODECS: [Codec; 2] =
            [Codec::new(&DECODER).with_index(&CODE_POINTS), Codec::new(&DENSE_DECODER).with_index(&CODE_POINTS)];
        for codec in &CODECS {
            let subject = Subject::new("a code page", codec, 1);
            check_texts(subject, &[(b"\x80a\x87\x88", "Çaç\u{FFFD}")]);
            textcodec_kernels::level::at_every_level(|_| check_text(subject, &[&b"a\x82\x83 \x90".repeat(100)], 300));
        }
    }

    #[cfg(feature = "encode")]
    #[test]
    fn without_an_index_only_ascii_has_characters() {
        use textcodec_core::testing::{Subject, check_decoder, check_encoder, check_text};

        static ENCODER: EncoderHalf = EncoderHalf::new::<SingleByteEncoder>();
        static CODECS: [Codec; 2] =
            [Codec::new(&DECODER).with_encoder(&ENCODER), Codec::new(&DENSE_DECODER).with_encoder(&ENCODER)];
        for codec in &CODECS {
            let subject = Subject::new("no index", codec, 1);
            check_decoder(subject, b"ab\x80c\xFFd");
            check_text(subject, &[&b"ab \x82\x83 ".repeat(9)], 300);
            check_encoder(subject, "ab\u{80}cé€\u{1F4A9}d");
        }
    }

    #[cfg(feature = "encode")]
    #[test]
    fn bulk_conversion_leaves_no_character_to_the_handler() {
        use textcodec_core::{DecodeErrorMode, Decoder, testing::takes_everything};
        use textcodec_kernels::string;

        for encoding in [&WINDOWS_1252, &WINDOWS_1251, &X_USER_DEFINED] {
            // All three have characters for these bytes.
            let bytes: Vec<u8> = (0x00..=0x7E).chain(0xA0..=0xFF).cycle().take(2000).collect();
            let (mut text, mut decoder) = (String::new(), Decoder::new(encoding));
            let _ = decoder.decode_to_string(&bytes, &mut text, true, DecodeErrorMode::Fatal);
            takes_everything(encoding, &text);
            let (codec, mut to) = (encoding.codec(), vec![0; 4 * text.len()]);
            let half = codec.encoder().expect("the encoding has an encoder");
            assert_eq!(half.convert_from_utf8(&mut 0, &text, &mut to), (text.len(), bytes.len()), "{encoding}");
            let read = string::write_bytes(&mut to, |space, proof| {
                let read;
                (read, *proof) = codec.decoder_convert_to_utf8(&mut 0, &bytes, space, DecodeErrorMode::Fatal);
                read
            });
            assert_eq!(read, bytes.len(), "{encoding}");
        }
    }

    /// Tests that each encoding passes the battery. Each is a test of its own, so that they run at the same time.
    macro_rules! pass_the_battery {
        ($($test:ident: $encoding:ident,)+) => {
            $(
                #[test]
                fn $test() {
                    let text = "a\u{7F}\u{80}\u{A0}éßđжшאبฟ€‾ﬁ▓╬\u{F8FF}あ\u{10000}";
                    battery(&$encoding, b"a\x80\xAA\xD5\xFF", text);
                }
            )+
        };
    }
    pass_the_battery! {
        ibm866_passes_the_battery: IBM866,
        iso_8859_2_passes_the_battery: ISO_8859_2,
        iso_8859_3_passes_the_battery: ISO_8859_3,
        iso_8859_4_passes_the_battery: ISO_8859_4,
        iso_8859_5_passes_the_battery: ISO_8859_5,
        iso_8859_6_passes_the_battery: ISO_8859_6,
        iso_8859_7_passes_the_battery: ISO_8859_7,
        iso_8859_8_passes_the_battery: ISO_8859_8,
        iso_8859_8_i_passes_the_battery: ISO_8859_8_I,
        iso_8859_10_passes_the_battery: ISO_8859_10,
        iso_8859_13_passes_the_battery: ISO_8859_13,
        iso_8859_14_passes_the_battery: ISO_8859_14,
        iso_8859_15_passes_the_battery: ISO_8859_15,
        iso_8859_16_passes_the_battery: ISO_8859_16,
        koi8_r_passes_the_battery: KOI8_R,
        koi8_u_passes_the_battery: KOI8_U,
        macintosh_passes_the_battery: MACINTOSH,
        windows_874_passes_the_battery: WINDOWS_874,
        windows_1250_passes_the_battery: WINDOWS_1250,
        windows_1251_passes_the_battery: WINDOWS_1251,
        windows_1252_passes_the_battery: WINDOWS_1252,
        windows_1253_passes_the_battery: WINDOWS_1253,
        windows_1254_passes_the_battery: WINDOWS_1254,
        windows_1255_passes_the_battery: WINDOWS_1255,
        windows_1256_passes_the_battery: WINDOWS_1256,
        windows_1257_passes_the_battery: WINDOWS_1257,
        windows_1258_passes_the_battery: WINDOWS_1258,
        x_mac_cyrillic_passes_the_battery: X_MAC_CYRILLIC,
    }
}
