//! The [single-byte indexes](https://encoding.spec.whatwg.org/#index-single-byte) as values.

use textcodec_core::index::Index;

use crate::generated as tables;

/// [Index IBM866](https://encoding.spec.whatwg.org/#index-single-byte).
pub const IBM866: Index = Index::single_byte("ibm866", &tables::ibm866::INDEX);
/// [Index ISO-8859-2](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_2: Index = Index::single_byte("iso-8859-2", &tables::iso_8859_2::INDEX);
/// [Index ISO-8859-3](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_3: Index = Index::single_byte("iso-8859-3", &tables::iso_8859_3::INDEX);
/// [Index ISO-8859-4](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_4: Index = Index::single_byte("iso-8859-4", &tables::iso_8859_4::INDEX);
/// [Index ISO-8859-5](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_5: Index = Index::single_byte("iso-8859-5", &tables::iso_8859_5::INDEX);
/// [Index ISO-8859-6](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_6: Index = Index::single_byte("iso-8859-6", &tables::iso_8859_6::INDEX);
/// [Index ISO-8859-7](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_7: Index = Index::single_byte("iso-8859-7", &tables::iso_8859_7::INDEX);
/// [Index ISO-8859-8](https://encoding.spec.whatwg.org/#index-single-byte), also of ISO-8859-8-I.
pub const ISO_8859_8: Index = Index::single_byte("iso-8859-8", &tables::iso_8859_8::INDEX);
/// [Index ISO-8859-10](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_10: Index = Index::single_byte("iso-8859-10", &tables::iso_8859_10::INDEX);
/// [Index ISO-8859-13](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_13: Index = Index::single_byte("iso-8859-13", &tables::iso_8859_13::INDEX);
/// [Index ISO-8859-14](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_14: Index = Index::single_byte("iso-8859-14", &tables::iso_8859_14::INDEX);
/// [Index ISO-8859-15](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_15: Index = Index::single_byte("iso-8859-15", &tables::iso_8859_15::INDEX);
/// [Index ISO-8859-16](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_16: Index = Index::single_byte("iso-8859-16", &tables::iso_8859_16::INDEX);
/// [Index KOI8-R](https://encoding.spec.whatwg.org/#index-single-byte).
pub const KOI8_R: Index = Index::single_byte("koi8-r", &tables::koi8_r::INDEX);
/// [Index KOI8-U](https://encoding.spec.whatwg.org/#index-single-byte).
pub const KOI8_U: Index = Index::single_byte("koi8-u", &tables::koi8_u::INDEX);
/// [Index macintosh](https://encoding.spec.whatwg.org/#index-single-byte).
pub const MACINTOSH: Index = Index::single_byte("macintosh", &tables::macintosh::INDEX);
/// [Index windows-874](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_874: Index = Index::single_byte("windows-874", &tables::windows_874::INDEX);
/// [Index windows-1250](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1250: Index = Index::single_byte("windows-1250", &tables::windows_1250::INDEX);
/// [Index windows-1251](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1251: Index = Index::single_byte("windows-1251", &tables::windows_1251::INDEX);
/// [Index windows-1252](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1252: Index = Index::single_byte("windows-1252", &tables::windows_1252::INDEX);
/// [Index windows-1253](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1253: Index = Index::single_byte("windows-1253", &tables::windows_1253::INDEX);
/// [Index windows-1254](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1254: Index = Index::single_byte("windows-1254", &tables::windows_1254::INDEX);
/// [Index windows-1255](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1255: Index = Index::single_byte("windows-1255", &tables::windows_1255::INDEX);
/// [Index windows-1256](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1256: Index = Index::single_byte("windows-1256", &tables::windows_1256::INDEX);
/// [Index windows-1257](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1257: Index = Index::single_byte("windows-1257", &tables::windows_1257::INDEX);
/// [Index windows-1258](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1258: Index = Index::single_byte("windows-1258", &tables::windows_1258::INDEX);
/// [Index x-mac-cyrillic](https://encoding.spec.whatwg.org/#index-single-byte).
pub const X_MAC_CYRILLIC: Index = Index::single_byte("x-mac-cyrillic", &tables::x_mac_cyrillic::INDEX);
