//! Floats: the fewest digits that read back as the same value, always with a fraction or an exponent.

use super::digits::{ZEROS, eight};
use super::shortest::{Shortest, shortest32, shortest64};
use crate::error::Result;
use crate::scratch::Scratch;
use std::fmt::{LowerExp, Write};

/// 64 bits; plain between 1e-5 and 1e16, else with an exponent.
pub fn float64(value: f64, out: &mut Scratch) -> Result<()> {
    if let Some(Shortest { digits, exponent }) = shortest64(value.abs()) {
        let (first, rest) = (digits / 10_000_000_000_000_000, digits % 10_000_000_000_000_000);
        let (high, low) = (eight((rest / 100_000_000) as u32), eight((rest % 100_000_000) as u32));
        return plain(value < 0.0, exponent, first, high, low, out);
    }
    match special(value) {
        Some(text) => out.extend(text),
        None => finite(value, -5, 16, out),
    }
}

/// 32 bits; plain between 1e-6 and 1e13, else with an exponent.
pub fn float32(value: f32, out: &mut Scratch) -> Result<()> {
    if let Some(Shortest { digits, exponent }) = shortest32(value.abs()) {
        let (first, rest) = (digits / 100_000_000, digits % 100_000_000);
        return plain(value < 0.0, exponent, first, eight(rest as u32), 0, out);
    }
    match special(value.into()) {
        Some(text) => out.extend(text),
        None => finite(value, -6, 13, out),
    }
}

/// A first digit and 16 others, without the zeros at the end, and the point behind the digit of 10^0.
#[inline(always)]
fn plain(is_negative: bool, exponent: i32, first: u64, high: u64, low: u64, out: &mut Scratch) -> Result<()> {
    // All that is copied, of fixed lengths: a few bytes in one go take less time than as many as there are.
    let mut digits = [b'0'; 1 + 16 + 16];
    digits[0] += first as u8;
    digits[1..9].copy_from_slice(&(high + ZEROS).to_le_bytes());
    digits[9..17].copy_from_slice(&(low + ZEROS).to_le_bytes());
    let count = if low == 0 { 9 - high.leading_zeros() / 8 } else { 17 - low.leading_zeros() / 8 } as usize;
    let text = &mut out.space(48)?[..48];
    text[0] = b'-';
    let start = usize::from(is_negative);
    let end = if exponent < 0 {
        let zeros = exponent.unsigned_abs() as usize;
        text[start..start + 8].copy_from_slice(b"0.000000");
        text[start + 1 + zeros..][..17].copy_from_slice(&digits[..17]);
        start + 1 + zeros + count
    } else {
        let whole = exponent as usize + 1;
        text[start..start + 16].copy_from_slice(&digits[..16]);
        text[start + whole] = b'.';
        text[start + whole + 1..][..16].copy_from_slice(&digits[whole..][..16]);
        start + 1 + count.max(whole + 1)
    };
    out.commit(end);
    Ok(())
}

fn special(value: f64) -> Option<&'static [u8]> {
    if value.is_nan() {
        return Some(b"NaN");
    }
    match value {
        f64::INFINITY => Some(b"inf"),
        f64::NEG_INFINITY => Some(b"-inf"),
        _ => None,
    }
}

/// Plain where 10^`least` < |value| < 10^`most`.
fn finite(value: impl LowerExp, least: i32, most: i32, out: &mut Scratch) -> Result<()> {
    let mut shortest = Written { text: [0; 32], len: 0 };
    // Cannot fail: a sign, 17 digits, a point and an exponent fit.
    let _ = write!(shortest, "{value:e}");
    let text = &shortest.text[..shortest.len];
    let (text, negative) = match text.strip_prefix(b"-") {
        Some(text) => (text, true),
        None => (text, false),
    };
    if negative {
        out.extend(b"-")?;
    }
    let split = text.iter().position(|byte| *byte == b'e').unwrap_or(text.len());
    let (mantissa, exponent) = (&text[..split], read_exponent(&text[split..]));
    let (whole, fraction) = (&mantissa[..1], mantissa.get(2..).unwrap_or_default());
    if whole == b"0" {
        return out.extend(b"0.0");
    }
    let is_power_of_ten = whole == b"1" && fraction.is_empty();
    if exponent < least || exponent >= most || (exponent == least && is_power_of_ten) {
        return out.extend(text);
    }
    if exponent < 0 {
        out.extend(b"0.")?;
        out.extend(&b"00000000"[..exponent.unsigned_abs() as usize - 1])?;
        out.extend(whole)?;
        return out.extend(fraction);
    }
    let exponent = exponent as usize;
    out.extend(whole)?;
    if fraction.len() > exponent {
        out.extend(&fraction[..exponent])?;
        out.extend(b".")?;
        return out.extend(&fraction[exponent..]);
    }
    out.extend(fraction)?;
    out.extend(&b"0000000000000000"[..exponent - fraction.len()])?;
    out.extend(b".0")
}

