//! The Standard's decoders and encoders, written a second time: as state tables, which an interpreter reads.
//!
//! The battery of each family compares bulk code with the handler, so it cannot see a handler that is wrong. These
//! tests compare the handlers, and bulk code, with `decoders.txt` and `encoders.txt`. The tables and the interpreter
//! were written from the Standard's text alone. They share no code with the libraries, and work in another way: an
//! interpreter holds the bytes of a sequence in place of registers, its states are those bytes' ranges, and each code
//! point is a sum of multiples of the bytes.
//!
//! A decoder has finitely many states. Where a table and a handler are in states that earlier inputs have led to as a
//! pair, every byte leads both to the same result and to another such pair. So the comparison of all pairs holds for
//! inputs of every length.

mod decoder;
mod encoder;
mod index;
mod table;

use std::{collections::HashSet, fmt::Debug};

use decoder::{Decoder, DecoderTable, decoders};
use encoder::{EncoderTable, encoders};
use textcodec::{
    DecodeErrorMode, DecodeStatus, EncodeErrorMode, EncodeStatus, Encoded, Encoding, ISO_2022_JP,
    hooks::{DecoderInstance, EncoderInstance, IoQueue, Item, ItemResult},
};
use textcodec_core::testing::Random;

/// The result of a handler.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome<T, E> {
    Finished,
    Items(T),
    Error(E),
    Continue,
}

const IS_EXHAUSTIVE: bool = cfg!(feature = "exhaustive");

/// Runs a check for each encoding, and fails with the first difference of each encoding that has one.
fn for_each<T>(tables: &[(&str, T)], check: impl Fn(Encoding, &T) -> Result<(), String>) {
    let check = |(name, table): &(&str, T)| {
        let encoding = Encoding::all().find(|encoding| encoding.name() == *name).expect("a name of the Standard");
        check(encoding, table).err().map(|difference| format!("{name}: {difference}"))
    };
    let differences: Vec<String> = tables.iter().filter_map(check).collect();
    assert!(differences.is_empty(), "{} encodings differ:\n{}", differences.len(), differences.join("\n"));
}

/// An error with the first difference between `ours` and what the tables say.
fn same<T: PartialEq + Debug>(ours: T, tables: T, of: impl FnOnce() -> String) -> Result<(), String> {
    if ours == tables {
        return Ok(());
    }
    let (ours, tables) = (format!("{ours:02X?}"), format!("{tables:02X?}"));
    let is_same = ours.chars().zip(tables.chars()).take_while(|(ours, tables)| ours == tables).count();
    let part = |text: &str| text.chars().skip(is_same.saturating_sub(60)).take(120).collect::<String>();
    let of: String = of().chars().take(200).collect();
    Err(format!("{of} is …{}…, in the table …{}…", part(&ours), part(&tables)))
}

#[test]
fn the_tables_have_every_encoding_of_the_standard() {
    let names = |is_wanted: fn(Encoding) -> bool| -> HashSet<&str> {
        Encoding::all().filter(|&encoding| is_wanted(encoding)).map(Encoding::name).collect()
    };
    assert_eq!(decoders().iter().map(|table| table.0).collect::<HashSet<_>>(), names(|_| true));
    let has_encoder = |encoding: Encoding| encoding.output_encoding() == encoding;
    assert_eq!(encoders().iter().map(|table| table.0).collect::<HashSet<_>>(), names(has_encoder));
    assert_eq!((decoders().len(), encoders().len()), (40, 37));
}

