//! Digits, eight at a time.

/// Eight digits of a number below 10^8, each a byte, the first in the lowest byte: halves are parted, then pairs, then digits.
#[inline(always)]
pub fn eight(value: u32) -> u64 {
    let value = u64::from(value);
    // The factors are 2^40 / 10^4, 2^20 / 10^2 and 2^10 / 10, rounded up.
    let fours = part(value, (value * 109_951_163) >> 40, 10_000, 32);
    let pairs = part(fours, ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f, 100, 16);
    part(pairs, ((pairs * 103) >> 10) & 0x000f_000f_000f_000f, 10, 8)
}

/// Quotients, and `bits` above each its remainder.
#[inline(always)]
fn part(values: u64, quotients: u64, divisor: u64, bits: u32) -> u64 {
    quotients | (values - quotients * divisor) << bits
}

/// `00000000`, to be added to digits.
pub const ZEROS: u64 = 0x3030_3030_3030_3030;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_groups_of_four_digits() {
        for value in (0..10_000).flat_map(|four| [four, four * 10_000, four * 10_000 + 9_999, four * 10_001]) {
            let text = (eight(value) + ZEROS).to_le_bytes();
            assert_eq!(std::str::from_utf8(&text).unwrap(), format!("{value:08}"));
        }
    }
}
