//! Ascending code points as one bit each, in the shape of `textcodec_kernels::double_byte::Ascending`.

use anyhow::{Result, bail, ensure};

use crate::rust;

/// Code points in a word of bits.
const WORD: u32 = 32;
/// The distance between samples, in ranks.
const SAMPLE: usize = 32;

/// The facts that the tables assume, as a condition in Rust.
pub(super) fn assumptions() -> String {
    format!("Ascending::SAMPLE == {SAMPLE}")
}

/// `code_points` as an expression in Rust, for a field of a static. It is an error if they do not ascend.
pub(super) fn ascending(code_points: &[u32]) -> Result<String> {
    ensure!(code_points.is_sorted_by(|before, after| before < after), "the code points do not ascend");
    let (Some(first), Some(last)) = (code_points.first(), code_points.last()) else {
        bail!("there are no code points")
    };
    ensure!(*last <= 0xFFFF, "U+{last:04X} is not in plane 0");
    let first = first / WORD * WORD;
    let mut bits = vec![0_u32; ((last - first) / WORD + 1) as usize];
    let mut samples: Vec<u16> = Vec::new();
    for (rank, code_point) in code_points.iter().enumerate() {
        let place = code_point - first;
        bits[(place / WORD) as usize] |= 1 << (place % WORD);
        if rank % SAMPLE == 0 {
            samples.push(place as u16);
        }
    }
    // One more sample, because kernels load two samples at once.
    samples.push(0);
    Ok(format!(
        "Ascending::new(
        0x{first:04X},
        &[
{}        ],
        &[
{}        ],
    )",
        rust::lines(3, 12, &rust::hex(&bits)),
        rust::lines(3, 16, &rust::hex(&samples)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_point_has_a_bit_and_each_thirty_second_a_sample() {
        let code_points: Vec<u32> = (0x4E21..0x4E41).chain([0x4E50]).collect();
        let text = ascending(&code_points).unwrap();
        assert!(text.contains("0x4E20,\n        &[\n            0xFFFFFFFE, 0x00010001,\n"), "{text}");
        assert!(text.ends_with("&[\n            0x0001, 0x0030, 0x0000,\n        ],\n    )"), "{text}");
    }

    #[test]
    fn code_points_that_do_not_ascend_are_an_error() {
        assert!(ascending(&[0x4E01, 0x4E00]).is_err());
        assert!(ascending(&[0x4E01, 0x4E01]).is_err());
        assert!(ascending(&[]).is_err());
        assert!(ascending(&[0x4E00, 0x2_0000]).is_err());
    }
}