#[test]
fn every_handler_of_a_decoder_goes_through_its_state_table() {
    for_each(&decoders(), |encoding, table| {
        let start = (Decoder::default(), DecoderInstance::new(encoding));
        let (mut seen, mut queue, mut skipped) = (HashSet::new(), vec![start], 0);
        let (mut input, mut output) = (IoQueue::from_iter([]), IoQueue::new());
        while let Some((state, handler)) = queue.pop() {
            let is_last = state.held.as_slice().len() == 3;
            let mut bytes = (0..=0xFF).collect();
            if is_last && !IS_EXHAUSTIVE {
                // `indexes` checks every pointer of gb18030 with the handler, too.
                skipped += 1;
                if skipped % if encoding.name() == "gb18030" { 3 } else { 29 } != 0 {
                    continue;
                }
                bytes = table.edges(state.state);
            }
            for byte in bytes.into_iter().map(Some).chain([None]) {
                let (mut state_after, mut handler_after) = (state, handler);
                let (outcome, restored) = table.step(&mut state_after, byte);
                let item = byte.map_or(Item::EndOfQueue, Item::Value);
                let ours = match handler_after.process_item(item, &mut input, &mut output, DecodeErrorMode::Fatal) {
                    ItemResult::Finished => Outcome::Finished,
                    ItemResult::Error(()) => Outcome::Error(()),
                    ItemResult::Continue => match output.read() {
                        Item::EndOfQueue => Outcome::Continue,
                        Item::Value(first) => Outcome::Items([Some(first), value(output.read())]),
                    },
                };
                let of = || format!("{byte:02X?} after {:02X?} in the state {}", state.held, table.names[state.state]);
                same((ours, input.read_all::<Vec<u8>>()), (outcome, restored.as_slice().to_vec()), of)?;
                if seen.insert((state_after, handler_after.state())) {
                    queue.push((state_after, handler_after));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn every_handler_of_an_encoder_follows_its_table() {
    for_each(&encoders(), |encoding, table| {
        let start = (table.first, EncoderInstance::new(encoding).expect("the table is of an encoder"));
        let (mut seen, mut queue) = (HashSet::new(), vec![start]);
        let (mut input, mut output) = (IoQueue::from_iter([]), IoQueue::new());
        while let Some((state, handler)) = queue.pop() {
            for item in scalar_values().map(Some).chain([None]) {
                let (mut state_after, mut handler_after) = (state, handler);
                let expected = table.step(&mut state_after, item);
                let queued = item.map_or(Item::EndOfQueue, Item::Value);
                let result = handler_after.process_item(queued, &mut input, &mut output, EncodeErrorMode::Fatal);
                let written: Vec<u8> = output.read_all();
                let ours = match result {
                    ItemResult::Finished => Outcome::Finished,
                    ItemResult::Error(code_point) => Outcome::Error(code_point),
                    ItemResult::Continue if written.is_empty() => Outcome::Continue,
                    ItemResult::Continue => Outcome::Items(written),
                };
                same((ours, value(input.read())), expected, || format!("{item:?} in the state {state}"))?;
                if seen.insert((state_after, handler_after.state())) {
                    queue.push((state_after, handler_after));
                }
            }
        }
        Ok(())
    });
}

fn value<T>(item: Item<T>) -> Option<T> {
    match item {
        Item::Value(value) => Some(value),
        Item::EndOfQueue => None,
    }
}

/// Every scalar value; by default those of the BMP, every 251st beyond it, and the first and last ones of each plane.
fn scalar_values() -> impl Iterator<Item = char> {
    let is_taken = |&number: &u32| IS_EXHAUSTIVE || number < 0x1_0000 || number % 251 == 0 || number % 0xFFFF < 17;
    (0..=0x10_FFFF).filter(is_taken).filter_map(char::from_u32)
}

/// Decodes `bytes` as one slice. Fails unless the text is that of the table.
fn check_decoding(encoding: Encoding, table: &DecoderTable, bytes: &[u8]) -> Result<(), String> {
    let (expected, has_errors) = table.decode(bytes);
    let (text, ours) = encoding.decode_without_bom_handling(bytes);
    same((&*text, ours), (&*expected, has_errors), || format!("{bytes:02X?}"))
}

/// Decodes `bytes`, which are few, in two slices with every split. Fails unless the text is that of the table.
fn check_splits(encoding: Encoding, table: &DecoderTable, bytes: &[u8]) -> Result<(), String> {
    let expected: Vec<u16> = table.decode(bytes).0.encode_utf16().collect();
    for at in 0..=bytes.len() {
        let (mut decoder, mut units) = (encoding.new_decoder_without_bom_handling(), [0; 64]);
        let (first, second) = bytes.split_at(at);
        let mode = DecodeErrorMode::Replacement;
        let before = decoder.decode_to_utf16(first, &mut units, false, mode);
        let after = decoder.decode_to_utf16(second, &mut units[before.written..], true, mode);
        assert_eq!(after.status, DecodeStatus::InputEmpty);
        let units = &units[..before.written + after.written];
        same(units, &expected, || format!("{first:02X?} and then {second:02X?}"))?;
    }
    Ok(())
}

/// A source of at least `length` bytes that lead through as many states as possible, with runs for bulk code.
fn walk(table: &DecoderTable, edges: &[Vec<u8>], length: usize, random: &mut Random) -> Vec<u8> {
    let (mut decoder, mut bytes) = (Decoder::default(), Vec::with_capacity(length));
    while bytes.len() < length {
        let edges = &edges[decoder.state];
        let byte = if random.below(3) == 0 { random.below(256) as u8 } else { edges[random.below(edges.len())] };
        bytes.push(byte);
        table.step(&mut decoder, Some(byte));
        if random.below(40) == 0 && bytes.len() >= 4 {
            let run = bytes[bytes.len() - 4..].repeat(random.below(20));
            for &byte in &run {
                table.step(&mut decoder, Some(byte));
            }
            bytes.extend(run);
        }
    }
    bytes
}

#[test]
fn inputs_of_up_to_three_bytes_become_the_text_of_the_state_table() {
    for_each(&decoders(), |encoding, table| {
        // A single-byte decoder has the same path for all bytes, and no state.
        let strides = match IS_EXHAUSTIVE {
            true if encoding.is_single_byte() => [1, 97],
            true => [1, 1],
            false => [11, 6007],
        };
        for byte in 0..=0xFF {
            check_decoding(encoding, table, &[byte])?;
        }
        for input in (0..=0xFFFF_u16).step_by(strides[0]) {
            check_decoding(encoding, table, &input.to_be_bytes())?;
        }
        for input in (0..1_u32 << 24).step_by(strides[1]) {
            let bytes = &input.to_be_bytes()[1..];
            check_decoding(encoding, table, bytes)?;
            if input % 67 == 0 || !IS_EXHAUSTIVE {
                check_splits(encoding, table, bytes)?;
            }
        }
        Ok(())
    });
}

#[test]
fn long_inputs_through_all_states_become_the_text_of_the_state_table() {
    for_each(&decoders(), |encoding, table| {
        let edges: Vec<Vec<u8>> = (0..table.names.len()).map(|state| table.edges(state)).collect();
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (texts, length) = if IS_EXHAUSTIVE { (20_000, 3000) } else { (12, 3000) };
        for _ in 0..texts {
            check_decoding(encoding, table, &walk(table, &edges, length, &mut random))?;
            for length in 4..9 {
                let mut bytes = walk(table, &edges, length, &mut random);
                bytes.truncate(length);
                check_splits(encoding, table, &bytes)?;
            }
        }
        Ok(())
    });
}

#[test]
fn every_pointer_of_gb18030_in_four_bytes_becomes_the_text_of_the_state_table() {
    let is_of_four_bytes = |name: &str| ["gb18030", "GBK"].contains(&name);
    let tables: Vec<_> = decoders().into_iter().filter(|table| is_of_four_bytes(table.0)).collect();
    for_each(&tables, |encoding, table| {
        for first in (0x81..=0xFE).step_by(if IS_EXHAUSTIVE { 1 } else { 25 }) {
            let mut bytes = Vec::new();
            for second in 0x30..=0x39 {
                for third in 0x81..=0xFE {
                    (0x30..=0x39).for_each(|fourth| bytes.extend([first, second, third, fourth]));
                }
            }
            check_decoding(encoding, table, &bytes)?;
        }
        Ok(())
    });
}

#[test]
fn strings_over_the_significant_bytes_of_iso_2022_jp_become_the_text_of_the_state_table() {
    const BYTES: [u8; 14] = *b"\x1B\x24\x28\x40\x42\x49\x4A\x21\x30\x5C\x7E\x0E\x80\x0A";
    let tables: Vec<_> = decoders().into_iter().filter(|table| table.0 == ISO_2022_JP.name()).collect();
    for_each(&tables, |encoding, table| {
        for length in 0..=if IS_EXHAUSTIVE { 6 } else { 4 } {
            for mut number in 0..BYTES.len().pow(length) {
                let mut input = [0; 6];
                for byte in &mut input[..length as usize] {
                    *byte = BYTES[number % BYTES.len()];
                    number /= BYTES.len();
                }
                check_decoding(encoding, table, &input[..length as usize])?;
            }
        }
        Ok(())
    });
}

/// Encodes `text` from UTF-8 and from UTF-16. Fails unless the bytes are those of the table.
fn check_encoding(encoding: Encoding, table: &EncoderTable, text: &str) -> Result<(), String> {
    let expected = table.encode(text);
    let Encoded { bytes, had_errors, .. } = encoding.encode(text);
    same((&*bytes, had_errors), (&*expected.0, expected.1), || format!("{text:?}"))?;
    let (units, mut bytes) = (text.encode_utf16().collect::<Vec<u16>>(), Vec::new());
    let result = encoding.new_encoder().encode_utf16_to_vec(&units, &mut bytes, true, EncodeErrorMode::Html);
    assert_eq!(result.status, EncodeStatus::InputEmpty);
    same(&bytes, &expected.0, || format!("{text:?} as UTF-16"))
}

#[test]
fn every_scalar_value_in_texts_becomes_the_bytes_of_the_table() {
    for_each(&encoders(), |encoding, table| {
        // Some characters between the others change the state of ISO-2022-JP's encoder.
        let between = ["", "あ", "¥", "a"];
        let scalar_values: Vec<char> =
            scalar_values().filter(|&code_point| IS_EXHAUSTIVE || code_point < '\u{1_1000}').collect();
        // A single-byte encoder has the same path for all code points, and a table that `indexes` checks.
        let step = if IS_EXHAUSTIVE || !encoding.is_single_byte() { 1 } else { 7 };
        for (at, chunk) in scalar_values.chunks(61).enumerate().step_by(step) {
            let separator = between[at % if encoding == ISO_2022_JP { 4 } else { 2 }];
            let text: Vec<String> = chunk.iter().map(|&code_point| code_point.to_string()).collect();
            check_encoding(encoding, table, &text.join(separator))?;
            if IS_EXHAUSTIVE {
                for separator in between {
                    check_encoding(encoding, table, &text.join(separator))?;
                }
                if !encoding.is_single_byte() {
                    text.iter().try_for_each(|text| check_encoding(encoding, table, text))?;
                }
            }
        }
        Ok(())
    });
}
