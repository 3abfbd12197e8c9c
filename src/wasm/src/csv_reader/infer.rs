//! Types of columns from a sample of their fields.

use super::field::{Fields, unquoted};
use super::{float, instant, number};
use crate::error::Result;

/// What fields of a column looked like, one bit each; `types.ts` of the CSV reader makes a type of them.
pub const BOOL: u32 = 1;
pub const INT: u32 = 2;
pub const FLOAT: u32 = 4;
pub const DATE: u32 = 8;
/// Seconds; the three bits above are milliseconds, microseconds and nanoseconds.
pub const TIMESTAMP: u32 = 16;
pub const TEXT: u32 = 256;

/// What is known of a column.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Seen {
    pub kinds: u32,
    /// Bytes in the file, quotes included.
    pub bytes: u32,
}

impl Seen {
    /// Of fields. Empty ones tell nothing.
    pub fn of(fields: Fields) -> Result<Seen> {
        let mut seen = Seen::default();
        let mut scratch = Vec::new();
        for row in 0..fields.len() {
            let raw = fields.raw(row);
            // A stretch is shorter than 4 GiB.
            seen.bytes += raw.len() as u32;
            if seen.kinds & TEXT == 0 {
                seen.kinds |= kind(unquoted(raw, &mut scratch)?);
            }
        }
        Ok(seen)
    }
}

fn kind(text: &[u8]) -> u32 {
    match text {
        [] => 0,
        [b'0'..=b'9' | b'-' | b'.', ..] => {
            let digits = text.strip_prefix(b"-").unwrap_or(text);
            if digits.iter().all(u8::is_ascii_digit) {
                // An integer beyond 64 bits is an identifier rather than a rounded number.
                return if number::signed(text).is_some() { INT } else { TEXT };
            }
            if float::float64(text).is_some() {
                return FLOAT;
            }
            if instant::date(text).is_some() {
                return DATE;
            }
            match instant::instant(text) {
                Some(instant) => TIMESTAMP << instant.digits.div_ceil(3),
                None => TEXT,
            }
        }
        _ if number::truth(text).is_some() => BOOL,
        [b'n' | b'N' | b'i' | b'I', ..] if float::float64(text).is_some() => FLOAT,
        _ => TEXT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for (text, expected) in [
            ("", 0),
            ("1", INT),
            ("-1", INT),
            ("+1", TEXT),
            ("007", INT),
            ("-", TEXT),
            (".", TEXT),
            ("9223372036854775808", TEXT),
            ("1.5", FLOAT),
            ("1.", FLOAT),
            (".5", FLOAT),
            ("1e5", FLOAT),
            ("-1E-5", FLOAT),
            ("NaN", FLOAT),
            ("inf", FLOAT),
            ("-inf", FLOAT),
            ("nanometre", TEXT),
            ("n/a", TEXT),
            ("True", BOOL),
            ("FALSE", BOOL),
            ("2024-01-01", DATE),
            ("2024-02-30", TEXT),
            ("2024-01-01T00:00:00", TIMESTAMP),
            ("2024-01-01 00:00:00Z", TIMESTAMP),
            ("2024-01-01T00:00:00.1", TIMESTAMP << 1),
            ("2024-01-01T00:00:00.123456", TIMESTAMP << 2),
            ("2024-01-01T00:00:00.1234567", TIMESTAMP << 3),
            ("12:00:00", TEXT),
            (" 1", TEXT),
        ] {
            assert_eq!(kind(text.as_bytes()), expected, "{text}");
        }
    }
}
