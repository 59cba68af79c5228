//! Columns of every type, beside the functions of textcodec for one text.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray, Int8Array, Int32Array,
    LargeBinaryArray, LargeStringArray, PrimitiveArray, StringArray, StringViewArray, StructArray,
    cast::AsArray,
    types::{
        ArrowDictionaryKeyType, Float32Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
        UInt32Type, UInt64Type,
    },
};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;
use textcodec_arrow::{
    BomHandling, Charset, Charsets, DecodeErrors, DecodeOptions, DetectOptions, EncodeErrors, Encoding, Error,
    HtmlOptions, Kind, Labels, TYPES_OF_BYTES, TYPES_OF_TEXT, decode, decode_type, detect, detect_fields, encode,
    encode_type, guess, html, html_fields, on_threads, textcodec,
};

/// Rows with and without errors, with byte order marks, short and long, empty and null.
fn rows() -> Vec<Option<Vec<u8>>> {
    vec![
        Some(b"\x83\x65\x83\x4C".to_vec()),
        None,
        Some(b"".to_vec()),
        Some(b"plain text that is longer than a view can hold".to_vec()),
        Some(b"abc\x82\xFF".to_vec()),
        Some(b"\xEF\xBB\xBFcaf\xC3\xA9".to_vec()),
        Some(b"\xFF\xFEa\x00\x3D\xD8\xA9\xDC".to_vec()),
        Some(b"\x93\xFA\x96\x7B\x8C\xEA".repeat(100)),
        Some(b"\x1B$B$F\x1B(B".to_vec()),
        Some(b"\x82".to_vec()),
    ]
}

fn columns_of_bytes() -> Vec<ArrayRef> {
    let rows = rows();
    let slices = || rows.iter().map(Option::as_deref);
    let all: ArrayRef = Arc::new(BinaryArray::from_iter(slices()));
    let values: ArrayRef = Arc::new(BinaryViewArray::from_iter(slices()));
    // The values in descending order, and rows that repeat.
    let keys = Int8Array::from_iter((0..10).rev().chain([0, 0, 7]).map(|key| (key != 3).then_some(key)));
    vec![
        all.clone(),
        Arc::new(LargeBinaryArray::from_iter(slices())),
        values.clone(),
        all.slice(3, 5),
        values.slice(1, 8),
        Arc::new(DictionaryArray::<Int8Type>::new(keys, values)),
        Arc::new(FixedSizeBinaryArray::try_from_iter([b"\x83\x65a", b"abc", b"\xE9\x83\x65"].into_iter()).unwrap()),
        all.slice(0, 0),
    ]
}

/// The bytes of each row.
fn cells(column: &dyn Array) -> Vec<Option<Vec<u8>>> {
    let owned = |bytes: Option<&[u8]>| bytes.map(<[u8]>::to_vec);
    match column.data_type() {
        DataType::Binary => column.as_binary::<i32>().iter().map(owned).collect(),
        DataType::LargeBinary => column.as_binary::<i64>().iter().map(owned).collect(),
        DataType::BinaryView => column.as_binary_view().iter().map(owned).collect(),
        DataType::FixedSizeBinary(_) => column.as_fixed_size_binary().iter().map(owned).collect(),
        DataType::Utf8 => column.as_string::<i32>().iter().map(|text| owned(text.map(str::as_bytes))).collect(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().map(|text| owned(text.map(str::as_bytes))).collect(),
        DataType::Utf8View => column.as_string_view().iter().map(|text| owned(text.map(str::as_bytes))).collect(),
        DataType::Dictionary(..) => {
            let dictionary = column.as_dictionary::<Int8Type>();
            let values = cells(dictionary.values());
            dictionary.keys().iter().map(|key| key.and_then(|key| values[key as usize].clone())).collect()
        }
        other => panic!("{other}"),
    }
}

fn text_type(bytes: &DataType) -> DataType {
    match bytes {
        DataType::Binary | DataType::FixedSizeBinary(_) => DataType::Utf8,
        DataType::LargeBinary => DataType::LargeUtf8,
        DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(key, value) => DataType::Dictionary(key.clone(), Box::new(text_type(value))),
        other => panic!("{other}"),
    }
}

fn check(array: &dyn Array) {
    array.to_data().validate_full().unwrap();
}

#[test]
fn every_column_has_the_texts_of_its_rows() {
    for column in columns_of_bytes() {
        for encoding in Encoding::all() {
            for (bom, decode_row) in [
                (
                    BomHandling::Sniff,
                    (|encoding, bytes| Encoding::decode(encoding, bytes).text.into_owned())
                        as fn(Encoding, &[u8]) -> String,
                ),
                (BomHandling::Remove, |encoding, bytes| encoding.decode_with_bom_removal(bytes).0.into_owned()),
                (BomHandling::Keep, |encoding, bytes| encoding.decode_without_bom_handling(bytes).0.into_owned()),
            ] {
                let options = DecodeOptions { bom, ..DecodeOptions::default() };
                let text = decode(&column, &encoding.into(), &options).unwrap();
                check(&text);
                assert_eq!(*text.data_type(), text_type(column.data_type()));
                assert_eq!(decode_type(column.data_type(), &encoding.into()).as_ref(), Ok(text.data_type()));
                let expected: Vec<_> = cells(&column)
                    .iter()
                    .map(|cell| cell.as_ref().map(|cell| decode_row(encoding, cell).into_bytes()))
                    .collect();
                assert_eq!(cells(&text), expected, "{encoding} {bom:?} {}", column.data_type());
            }
        }
    }
}

#[test]
fn a_type_that_no_column_can_have_is_refused() {
    let dictionary = |key, values| DataType::Dictionary(Box::new(key), Box::new(values));
    let labels = Labels::from(textcodec::GBK);
    for of_no_column in [
        dictionary(DataType::Utf8, DataType::Binary),
        dictionary(DataType::Int8, dictionary(DataType::Int8, DataType::Binary)),
        dictionary(DataType::Int8, DataType::Int8),
        DataType::Null,
    ] {
        for result in [decode_type(&of_no_column, &labels), encode_type(&of_no_column, &labels)] {
            assert!(matches!(result, Err(Error::Type { .. })), "{of_no_column}");
        }
    }
}

#[test]
fn a_row_with_an_error_is_null_or_an_error_with_its_row() {
    for column in columns_of_bytes() {
        for encoding in Encoding::all() {
            let labels = Labels::from(encoding);
            let results: Vec<_> = cells(&column)
                .into_iter()
                .map(|cell| {
                    cell.map(|cell| {
                        (encoding.decode_or_fail(&cell).map(|decoded| decoded.text.into_owned().into_bytes()), cell)
                    })
                })
                .collect();

            let options = DecodeOptions { errors: DecodeErrors::Null, ..DecodeOptions::default() };
            let text = decode(&column, &labels, &options).unwrap();
            check(&text);
            if let Some(text) = text.as_string_opt::<i32>() {
                let is_empty = |row| text.is_valid(row) || text.value(row).is_empty();
                assert!((0..text.len()).all(is_empty), "a null row keeps no text before its error");
            }
            let expected: Vec<_> = results.iter().map(|result| result.as_ref()?.0.clone().ok()).collect();
            assert_eq!(cells(&text), expected, "{encoding} {}", column.data_type());

            let options = DecodeOptions { errors: DecodeErrors::Strict, ..DecodeOptions::default() };
            let first = results.iter().enumerate().find_map(|(row, result)| {
                result.as_ref().and_then(|(result, cell)| result.as_ref().err().map(|error| (row, *error, cell)))
            });
            match (decode(&column, &labels, &options), first) {
                (Ok(text), None) => assert_eq!(cells(&text), expected),
                // A dictionary names a row of the first value with an error.
                (Err(Error::Malformed(found)), Some((row, malformed, cell))) => {
                    if matches!(column.data_type(), DataType::Dictionary(..)) {
                        let (result, cell) = results[found.row].as_ref().unwrap();
                        assert_eq!((Err(found.malformed), &found.cell), (result.clone(), cell));
                    } else {
                        assert_eq!((found.row, found.malformed, &found.cell), (row, malformed, cell));
                    }
                }
                other => panic!("{encoding}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_value_of_a_dictionary_that_no_row_has_causes_no_error() {
    let values = BinaryArray::from(vec![&b"\xFF"[..], b"a", b"\xFE"]);
    let strict = DecodeOptions { errors: DecodeErrors::Strict, ..DecodeOptions::default() };
    let labels = Labels::one("utf-8").unwrap();
    let column = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![Some(1), None]), Arc::new(values.clone()));
    assert_eq!(cells(&decode(&column, &labels, &strict).unwrap()), [Some(b"a".to_vec()), None]);
    let column = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![1, 1, 2, 2]), Arc::new(values));
    let error = decode(&column, &labels, &strict).unwrap_err();
    assert_eq!(error.to_string(), "row 2: UTF-8: malformed bytes FE at offset 0");
}

#[test]
fn each_row_can_have_a_label() {
    let column: ArrayRef = Arc::new(BinaryArray::from(vec![Some(&b"\xE4"[..]), Some(b"\xE4"), Some(b"\xE4"), None]));
    let names = [Some("latin1"), Some("windows-1251"), None, Some("bogus")];
    let dictionary: DictionaryArray<Int8Type> = names.into_iter().collect();
    let columns: [ArrayRef; 4] = [
        Arc::new(StringArray::from_iter(names)),
        Arc::new(LargeStringArray::from_iter(names)),
        Arc::new(StringViewArray::from_iter(names)),
        Arc::new(dictionary),
    ];
    for labels in columns {
        // The label of a null row is not looked at.
        let labels = Labels::each(&labels).unwrap();
        let text = decode(&column, &labels, &DecodeOptions::default()).unwrap();
        let expected = ["ä", "д"].map(|text| Some(text.as_bytes().to_vec()));
        assert_eq!(cells(&text), [&expected[..], &[None, None]].concat());
        let text = decode(&column.slice(1, 2), &labels.slice(1, 2), &DecodeOptions::default()).unwrap();
        assert_eq!(cells(&text), [expected[1].clone(), None]);
        // A slice of a slice.
        let labels = labels.slice(1, 2).slice(0, 1);
        let text = decode(&column.slice(1, 1), &labels, &DecodeOptions::default()).unwrap();
        assert_eq!(cells(&text), [expected[1].clone()]);
    }
}

#[test]
fn a_dictionary_with_a_label_for_each_row_becomes_plain_text() {
    let values: ArrayRef = Arc::new(BinaryArray::from(vec![&b"\xE4"[..]]));
    let column = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![Some(0), Some(0), None]), values);
    let labels = Labels::each(&StringArray::from(vec!["latin1", "windows-1251", "utf-8"])).unwrap();
    let text = decode(&column, &labels, &DecodeOptions::default()).unwrap();
    assert_eq!(text.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("ä"), Some("д"), None]);
    assert_eq!(decode_type(column.data_type(), &labels).as_ref(), Ok(text.data_type()));
    let column: DictionaryArray<Int8Type> = [Some("ä"), Some("д"), None].into_iter().collect();
    let bytes = encode(&column, &labels, EncodeErrors::Strict).unwrap();
    assert_eq!(cells(&bytes), [Some(b"\xE4".to_vec()), Some(b"\xE4".to_vec()), None]);
    assert_eq!(encode_type(column.data_type(), &labels).as_ref(), Ok(bytes.data_type()));
}

