//! Integers and decimals, exactly.

use super::digits::{ZEROS, eight};
use crate::error::Result;
use crate::int256::Int256;
use crate::scratch::Scratch;

/// A signed integer.
pub fn signed(value: i64, out: &mut Scratch) -> Result<()> {
    if value < 0 {
        out.extend(b"-")?;
    }
    unsigned(value.unsigned_abs(), out)
}

/// An unsigned integer.
pub fn unsigned(value: u64, out: &mut Scratch) -> Result<()> {
    padded(value, 1, out)
}

/// An unsigned integer of at least `width` (at most 20) digits.
pub fn padded(value: u64, width: usize, out: &mut Scratch) -> Result<()> {
    const LIMIT: u64 = 100_000_000;
    if value >= LIMIT || width > 8 {
        padded(value / LIMIT, width.saturating_sub(8).max(1), out)?;
        return padded(value % LIMIT, 8, out);
    }
    let digits = eight(value as u32);
    let zeros = (digits.trailing_zeros() as usize / 8).min(8 - width);
    out.space(8)?[..8].copy_from_slice(&((digits + ZEROS) >> (8 * zeros)).to_le_bytes());
    out.commit(8 - zeros);
    Ok(())
}

/// Digits of 2^256.
const MOST_DIGITS: usize = 78;

/// `unscaled` × 10^−`scale`, with `scale` digits after the point if that is positive and −`scale` zeros if it is negative.
pub fn decimal(unscaled: Int256, scale: i32, out: &mut Scratch) -> Result<()> {
    let (mut limbs, negative) = unscaled.magnitude();
    let mut digits = [b'0'; MOST_DIGITS];
    let mut start = MOST_DIGITS;
    while limbs != [0; 4] {
        start -= 1;
        digits[start] = b'0' + divide_by_ten(&mut limbs);
    }
    let digits = &digits[start..];
    if negative {
        out.extend(b"-")?;
    }
    // A scale beyond any precision (76) is not Arrow, but must not run away either.
    let scale = scale.clamp(-256, 256);
    let fraction = usize::try_from(scale).unwrap_or(0);
    match digits.len().checked_sub(fraction) {
        Some(0) | None => {
            out.extend(b"0")?;
        }
        Some(whole) => out.extend(&digits[..whole])?,
    }
    if fraction > 0 {
        out.extend(b".")?;
        zeros(fraction.saturating_sub(digits.len()), out)?;
        return out.extend(&digits[digits.len().saturating_sub(fraction)..]);
    }
    if digits.is_empty() { Ok(()) } else { zeros(scale.unsigned_abs() as usize, out) }
}

fn zeros(count: usize, out: &mut Scratch) -> Result<()> {
    (0..count).try_for_each(|_| out.extend(b"0"))
}

/// The remainder; the quotient is left in place.
fn divide_by_ten(limbs: &mut [u64; 4]) -> u8 {
    let mut remainder = 0u128;
    for limb in limbs.iter_mut().rev() {
        let dividend = remainder << 64 | u128::from(*limb);
        *limb = (dividend / 10) as u64;
        remainder = dividend % 10;
    }
    remainder as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::written;

    #[test]
    fn integers() {
        for value in [0, 1, -1, 10, i64::MAX, i64::MIN, 1_234_567_890] {
            assert_eq!(written(|out| signed(value, out)), value.to_string());
        }
        for value in (0..64).flat_map(|bits| [1u64 << bits, (1 << bits) - 1, u64::MAX >> bits]) {
            assert_eq!(written(|out| unsigned(value, out)), value.to_string());
            assert_eq!(written(|out| padded(value, 9, out)), format!("{value:09}"));
        }
    }

    #[test]
    fn decimals() {
        for (unscaled, scale, text) in [
            (0, 0, "0"),
            (0, 2, "0.00"),
            (0, -2, "0"),
            (5, 2, "0.05"),
            (-5, 1, "-0.5"),
            (12345, 2, "123.45"),
            (-100, 2, "-1.00"),
            (12, -3, "12000"),
            (99, 2, "0.99"),
            (i128::MIN, 0, "-170141183460469231731687303715884105728"),
        ] {
            assert_eq!(written(|out| decimal(Int256::from(unscaled), scale, out)), text);
        }
        assert_eq!(
            written(|out| decimal(Int256::MAX, 70, out)),
            "5789604.4618658097711785492504343953926634992332820282019728792003956564819967",
        );
    }
}
