//! The [single-byte indexes](https://encoding.spec.whatwg.org/#index-single-byte) as values.

use textcodec_core::index::Index;

use crate::generated as tables;

/// The index called `$name` with the tables of the module `$table`.
macro_rules! single_byte {
    ($name:literal, $table:ident) => {
        Index::single_byte($name, &tables::$table::CODE_POINTS, &tables::$table::BYTES)
    };
}

/// [Index IBM866](https://encoding.spec.whatwg.org/#index-single-byte).
pub const IBM866: Index = single_byte!("ibm866", ibm866);
/// [Index ISO-8859-2](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_2: Index = single_byte!("iso-8859-2", iso_8859_2);
/// [Index ISO-8859-3](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_3: Index = single_byte!("iso-8859-3", iso_8859_3);
/// [Index ISO-8859-4](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_4: Index = single_byte!("iso-8859-4", iso_8859_4);
/// [Index ISO-8859-5](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_5: Index = single_byte!("iso-8859-5", iso_8859_5);
/// [Index ISO-8859-6](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_6: Index = single_byte!("iso-8859-6", iso_8859_6);
/// [Index ISO-8859-7](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_7: Index = single_byte!("iso-8859-7", iso_8859_7);
/// [Index ISO-8859-8](https://encoding.spec.whatwg.org/#index-single-byte), also of ISO-8859-8-I.
pub const ISO_8859_8: Index = single_byte!("iso-8859-8", iso_8859_8);
/// [Index ISO-8859-10](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_10: Index = single_byte!("iso-8859-10", iso_8859_10);
/// [Index ISO-8859-13](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_13: Index = single_byte!("iso-8859-13", iso_8859_13);
/// [Index ISO-8859-14](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_14: Index = single_byte!("iso-8859-14", iso_8859_14);
/// [Index ISO-8859-15](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_15: Index = single_byte!("iso-8859-15", iso_8859_15);
/// [Index ISO-8859-16](https://encoding.spec.whatwg.org/#index-single-byte).
pub const ISO_8859_16: Index = single_byte!("iso-8859-16", iso_8859_16);
/// [Index KOI8-R](https://encoding.spec.whatwg.org/#index-single-byte).
pub const KOI8_R: Index = single_byte!("koi8-r", koi8_r);
/// [Index KOI8-U](https://encoding.spec.whatwg.org/#index-single-byte).
pub const KOI8_U: Index = single_byte!("koi8-u", koi8_u);
/// [Index macintosh](https://encoding.spec.whatwg.org/#index-single-byte).
pub const MACINTOSH: Index = single_byte!("macintosh", macintosh);
/// [Index windows-874](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_874: Index = single_byte!("windows-874", windows_874);
/// [Index windows-1250](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1250: Index = single_byte!("windows-1250", windows_1250);
/// [Index windows-1251](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1251: Index = single_byte!("windows-1251", windows_1251);
/// [Index windows-1252](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1252: Index = single_byte!("windows-1252", windows_1252);
/// [Index windows-1253](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1253: Index = single_byte!("windows-1253", windows_1253);
/// [Index windows-1254](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1254: Index = single_byte!("windows-1254", windows_1254);
/// [Index windows-1255](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1255: Index = single_byte!("windows-1255", windows_1255);
/// [Index windows-1256](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1256: Index = single_byte!("windows-1256", windows_1256);
/// [Index windows-1257](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1257: Index = single_byte!("windows-1257", windows_1257);
/// [Index windows-1258](https://encoding.spec.whatwg.org/#index-single-byte).
pub const WINDOWS_1258: Index = single_byte!("windows-1258", windows_1258);
/// [Index x-mac-cyrillic](https://encoding.spec.whatwg.org/#index-single-byte).
pub const X_MAC_CYRILLIC: Index = single_byte!("x-mac-cyrillic", x_mac_cyrillic);
