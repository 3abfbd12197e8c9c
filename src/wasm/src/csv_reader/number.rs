//! Integers and truth values.

use super::digits;

/// An integer: a sign, digits. None where it is none or needs more than 64 bits.
pub fn signed(text: &[u8]) -> Option<i64> {
    match text {
        [b'-', rest @ ..] => 0i64.checked_sub_unsigned(digits::number(rest)?),
        _ => unsigned(text)?.try_into().ok(),
    }
}

/// An integer that is not negative.
pub fn unsigned(text: &[u8]) -> Option<u64> {
    digits::number(text.strip_prefix(b"+").unwrap_or(text))
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
    }
}