#[test]
fn an_unknown_label_is_an_error_with_its_row_or_null() {
    let column = BinaryArray::from(vec![&b"a"[..], b"b", b"c"]);
    let labels = Labels::each(&StringArray::from(vec!["utf-8", "latin-1", "latin-1"])).unwrap();
    let error = decode(&column, &labels, &DecodeOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "row 1: unknown encoding label: \"latin-1\"");
    let options = DecodeOptions { errors: DecodeErrors::Null, ..DecodeOptions::default() };
    let text = decode(&column, &labels, &options).unwrap();
    assert_eq!(text.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("a"), None, None]);
    assert_eq!(Labels::one("latin-1").unwrap_err().to_string(), "unknown encoding label: \"latin-1\"");
}

#[test]
fn columns_of_another_type_or_length_are_refused() {
    let numbers = Int32Array::from(vec![1]);
    let labels = Labels::one("utf-8").unwrap();
    let error = decode(&numbers, &labels, &DecodeOptions::default()).unwrap_err();
    let expected = "the column has the type Int32; Binary, LargeBinary, BinaryView, FixedSizeBinary or a dictionary of them is needed";
    assert_eq!(error.to_string(), expected);
    assert!(matches!(
        decode(&StringArray::from(vec!["a"]), &labels, &DecodeOptions::default()),
        Err(Error::Type { .. })
    ));
    assert!(matches!(
        encode(&BinaryArray::from(vec![&b"a"[..]]), &labels, EncodeErrors::Strict),
        Err(Error::Type { .. })
    ));
    assert!(matches!(Labels::each(&numbers), Err(Error::Type { column: "the column of labels", .. })));
    let labels = Labels::each(&StringArray::from(vec!["utf-8"])).unwrap();
    let error = decode(&BinaryArray::from(vec![&b"a"[..], b"b"]), &labels, &DecodeOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "the column has 2 rows and the column of labels has 1");
    for (rows, count) in [(0, 1), (1, 2), (2, 1), (3, 4)] {
        let names = StringArray::from(vec!["utf-8"; count]);
        let labels = Labels::each(&names).unwrap();
        let expected = Err(Error::Length { column: rows, labels: count });
        let bytes = BinaryArray::from(vec![&b"a"[..]; rows]);
        assert_eq!(decode(&bytes, &labels, &DecodeOptions::default()).map(drop), expected);
        assert_eq!(encode(&StringArray::from(vec!["a"; rows]), &labels, EncodeErrors::Null).map(drop), expected);
        for charsets in
            [Charsets::each_of([&names as &dyn Array]), Charsets::each_content_type_of([&names as &dyn Array])]
        {
            assert_eq!(html(&bytes, &charsets.unwrap(), &HtmlOptions::default()).map(drop), expected);
        }
    }
}

