//! Types of columns from a sample of their fields.

use super::characters::{trimmed, unquoted};
use super::dialect::Dialect;
use super::field::Fields;
use super::float::{COMMA, POINT, float64};
use super::{instant, number};
use crate::error::Result;

/// What fields of a column looked like, one bit each; `types.ts` of the CSV reader makes a type of them.
pub const BOOL: u32 = 1;
pub const INT: u32 = 2;
pub const FLOAT: u32 = 4;
pub const DATE: u32 = 8;
/// Seconds; the three bits above are milliseconds, microseconds and nanoseconds.
pub const TIMESTAMP: u32 = 16;
pub const TEXT: u32 = 256;
/// An integer that is also a date or a time in the format of the dialect.
pub const INT_OR_DATE: u32 = 512;

/// Besides [`FLOAT`]: the text `NaN`; the bits above are `nan`, and other spellings.
pub const NAN: u32 = 1024;

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
        let dialect = fields.dialect();
        let is_plain = dialect.nulls.is_empty() && dialect.format.is_none();
        match (is_plain, dialect.has_decimal_comma) {
            (true, false) => Seen::by(fields, |text| plain_kind::<POINT>(trimmed(text))),
            (true, true) => Seen::by(fields, |text| plain_kind::<COMMA>(trimmed(text))),
            (false, _) => Seen::by(fields, |text| kind(text, dialect)),
        }
    }

    #[inline(always)]
    fn by(fields: Fields, kind: impl Fn(&[u8]) -> u32) -> Result<Seen> {
        let quote = fields.dialect().quote;
        let mut seen = Seen::default();
        let mut scratch = Vec::new();
        for row in 0..fields.len() {
            let raw = fields.raw(row);
            // A stretch is shorter than 4 GiB.
            seen.bytes += raw.len() as u32;
            if seen.kinds & TEXT == 0 {
                seen.kinds |= kind(unquoted(raw, quote, &mut scratch)?);
            }
        }
        Ok(seen)
    }
}

fn kind(text: &[u8], dialect: &Dialect) -> u32 {
    if dialect.nulls.holds_padded(text) {
        return 0;
    }
    let text = trimmed(text);
    let plain = || match dialect.has_decimal_comma {
        true => plain_kind::<COMMA>(text),
        false => plain_kind::<POINT>(text),
    };
    let Some(format) = &dialect.format else { return plain() };
    let Some(instant) = format.instant(text) else {
        let kind = plain();
        return if kind >= DATE && format.is_like_iso() { TEXT } else { kind };
    };
    if plain() == INT {
        INT_OR_DATE
    } else if format.has_time() {
        TIMESTAMP << instant.digits.div_ceil(3)
    } else {
        DATE
    }
}

/// Of a field without blanks around it, and without a format of dates. `MARK` stands before the fraction of a float.
#[inline]
fn plain_kind<const MARK: u8>(text: &[u8]) -> u32 {
    match text {
        [] => 0,
        [b'0'..=b'9' | b'-' | b'.' | b',', ..] => {
            let digits = text.strip_prefix(b"-").unwrap_or(text);
            if digits.iter().all(u8::is_ascii_digit) {
                // Zeros before other digits, and digits beyond 64 bits, are parts of an identifier: a number would lose them.
                let is_padded = matches!(digits, [b'0', _, ..]);
                return if !is_padded && number::signed(text).is_some() { INT } else { TEXT };
            }
            if float64::<MARK>(text).is_some() {
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
        b"NaN" => FLOAT | NAN,
        b"nan" => FLOAT | NAN << 1,
        [b'n' | b'N' | b'i' | b'I', ..] => match float64::<MARK>(text) {
            Some(value) if value.is_nan() => FLOAT | NAN << 2,
            Some(_) => FLOAT,
            None => TEXT,
        },
        _ => TEXT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect(bytes: &[u8]) -> Dialect {
        Dialect::read(bytes).unwrap()
    }

    #[test]
    fn kinds_of_a_dialect() {
        let german = dialect(b";\"\x03\0\0\0\x08\0%d.%m.%Y\x04\0-999\x02\0NA");
        for (text, expected) in [
            ("1,5", FLOAT),
            (",5", FLOAT),
            ("-1,5E3", FLOAT),
            ("1.5", TEXT),
            ("1.234,5", TEXT),
            ("-999", 0),
            ("-999,0", FLOAT),
            ("NA", 0),
            ("29.02.2024", DATE),
            ("30.02.2024", TEXT),
            ("2024-02-29", DATE),
            ("nan", FLOAT | NAN << 1),
            ("true", BOOL),
        ] {
            assert_eq!(kind(text.as_bytes(), &german), expected, "{text}");
        }
        let packed = dialect(b",\"\x01\0\0\0\x0a\0%Y%m%d%H%M");
        for (text, expected) in [("202402291200", INT_OR_DATE), ("202413291200", INT), ("20240229", INT)] {
            assert_eq!(kind(text.as_bytes(), &packed), expected, "{text}");
        }
        let swapped = dialect(b",\"\x01\0\0\0\x08\0%Y-%d-%m");
        for (text, expected) in [("2024-02-01", DATE), ("2024-01-31", TEXT), ("2024-01-01T00:00:00", TEXT), ("7", INT)]
        {
            assert_eq!(kind(text.as_bytes(), &swapped), expected, "{text}");
        }
    }

    #[test]
    fn kinds() {
        let comma = dialect(b",\"\x01\0\0\0\0\0");
        for (text, expected) in [
            ("", 0),
            ("1", INT),
            ("-1", INT),
            ("+1", TEXT),
            ("007", TEXT),
            ("-07", TEXT),
            ("00", TEXT),
            ("0", INT),
            ("-0", INT),
            ("0.5", FLOAT),
            ("1,5", TEXT),
            (",5", TEXT),
            ("-", TEXT),
            (".", TEXT),
            ("9223372036854775808", TEXT),
            ("1.5", FLOAT),
            ("1.", FLOAT),
            (".5", FLOAT),
            ("1e5", FLOAT),
            ("-1E-5", FLOAT),
            ("NaN", FLOAT | NAN),
            ("nan ", FLOAT | NAN << 1),
            ("NAN", FLOAT | NAN << 2),
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
            ("2024-01-01 00:00", TIMESTAMP),
            ("2024-01-01T00:00", TIMESTAMP),
            ("2024-01-01T00:00Z", TIMESTAMP),
            ("2024-01-01T00:00:00.1", TIMESTAMP << 1),
            ("2024-01-01T00:00:00.123456", TIMESTAMP << 2),
            ("2024-01-01T00:00:00.1234567", TIMESTAMP << 3),
            ("12:00:00", TEXT),
            ("  1", INT),
            ("1.5 ", FLOAT),
            (" 007", TEXT),
            ("  ", 0),
            ("a ", TEXT),
        ] {
            assert_eq!(kind(text.as_bytes(), &comma), expected, "{text}");
        }
    }
}
