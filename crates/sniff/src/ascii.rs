//! Classes of bytes from [Infra](https://infra.spec.whatwg.org/#ascii-whitespace), and functions that find bytes.

/// [ASCII whitespace](https://infra.spec.whatwg.org/#ascii-whitespace): 09, 0A, 0C, 0D and 20. The byte 0B is not ASCII
/// whitespace.
pub(crate) const fn is_whitespace(byte: u8) -> bool {
    matches!(byte, 0x09 | 0x0A | 0x0C | 0x0D | 0x20)
}

/// The first position at or after `from` of a byte that `is_wanted`.
pub(crate) fn find(bytes: &[u8], from: usize, is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    Some(from + bytes.get(from..)?.iter().position(|&byte| is_wanted(byte))?)
}

/// The first position at or after `from` of `wanted`.
pub(crate) fn find_byte(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let find = |start: usize| Some(from + start + rest[start..].iter().position(|&byte| byte == wanted)?);
    // Most searches end within a few bytes.
    let (near, far) = rest.split_at(rest.len().min(8));
    if near.contains(&wanted) {
        return find(0);
    }
    // The compiler tests a whole chunk with vector instructions.
    let has_it = |chunk: &[u8; 32]| chunk.iter().fold(false, |has_it, &byte| has_it | (byte == wanted));
    let passed = far.chunks_exact(32).map_while(|chunk| chunk.first_chunk()).take_while(|chunk| !has_it(chunk)).count();
    find(near.len() + 32 * passed)
}

/// The first position at or after `from` of a byte that is not `skipped`; the length if there is none.
pub(crate) fn skip(bytes: &[u8], from: usize, skipped: impl Fn(u8) -> bool) -> usize {
    find(bytes, from, |byte| !skipped(byte)).unwrap_or(bytes.len())
}

/// The first position at or after `from` at which `needle` stands.
pub(crate) fn find_sequence(bytes: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    Some(from + bytes.get(from..)?.windows(needle.len()).position(|window| window == needle)?)
}

/// Whether `prefix`, in any ASCII case, stands at `position`.
pub(crate) fn starts_with_ignoring_case(bytes: &[u8], position: usize, prefix: &[u8]) -> bool {
    bytes.get(position..position + prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Whether a stream whose first bytes are `so_far` can begin with `prefix`.
pub(crate) fn can_become(so_far: &[u8], prefix: &[u8]) -> bool {
    so_far.starts_with(prefix) || prefix.starts_with(so_far)
}
