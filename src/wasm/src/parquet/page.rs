//! A data page: how it is to be read, and its parts once it is inflated.

use super::presence::Presence;
use crate::error::{Error, Result};
use crate::run::MAX_ROWS;

/// How a page is to be read.
pub struct Page {
    /// Rows, nulls included.
    pub rows: usize,
    /// Of the values.
    pub encoding: Encoding,
    /// Of the definition levels before them.
    pub levels: Levels,
    /// Rows at the beginning that are not wanted, and those after them that are.
    pub skip: usize,
    /// See `skip`.
    pub take: usize,
}

/// Where the definition levels of a page end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// V1: they begin with their length, and there are none where the column is required.
    Counted,
    /// V2: so many bytes, which are never compressed.
    Apart { bytes: usize },
}

/// Of values (Encodings.md of apache/parquet-format).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One value after the other.
    Plain,
    /// Indices into the dictionary, after a byte that tells their width.
    Dictionary,
    /// Runs of bits, after their length in 4 bytes.
    Runs,
    /// Integers as differences.
    Deltas,
    /// Byte arrays, all lengths first.
    Lengths,
    /// Byte arrays, each without what it has in common with the one before.
    Prefixed,
    /// All first bytes, then all second ones.
    Split,
}

impl Encoding {
    /// From Parquet's number.
    pub fn from_code(code: u32) -> Result<Self> {
        Ok(match code {
            0 => Encoding::Plain,
            2 | 8 => Encoding::Dictionary,
            3 => Encoding::Runs,
            5 => Encoding::Deltas,
            6 => Encoding::Lengths,
            7 => Encoding::Prefixed,
            9 => Encoding::Split,
            _ => return Err(NOT_KNOWN),
        })
    }
}

impl Page {
    /// Cuts a page without compression into which of its rows are there, and its values.
    pub fn split<'a>(&self, bytes: &'a [u8], is_optional: bool) -> Result<(Presence, &'a [u8])> {
        if self.rows > MAX_ROWS {
            return Err(Error::invalid("a page claims more than 2^31 rows"));
        }
        if self.skip.checked_add(self.take).is_none_or(|end| end > self.rows) {
            return Err(Error::Misuse("rows beyond the end of a page"));
        }
        let (levels, values) = match self.levels {
            Levels::Counted if !is_optional => (&[][..], bytes),
            Levels::Counted => {
                let (len, rest) = bytes.split_first_chunk().ok_or(LEVELS)?;
                rest.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(LEVELS)?
            }
            Levels::Apart { bytes: len } => bytes.split_at_checked(len).ok_or(LEVELS)?,
        };
        let presence = if is_optional { Presence::read(levels, self.rows)? } else { Presence::whole() };
        Ok((presence, values))
    }
}

/// The values of a page for rows of a column.
pub struct Stretch<'a> {
    /// Of the bytes.
    pub encoding: Encoding,
    /// The page's values.
    pub bytes: &'a [u8],
    /// How many of them to leave out, and how many to read then.
    pub before: usize,
    /// See `before`.
    pub wanted: usize,
    /// The first row of the column.
    pub start: usize,
    /// The rows of the page.
    pub rows: super::presence::Rows<'a>,
}

impl Stretch<'_> {
    /// The row of the column after the last.
    pub const fn end(&self) -> usize {
        self.start + self.rows.len()
    }
}

const LEVELS: Error = Error::invalid("a page ends in its levels");

/// Values of this kind have no such encoding.
pub const NOT_KNOWN: Error = Error::Misuse("an encoding that is not known");
