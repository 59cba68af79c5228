//! The encoder of ISO-2022-CN.

use textcodec_core::{
    EncoderHalf, convert,
    handler::{Bytes, EncoderHandler, HandlerResult, Item, MaxBytes, Restore},
};
use textcodec_kernels::{
    ascii::unshifted,
    blocks::{skip, skip_mut},
};

use super::{ESC, SI, SO};
use crate::generated::pairs::{EUC_CN_BYTES, EUC_TW_BYTES};

/// A set of pairs. GB 2312 and plane 1 are sets of G1, plane 2 is the one of G2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Set {
    Gb2312,
    Plane1,
    Plane2,
}

/// The pair of a character in a set.
fn pair(set: Set, code_point: char) -> Option<[u8; 2]> {
    let bytes = if set == Set::Gb2312 { &EUC_CN_BYTES } else { &EUC_TW_BYTES };
    match (set, &*bytes.bytes(code_point)?) {
        (Set::Gb2312 | Set::Plane1, &[lead, trail]) | (Set::Plane2, &[0x8E, 0xA2, lead, trail]) => {
            Some([lead & 0x7F, trail & 0x7F])
        }
        _ => None,
    }
}

/// The encoder. It forgets at the end of a line which sets are designated, so that each line designates its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iso2022CnEncoder {
    /// The set of G1.
    g1: Option<Set>,
    /// Whether pairs of G1 have begun. There is a set of G1 then.
    is_shifted: bool,
    /// Whether plane 2 of CNS 11643 is designated.
    has_g2: bool,
}

impl Iso2022CnEncoder {
    /// The set of a character, and its pair. The set in use has precedence, then plane 2 of CNS 11643.
    fn find(self, code_point: char) -> Option<(Set, [u8; 2])> {
        let sets = if self.g1 == Some(Set::Plane1) {
            [Set::Plane1, Set::Plane2, Set::Gb2312]
        } else {
            [Set::Gb2312, Set::Plane2, Set::Plane1]
        };
        sets.into_iter().find_map(|set| Some((set, pair(set, code_point)?)))
    }

    /// Ends pairs.
    fn unshift(&mut self) -> Bytes {
        if core::mem::take(&mut self.is_shifted) { SI.into() } else { Bytes::EMPTY }
    }

    /// The bytes of a character, and `true`, or the escape that it needs, and `false`. Then the character is read
    /// again: with its escape, it would be longer than the destination that every encoder makes progress with. `None`
    /// for a character without bytes.
    fn bytes(&mut self, code_point: char) -> Option<(Bytes, bool)> {
        if let Some(byte) = u8::try_from(code_point).ok().filter(u8::is_ascii) {
            if matches!(byte, ESC | SO | SI) {
                return None;
            }
            let mut bytes = self.unshift();
            bytes.push(byte);
            if byte == b'\n' {
                (self.g1, self.has_g2) = (None, false);
            }
            return Some((bytes, true));
        }
        let (set, pair) = self.find(code_point)?;
        if set == Set::Plane2 {
            let is_designated = core::mem::replace(&mut self.has_g2, true);
            let [lead, trail] = pair;
            return Some(if is_designated {
                ([ESC, b'N', lead, trail].into(), true)
            } else {
                ([ESC, b'$', b'*', b'H'].into(), false)
            });
        }
        if self.g1 != Some(set) {
            self.g1 = Some(set);
            // Some decoders take the new set from the next 0E on.
            self.is_shifted = false;
            return Some(([ESC, b'$', b')', if set == Set::Gb2312 { b'A' } else { b'G' }].into(), false));
        }
        let [lead, trail] = pair;
        let is_shifted = core::mem::replace(&mut self.is_shifted, true);
        Some((if is_shifted { pair.into() } else { [SO, lead, trail].into() }, true))
    }
}

impl EncoderHandler for Iso2022CnEncoder {
    const STATES: u16 = 10;
    const HAS_ASCII: bool = false;
    const KEEPS_STATE: bool = false;
    /// The end of pairs, and `&#27;` for one byte of UTF-8 or `&#65535;`.
    const MAX_BYTES_HTML: MaxBytes = MaxBytes { per_utf8_byte: 1 + 5, per_code_unit: 1 + 8, at_end: 1 };
    /// Half of a designation, a shift and a pair; a designation, a single shift and a pair.
    const MAX_BYTES_FATAL: MaxBytes = MaxBytes { per_utf8_byte: 4, per_code_unit: 8, at_end: 1 };

    fn handler<Q: Restore<char>>(&mut self, io_queue: &mut Q, code_point: Item<char>) -> HandlerResult<Bytes, char> {
        let Item::Value(code_point) = code_point else {
            let end = self.unshift();
            (self.g1, self.has_g2) = (None, false);
            return if end.is_empty() { HandlerResult::Finished } else { HandlerResult::Items(end) };
        };
        match self.bytes(code_point) {
            Some((bytes, is_complete)) => {
                if !is_complete {
                    io_queue.restore(&[code_point]);
                }
                HandlerResult::Items(bytes)
            }
            None if self.is_shifted => {
                // A character reference is ASCII.
                io_queue.restore(&[code_point]);
                HandlerResult::Items(self.unshift())
            }
            None => HandlerResult::Error(code_point),
        }
    }

    fn convert(&mut self, source: &[u16], destination: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some((code_point, length)) = convert::first_scalar_value(skip(source, read)) {
            if !self.is_shifted && code_point.is_ascii() {
                let run = unshifted::narrow_blocks(skip(source, read), skip_mut(destination, written));
                if run > 0 {
                    if source[read..read + run].contains(&0x0A) {
                        (self.g1, self.has_g2) = (None, false);
                    }
                    (read, written) = (read + run, written + run);
                    continue;
                }
            }
            if self.is_shifted && self.g1 == Some(Set::Gb2312) {
                let (rest, space) = (skip(source, read), skip_mut(destination, written));
                let (units, length) = EUC_CN_BYTES.seven_bits(rest, space, false);
                (read, written) = (read + units, written + length);
                if units > 0 {
                    continue;
                }
            }
            let before = *self;
            let Some((bytes, is_complete)) = self.bytes(code_point) else { break };
            let Some(to) = destination.get_mut(written..written + bytes.len()) else {
                *self = before;
                break;
            };
            to.copy_from_slice(&bytes);
            (read, written) = (read + if is_complete { length } else { 0 }, written + to.len());
        }
        (read, written)
    }

    /// From 0 to 4: no set of G1, GB 2312, plane 1, pairs of GB 2312, pairs of plane 1. Plane 2 adds 5.
    fn pack(self) -> u16 {
        let g1 = match self.g1 {
            None => 0,
            Some(Set::Gb2312) => 1,
            Some(_) => 2,
        };
        g1 + 2 * u16::from(self.is_shifted) + 5 * u16::from(self.has_g2)
    }

    fn unpack(_: &'static EncoderHalf, word: u16) -> Self {
        let g1 = match word % 5 {
            0 => None,
            1 | 3 => Some(Set::Gb2312),
            _ => Some(Set::Plane1),
        };
        Iso2022CnEncoder { g1, is_shifted: word % 5 > 2, has_g2: word > 4 }
    }
}
