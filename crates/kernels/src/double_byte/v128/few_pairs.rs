//! Decoding of text with few pairs, as in markup, for encodings of one and two bytes per character.
//!
//! 32 bytes of ASCII are copied at a time. The first byte beyond ASCII starts a block of 64 bytes, which are *patched*:
//! each character beyond ASCII is written to its place, and the 16 bytes after it are copied to their new places, as if
//! they were ASCII.
//!
//! ```text
//! bytes      <  b  >  93  FA  <  /  ..
//! copied     <  b  >  93  FA  <  /  ..
//! patched    <  b  >  E6  97  A5 <  /  ..
//! ```
//!
//! Which bytes are beyond ASCII is known for the whole block. After a character its bytes are removed from this mask,
//! and the first bit that is left is the next character. So only the end of the block depends on a branch that the
//! processor cannot predict.

use crate::double_byte::{scalar, tables::DoubleByte};
use crate::{base::*, vector::v128::*};

/// The number of bytes beyond ASCII in a block of 64 above which the text has many pairs. See
/// `docs/experiments.md#pairs-with-avx2-and-neon`.
const MANY_ABOVE_BYTES: u32 = 48;
/// Steps of ASCII in a row after which ASCII is moved in a loop of its own. Fewer steps would make HTML slower. See
/// `docs/experiments.md#pairs-with-avx2-and-neon`.
pub(crate) const LONG_RUN_STEPS: u32 = 15;
/// The number of bytes of a step of ASCII.
pub(crate) const STEP_BYTES: usize = 32;
/// The number of bytes of a copy. A block ends where more bytes of ASCII are between two characters beyond ASCII.
pub(crate) const COPY_BYTES: usize = 16;
/// The number of bytes that a block may read: 64, the rest of the last character, and a copy. For pairs one byte more
/// than that, which lets the compiler see that all accesses are in bounds.
pub(crate) const BLOCK_READS_BYTES: usize = 66 + COPY_BYTES;
/// The number of items that a character and the copy after it may overwrite.
pub(crate) const CHARACTER_SPACE_ITEMS: usize = 3 + COPY_BYTES;
/// The number of items that a block may overwrite: a mask limits the place of a character to 255.
const BLOCK_SPACE_ITEMS: usize = 255 + CHARACTER_SPACE_ITEMS;

/// The reason why [`convert`] stopped.
pub(crate) enum Next {
    /// Many pairs follow.
    Many,
    /// One of the slices is nearly at its end.
    End,
    /// The next bytes have no single code unit.
    Stop,
}

/// Converts as long as pairs are few. Returns how many bytes were read, how many items were written, and the reason to
/// stop.
///
/// `copy` converts 16 bytes as if they were ASCII, and returns them. `ascii` converts a run of ASCII. `put` writes a
/// code unit that is neither ASCII nor a surrogate, and returns the number of its items, at most three. `put_pair` does
/// the same for most pairs of the table; it returns `None` for others, and for code units that stand for no character.
#[inline(never)]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn convert<D>(
    encoding: &DoubleByte<'_>,
    source: &[u8],
    destination: &mut [D],
    copy: impl Fn(&[u8; COPY_BYTES], &mut [D; COPY_BYTES]) -> uint8x16_t,
    ascii: impl Fn(&[u8], &mut [D]) -> usize,
    put_pair: impl Fn(u16, &mut [D; CHARACTER_SPACE_ITEMS]) -> Option<usize>,
    put: impl Fn(u16, &mut [D; CHARACTER_SPACE_ITEMS]) -> usize,
) -> (usize, usize, Next) {
    let (length, room) = (source.len(), destination.len());
    let (mut source, mut destination, mut steps_of_ascii) = (source, destination, 0);
    let next = loop {
        let (Some(from), Some(to)) = (source.first_chunk(), destination.first_chunk_mut()) else { break Next::End };
        if copy_step(from, to, &copy) {
            (source, destination) = (after(source, STEP_BYTES), after_mut(destination, STEP_BYTES));
            steps_of_ascii += 1;
            if steps_of_ascii == LONG_RUN_STEPS {
                let more = ascii(source, destination);
                (source, destination) = (after(source, more), after_mut(destination, more));
                steps_of_ascii = 0;
            }
            continue;
        }
        steps_of_ascii = 0;
        let Some((bytes, items, is_end)) = patch(encoding, from, to, &copy, &put_pair, &put) else { break Next::Many };
        (source, destination) = (after(source, bytes), after_mut(destination, items));
        if is_end {
            break Next::Stop;
        }
    };
    (length - source.len(), room - destination.len(), next)
}

