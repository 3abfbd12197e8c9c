//! NUMERIC: digits of base 10 000.

use crate::error::{Error, Result};

/// The signs of numbers that are none.
const NAN: u16 = 0xc000;
const POSITIVE: u16 = 0;
const NEGATIVE: u16 = 0x4000;

const BASE_DIGITS: i32 = 4;

/// A value times 10^`scale`, of at most `digits` digits. `row` is for the error.
pub fn decimal(value: &[u8], scale: i32, digits: u32, row: usize) -> Result<i128> {
    let refuse = |what| Err(Error::invalid_at(what, row));
    let Some((head, rest)) = value.split_first_chunk::<8>() else { return refuse(DAMAGED) };
    let word = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
    let (count, weight, sign) = (word(0), word(2) as i16, word(4));
    match sign {
        POSITIVE | NEGATIVE => {}
        NAN => return refuse("NaN, which no decimal is, in row"),
        _ => return refuse("an infinite number in row"),
    }
    let (words, left) = rest.as_chunks::<2>();
    if words.len() != usize::from(count) || !left.is_empty() {
        return refuse(DAMAGED);
    }
    let mut sum = 0i128;
    for (i, word) in words.iter().enumerate() {
        let digit = i128::from(u16::from_be_bytes(*word));
        if digit >= 10_000 {
            return refuse(DAMAGED);
        }
        // What the lowest decimal of this digit is worth, as a power of ten.
        let power = BASE_DIGITS * (i32::from(weight) - i as i32) + scale;
        let Some(part) = scaled(digit, power) else { return refuse(TOO_LARGE) };
        let Some(next) = sum.checked_add(part) else { return refuse(TOO_LARGE) };
        sum = next;
    }
    if sum.unsigned_abs() >= 10u128.pow(digits.min(38)) {
        return refuse(TOO_LARGE);
    }
    Ok(if sign == NEGATIVE { -sum } else { sum })
}

const DAMAGED: &str = "bytes that are no number in row";
const TOO_LARGE: &str = "a number with more digits than its type has in row";

/// None: it has digits below the scale, or is too large.
fn scaled(digit: i128, power: i32) -> Option<i128> {
    if digit == 0 {
        return Some(0);
    }
    if power < 0 {
        let divisor = 10i128.checked_pow(power.unsigned_abs())?;
        return (digit % divisor == 0).then(|| digit / divisor);
    }
    digit.checked_mul(10i128.checked_pow(power as u32)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(weight: i16, sign: u16, digits: &[u16]) -> Vec<u8> {
        let mut value = (digits.len() as u16).to_be_bytes().to_vec();
        value.extend(weight.to_be_bytes());
        value.extend(sign.to_be_bytes());
        value.extend([0, 4]);
        digits.iter().for_each(|digit| value.extend(digit.to_be_bytes()));
        value
    }

    #[test]
    fn digits_become_a_decimal() {
        assert_eq!(decimal(&numeric(0, 0, &[]), 4, 10, 0), Ok(0));
        assert_eq!(decimal(&numeric(1, NEGATIVE, &[12, 3456, 7800]), 2, 10, 0), Ok(-12_345_678));
        assert_eq!(decimal(&numeric(-1, 0, &[1200]), 2, 10, 0), Ok(12));
        assert_eq!(decimal(&numeric(9, 0, &[1]), 0, 38, 0), Ok(10i128.pow(36)));
    }

    #[test]
    fn what_is_no_decimal_of_the_type_is_refused() {
        for value in [
            numeric(-1, 0, &[1234]),
            numeric(2, 0, &[1, 0, 0]),
            numeric(i16::MAX, 0, &[1]),
            numeric(0, NAN, &[]),
            numeric(0, 0xd000, &[]),
            numeric(0, 0, &[10_000]),
            numeric(0, 0, &[1])[..9].to_vec(),
            vec![0; 3],
        ] {
            assert!(decimal(&value, 2, 6, 7).is_err(), "{value:?}");
        }
    }
}
