//! ICU. Each of its converters is made once, as in a program that needs speed. Errors are replaced.

use textcodec::Name;

use crate::{
    Job, Mode, Operation, Task,
    foreign::{IcuConverter, IcuPair},
    task::each,
};

pub(super) fn jobs(task: Task) -> Vec<Job> {
    if !matches!(task.mode, Mode::Call | Mode::Stream) {
        return vec![];
    }
    let own_name = [task.pair.ours.name()];
    let is_whole = task.mode == Mode::Call;
    let names = names(task.pair.ours.id()).unwrap_or(&own_name);
    names.iter().filter_map(|name| job(name, task.operation, is_whole)).collect()
}

/// `is_whole` is `true` if each piece is a stream of its own.
fn job(name: &str, operation: Operation, is_whole: bool) -> Option<Job> {
    Some(match operation {
        Operation::D8 => {
            let mut pair = IcuPair::open("UTF-8", name)?;
            each(move |piece, buffers| pair.convert(&piece.bytes, &mut buffers.bytes, is_whole))
        }
        Operation::D16 => {
            let mut converter = IcuConverter::open(name)?;
            each(move |piece, buffers| converter.decode(&piece.bytes, &mut buffers.utf16, is_whole))
        }
        Operation::E8 => {
            let mut pair = IcuPair::open(name, "UTF-8")?;
            each(move |piece, buffers| pair.convert(piece.text.as_bytes(), &mut buffers.bytes, is_whole))
        }
        Operation::E16 => {
            let mut converter = IcuConverter::open(name)?;
            each(move |piece, buffers| converter.encode(&piece.utf16, &mut buffers.bytes, is_whole))
        }
    })
}

/// ICU's name of an encoding, where it differs from the Standard's.
fn names(name: Name) -> Option<&'static [&'static str]> {
    Some(match name {
        Name::Iso8859_8I => &["ISO-8859-8"],
        Name::Gbk => &["windows-936", "GBK", "gb18030"],
        Name::Big5 => &["windows-950", "Big5-HKSCS"],
        Name::EucJp => &["EUC-JP", "euc-jp-2007"],
        Name::ShiftJis => &["windows-932", "Shift_JIS"],
        Name::EucKr => &["EUC-KR", "windows-949"],
        Name::XMacCyrillic => &["x-mac-cyrillic"],
        Name::XUserDefined => &[],
        _ => return None,
    })
}