/// Converts 32 bytes as if all were ASCII, and returns whether they are.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
pub(crate) fn copy_step<D, const N: usize>(
    from: &[u8; BLOCK_READS_BYTES],
    to: &mut [D; N],
    copy: impl Fn(&[u8; COPY_BYTES], &mut [D; COPY_BYTES]) -> uint8x16_t,
) -> bool {
    let ([first, second, ..], _) = from.as_chunks() else { unreachable!("a block has more than 32 bytes") };
    let ([to_first, to_second, ..], _) = to.as_chunks_mut() else { unreachable!("it has at least 32 items") };
    all_below(vorrq_u8(copy(first, to_first), copy(second, to_second)), 0x80)
}

/// Converts a block of 64 bytes, or its beginning. [`copy_step`] has copied the first 32 bytes, which are not all
/// ASCII. Returns how many bytes were read, how many items were written, and whether the next bytes have no single code
/// unit. `None` if many pairs follow.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,sse4.1,popcnt"))]
fn patch<D>(
    encoding: &DoubleByte<'_>,
    from: &[u8; BLOCK_READS_BYTES],
    to: &mut [D; BLOCK_SPACE_ITEMS],
    copy: impl Fn(&[u8; COPY_BYTES], &mut [D; COPY_BYTES]) -> uint8x16_t,
    put_pair: impl Fn(u16, &mut [D; CHARACTER_SPACE_ITEMS]) -> Option<usize>,
    put: impl Fn(u16, &mut [D; CHARACTER_SPACE_ITEMS]) -> usize,
) -> Option<(usize, usize, bool)> {
    let ([a, b, c, d, ..], _) = from.as_chunks() else { unreachable!("a block has more than 64 bytes") };
    let beyond = bits_of_64([a, b, c, d].each(|bytes| vcgeq_u8(load(bytes), vdupq_n_u8(0x80))));
    if beyond.count_ones() > MANY_ABOVE_BYTES {
        return None;
    }
    // `left` has the bits of the bytes from `end` on. Bytes before `end` are converted, and the 16 bytes after `end`
    // are copied to their places. The next byte is written `shift` places further on than it is read. `shift` may be
    // negative, so the arithmetic wraps.
    let mut left = Left::of(beyond);
    let (mut end, mut shift) = (0, 0_usize);
    let mut run = left.run();
    loop {
        // The masks tell the compiler that the accesses are in bounds.
        let at = (end + run) & 0x3F;
        let place = at.wrapping_add(shift);
        let room: &mut [D; CHARACTER_SPACE_ITEMS] = block_mut(to, place & 0xFF)?;
        let (first, second) = (from[at], &from[at + 1]);
        // The compiler inlines this closure twice. With a single copy, the number of items of a pair would be a
        // variable, and a pair would take more instructions.
        let mut go_on = |room: &mut [D; CHARACTER_SPACE_ITEMS], items: usize| {
            end = at + 2;
            copy(block(from, end)?, block_mut(room, items)?);
            shift = shift.wrapping_add(items).wrapping_sub(2);
            left.skip(run, 2);
            Some(())
        };
        if let Some(items) = put_pair(encoding.listed(first, *second), room) {
            go_on(room, items)?;
        } else {
            let Some((unit, bytes)) = scalar::beyond_ascii(encoding, first, Some(second)) else {
                return Some((at, place, true));
            };
            let items = put(unit, room) & 3;
            // A character of another length is rare, and ends the block.
            if bytes != 2 {
                return Some((at + usize::from(bytes), place.wrapping_add(items), false));
            }
            go_on(room, items)?;
        }
        run = left.run();
        // The copy does not reach the next character, or there is none.
        if run > COPY_BYTES {
            break;
        }
    }
    let read = end.max(64.min(end + COPY_BYTES));
    Some((read, read.wrapping_add(shift), false))
}

/// The bits of the bytes that are left of 64. NEON finds the highest bit of a number with one instruction, and the
/// lowest with two; so there the first byte has the highest bit.
pub(crate) struct Left(u64);

impl Left {
    /// All bytes are left. `bits` has the bit of the first byte lowest.
    #[inline(always)]
    pub(crate) fn of(bits: u64) -> Self {
        Left(if cfg!(target_arch = "aarch64") { bits.reverse_bits() } else { bits })
    }

    /// The number of zeros before the first bit; 64 if there is no bit.
    #[inline(always)]
    pub(crate) fn run(&self) -> usize {
        (if cfg!(target_arch = "aarch64") { self.0.leading_zeros() } else { self.0.trailing_zeros() }) as usize
    }

    /// Drops the bits of a run of zeros and of the bytes after it. After the last bit, where the run is 64, no bits are
    /// left, whatever the shift: malformed UTF-8 gets there.
    #[inline(always)]
    pub(crate) fn skip(&mut self, run: usize, bytes: usize) {
        let run = run as u32;
        self.0 = if cfg!(target_arch = "aarch64") {
            self.0.wrapping_shl(run) << bytes
        } else {
            self.0.wrapping_shr(run) >> bytes
        };
    }
}