#[test]
fn every_column_of_text_has_the_bytes_of_its_rows() {
    let rows = ["", "abc", "テキスト", "é☃", "a text that is longer than a view can hold: ä"];
    let rows = || rows.into_iter().map(Some).chain([None]);
    let keys = Int8Array::from(vec![Some(5), None, Some(3), Some(3), Some(0)]);
    let columns: [ArrayRef; 4] = [
        Arc::new(StringArray::from_iter(rows())),
        Arc::new(LargeStringArray::from_iter(rows())),
        Arc::new(StringViewArray::from_iter(rows())),
        Arc::new(DictionaryArray::<Int8Type>::new(keys, Arc::new(StringArray::from_iter(rows())))),
    ];
    for column in columns {
        for encoding in Encoding::all().filter(|encoding| encoding.output_encoding() == *encoding) {
            let texts: Vec<_> =
                cells(&column).into_iter().map(|cell| cell.map(|cell| String::from_utf8(cell).unwrap())).collect();
            let labels = Labels::from(encoding);
            let encoded = |errors| encode(&column, &labels, errors);

            let bytes = encoded(EncodeErrors::Html).unwrap();
            check(&bytes);
            assert_eq!(text_type(bytes.data_type()), *column.data_type());
            assert_eq!(encode_type(column.data_type(), &labels).as_ref(), Ok(bytes.data_type()));
            let expected: Vec<_> =
                texts.iter().map(|text| text.as_ref().map(|text| encoding.encode(text).bytes.into_owned())).collect();
            assert_eq!(cells(&bytes), expected, "{encoding}");

            let expected: Vec<_> = texts
                .iter()
                .map(|text| encoding.encode_or_fail(text.as_ref()?).ok().map(|bytes| bytes.into_owned()))
                .collect();
            assert_eq!(cells(&encoded(EncodeErrors::Null).unwrap()), expected, "{encoding}");

            let or_question = |character: char| {
                if encoding.encode_or_fail(&character.to_string()).is_ok() { character } else { '?' }
            };
            let expected: Vec<_> = texts
                .iter()
                .map(|text| {
                    let text: String = text.as_ref()?.chars().map(or_question).collect();
                    Some(encoding.encode(&text).bytes.into_owned())
                })
                .collect();
            assert_eq!(cells(&encoded(EncodeErrors::Replace).unwrap()), expected, "{encoding}");

            let error = texts.iter().flatten().any(|text| encoding.encode_or_fail(text).is_err());
            assert_eq!(encoded(EncodeErrors::Strict).is_err(), error);
            if let Err(Error::Unmappable(found)) = encoded(EncodeErrors::Strict) {
                assert_eq!(texts[found.row].as_ref(), Some(&found.cell));
                assert_eq!(encoding.encode_or_fail(&found.cell).err(), Some(found.unmappable));
            }
        }
    }
}

#[test]
fn unmappable_characters_can_become_question_marks_and_utf16_is_utf16() {
    let column = StringArray::from(vec!["a☃b💩"]);
    let encoded = |label, errors| {
        encode(&column, &Labels::one(label).unwrap(), errors).map(|bytes| cells(&bytes)[0].clone().unwrap())
    };
    assert_eq!(encoded("latin1", EncodeErrors::Replace).unwrap(), b"a?b?");
    assert_eq!(encoded("utf-16le", EncodeErrors::Strict).unwrap(), b"a\x00\x03\x26b\x00\x3D\xD8\xA9\xDC");
    assert_eq!(encoded("utf-16be", EncodeErrors::Strict).unwrap(), b"\x00a\x26\x03\x00b\xD8\x3D\xDC\xA9");
    let error = encoded("latin1", EncodeErrors::Strict).unwrap_err();
    assert_eq!(error.to_string(), "row 0: windows-1252: U+2603 cannot be encoded, at offset 1");
    let error = encoded("replacement", EncodeErrors::Replace).unwrap_err();
    assert_eq!(error.to_string(), "the encoding replacement has no encoder");
}

/// The rows of the result of `html`: text, encoding, confidence, reason, and whether there was an error.
fn pages(pages: &StructArray) -> Vec<[String; 5]> {
    check(pages);
    (0..pages.len())
        .map(|row| {
            let string = |column: usize| {
                let column = pages.column(column);
                if column.is_null(row) { "null".to_owned() } else { column.as_string::<i32>().value(row).to_owned() }
            };
            let had_errors = if pages.is_null(row) {
                "null row".to_owned()
            } else {
                pages.column(4).as_boolean().value(row).to_string()
            };
            [string(0), string(1), string(2), string(3), had_errors]
        })
        .collect()
}

#[test]
fn html_says_what_a_browser_would_read() {
    let column: ArrayRef = Arc::new(BinaryArray::from(vec![
        Some(&b"<meta charset=koi8-r>\xC4"[..]),
        Some(b"\xEF\xBB\xBF\xC3\xA9\xFF"),
        None,
        Some(b"\xE4"),
        Some(b"\xE4"),
    ]));
    let row = |values: [&str; 5]| values.map(str::to_owned);
    let headers: ArrayRef =
        Arc::new(StringArray::from(vec![None, Some("latin1"), Some("latin1"), Some("windows-1251"), Some("bogus")]));
    let charsets = Charsets::each_of([headers.as_ref()]).unwrap();
    let expected = [
        row(["<meta charset=koi8-r>д", "KOI8-R", "tentative", "meta", "false"]),
        row(["é\u{FFFD}", "UTF-8", "certain", "bom", "true"]),
        row(["null", "null", "null", "null", "null row"]),
        row(["д", "windows-1251", "certain", "transport", "false"]),
        row(["ä", "windows-1252", "tentative", "default", "false"]),
    ];
    assert_eq!(pages(&html(&column, &charsets, &HtmlOptions::default()).unwrap()), expected);
    let slice = html(&column.slice(2, 3), &charsets.slice(2, 3), &HtmlOptions::default()).unwrap();
    assert_eq!(pages(&slice), expected[2..]);
    let slice = html(&column.slice(3, 2), &charsets.slice(2, 3).slice(1, 2), &HtmlOptions::default()).unwrap();
    assert_eq!(pages(&slice), expected[3..]);

    let headers: ArrayRef = Arc::new(StringArray::from(vec!["text/html; charset=koi8-r"; 5]));
    let charsets = [
        Charsets::one("koi8-r"),
        Charsets::one_content_type("text/html;charset=\"koi8-r\""),
        Charsets::each_content_type_of([headers.as_ref()]).unwrap(),
    ];
    for charsets in charsets {
        assert_eq!(pages(&html(&column, &charsets, &HtmlOptions::default()).unwrap())[3][..2], ["Д", "KOI8-R"]);
    }

    let guess = |bytes: &[u8]| (bytes == b"\xE4").then_some(textcodec::Name::Windows1253);
    let options = HtmlOptions { guess: Some(&guess), ..HtmlOptions::default() };
    assert_eq!(pages(&html(&column, &Charsets::default(), &options).unwrap())[4][..2], ["δ", "windows-1253"]);
    let options = HtmlOptions { locale: Some("ru"), ..HtmlOptions::default() };
    assert_eq!(pages(&html(&column, &Charsets::default(), &options).unwrap())[4][..2], ["д", "windows-1251"]);
    // A default takes the place of that of the locale, and nothing else.
    let options = HtmlOptions { default: Some(textcodec::Name::Koi8R), locale: Some("ru"), ..HtmlOptions::default() };
    let found = pages(&html(&column, &Charsets::default(), &options).unwrap());
    assert_eq!(found[4][..4], ["Д", "KOI8-R", "tentative", "default"]);
    let options = HtmlOptions { guess: Some(&guess), ..options };
    assert_eq!(
        pages(&html(&column, &Charsets::default(), &options).unwrap())[4][1..4],
        ["windows-1253", "tentative", "heuristic"]
    );

    let options = HtmlOptions { errors: DecodeErrors::Null, ..HtmlOptions::default() };
    assert_eq!(
        pages(&html(&column, &Charsets::default(), &options).unwrap())[1],
        row(["null", "UTF-8", "certain", "bom", "true"])
    );
    let options = HtmlOptions { errors: DecodeErrors::Strict, ..HtmlOptions::default() };
    let error = html(&column, &Charsets::default(), &options).unwrap_err();
    assert_eq!(error.to_string(), "row 1: UTF-8: malformed bytes FF at offset 5");
}

#[test]
fn html_keeps_the_layout_of_the_column() {
    for column in columns_of_bytes() {
        let found = html(&column, &Charsets::default(), &HtmlOptions::default()).unwrap();
        check(&found);
        let expected = match text_type(column.data_type()) {
            DataType::Dictionary(_, values) => *values,
            other => other,
        };
        assert_eq!(*found.column(0).data_type(), expected);
        assert_eq!(found.len(), column.len());
    }
}

