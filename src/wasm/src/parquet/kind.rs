//! What the pages of a column hold and what is made of it.

use crate::error::{Error, Result};
use crate::types::TimeUnit;

/// Of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Whether rows may be null.
    pub is_optional: bool,
    /// As the pages have values.
    pub stored: Stored,
    /// As the array has them.
    pub read: Read,
}

/// A physical type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// BOOLEAN.
    Bits,
    /// All others: so many bytes each.
    Fixed { width: usize },
    /// BYTE_ARRAY.
    Bytes,
}

/// What an array holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// What is stored.
    Same,
    /// Byte arrays that are text.
    Text,
    /// Nothing but nulls.
    Nothing,
    /// Integers in so many bytes, more (filled up with the sign) or less (cut off) than are stored.
    Resized { width: usize },
    /// The same of integers whose highest byte comes first, in fixed or variable length.
    Reversed { width: usize },
    /// So many of the bytes, from one on.
    Part { from: usize, width: usize },
    /// Days as milliseconds.
    Milliseconds,
    /// Nanoseconds of a day and the Julian day (INT96) as a timestamp.
    Instant { unit: TimeUnit },
    /// Months, days and milliseconds (INTERVAL) as months, days and nanoseconds.
    Interval,
}

/// Bytes of a value of fixed length: a guard of products with a row's number.
const MAX_WIDTH: usize = 1 << 24;

impl Kind {
    /// From the loader's numbers (`flat-column.ts`): `stored` is 0 for bits, -1 for byte arrays, else bytes.
    pub fn from_code(is_optional: bool, stored: i32, read: u32, parameter: usize) -> Result<Self> {
        let stored = match stored {
            0 => Stored::Bits,
            -1 => Stored::Bytes,
            width => match usize::try_from(width) {
                Ok(width) if width <= MAX_WIDTH => Stored::Fixed { width },
                Ok(width) => return Err(Error::invalid_at("values of more than 2^24 bytes each, namely", width)),
                Err(_) => return Err(UNKNOWN),
            },
        };
        let width = parameter;
        let read = match (read, stored, width) {
            (0, ..) => Read::Same,
            (1, Stored::Bytes, _) => Read::Text,
            (2, ..) => Read::Nothing,
            (3, Stored::Fixed { width: 4 | 8 }, 1 | 2 | 4 | 8 | 16 | 32) => Read::Resized { width },
            (4, Stored::Fixed { width: 1..=32 } | Stored::Bytes, 4 | 8 | 16 | 32) => Read::Reversed { width },
            (5, Stored::Fixed { width: 12 }, 0 | 4) => {
                Read::Part { from: parameter, width: if parameter == 4 { 8 } else { 4 } }
            }
            (6, Stored::Fixed { width: 4 }, _) => Read::Milliseconds,
            (7, Stored::Fixed { width: 12 }, 0..=3) => Read::Instant { unit: TimeUnit::ALL[parameter] },
            (8, Stored::Fixed { width: 12 }, _) => Read::Interval,
            _ => return Err(UNKNOWN),
        };
        Ok(Kind { is_optional, stored, read })
    }
}

const UNKNOWN: Error = Error::Misuse("a flat column of a kind that is not known");
