//! What can go wrong, as data; the text is written where the error leaves the module.

use std::collections::TryReserveError;
use std::fmt;

/// Every error of the core. The discriminants of [`Error::code`] are the loader's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The memory that the instance may use is used up.
    Memory,
    /// A text or binary column, or a list, that 32-bit offsets cannot address once normalised.
    TooLong,
    /// A foreign array that is not what the Arrow columnar format allows; `at` is the row or position, if one is known.
    Invalid { what: &'static str, at: Option<usize> },
    /// A value that the wider type cannot hold, at a row.
    Overflow { row: usize },
    /// A sum that its type cannot hold.
    SumOverflow { ty: &'static str },
    /// A date that no time of microseconds can be.
    DateOverflow,
    /// A table of groups takes more memory than it may.
    TooManyGroups { maximum: usize },
    /// What this version does not do.
    Unsupported(&'static str),
    /// The query for which the call works was cancelled.
    Cancelled,
    /// A caller's mistake: an unknown handle, columns of different lengths.
    Misuse(&'static str),
}

/// Result with the core's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A foreign array is not valid.
    pub const fn invalid(what: &'static str) -> Self {
        Error::Invalid { what, at: None }
    }

    /// A foreign array is not valid at one position.
    pub const fn invalid_at(what: &'static str, at: usize) -> Self {
        Error::Invalid { what, at: Some(at) }
    }

    /// The number under which the loader knows this kind of error; negative.
    pub const fn code(self) -> i32 {
        match self {
            Error::Memory => -1,
            Error::TooLong => -2,
            Error::Invalid { .. } => -3,
            Error::Overflow { .. } => -4,
            Error::Unsupported(_) => -5,
            Error::Misuse(_) => -6,
            Error::SumOverflow { .. } | Error::DateOverflow => -7,
            Error::TooManyGroups { .. } => -8,
            Error::Cancelled => -9,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Memory => f.write_str("the memory of a worker is used up"),
            Error::TooLong => {
                f.write_str("a column holds more than 2 GiB of text or more than 2^31 list items at once")
            }
            Error::Invalid { what, at: Some(at) } => write!(f, "{what} at {at}"),
            Error::Invalid { what, at: None } => f.write_str(what),
            Error::Overflow { row } => write!(f, "the value of row {row} does not fit"),
            Error::SumOverflow { ty: ty @ ("Int64" | "UInt64") } => write!(
                f,
                "a sum of integers does not fit into {ty}: write sum(x::DECIMAL(38, 0)), which is exact, or sum(x::DOUBLE)"
            ),
            Error::SumOverflow { ty } => {
                write!(
                    f,
                    "a sum of decimals does not fit into {ty}: write sum(x::DOUBLE), or take the sum of fewer rows"
                )
            }
            Error::DateOverflow => {
                f.write_str("a date does not fit into a timestamp: take quantile_disc of it, which is a date")
            }
            Error::TooManyGroups { maximum } => write!(
                f,
                "the query has too many groups, distinct values or values of quantiles: its table takes more than {maximum} bytes; \
                 group by fewer or coarser columns, or filter the rows first"
            ),
            Error::Cancelled => f.write_str("The query was cancelled."),
            Error::Unsupported(what) | Error::Misuse(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl From<TryReserveError> for Error {
    fn from(_: TryReserveError) -> Self {
        Error::Memory
    }
}