/// Texts in encodings that declare nothing, and what they are.
fn undeclared() -> Vec<(&'static str, &'static str, &'static str)> {
    vec![
        ("KOI8-R", "ru", "Старые страницы писали в другой кодировке, и никто об этом не помнит."),
        ("windows-1252", "de", "Größere Straßen führen schöner durch das Gebirge – für 5 €."),
        ("Shift_JIS", "ja", "古いページは別の文字コードで書かれています。"),
        ("EUC-KR", "ko", "오래된 문서는 다른 부호로 쓰여 있습니다."),
        ("Big5", "zh-Hant", "舊網頁使用別的編碼，瀏覽器仍然能讀。"),
    ]
}

/// The answers of a column of structs: encoding, language, and whether there is a probability.
fn answers(found: &StructArray) -> Vec<Option<(String, String, bool)>> {
    check(found);
    assert_eq!(*found.fields(), detect_fields());
    let text = |column: usize, row: usize| {
        let column = found.column(column).as_string::<i32>();
        if column.is_valid(row) { column.value(row) } else { "-" }.to_owned()
    };
    (0..found.len())
        .map(|row| found.is_valid(row).then(|| (text(0, row), text(1, row), found.column(2).is_valid(row))))
        .collect()
}

#[test]
fn detect_says_what_the_detector_says_of_each_row_of_every_column() {
    for column in columns_of_bytes() {
        let expected: Vec<_> = cells(&column)
            .iter()
            .map(|cell| {
                let detection = textcodec::detect::detect(cell.as_ref()?);
                let best = detection.best().map(|best| (best.name(), best.language().unwrap_or("-"), true));
                let (name, language, is_known) = best.unwrap_or(("-", "-", false));
                Some((name.to_owned(), language.to_owned(), is_known))
            })
            .collect();
        let found = detect(&column, &DetectOptions::new()).unwrap();
        assert_eq!(answers(&found), expected, "{}", column.data_type());
    }
}

#[test]
fn detect_finds_encodings_and_languages_and_tells_null_rows_from_rows_without_an_answer() {
    let texts = undeclared();
    let rows = texts.iter().map(|(label, _, text)| Encoding::for_label(label).unwrap().encode(text).bytes.into_owned());
    let rows = rows.map(Some).chain([None, Some(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec())]);
    let found = detect(&rows.collect::<BinaryArray>(), &DetectOptions::new()).unwrap();
    let expected = texts.iter().map(|&(label, language, _)| Some((label.to_owned(), language.to_owned(), true)));
    let no_answer = Some(("-".to_owned(), "-".to_owned(), false));
    assert_eq!(answers(&found), expected.chain([None, no_answer]).collect::<Vec<_>>());
    let probabilities = found.column(2).as_primitive::<Float32Type>();
    assert!((0..texts.len()).all(|row| (0.9..=1.0).contains(&probabilities.value(row))), "{probabilities:?}");

    // The options are those of the detector.
    let column = BinaryArray::from(vec![&b"caf\xE9"[..]]);
    let options = DetectOptions::new().among([textcodec::Name::Windows1250, textcodec::Name::Utf8]);
    assert_eq!(detect(&column, &options).unwrap().column(0).as_string::<i32>().value(0), "windows-1250");
    assert!(matches!(detect(&StringArray::from(vec!["a"]), &DetectOptions::new()), Err(Error::Type { .. })));
    let nested = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![0]), Arc::new(Int32Array::from(vec![1])));
    assert!(matches!(detect(&nested, &DetectOptions::new()), Err(Error::Type { .. })));
}

#[test]
fn html_with_the_detector_reads_pages_that_declare_nothing_and_believes_those_that_do() {
    let page = |label: &str, text: &str| {
        let body = format!("<!doctype html><title>a</title><p>{text}");
        Encoding::for_label(label).unwrap().encode(&body).bytes.into_owned()
    };
    let mut rows: Vec<_> = undeclared().iter().map(|(label, _, text)| page(label, text)).collect();
    rows.push(b"<meta charset=windows-1253>\xF0\xD2\xC9\xD7\xC5\xD4".to_vec());
    // ASCII fits the locale as well as anything else.
    rows.push(b"<p>plain".to_vec());
    let column = BinaryArray::from_iter_values(rows);
    let options = HtmlOptions { guess: Some(&guess), locale: Some("el"), ..HtmlOptions::default() };
    let found = pages(&html(&column, &Charsets::default(), &options).unwrap());
    for (row, (label, _, text)) in found.iter().zip(undeclared()) {
        assert!(row[0].ends_with(text), "{row:?}");
        assert_eq!(row[1..4], [label, "tentative", "heuristic"]);
    }
    assert_eq!(found[5][1..4], ["windows-1253", "tentative", "meta"]);
    assert_eq!(found[6][1..4], ["ISO-8859-7", "tentative", "locale"]);
    // Without it, the locale decides.
    let options = HtmlOptions { locale: Some("ru"), ..HtmlOptions::default() };
    assert_eq!(
        pages(&html(&column, &Charsets::default(), &options).unwrap())[0][1..4],
        ["windows-1251", "tentative", "locale"]
    );
}

#[test]
fn charsets_that_the_standard_does_not_have_decode_every_column() {
    let all: Vec<_> = Charset::all().filter(|charset| charset.standard().is_none()).collect();
    let few = ["cp037", "exact-us-ascii", "utf-7", "utf-32", "tcvn"].map(|name| Charset::for_label(name).unwrap());
    for (place, column) in columns_of_bytes().iter().enumerate() {
        // All charsets with one column, and charsets of each kind with all columns.
        for charset in if place == 0 { all.clone() } else { few.to_vec() } {
            let labels = Labels::one_charset(charset.name()).unwrap();
            let decoded = |errors| decode(column, &labels, &DecodeOptions { errors, ..DecodeOptions::default() });
            let text = decoded(DecodeErrors::Replace).unwrap();
            assert_eq!(*text.data_type(), text_type(column.data_type()));
            let expected: Vec<_> = cells(column)
                .iter()
                .map(|cell| Some(charset.new_decoder(true).decode_start(cell.as_ref()?, true).into_bytes()))
                .collect();
            assert_eq!(cells(&text), expected, "{charset} {}", column.data_type());

            // A text without U+FFFD has no errors, and these bytes are U+FFFD in no charset.
            let replacement = "\u{FFFD}".as_bytes();
            let has_errors = |text: &Vec<u8>| text.windows(3).any(|bytes| bytes == replacement);
            let without = |cell: Option<Vec<u8>>| cell.filter(|text| !has_errors(text));
            let expected: Vec<_> = expected.into_iter().map(without).collect();
            assert_eq!(cells(&decoded(DecodeErrors::Null).unwrap()), expected, "{charset}");
            match decoded(DecodeErrors::Strict) {
                Ok(text) => assert_eq!(cells(&text), expected),
                Err(Error::Malformed(found)) => {
                    let start = found.malformed.offset as usize;
                    assert_eq!(found.charset, charset);
                    assert!(found.cell[start..].starts_with(found.malformed.bytes()), "{found:?}");
                    assert_eq!(cells(column)[found.row].as_ref(), Some(&found.cell));
                    assert_eq!(expected[found.row], None);
                }
                other => panic!("{charset}: {other:?}"),
            }
        }
    }
}

