//! The [legacy single-byte encodings](https://encoding.spec.whatwg.org/#legacy-single-byte-encodings) and
//! [x-user-defined](https://encoding.spec.whatwg.org/#x-user-defined).
#![cfg_attr(not(any(test, feature = "std")), no_std)]

mod generated;
mod single_byte;
mod x_user_defined;

use generated as index;
use single_byte::{SingleByteDecoder, SingleByteEncoder};
use textcodec_core::{Encoding, Name, index::SingleByteIndex};

pub use x_user_defined::X_USER_DEFINED;

const fn single_byte(name: Name, index: &'static SingleByteIndex) -> Encoding {
    Encoding::with_index::<SingleByteDecoder, SingleByteEncoder>(name, index)
}

/// [IBM866](https://encoding.spec.whatwg.org/#ibm866).
pub static IBM866: Encoding = single_byte(Name::Ibm866, &index::ibm866::INDEX);
/// [ISO-8859-2](https://encoding.spec.whatwg.org/#iso-8859-2).
pub static ISO_8859_2: Encoding = single_byte(Name::Iso8859_2, &index::iso_8859_2::INDEX);
/// [ISO-8859-3](https://encoding.spec.whatwg.org/#iso-8859-3).
pub static ISO_8859_3: Encoding = single_byte(Name::Iso8859_3, &index::iso_8859_3::INDEX);
/// [ISO-8859-4](https://encoding.spec.whatwg.org/#iso-8859-4).
pub static ISO_8859_4: Encoding = single_byte(Name::Iso8859_4, &index::iso_8859_4::INDEX);
/// [ISO-8859-5](https://encoding.spec.whatwg.org/#iso-8859-5).
pub static ISO_8859_5: Encoding = single_byte(Name::Iso8859_5, &index::iso_8859_5::INDEX);
/// [ISO-8859-6](https://encoding.spec.whatwg.org/#iso-8859-6).
pub static ISO_8859_6: Encoding = single_byte(Name::Iso8859_6, &index::iso_8859_6::INDEX);
/// [ISO-8859-7](https://encoding.spec.whatwg.org/#iso-8859-7).
pub static ISO_8859_7: Encoding = single_byte(Name::Iso8859_7, &index::iso_8859_7::INDEX);
/// [ISO-8859-8](https://encoding.spec.whatwg.org/#iso-8859-8).
pub static ISO_8859_8: Encoding = single_byte(Name::Iso8859_8, &index::iso_8859_8::INDEX);
/// [ISO-8859-8-I](https://encoding.spec.whatwg.org/#iso-8859-8-i), which shares its index with ISO-8859-8; they differ in the direction that a page is laid out in.
pub static ISO_8859_8_I: Encoding = single_byte(Name::Iso8859_8I, &index::iso_8859_8::INDEX);
/// [ISO-8859-10](https://encoding.spec.whatwg.org/#iso-8859-10).
pub static ISO_8859_10: Encoding = single_byte(Name::Iso8859_10, &index::iso_8859_10::INDEX);
/// [ISO-8859-13](https://encoding.spec.whatwg.org/#iso-8859-13).
pub static ISO_8859_13: Encoding = single_byte(Name::Iso8859_13, &index::iso_8859_13::INDEX);
/// [ISO-8859-14](https://encoding.spec.whatwg.org/#iso-8859-14).
pub static ISO_8859_14: Encoding = single_byte(Name::Iso8859_14, &index::iso_8859_14::INDEX);
/// [ISO-8859-15](https://encoding.spec.whatwg.org/#iso-8859-15).
pub static ISO_8859_15: Encoding = single_byte(Name::Iso8859_15, &index::iso_8859_15::INDEX);
/// [ISO-8859-16](https://encoding.spec.whatwg.org/#iso-8859-16).
pub static ISO_8859_16: Encoding = single_byte(Name::Iso8859_16, &index::iso_8859_16::INDEX);
/// [KOI8-R](https://encoding.spec.whatwg.org/#koi8-r).
pub static KOI8_R: Encoding = single_byte(Name::Koi8R, &index::koi8_r::INDEX);
/// [KOI8-U](https://encoding.spec.whatwg.org/#koi8-u).
pub static KOI8_U: Encoding = single_byte(Name::Koi8U, &index::koi8_u::INDEX);
/// [macintosh](https://encoding.spec.whatwg.org/#macintosh).
pub static MACINTOSH: Encoding = single_byte(Name::Macintosh, &index::macintosh::INDEX);
/// [windows-874](https://encoding.spec.whatwg.org/#windows-874).
pub static WINDOWS_874: Encoding = single_byte(Name::Windows874, &index::windows_874::INDEX);
/// [windows-1250](https://encoding.spec.whatwg.org/#windows-1250).
pub static WINDOWS_1250: Encoding = single_byte(Name::Windows1250, &index::windows_1250::INDEX);
/// [windows-1251](https://encoding.spec.whatwg.org/#windows-1251).
pub static WINDOWS_1251: Encoding = single_byte(Name::Windows1251, &index::windows_1251::INDEX);
/// [windows-1252](https://encoding.spec.whatwg.org/#windows-1252).
pub static WINDOWS_1252: Encoding = single_byte(Name::Windows1252, &index::windows_1252::INDEX);
/// [windows-1253](https://encoding.spec.whatwg.org/#windows-1253).
pub static WINDOWS_1253: Encoding = single_byte(Name::Windows1253, &index::windows_1253::INDEX);
/// [windows-1254](https://encoding.spec.whatwg.org/#windows-1254).
pub static WINDOWS_1254: Encoding = single_byte(Name::Windows1254, &index::windows_1254::INDEX);
/// [windows-1255](https://encoding.spec.whatwg.org/#windows-1255).
pub static WINDOWS_1255: Encoding = single_byte(Name::Windows1255, &index::windows_1255::INDEX);
/// [windows-1256](https://encoding.spec.whatwg.org/#windows-1256).
pub static WINDOWS_1256: Encoding = single_byte(Name::Windows1256, &index::windows_1256::INDEX);
/// [windows-1257](https://encoding.spec.whatwg.org/#windows-1257).
pub static WINDOWS_1257: Encoding = single_byte(Name::Windows1257, &index::windows_1257::INDEX);
/// [windows-1258](https://encoding.spec.whatwg.org/#windows-1258).
pub static WINDOWS_1258: Encoding = single_byte(Name::Windows1258, &index::windows_1258::INDEX);
/// [x-mac-cyrillic](https://encoding.spec.whatwg.org/#x-mac-cyrillic).
pub static X_MAC_CYRILLIC: Encoding = single_byte(Name::XMacCyrillic, &index::x_mac_cyrillic::INDEX);
