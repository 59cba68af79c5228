//! The scalar level: what each kernel means, in plain Rust.

/// The length in bytes of the longest prefix of `source` that is ASCII.
#[must_use]
pub fn ascii_prefix_length(source: &[u8]) -> usize {
    const WORD: usize = size_of::<u64>();
    const HIGH_BITS: u64 = u64::from_ne_bytes([0x80; WORD]);
    let mut length = 0;
    for word in source.chunks_exact(WORD) {
        let word = u64::from_ne_bytes(word.try_into().expect("a chunk is a word"));
        if word & HIGH_BITS != 0 {
            break;
        }
        length += WORD;
    }
    length + source[length..].iter().take_while(|byte| byte.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::ascii_prefix_length;

    #[test]
    fn ascii_prefix_ends_before_the_first_high_bit() {
        for length in 0..=40 {
            let mut source = vec![b'a'; length];
            assert_eq!(ascii_prefix_length(&source), length);
            for at in 0..length {
                source[at] = 0x80;
                assert_eq!(ascii_prefix_length(&source), at, "length {length}");
                source[at] = 0x7F;
            }
        }
    }
}