#[test]
fn charsets_that_the_standard_does_not_have_encode_what_they_can() {
    let text = "Hello ☃ 1/2";
    let column = StringArray::from(vec![Some(text), None, Some(""), Some("Hello")]);
    let mut checked = 0;
    for charset in Charset::all().filter(|charset| charset.standard().is_none()) {
        let labels = Labels::from(charset);
        if !charset.is_writable() {
            let error = encode(&column, &labels, EncodeErrors::Strict).unwrap_err();
            assert_eq!(error.to_string(), format!("the encoding {charset} has no encoder"));
            continue;
        }
        let decoded = |errors| {
            let bytes = encode(&column, &labels, errors).unwrap();
            let text = decode(&bytes, &labels, &DecodeOptions::default()).unwrap();
            let text = text.as_string::<i32>();
            text.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
        };
        let expected =
            |text: Option<&str>| [text, None, Some(""), Some("Hello")].map(|text| text.map(str::to_owned)).to_vec();
        if !charset.can_encode("Hello ? 1/2") {
            // Some pages of EBCDIC have no small letters, and charsets of ISO 646 can lack other characters.
            continue;
        }
        checked += 1;
        if charset.can_encode("☃") {
            assert_eq!(decoded(EncodeErrors::Strict), expected(Some(text)), "{charset}");
            continue;
        }
        assert_eq!(decoded(EncodeErrors::Null), expected(None), "{charset}");
        assert_eq!(decoded(EncodeErrors::Replace), expected(Some("Hello ? 1/2")), "{charset}");
        if charset.can_encode("&#;") {
            assert_eq!(decoded(EncodeErrors::Html), expected(Some("Hello &#9731; 1/2")), "{charset}");
        }
        let Err(Error::Unmappable(found)) = encode(&column, &labels, EncodeErrors::Strict) else {
            panic!("{charset}");
        };
        assert_eq!((found.row, found.charset, &*found.cell), (0, charset, text));
        assert_eq!((found.unmappable.code_point, found.unmappable.offset), ('☃', 6));
    }
    assert!(checked > 200, "{checked}");
    let marked = encode(&column, &Labels::one_charset("utf-16-bom").unwrap(), EncodeErrors::Strict).unwrap();
    assert_eq!(cells(&marked)[2].as_deref(), Some(&b"\xFF\xFE"[..]));
}

#[test]
fn names_of_charsets_are_never_labels_and_each_row_can_have_one() {
    let column: ArrayRef = Arc::new(BinaryArray::from(vec![&b"\xC8\x85"[..], b"\x82", b"\x82", b"\xE9"]));
    let names = [Some("cp037"), Some("IBM437"), None, Some("latin1")];
    let dictionary: DictionaryArray<Int8Type> = names.into_iter().collect();
    for labels in [Arc::new(StringArray::from_iter(names)) as ArrayRef, Arc::new(dictionary)] {
        let text = decode(&column, &Labels::each_charset(&labels).unwrap(), &DecodeOptions::default()).unwrap();
        let text: Vec<_> = text.as_string::<i32>().iter().collect();
        assert_eq!(text, [Some("He"), Some("é"), None, Some("é")]);
        let error = decode(&column, &Labels::each(&labels).unwrap(), &DecodeOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), "row 0: unknown encoding label: \"cp037\"");
    }
    for name in ["utf-7", "cp037", "exact-iso-8859-1", "glibc:KOI8-U"] {
        assert!(Labels::one(name).is_err() && Labels::one_charset(name).is_ok(), "{name}");
    }
    // The labels of the Standard come first.
    for encoding in Encoding::all() {
        for label in encoding.labels() {
            assert_eq!(format!("{:?}", Labels::one_charset(label)), format!("{:?}", Labels::one(label)));
        }
    }

    let labels = Labels::each_charset(&StringArray::from(vec!["cp037", "cp037", "cp278", "nonsense"])).unwrap();
    let error = decode(&column, &labels, &DecodeOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "row 2: \"cp278\": two encodings have this name: iana:cp278 and java:cp278");
    let slice = decode(&column.slice(3, 1), &labels.slice(3, 1), &DecodeOptions::default()).unwrap_err();
    assert_eq!(slice.after(3).to_string(), "row 3: \"nonsense\": no encoding has this label");
    let options = DecodeOptions { errors: DecodeErrors::Null, ..DecodeOptions::default() };
    let text = decode(&column, &labels, &options).unwrap();
    assert_eq!(
        text.as_string::<i32>().iter().map(|text| text.is_some()).collect::<Vec<_>>(),
        [true, true, false, false]
    );
}

#[test]
fn an_error_in_another_charset_names_the_row_and_the_bytes() {
    let strict = DecodeOptions { errors: DecodeErrors::Strict, ..DecodeOptions::default() };
    let column = BinaryArray::from(vec![&b"abc"[..], b"ab\xFF"]);
    let error = decode(&column, &Labels::one_charset("exact-us-ascii").unwrap(), &strict);
    assert_eq!(error.unwrap_err().to_string(), "row 1: exact-us-ascii: malformed bytes FF at offset 2");
    let error =
        encode(&StringArray::from(vec!["a", "a☃"]), &Labels::one_charset("cp037").unwrap(), EncodeErrors::Strict);
    assert_eq!(error.unwrap_err().to_string(), "row 1: cp037: U+2603 cannot be encoded, at offset 1");
}

/// Its bytes are longer than the text, so that the encoder is called again before the unmappable character.
#[test]
fn a_character_after_a_full_output_is_at_its_place_in_the_row() {
    let text = "a가".repeat(40);
    let column = StringArray::from(vec![format!("{text}😀b")]);
    let labels = Labels::one_charset("glibc:ISO-2022-KR").unwrap();
    let error = encode(&column, &labels, EncodeErrors::Strict).unwrap_err().to_string();
    assert!(error.ends_with("U+1F600 cannot be encoded, at offset 160"), "{error}");
    for (errors, instead) in [(EncodeErrors::Replace, "?"), (EncodeErrors::Html, "&#128512;")] {
        let bytes = encode(&column, &labels, errors).unwrap();
        let back = decode(&bytes, &labels, &DecodeOptions::default()).unwrap();
        assert_eq!(back.as_string::<i32>().value(0), format!("{text}{instead}b"));
    }
}

#[test]
fn a_dictionary_can_have_values_of_each_type_of_bytes() {
    let values: [ArrayRef; 4] = [
        Arc::new(BinaryArray::from(vec![&b"\x83\x65"[..], b"ab"])),
        Arc::new(LargeBinaryArray::from(vec![&b"\x83\x65"[..], b"ab"])),
        Arc::new(BinaryViewArray::from(vec![&b"\x83\x65"[..], b"ab"])),
        Arc::new(FixedSizeBinaryArray::try_from_iter([b"\x83\x65", b"ab"].into_iter()).unwrap()),
    ];
    for values in values {
        let keys = Int8Array::from(vec![Some(1), None, Some(0)]);
        let column = DictionaryArray::<Int8Type>::try_new(keys, values).unwrap();
        let text = decode(&column, &Labels::one("sjis").unwrap(), &DecodeOptions::default()).unwrap();
        let expected = [Some(b"ab".to_vec()), None, Some("テ".into())];
        assert_eq!(cells(&text), expected, "{:?}", column.data_type());
        let each = Labels::each(&StringArray::from(vec!["sjis"; 3])).unwrap();
        for labels in [Labels::one("sjis").unwrap(), each] {
            let text = decode(&column, &labels, &DecodeOptions::default()).unwrap();
            assert_eq!(decode_type(column.data_type(), &labels).unwrap(), *text.data_type());
            assert_eq!(cells(&text), expected, "{:?}", column.data_type());
        }
        let page = html(&column, &Charsets::one("sjis"), &HtmlOptions::default()).unwrap();
        assert_eq!(cells(page.column_by_name("text").unwrap()), expected);
        assert_eq!(detect(&column, &DetectOptions::new()).unwrap().len(), 3);
    }
}

