//! The fields of one column.

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
}

impl<'a> Fields<'a> {
    /// The fields of column `column`, which exists.
    pub fn of(bytes: &'a [u8], records: &'a Records, column: usize) -> Self {
        debug_assert!(column < records.fields());
        Fields { bytes, starts: records.starts(), ends: records.ends(), width: records.fields(), column }
    }

    /// The fields of the first record, which exists, as if they were one column.
    pub fn of_first_record(bytes: &'a [u8], records: &'a Records) -> Self {
        Fields { bytes, starts: &records.starts()[..1], ends: &records.ends()[..records.fields()], width: 1, column: 0 }
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
        // The fields of the first record as a column follow each other as those of a record do.
        let is_first = self.column == 0 && (self.width > 1 || row < self.starts.len());
        let start = if is_first { self.starts[row] } else { self.ends[at - 1] + 1 };
        (start as usize, end)
    }

    /// A field, quotes included.
    #[inline(always)]
    pub fn raw(&self, row: usize) -> &'a [u8] {
        let (start, end) = self.range(row);
        &self.bytes[start..end]
    }
}

/// A field without its quotes; `scratch` holds it where that takes more than to leave out the first and last byte.
pub fn unquoted<'a>(raw: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    let Some((b'"', rest)) = raw.split_first() else { return Ok(raw) };
    let quote = rest.iter().position(|byte| *byte == b'"').unwrap_or(rest.len());
    if quote + 1 >= rest.len() {
        return Ok(&rest[..quote]);
    }
    scratch.clear();
    scratch.try_reserve(rest.len())?;
    let mut rest = rest;
    // Between quotes another quote is either doubled or closes them; from there on all are characters.
    while let Some(quote) = rest.iter().position(|byte| *byte == b'"') {
        scratch.extend_from_slice(&rest[..quote]);
        rest = &rest[quote + 1..];
        match rest.split_first() {
            Some((b'"', after)) => {
                scratch.push(b'"');
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
            assert_eq!(unquoted(raw.as_bytes(), &mut Vec::new()).unwrap(), text.as_bytes(), "{raw}");
        }
    }
}
