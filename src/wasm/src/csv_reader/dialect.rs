//! How a file is written: what lies between and around its fields, which lines count, and how values look.

use super::comment::Comment;
use super::encoding::Encoding;
use super::format::Format;
use super::instant::{self, Instant};
use super::nulls::Nulls;
use crate::error::{Error, Result};

/// The dialect of a file.
pub struct Dialect {
    /// An ASCII character that lies between fields.
    pub delimiter: u8,
    /// Runs of spaces and tabs lie between fields, and may lie around the first and the last one. Then the delimiter is a space.
    pub has_runs: bool,
    /// An ASCII character around fields. None: no field is quoted.
    pub quote: Option<u8>,
    /// What lines begin with that are left out.
    pub comment: Comment,
    /// A comma, and no point, stands before the fraction of a float.
    pub has_decimal_comma: bool,
    /// Cells may be missing at the end of a record, and empty ones may follow the last column.
    pub is_ragged: bool,
    pub encoding: Encoding,
    /// Texts that are null, besides the empty one.
    pub nulls: Nulls,
    /// The form of dates and times besides those of ISO 8601.
    pub format: Option<Format>,
}

/// The flags of the first bytes of [`Dialect::read`].
const HAS_QUOTE: u8 = 1;
const HAS_DECIMAL_COMMA: u8 = 2;
const HAS_RUNS: u8 = 4;
const IS_RAGGED: u8 = 8;

impl Dialect {
    /// From bytes: the delimiter, the quote, flags, the encoding; then the comment, the format of dates, and each text that is
    /// null, each as its length in two bytes, little endian, and its bytes.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let misuse = Error::Misuse("no dialect");
        let Some((&[delimiter, quote, flags, encoding], rest)) = bytes.split_first_chunk::<4>() else {
            return Err(misuse);
        };
        let mut texts = Texts { rest };
        let comment = Comment::new(texts.next().ok_or(misuse)?).ok_or(misuse)?;
        let format = match texts.next().ok_or(misuse)? {
            [] => None,
            text => Some(Format::new(text)?),
        };
        let mut nulls = Nulls::default();
        while !texts.rest.is_empty() {
            nulls.add(texts.next().ok_or(misuse)?)?;
        }
        let quote = (flags & HAS_QUOTE != 0).then_some(quote);
        let has_runs = flags & HAS_RUNS != 0;
        if has_runs && (delimiter != b' ' || quote == Some(b'\t')) {
            return Err(misuse);
        }
        if !delimiter.is_ascii() || quote.is_some_and(|quote| !quote.is_ascii()) || quote == Some(delimiter) {
            return Err(misuse);
        }
        Ok(Dialect {
            delimiter,
            has_runs,
            quote,
            comment,
            has_decimal_comma: flags & HAS_DECIMAL_COMMA != 0,
            is_ragged: flags & IS_RAGGED != 0,
            encoding: Encoding::from_code(encoding).ok_or(misuse)?,
            nulls,
            format,
        })
    }

    /// A date, in the format if there is one.
    pub fn date(&self, text: &[u8]) -> Option<i32> {
        let Some(format) = &self.format else { return instant::date(text) };
        format.date(text).or_else(|| if format.is_like_iso() { None } else { instant::date(text) })
    }

    /// A time, in the format if there is one.
    pub fn instant(&self, text: &[u8]) -> Option<Instant> {
        let Some(format) = &self.format else { return instant::instant(text) };
        format.instant(text).or_else(|| if format.is_like_iso() { None } else { instant::instant(text) })
    }
}

/// Texts with their lengths before them.
struct Texts<'a> {
    rest: &'a [u8],
}

impl<'a> Texts<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.rest.split_first_chunk::<2>()?;
        let (text, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
        self.rest = rest;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_dialect() {
        assert!(Dialect::read(b",\"\x01\0\0\0\0\0").is_ok());
        for bytes in [
            b"".as_slice(),
            b",\"\x01",
            b",\"\x01\0",
            b",\"\x01\0\0\0",
            b",\"\x01\x09\0\0\0\0",
            b"\"\"\x01\0\0\0\0\0",
            b"\xe9\"\x01\0\0\0\0\0",
            b",\xe9\x01\0\0\0\0\0",
            b",\"\x01\0\x01\0\0\0",
            b",\"\x01\0\0\0\x01\0%",
            b",\"\x01\0\0\0\0\0\x05\0NA",
            b",\"\x05\0\0\0\0\0",
            b" \t\x05\0\0\0\0\0",
        ] {
            assert!(Dialect::read(bytes).is_err(), "{bytes:?}");
        }
        let dialect = Dialect::read(b";'\x03\x01\x02\0//\0\0\x02\0NA\x04\0-999").unwrap();
        assert_eq!((dialect.delimiter, dialect.quote, dialect.has_decimal_comma), (b';', Some(b'\''), true));
        assert!(dialect.nulls.holds(b"NA") && dialect.nulls.holds(b"-999") && !dialect.nulls.holds(b"-99"));
        assert!(!dialect.is_ragged && Dialect::read(b"\t\"\x09\x03\x02\0//\0\0").unwrap().is_ragged);
        assert_eq!(Dialect::read(b";'\0\0\0\0\0\0").unwrap().quote, None);
    }
}