#[test]
fn threads_change_neither_results_nor_errors() {
    let chunks: Vec<ArrayRef> = (0..20)
        .map(|chunk| {
            let rows: Vec<Vec<u8>> = (0..30).map(|row| format!("{chunk} {row} \u{E9}").into_bytes()).collect();
            Arc::new(BinaryArray::from_iter_values(rows)) as ArrayRef
        })
        .collect();
    let labels = Labels::one("latin1").unwrap();
    let convert = |chunk: &ArrayRef, _| decode(chunk, &labels, &DecodeOptions::default());
    let expected = on_threads(1, &chunks, convert).unwrap();
    for threads in [0, 2, 3, 40] {
        assert_eq!(on_threads(threads, &chunks, convert).unwrap(), expected);
    }

    // The first row of the column with an error, whichever thread finds one first.
    let mut chunks = chunks;
    chunks[5] = Arc::new(BinaryArray::from(vec![&b"a"[..], b"\xFF"]));
    chunks[6] = Arc::new(BinaryArray::from(vec![&b"\xFF"[..]]));
    let labels = Labels::one("utf-8").unwrap();
    let strict = DecodeOptions { errors: DecodeErrors::Strict, ..DecodeOptions::default() };
    for threads in [1, 2, 8] {
        let error = on_threads(threads, &chunks, |chunk, _| decode(chunk, &labels, &strict)).unwrap_err();
        assert_eq!(error.to_string(), "row 151: UTF-8: malformed bytes FF at offset 0");
    }
}

/// UTF-7 and replacement are decoded only.
#[test]
fn a_charset_without_an_encoder_is_an_error_with_its_row_or_null() {
    let names = StringArray::from(vec!["utf-8", "replacement", "utf-7"]);
    let labels = Labels::each_charset(&names).unwrap();
    let text = StringArray::from(vec!["a", "b", "c"]);
    let dictionary: DictionaryArray<Int8Type> = ["c", "c", "b"].into_iter().collect();
    for column in [&text as &dyn Array, &dictionary] {
        let error = encode(column, &labels, EncodeErrors::Replace).unwrap_err();
        assert_eq!(error.to_string(), "row 1: the encoding replacement has no encoder");
        assert_eq!(error.after(3).to_string(), "row 4: the encoding replacement has no encoder");
        let bytes = encode(column, &labels, EncodeErrors::Null).unwrap();
        assert_eq!(cells(&bytes).iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, false]);
        // A charset of all rows is one error, or no row has bytes.
        for name in ["replacement", "utf-7"] {
            let labels = Labels::one_charset(name).unwrap();
            let error = encode(column, &labels, EncodeErrors::Html).unwrap_err();
            assert_eq!(error.to_string(), format!("the encoding {name} has no encoder"));
            assert_eq!(error.clone().after(3), error);
            let bytes = encode(column, &labels, EncodeErrors::Null).unwrap();
            assert_eq!(cells(&bytes), [const { None }; 3]);
        }
    }
    let chunks: Vec<ArrayRef> = vec![Arc::new(text.slice(0, 1)), Arc::new(text.slice(1, 2))];
    for threads in [1, 2] {
        let convert = |chunk: &ArrayRef, first| encode(chunk, &labels.slice(first, chunk.len()), EncodeErrors::Strict);
        let error = on_threads(threads, &chunks, convert).unwrap_err();
        assert_eq!(error.to_string(), "row 1: the encoding replacement has no encoder");
    }
}

#[test]
fn an_error_names_the_encoding_of_the_byte_order_mark() {
    for (cell, expected) in [
        (&b"\xEF\xBB\xBFa\xFF"[..], "row 0: UTF-8: malformed bytes FF at offset 4"),
        (b"\xFF\xFE\0\xDCa\0", "row 0: UTF-16LE: malformed bytes 00 DC at offset 2"),
        (b"\xFE\xFF\xDC\0\0a", "row 0: UTF-16BE: malformed bytes DC 00 at offset 2"),
    ] {
        let column = BinaryArray::from(vec![cell]);
        let strict = DecodeOptions { errors: DecodeErrors::Strict, ..DecodeOptions::default() };
        let error = decode(&column, &Labels::one("gbk").unwrap(), &strict).unwrap_err();
        assert_eq!(error.to_string(), expected);
        let options = HtmlOptions { errors: DecodeErrors::Strict, ..HtmlOptions::default() };
        assert_eq!(html(&column, &Charsets::one("gbk"), &options).unwrap_err().to_string(), expected);
    }
}

/// Dictionaries with keys of each type, whose rows have the values with these numbers.
fn dictionaries(keys: &[Option<usize>], values: &ArrayRef) -> Vec<ArrayRef> {
    fn of<K: ArrowDictionaryKeyType>(keys: &[Option<usize>], values: &ArrayRef) -> ArrayRef {
        let keys: PrimitiveArray<K> = keys.iter().map(|key| key.and_then(K::Native::from_usize)).collect();
        Arc::new(DictionaryArray::<K>::new(keys, values.clone()))
    }
    vec![
        of::<Int8Type>(keys, values),
        of::<Int16Type>(keys, values),
        of::<Int32Type>(keys, values),
        of::<Int64Type>(keys, values),
        of::<UInt8Type>(keys, values),
        of::<UInt16Type>(keys, values),
        of::<UInt32Type>(keys, values),
        of::<UInt64Type>(keys, values),
    ]
}

