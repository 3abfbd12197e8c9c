//! Long calls that end early: the query for which one works may have been cancelled.

use crate::error::{Error, Result};
use crate::host;

/// Rows between two looks at the cancel flag: some milliseconds of work at most, and a look takes some 20 ns.
pub const CHECKED_ROWS: usize = 1 << 16;

/// Fails if the query of the call was cancelled.
pub fn check() -> Result<()> {
    if host::is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

/// Looks at the flag once in [`CHECKED_ROWS`] rows.
#[derive(Default)]
pub struct Watch {
    rows: usize,
}

impl Watch {
    /// Counts rows that have been worked on. Fails as [`check`] does.
    #[inline]
    pub fn passed(&mut self, rows: usize) -> Result<()> {
        self.rows += rows;
        if self.rows < CHECKED_ROWS {
            return Ok(());
        }
        self.rows = 0;
        check()
    }
}
