//! The fields of one column.

use super::dialect::Dialect;
use super::records::Records;
use crate::error::Result;

/// One field of each record.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    bytes: &'a [u8],
    starts: &'a [u32],
    ends: &'a [u32],
    width: usize,
    column: usize,
    dialect: &'a Dialect,
    /// Fields have blanks around them that are no part of them, and end where the next one begins.
    has_runs: bool,
}

impl<'a> Fields<'a> {
    /// The fields of column `column`, which exists.
    pub fn of(bytes: &'a [u8], records: &'a Records, column: usize, dialect: &'a Dialect) -> Self {
        debug_assert!(column < records.fields());
        let has_runs = dialect.has_runs;
        let (starts, ends, width) = (records.starts(), records.ends(), records.fields());
        Fields { bytes, starts, ends, width, column, dialect, has_runs }
    }

    /// The fields of record `row`, which exists, as if they were one column.
    pub fn of_record(bytes: &'a [u8], records: &'a Records, row: usize, dialect: &'a Dialect) -> Self {
        let width = records.fields();
        let ends = &records.ends()[row * width..(row + 1) * width];
        let (starts, has_runs) = (&records.starts()[row..row + 1], dialect.has_runs);
        Fields { bytes, starts, ends, width: 1, column: 0, dialect, has_runs }
    }

    /// How they are written.
    pub fn dialect(&self) -> &'a Dialect {
        self.dialect
    }

    /// Number of fields.
    pub fn len(&self) -> usize {
        self.ends.len() / self.width
    }

    /// All bytes, into which [`Fields::range`] points.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where a field lies, quotes included.
    #[inline(always)]
    pub fn range(&self, row: usize) -> (usize, usize) {
        let at = row * self.width + self.column;
        let end = self.ends[at] as usize;
        // The fields of one record as a column follow each other as those of a record do.
        let is_first = self.column == 0 && (self.width > 1 || row < self.starts.len());
        let start = if is_first { self.starts[row] } else { self.ends[at - 1] + u32::from(!self.has_runs) };
        if self.has_runs { self.without_gaps(start as usize, end) } else { (start as usize, end) }
    }

    /// Where a field lies between blanks.
    fn without_gaps(&self, start: usize, end: usize) -> (usize, usize) {
        let field = &self.bytes[start..end];
        let before = field.iter().take_while(|byte| is_blank(byte)).count();
        let behind = field[before..].iter().rev().take_while(|byte| is_blank(byte)).count();
        (start + before, end - behind)
    }

    /// A field, quotes included.
    #[inline(always)]
    pub fn raw(&self, row: usize) -> &'a [u8] {
        let (start, end) = self.range(row);
        &self.bytes[start..end]
    }
}

/// A text without spaces and tabs around it, with which columns are aligned.
#[inline(always)]
pub fn trimmed(text: &[u8]) -> &[u8] {
    match text {
        [b' ' | b'\t', ..] | [.., b' ' | b'\t'] => without_blanks(text),
        _ => text,
    }
}

#[inline(always)]
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cold]
fn without_blanks(text: &[u8]) -> &[u8] {
    let from = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let to = text.iter().rposition(|byte| !is_blank(byte)).map_or(from, |last| last + 1);
    &text[from..to]
}

/// Whether a field begins with a quote.
#[inline(always)]
pub fn is_quoted(raw: &[u8], quote: Option<u8>) -> bool {
    matches!((raw, quote), ([first, ..], Some(quote)) if *first == quote)
}

/// A field without its quotes; `scratch` holds it where that takes more than to leave out the first and last byte.
pub fn unquoted<'a>(raw: &'a [u8], quote: Option<u8>, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    let ([first, rest @ ..], Some(quote)) = (raw, quote) else { return Ok(raw) };
    if *first != quote {
        return Ok(raw);
    }
    let is_quote = |byte: &u8| *byte == quote;
    let end = rest.iter().position(is_quote).unwrap_or(rest.len());
    if end + 1 >= rest.len() {
        return Ok(&rest[..end]);
    }
    scratch.clear();
    scratch.try_reserve(rest.len())?;
    let mut rest = rest;
    // Between quotes another quote is either doubled or closes them; from there on all are characters.
    while let Some(end) = rest.iter().position(is_quote) {
        scratch.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.split_first() {
            Some((byte, after)) if *byte == quote => {
                scratch.push(quote);
                rest = after;
            }
            _ => break,
        }
    }
    scratch.extend_from_slice(rest);
    Ok(scratch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        for (raw, text) in [
            ("", ""),
            ("a", "a"),
            ("\"\"", ""),
            ("\"a,b\"", "a,b"),
            ("\"a\"\"b\"", "a\"b"),
            ("\"\"\"\"", "\""),
            ("\"\"\"a\"\"\"", "\"a\""),
            ("\"a\"b", "ab"),
            ("\"a\"b\"c\"", "ab\"c\""),
            ("5\" pipe", "5\" pipe"),
        ] {
            assert_eq!(unquoted(raw.as_bytes(), Some(b'"'), &mut Vec::new()).unwrap(), text.as_bytes(), "{raw}");
            let [raw, text] = [raw, text].map(|each| each.replace('"', "'"));
            assert_eq!(unquoted(raw.as_bytes(), Some(b'\''), &mut Vec::new()).unwrap(), text.as_bytes(), "{raw}");
            assert_eq!(unquoted(raw.as_bytes(), None, &mut Vec::new()).unwrap(), raw.as_bytes(), "{raw}");
        }
    }
}
