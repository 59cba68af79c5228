//! The command line of `textcodec show`.

use std::path::PathBuf;

use clap::Args;
use textcodec_convert::SourceEncoding;

use crate::label;

/// Show the bytes of a file beside their characters
///
/// Each line has the offset of its first byte, the bytes in hexadecimal, and the characters. A character outside of
/// ASCII is followed by its code point. All bytes of a character stand in the same line. Malformed bytes stand in
/// brackets. A line after them says where they are, and which characters they would be in windows-1252, the most
/// frequent encoding of old Western files.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Show {
    /// The encoding of the file, or "auto" to find it; if nothing tells it, UTF-8
    #[arg(short, long, value_name = "LABEL", default_value = "auto", value_parser = label::source_or_auto)]
    pub(crate) from: SourceEncoding,

    /// Treat a byte order mark as text
    #[arg(long)]
    pub(crate) ignore_bom: bool,

    /// The offset of the first byte that is shown, in decimal or with 0x in hexadecimal
    #[arg(long, value_name = "OFFSET", default_value = "0", value_parser = number)]
    pub(crate) offset: u64,

    /// The number of bytes that are shown [default: all]
    #[arg(long, value_name = "NUMBER", value_parser = number)]
    pub(crate) length: Option<u64>,

    /// Show only the lines with malformed bytes, and this number of lines before and after them
    #[arg(long, value_name = "LINES", num_args = 0..=1, require_equals = true, default_missing_value = "2")]
    pub(crate) errors: Option<usize>,

    /// Print the name of each character outside of ASCII, after the line in which it occurs first
    #[arg(long)]
    pub(crate) names: bool,

    /// The file, "-" for standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

/// Parses a number of bytes.
fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|error| error.to_string())
}

const EXAMPLES: &str = "\
Examples:
  textcodec show notes.txt
      Show a file.
  textcodec show --errors --from utf-8 notes.txt
      Show the places where a file is not UTF-8.
  textcodec show --names notes.txt
      Show a file and the names of its characters: U+00A0 NO-BREAK SPACE, for example.
  textcodec show --from gbk --offset 0x1000 --length 64 notes.txt
      Show 64 bytes, decoded as GBK from the start of the file.

Exit status:
  0  the file is shown
  1  the file could not be read, or standard output could not be written
  2  the arguments are wrong";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_decimal_or_has_the_prefix_of_hexadecimal() {
        for (text, expected) in [
            ("0", Some(0)),
            ("10", Some(10)),
            ("010", Some(10)),
            ("0x1f", Some(31)),
            ("0X1F", Some(31)),
            ("18446744073709551615", Some(u64::MAX)),
            ("0xffffffffffffffff", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("0x", None),
            ("1f", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(number(text).ok(), expected, "{text}");
        }
    }
}
