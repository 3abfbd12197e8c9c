//! Numbers and truth values, exactly.

/// An integer: a sign, digits. None where it is none or needs more than 64 bits.
pub fn signed(text: &[u8]) -> Option<i64> {
    match text {
        [b'-', rest @ ..] => 0i64.checked_sub_unsigned(digits(rest)?),
        _ => unsigned(text)?.try_into().ok(),
    }
}

/// An integer that is not negative.
pub fn unsigned(text: &[u8]) -> Option<u64> {
    digits(text.strip_prefix(b"+").unwrap_or(text))
}

fn digits(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    let mut value = 0u64;
    // 19 digits always fit.
    let (front, rest) = digits.split_at(digits.len().min(19));
    for byte in front {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + u64::from(digit);
    }
    for byte in rest {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    Some(value)
}

/// Integers up to here, and powers of ten up to the last of [`POWERS`], are floats without rounding, so that their
/// quotient is rounded once (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
const EXACT: u64 = 1 << 53;
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The nearest float to a decimal number, with or without an exponent; also `NaN`, `inf` and `infinity` in any case.
pub fn float64(text: &[u8]) -> Option<f64> {
    let (digits, is_negative) = match text {
        [b'-', digits @ ..] => (digits, true),
        _ => (text, false),
    };
    let mut value = 0u64;
    let mut point = None;
    // With 20 characters there are at most 19 digits and a point, or the value is too large to be exact.
    if digits.len() <= 20 {
        for (i, byte) in digits.iter().enumerate() {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                value = value.wrapping_mul(10).wrapping_add(digit.into());
            } else if *byte == b'.' && point.is_none() {
                point = Some(i);
            } else {
                return other(text);
            }
        }
        let count = digits.len() - usize::from(point.is_some());
        if (1..=19).contains(&count) && value <= EXACT {
            let fraction = point.map_or(0, |point| digits.len() - 1 - point);
            let value = value as f64 / POWERS[fraction];
            return Some(if is_negative { -value } else { value });
        }
    }
    other(text)
}

/// The nearest 32-bit float.
pub fn float32(text: &[u8]) -> Option<f32> {
    other(text)
}

#[cold]
fn other<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// `true` or `false` in any case.
pub fn truth(text: &[u8]) -> Option<bool> {
    if text.eq_ignore_ascii_case(b"true") {
        return Some(true);
    }
    text.eq_ignore_ascii_case(b"false").then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_that_fit() {
        for text in ["0", "-0", "+5", "9223372036854775807", "-9223372036854775808", "000000000000000000000000001"] {
            assert_eq!(signed(text.as_bytes()), text.parse().ok(), "{text}");
            assert!(signed(text.as_bytes()).is_some());
        }
        for text in
            ["", "-", "+", "1.0", " 1", "1 ", "9223372036854775808", "-9223372036854775809", "1e3", "--1", "-+1"]
        {
            assert_eq!(signed(text.as_bytes()), None, "{text}");
        }
        assert_eq!(unsigned(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(unsigned(b"18446744073709551616"), None);
        assert_eq!(unsigned(b"99999999999999999999999"), None);
    }

    #[test]
    fn floats_are_the_nearest() {
        for text in [
            "0",
            "-0",
            "0.1",
            "1.",
            ".5",
            "1e5",
            "-1E-5",
            "123456789012345678",
            "9007199254740993",
            "0.30000000000000004",
            "1.7976931348623157e308",
            "5e-324",
            "1e999",
            "nan",
            "-inf",
            "Infinity",
            "0.0000000000000000001",
            "+1.5",
            "9999999999999999999.",
            "12345678901234567890",
            "1.2345678901234567",
            ".0000000000000000000",
            "179.99999237060547",
        ] {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(float64(text.as_bytes()).map(f64::to_bits), Some(expected.to_bits()), "{text}");
        }
        for text in ["", ".", "-", "1.2.3", "1,5", "1 ", "e5", "0x10", "1e", "--1", "-+1"] {
            assert_eq!(float64(text.as_bytes()), None, "{text}");
        }
        let mut state = 1u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let text = format!("{}.{}", (state >> 40) as i32 - (1 << 23), state % 10u64.pow((state >> 60) as u32 + 1));
            assert_eq!(float64(text.as_bytes()), text.parse().ok(), "{text}");
        }
    }
}