/// Rows, labels and texts are dictionaries, whose keys are in another order than the rows.
#[test]
fn the_rows_of_dictionaries_are_those_of_their_keys_in_each_function_and_in_slices_of_slices() {
    let keys = [Some(1), Some(0), None, Some(2), Some(0), Some(3), Some(1), Some(4)];
    let pages = [
        Some(&b"\xE4"[..]),
        Some(b"\xC4"),
        Some(b"<meta charset=koi8-r>\xC1"),
        Some(b"\xEF\xBB\xBF\xC3\xA9"),
        None,
        Some(b"\xFF"),
    ];
    let label_keys = [Some(2), Some(0), Some(1), Some(1), None, Some(3), Some(0), Some(0)];
    let labels = [Some("latin1"), Some("koi8-r"), Some("windows-1251"), Some("utf-8")];
    let texts = [Some("\u{E9}"), Some("\u{414}"), Some("a"), Some("\u{E9}a"), None];
    let picked = |keys: &[Option<usize>], values: &[Option<&'static str>]| -> Vec<Option<&'static str>> {
        keys.iter().map(|key| values[(*key)?]).collect()
    };
    let plain: ArrayRef = Arc::new(keys.iter().map(|key| pages[(*key)?]).collect::<BinaryArray>());
    let plain_labels: ArrayRef = Arc::new(StringArray::from(picked(&label_keys, &labels)));
    let plain_text: ArrayRef = Arc::new(StringArray::from(picked(&keys, &texts)));
    let values: ArrayRef = Arc::new(BinaryArray::from_iter(pages));
    let text_values: ArrayRef = Arc::new(StringArray::from_iter(texts));
    let headers = labels.map(|label| label.map(|label| format!("text/html; charset={label}")));
    let all_labels = dictionaries(&label_keys, &(Arc::new(StringArray::from_iter(labels)) as ArrayRef));
    let all_headers = dictionaries(&label_keys, &(Arc::new(StringArray::from_iter(headers)) as ArrayRef));
    let options = DecodeOptions { errors: DecodeErrors::Null, ..DecodeOptions::default() };
    let all = dictionaries(&keys, &values).into_iter().zip(dictionaries(&keys, &text_values));
    for (((column, text), of_rows), headers) in all.zip(&all_labels).zip(&all_headers) {
        let labels =
            [Labels::each(&plain_labels), Labels::each(of_rows), Labels::each_charset(of_rows)].map(Result::unwrap);
        let charsets = [
            Charsets::each_of([plain_labels.as_ref()]),
            Charsets::each_of([of_rows.as_ref()]),
            Charsets::each_content_type_of([headers.as_ref()]),
        ]
        .map(Result::unwrap);
        for (start, end) in (0..=8).flat_map(|start| (start..=8).map(move |end| (start, end))) {
            // A slice of a slice.
            let cut = |array: &ArrayRef| array.slice(start, 8 - start).slice(0, end - start);
            let (column, text) = (cut(&column), cut(&text));
            let (plain, plain_text) = (cut(&plain), cut(&plain_text));
            let expected = Labels::each(&cut(&plain_labels)).unwrap();
            for labels in &labels {
                let labels = labels.slice(start, 8 - start).slice(0, end - start);
                assert_eq!(labels.len(), Some(end - start));
                let decoded = decode(&column, &labels, &options).unwrap();
                assert_eq!(
                    &decoded,
                    &decode(&plain, &expected, &options).unwrap(),
                    "{} {start} {end}",
                    column.data_type()
                );
                let encoded = encode(&text, &labels, EncodeErrors::Html).unwrap();
                assert_eq!(&encoded, &encode(&plain_text, &expected, EncodeErrors::Html).unwrap(), "{start} {end}");
            }
            let expected = Charsets::each_of([cut(&plain_labels).as_ref()]).unwrap();
            for charsets in &charsets {
                let charsets = charsets.slice(start, 8 - start).slice(0, end - start);
                assert_eq!(charsets.len(), Some(end - start));
                let found = html(&column, &charsets, &HtmlOptions::default()).unwrap();
                assert_eq!(found, html(&plain, &expected, &HtmlOptions::default()).unwrap(), "{start} {end}");
            }
            let found = detect(&column, &DetectOptions::new()).unwrap();
            assert_eq!(answers(&found), answers(&detect(&plain, &DetectOptions::new()).unwrap()));
        }
    }
    // The rows of the longest slice are those that one reads in the tables above.
    let column = &dictionaries(&keys, &values)[0];
    let text = decode(column, &Labels::each(&all_labels[0]).unwrap(), &options).unwrap();
    let expected = [
        Some("\u{414}"),
        Some("\u{E4}"),
        None,
        Some("<meta charset=koi8-r>\u{430}"),
        None,
        Some("\u{E9}"),
        Some("\u{C4}"),
        None,
    ];
    assert_eq!(text.as_string::<i32>().iter().collect::<Vec<_>>(), expected);
}

#[test]
fn an_error_in_a_dictionary_has_the_first_row_of_its_value() {
    let strict = DecodeOptions { errors: DecodeErrors::Strict, ..DecodeOptions::default() };
    let values: ArrayRef = Arc::new(BinaryArray::from(vec![&b"a"[..], b"b\xFF", b"c"]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a", "b\u{2603}", "c"]));
    for (keys, row) in [
        (vec![Some(0), Some(2), Some(1), Some(1)], 2),
        (vec![Some(1), Some(0)], 0),
        (vec![None, Some(2), Some(2), None, Some(1)], 4),
    ] {
        let labels = Labels::one("utf-8").unwrap();
        for column in dictionaries(&keys, &values) {
            for (column, row) in [(column.clone(), row), (column.slice(row, 1), 0)] {
                let Err(Error::Malformed(found)) = decode(&column, &labels, &strict) else { panic!("{keys:?}") };
                assert_eq!((found.row, &found.cell[..], found.malformed.offset), (row, &b"b\xFF"[..], 1));
                let options = HtmlOptions { errors: DecodeErrors::Strict, ..HtmlOptions::default() };
                let Err(Error::Malformed(found)) = html(&column, &Charsets::one("utf-8"), &options) else {
                    panic!("{keys:?}")
                };
                assert_eq!((found.row, &found.cell[..], found.malformed.offset), (row, &b"b\xFF"[..], 1));
            }
        }
        for column in dictionaries(&keys, &texts) {
            let Err(Error::Unmappable(found)) = encode(&column, &Labels::one("latin1").unwrap(), EncodeErrors::Strict)
            else {
                panic!("{keys:?}")
            };
            assert_eq!((found.row, &*found.cell, found.unmappable.offset), (row, "b\u{2603}", 1));
        }
    }
}

/// Each kind of error with the message, and with that in a column with ten more rows at its start.
#[test]
fn the_message_of_an_error_has_its_row() {
    let charset = Charset::for_label("utf-7").unwrap();
    let reason = Charset::for_label("cp278").unwrap_err();
    let two = "\"cp278\": two encodings have this name: iana:cp278 and java:cp278";
    let column = "the column has 3 rows and the column of labels has 5";
    let label = || "x".to_owned();
    let charset_error = |row| Error::Charset { row, name: "cp278".to_owned(), reason: reason.clone() };
    for (error, message, after) in [
        (Error::Length { column: 3, labels: 5 }, column.to_owned(), None),
        (Error::Label { row: None, label: label() }, "unknown encoding label: \"x\"".to_owned(), None),
        (Error::Label { row: Some(2), label: label() }, "row 2: unknown encoding label: \"x\"".to_owned(), Some(12)),
        (charset_error(None), two.to_owned(), None),
        (charset_error(Some(2)), format!("row 2: {two}"), Some(12)),
        (Error::NoEncoder { row: None, charset }, "the encoding utf-7 has no encoder".to_owned(), None),
        (Error::NoEncoder { row: Some(2), charset }, "row 2: the encoding utf-7 has no encoder".to_owned(), Some(12)),
        (
            Error::TooLong { row: 2, most: 99 },
            "row 2: the result is longer than 99 bytes, which its type allows; convert fewer rows at once, or a column \
             with 64-bit offsets"
                .to_owned(),
            Some(12),
        ),
        (
            Error::Type { column: "the column", expected: TYPES_OF_TEXT, found: DataType::Int8 },
            "the column has the type Int8; Utf8, LargeUtf8, Utf8View or a dictionary of them is needed".to_owned(),
            None,
        ),
        (
            Error::Type { column: "the column", expected: TYPES_OF_BYTES, found: DataType::Utf8 },
            "the column has the type Utf8; Binary, LargeBinary, BinaryView, FixedSizeBinary or a dictionary of them is \
             needed"
                .to_owned(),
            None,
        ),
    ] {
        assert_eq!(error.to_string(), message);
        let expected = after.map_or(message.clone(), |row| message.replacen("row 2", &format!("row {row}"), 1));
        assert_eq!(error.after(10).to_string(), expected);
    }
}

#[test]
fn each_layout_has_its_types_and_each_field_can_be_null() {
    let dictionary = |values| DataType::Dictionary(Box::new(DataType::Int8), Box::new(values));
    for (kind, bytes, text) in [
        (Kind::Small, DataType::Binary, DataType::Utf8),
        (Kind::Large, DataType::LargeBinary, DataType::LargeUtf8),
        (Kind::View, DataType::BinaryView, DataType::Utf8View),
    ] {
        assert_eq!((kind.bytes(), kind.text()), (bytes.clone(), text.clone()));
        for of_kind in [bytes.clone(), text.clone(), dictionary(bytes), dictionary(text.clone())] {
            assert_eq!(Kind::of(&of_kind), Some(kind), "{of_kind}");
        }
        let fields = html_fields(kind);
        let types = [text, DataType::Utf8, DataType::Utf8, DataType::Utf8, DataType::Boolean];
        let names = ["text", "encoding", "confidence", "reason", "had_errors"];
        assert!(fields.iter().map(|field| (&**field.name(), field.data_type())).eq(names.into_iter().zip(&types)));
        assert!(fields.iter().chain(&detect_fields()).all(|field| field.is_nullable()));
    }
    assert_eq!(Kind::of(&DataType::FixedSizeBinary(3)), Some(Kind::Small));
    for none in [DataType::Null, DataType::Int8, dictionary(DataType::Int8), dictionary(dictionary(DataType::Utf8))] {
        assert_eq!(Kind::of(&none), None, "{none}");
    }
    let fields = detect_fields();
    let types = [DataType::Utf8, DataType::Utf8, DataType::Float32];
    let names = ["encoding", "language", "probability"];
    assert!(fields.iter().map(|field| (&**field.name(), field.data_type())).eq(names.into_iter().zip(&types)));
    assert_eq!((DecodeErrors::default(), EncodeErrors::default()), (DecodeErrors::Replace, EncodeErrors::Strict));
}

#[test]
fn a_slice_has_no_more_rows_than_there_are() {
    let names = StringArray::from(vec!["utf-8", "gbk", "big5"]);
    let labels = Labels::each(&names).unwrap();
    let charsets = Charsets::each_of([&names as &dyn Array]).unwrap();
    for (offset, length) in [(0, 4), (1, 3), (4, 0), (3, 1), (usize::MAX, 1), (1, usize::MAX)] {
        for slice in [&(|| drop(labels.slice(offset, length))) as &dyn Fn(), &|| drop(charsets.slice(offset, length))] {
            let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(slice));
            assert!(panicked.is_err(), "{offset} {length}");
        }
    }
    for (offset, length) in [(0, 3), (1, 2), (3, 0), (0, 0)] {
        assert_eq!(labels.slice(offset, length).len(), Some(length));
        assert_eq!(charsets.slice(offset, length).len(), Some(length));
    }
    // One label has no number of rows, and is that of every slice.
    let (one, other) = (Labels::one("gbk").unwrap(), Charsets::one("gbk"));
    assert_eq!((one.len(), one.slice(7, 9).len()), (None, None));
    assert_eq!((other.len(), other.slice(7, 9).len(), Charsets::default().slice(7, 9).len()), (None, None, None));
    let column = BinaryArray::from(vec![&b"\xD6\xD0"[..]]);
    for labels in [one.slice(7, 9), labels.slice(1, 1)] {
        assert_eq!(
            cells(&decode(&column, &labels, &DecodeOptions::default()).unwrap()),
            [Some("中".as_bytes().to_vec())]
        );
    }
    for charsets in [other.slice(7, 9), charsets.slice(1, 1)] {
        assert_eq!(pages(&html(&column, &charsets, &HtmlOptions::default()).unwrap())[0][..2], ["中", "GBK"]);
    }
}

#[test]
fn a_charset_of_http_that_no_encoding_has_counts_as_none() {
    let column = BinaryArray::from(vec![&b"<meta charset=koi8-r>\xC1"[..], b"\xE4"]);
    let names = StringArray::from(vec![Some("bogus"), None]);
    let headers = StringArray::from(vec![Some("text/html; charset=bogus"), Some("text/html")]);
    let labels = StringArray::from(vec!["windows-1251", "charset=windows-1251"]);
    let expected = pages(&html(&column, &Charsets::default(), &HtmlOptions::default()).unwrap());
    assert_eq!([&expected[0][3], &expected[1][3]], ["meta", "default"]);
    for charsets in [
        Charsets::one("bogus"),
        Charsets::one(""),
        Charsets::one_content_type("text/html"),
        Charsets::one_content_type("text/html; charset=bogus"),
        Charsets::one_content_type("no header"),
        Charsets::one_content_type(b"\xFF"),
        Charsets::each_of([&names as &dyn Array]).unwrap(),
        Charsets::each_content_type_of([&headers as &dyn Array]).unwrap(),
        // A label is no media type.
        Charsets::one_content_type("windows-1251"),
        Charsets::each_content_type_of([&labels as &dyn Array]).unwrap(),
    ] {
        assert_eq!(pages(&html(&column, &charsets, &HtmlOptions::default()).unwrap()), expected, "{charsets:?}");
    }
    let numbers = Int32Array::from(vec![1]);
    for (result, name) in [
        (Charsets::each_of([&numbers as &dyn Array]), "the column of charsets"),
        (Charsets::each_content_type_of([&numbers as &dyn Array]), "the column of content types"),
    ] {
        assert!(matches!(result, Err(Error::Type { column, .. }) if column == name));
    }
}

#[test]
fn an_unknown_label_is_an_error_or_null_when_encoding_too() {
    let text = StringArray::from(vec![Some("a"), Some("b"), None, Some("c")]);
    let names = StringArray::from(vec!["utf-8", "latin-1", "bogus", "cp278"]);
    for (labels, message) in [
        (Labels::each(&names), "row 1: unknown encoding label: \"latin-1\""),
        (
            Labels::each_charset(&names),
            "row 1: \"latin-1\": no encoding has this label; did you mean latin1, LATIN-GREEK-1 or csisolatin1?",
        ),
    ] {
        let labels = labels.unwrap();
        for errors in [EncodeErrors::Strict, EncodeErrors::Replace, EncodeErrors::Html] {
            assert_eq!(encode(&text, &labels, errors).unwrap_err().to_string(), message);
        }
        let bytes = encode(&text, &labels, EncodeErrors::Null).unwrap();
        assert_eq!(cells(&bytes), [Some(b"a".to_vec()), None, None, None]);
    }
}

#[test]
fn a_replacement_is_text_of_the_charset_or_the_character_is_an_error() {
    // The character of an error after others, and one of two code units.
    let column = StringArray::from(vec![Some("aA"), None, Some("A\u{1F4A9}A\u{2603}")]);
    let (mut written, mut refused) = (0, 0);
    for charset in Charset::all() {
        if !charset.is_writable() || !charset.can_encode("aA") || charset.can_encode("\u{1F4A9}") {
            continue;
        }
        let snow = if charset.can_encode("\u{2603}") { "\u{2603}" } else { "&#9731;" };
        let snow_or_question = if charset.can_encode("\u{2603}") { "\u{2603}" } else { "?" };
        for (errors, expected) in [
            (EncodeErrors::Html, format!("A&#128169;A{snow}")),
            (EncodeErrors::Replace, format!("A?A{snow_or_question}")),
        ] {
            match encode(&column, &charset.into(), errors) {
                Ok(bytes) => {
                    let expected = encode(&StringArray::from(vec![expected]), &charset.into(), EncodeErrors::Strict);
                    assert_eq!(cells(&bytes)[2], cells(&expected.unwrap())[0], "{charset} {errors:?}");
                    written += 1;
                }
                Err(Error::Unmappable(found)) => {
                    assert!(!charset.can_encode(if errors == EncodeErrors::Html { "&#128169;" } else { "?" }));
                    assert_eq!((found.row, found.charset), (2, charset));
                    assert_eq!((found.unmappable.code_point, found.unmappable.offset), ('\u{1F4A9}', 1));
                    refused += 1;
                }
                Err(error) => panic!("{charset}: {error}"),
            }
        }
    }
    assert!(written > 400 && refused > 10, "{written} {refused}");
}

#[test]
fn all_fields_of_a_null_row_are_null() {
    for column in columns_of_bytes() {
        let nulls: Vec<_> = cells(&column).iter().map(Option::is_none).collect();
        let found = html(&column, &Charsets::default(), &HtmlOptions::default()).unwrap();
        let guessed = detect(&column, &DetectOptions::new()).unwrap();
        for field in found.columns() {
            assert_eq!((0..column.len()).map(|row| field.is_null(row)).collect::<Vec<_>>(), nulls);
        }
        assert!(guessed.columns().iter().all(|field| (0..column.len()).all(|row| !nulls[row] || field.is_null(row))));
    }
}
