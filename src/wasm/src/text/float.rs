//! Floats: the fewest digits that read back as the same value, always with a fraction or an exponent.

use crate::error::Result;
use crate::scratch::Scratch;
use std::fmt::{LowerExp, Write};

/// 64 bits; plain between 1e-5 and 1e16, else with an exponent.
pub fn float64(value: f64, out: &mut Scratch) -> Result<()> {
    match special(value) {
        Some(text) => out.extend(text),
        None => finite(value, -5, 16, out),
    }
}

/// 32 bits; plain between 1e-6 and 1e13, else with an exponent.
pub fn float32(value: f32, out: &mut Scratch) -> Result<()> {
    match special(value.into()) {
        Some(text) => out.extend(text),
        None => finite(value, -6, 13, out),
    }
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
    let mut shortest = Shortest { text: [0; 32], len: 0 };
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

struct Shortest {
    text: [u8; 32],
    len: usize,
}

impl Write for Shortest {
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
