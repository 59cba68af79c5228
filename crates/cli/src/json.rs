//! JSON that the program prints.

use std::path::Path;

use textcodec_convert::visible::json_string;

/// The members that name a file: "file", and for a name that is not UTF-8 also "file_bytes". `None` is standard input.
pub(crate) fn file(path: Option<&Path>) -> String {
    let bytes = path.filter(|path| path.to_str().is_none()).map(|path| path.as_os_str().as_encoded_bytes());
    let bytes = bytes.map(|bytes| format!(r#","file_bytes":{bytes:?}"#).replace(' ', "")).unwrap_or_default();
    format!(r#""file":{}{bytes}"#, json_string(&path.map_or("standard input".into(), Path::to_string_lossy)))
}

#[cfg(all(test, unix))]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    use super::*;

    #[test]
    fn a_name_that_is_not_utf_8_in_any_part_has_its_bytes() {
        let name = |bytes| file(Some(Path::new(OsStr::from_bytes(bytes))));
        assert_eq!(file(None), r#""file":"standard input""#);
        assert_eq!(name("d/é\"".as_bytes()), r#""file":"d/é\"""#);
        assert_eq!(name(b"\xFF"), r#""file":"�","file_bytes":[255]"#);
        assert_eq!(name(b"d/\xFF"), r#""file":"d/�","file_bytes":[100,47,255]"#);
        assert_eq!(name(b"\xFF/d"), r#""file":"�/d","file_bytes":[255,47,100]"#);
    }
}
