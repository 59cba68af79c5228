//! JSON that the program prints.

use std::path::Path;

use textcodec_convert::visible::json_string;

/// The members that name a file: "file", and for a name that is not UTF-8 also "file_bytes". `None` is standard input.
pub(crate) fn file(path: Option<&Path>) -> String {
    let bytes = path.filter(|path| path.to_str().is_none()).map(|path| path.as_os_str().as_encoded_bytes());
    let bytes = bytes.map(|bytes| format!(r#","file_bytes":{bytes:?}"#).replace(' ', "")).unwrap_or_default();
    format!(r#""file":{}{bytes}"#, json_string(&path.map_or("standard input".into(), Path::to_string_lossy)))
}
