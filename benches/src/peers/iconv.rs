//! `iconv` of the GNU C library. It stops at an error, so it takes no part in malformed input.

use textcodec::Name;

use crate::{Job, Kind, Mode, Operation, Task, foreign::Iconv, task::each};

/// UTF-16 in the byte order of the processor, without a byte order mark.
const UTF16: &str = if cfg!(target_endian = "little") { "UTF-16LE" } else { "UTF-16BE" };

pub(super) fn jobs(task: Task) -> Vec<Job> {
    if task.mode != Mode::Call || task.kind == Kind::Malformed {
        return vec![];
    }
    let own_name = [task.pair.ours.name()];
    names(task.pair.ours.id()).unwrap_or(&own_name).iter().filter_map(|name| job(name, task.operation)).collect()
}

fn job(name: &str, operation: Operation) -> Option<Job> {
    Some(match operation {
        Operation::D8 => {
            let mut iconv = Iconv::open("UTF-8", name)?;
            each(move |piece, buffers| iconv.convert(&piece.bytes, &mut buffers.bytes))
        }
        Operation::D16 => {
            let mut iconv = Iconv::open(UTF16, name)?;
            each(move |piece, buffers| iconv.convert(&piece.bytes, &mut buffers.utf16))
        }
        Operation::E8 => {
            let mut iconv = Iconv::open(name, "UTF-8")?;
            each(move |piece, buffers| iconv.convert(piece.text.as_bytes(), &mut buffers.bytes))
        }
        Operation::E16 => {
            let mut iconv = Iconv::open(name, UTF16)?;
            each(move |piece, buffers| iconv.convert(&piece.utf16, &mut buffers.bytes))
        }
    })
}

/// iconv's name of an encoding, where it differs from the Standard's.
fn names(name: Name) -> Option<&'static [&'static str]> {
    Some(match name {
        Name::Iso8859_8I => &["ISO-8859-8"],
        Name::Windows874 => &["TIS-620", "CP874"],
        Name::Windows1250 => &["CP1250"],
        Name::Windows1251 => &["CP1251"],
        Name::Windows1252 => &["CP1252"],
        Name::Windows1253 => &["CP1253"],
        Name::Windows1254 => &["CP1254"],
        Name::Windows1255 => &["CP1255"],
        Name::Windows1256 => &["CP1256"],
        Name::Windows1257 => &["CP1257"],
        Name::Windows1258 => &["CP1258"],
        Name::XMacCyrillic => &["MAC-CYRILLIC", "MAC-UK"],
        Name::Gbk => &["GBK", "GB18030"],
        Name::Big5 => &["BIG5", "BIG5-HKSCS"],
        Name::EucJp => &["EUC-JP", "EUC-JP-MS"],
        Name::ShiftJis => &["SJIS", "CP932"],
        Name::EucKr => &["EUC-KR", "UHC"],
        Name::XUserDefined => &[],
        _ => return None,
    })
}