/// Of `e-12`.
fn read_exponent(text: &[u8]) -> i32 {
    let digits = |text: &[u8]| text.iter().fold(0, |value, digit| value * 10 + i32::from(digit - b'0'));
    match text {
        [b'e', b'-', rest @ ..] => -digits(rest),
        [b'e', rest @ ..] => digits(rest),
        _ => 0,
    }
}

struct Written {
    text: [u8; 32],
    len: usize,
}

impl Write for Written {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.len + text.len();
        self.text.get_mut(self.len..end).ok_or(std::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::written;

    #[test]
    fn by_hand() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (-12.5, "-12.5"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e16"),
            (1.5e16, "1.5e16"),
            (1234567.0, "1234567.0"),
            (1234567.25, "1234567.25"),
            (0.0001, "0.0001"),
            (2e-5, "0.00002"),
            (1e-5, "1e-5"),
            (9.9e-6, "9.9e-6"),
            (f64::MAX, "1.7976931348623157e308"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(written(|out| float64(value, out)), text);
        }
        for (value, text) in [
            (0.1f32, "0.1"),
            (16_777_216.0, "16777216.0"),
            (1e12, "1000000000000.0"),
            (1e13, "1e13"),
            (2e-6, "0.000002"),
            (1e-6, "1e-6"),
            (f32::MAX, "3.4028235e38"),
        ] {
            assert_eq!(written(|out| float32(value, out)), text);
        }
    }

    /// As the standard library writes them, which `finite` only lays out.
    fn is_shortest(value: f64) {
        let expected = written(|out| finite(value, -5, 16, out));
        assert_eq!(written(|out| float64(value, out)), expected, "{:x}", value.to_bits());
        let value = value as f32;
        if value.is_finite() {
            let expected = written(|out| finite(value, -6, 13, out));
            assert_eq!(written(|out| float32(value, out)), expected, "{:x}", value.to_bits());
        }
    }

    #[test]
    fn as_few_digits_as_read_back_and_the_nearest_of_these() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        // Floats around powers of two and of ten, and around half-way between decimals.
        for base in (-22..=53).map(|power| 2f64.powi(power)).chain((-7..=16).map(|power| 10f64.powi(power))) {
            for value in [base, base * 1.5, base * 1.25, base * 0.1, base * 0.3, base + 0.5, base + 0.25, base + 0.125]
            {
                let (double, single) = (value.to_bits(), (value as f32).to_bits());
                for near in 0..20 {
                    is_shortest(f64::from_bits(double + near));
                    is_shortest(-f64::from_bits(double - near));
                    is_shortest(f32::from_bits(single + near as u32).into());
                    is_shortest(f32::from_bits(single - near as u32).into());
                }
            }
        }
        for _ in 0..200_000 {
            // Any bits of the fraction below the exponents from 2^-22 to 2^53.
            let bits = random();
            is_shortest(f64::from_bits(bits & ((1 << 52) - 1) | (1023 - 22 + random() % 76) << 52));
            is_shortest(f32::from_bits(bits as u32 & ((1 << 23) - 1) | (127 - 22 + random() as u32 % 70) << 23).into());
            // A decimal of at most 17 digits.
            let digits = bits % 10u64.pow(1 + random() as u32 % 16);
            is_shortest(format!("{digits}e-{}", random() % 23).parse().unwrap());
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut state = 1u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(state);
            if !value.is_nan() {
                let text = written(|out| float64(value, out));
                assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
                assert!(text.contains(['.', 'e', 'i']), "{text}");
            }
            let value = f32::from_bits(state as u32);
            if !value.is_nan() {
                let text = written(|out| float32(value, out));
                assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits(), "{text}");
            }
        }
    }
}
