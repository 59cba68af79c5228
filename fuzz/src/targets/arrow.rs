//! A row of a decoded or encoded Arrow column is what its bytes or its text become alone, in each type of column, with
//! null rows, in slices, and with a label in each row.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, StringArray, cast::AsArray};
use textcodec::{BomHandling, Encoding, Name};
use textcodec_arrow::{Charsets, DecodeOptions, EncodeErrors, HtmlOptions, Labels, decode, encode, html};

use crate::Input;

/// Checks what holds for an input.
///
/// # Panics
/// If it does not hold.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let (kind, encoding, mut random) = (input.byte(), input.encoding(), input.random());
    let mut rest = input.rest();
    let mut rows: Vec<Option<&[u8]>> = Vec::new();
    while !rest.is_empty() && rows.len() < 200 {
        rows.push(if random.below(8) == 0 { None } else { Some(random.piece(&mut rest)) });
    }
    let start = random.below(rows.len() + 1);
    let length = random.below(rows.len() - start + 1);
    let column: ArrayRef = match kind & 3 {
        0 => Arc::new(BinaryArray::from(rows.clone())),
        1 => Arc::new(LargeBinaryArray::from(rows.clone())),
        _ => Arc::new(rows.iter().collect::<BinaryViewArray>()),
    };
    let (column, rows) = (column.slice(start, length), &rows[start..start + length]);

    let encodings: Vec<Encoding> = rows
        .iter()
        .map(|_| match kind & 4 {
            0 => encoding,
            _ => Encoding::for_name(Name::ALL[random.below(Name::ALL.len())]).expect("all encodings are linked"),
        })
        .collect();
    let labels: ArrayRef = Arc::new(encodings.iter().map(|encoding| Some(encoding.name())).collect::<StringArray>());
    let labels =
        if kind & 4 == 0 { Labels::one(encoding.name()) } else { Labels::each(&labels) }.expect("known labels");
    let mut options = DecodeOptions::default();
    options.bom = [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep][usize::from(kind >> 3) % 3];
    let text = decode(&column, &labels, &options).expect("malformed sequences are replaced");
    let text_of = |column: &ArrayRef| -> Vec<Option<String>> {
        let owned = |text: Option<&str>| text.map(String::from);
        match column.data_type().to_string().as_str() {
            "Utf8" => column.as_string::<i32>().iter().map(owned).collect(),
            "LargeUtf8" => column.as_string::<i64>().iter().map(owned).collect(),
            _ => column.as_string_view().iter().map(owned).collect(),
        }
    };
    let expected: Vec<Option<String>> = rows
        .iter()
        .zip(&encodings)
        .map(|(row, encoding)| {
            let bytes = (*row)?;
            Some(match options.bom {
                BomHandling::Sniff => encoding.decode(bytes).text.into_owned(),
                BomHandling::Remove => encoding.decode_with_bom_removal(bytes).0.into_owned(),
                _ => encoding.decode_without_bom_handling(bytes).0.into_owned(),
            })
        })
        .collect();
    assert_eq!(text_of(&text), expected);
    let _ = encode(&text, &labels, EncodeErrors::Html);
    let _ = html(&column, &Charsets::one(encoding.name()), &HtmlOptions::default());
}
