//! Tables that tests compare with a file in `tests`.

use std::{env, fs, path::PathBuf};

/// Compares `table` with a file, row by row. With `TEXTCODEC_PINNED=write`, `table` becomes the file, after an intended
/// change.
pub(crate) fn compare(file: &str, table: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", file].iter().collect();
    if env::var("TEXTCODEC_PINNED").is_ok_and(|value| value == "write") {
        fs::write(&path, table).unwrap();
    }
    let pinned = fs::read_to_string(path).unwrap();
    for (row, pinned) in table.lines().zip(pinned.lines()) {
        assert_eq!(row, pinned, "TEXTCODEC_PINNED=write writes the file, after an intended change");
    }
    assert_eq!(table.lines().count(), pinned.lines().count());
}
