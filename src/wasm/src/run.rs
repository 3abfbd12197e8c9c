//! Runs of neighbouring rows.

use crate::error::{Error, Result};

/// Rows that an array may have; one more still fits an offset.
pub const MAX_ROWS: usize = i32::MAX as usize - 1;

/// Rows `start..start + len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub start: usize,
    pub len: usize,
}

impl Run {
    /// One past the last row.
    pub fn end(self) -> usize {
        self.start + self.len
    }
}

/// Rows in all runs, which may repeat rows.
pub fn total<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Result<usize> {
    let rows = runs.into_iter().map(|run| run.len as u64).sum::<u64>();
    if rows <= MAX_ROWS as u64 { Ok(rows as usize) } else { Err(Error::TooLong) }
}
