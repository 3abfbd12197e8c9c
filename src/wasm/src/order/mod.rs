//! Rows in the order of keys: all of them, or the first few.
//!
//! The first key is reduced to a 64-bit prefix that orders as its values do, so that most comparisons are of one number;
//! where prefixes are equal, the whole values decide, then the further keys in the same way, and in the end the row.

mod bound;
mod changes;
mod firsts;
mod key;
mod ties;

use crate::run::{MAX_ROWS, Run};
pub use changes::changes;
pub use firsts::first_rows;
pub use key::{Direction, Key};

use crate::array::Array;
use crate::bitmap::Bitmap;
use crate::cancel::Watch;
use crate::error::{Error, Result};
use crate::pieces;
use std::cmp::Ordering;

/// A row and the prefix of its first key.
type Ranked = (u64, u32);

/// Rows that are kept beyond those that are asked for, until the last ones are thrown away together.
const LEAST_SPARE: usize = 1024;

/// The first `limit` of the rows that are true in `truth` (none: all `rows`), in the order of the keys. Rows that are equal
/// in all of them stay in theirs.
pub fn sort(keys: &[Key], rows: usize, truth: Option<&Bitmap>, limit: usize) -> Result<Vec<u32>> {
    if rows > MAX_ROWS {
        return Err(Error::TooLong);
    }
    let Some((first, rest)) = keys.split_first() else {
        return unsorted(rows, truth, limit);
    };
    let mut sorted = Vec::new();
    for is_null in if first.direction().are_nulls_first { [true, false] } else { [false, true] } {
        let left = limit - sorted.len().min(limit);
        if left == 0 || (is_null && !first.has_nulls()) {
            continue;
        }
        let mut part = Part { first, rest, is_null, limit: left, kept: Vec::new(), last: None };
        part.scan(rows, truth)?;
        sorted.try_reserve(part.kept.len())?;
        sorted.extend(part.kept.iter().map(|ranked| ranked.1));
    }
    Ok(sorted)
}

fn unsorted(rows: usize, truth: Option<&Bitmap>, limit: usize) -> Result<Vec<u32>> {
    let mut sorted = Vec::new();
    sorted.try_reserve(limit.min(truth.map_or(rows, Bitmap::count)))?;
    for word in 0..rows.div_ceil(64) {
        let mut bits = selected(rows, truth, word);
        while bits != 0 && sorted.len() < limit {
            sorted.push((word * 64) as u32 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
    Ok(sorted)
}

/// The rows of a word of bits that are true.
fn selected(rows: usize, truth: Option<&Bitmap>, word: usize) -> u64 {
    match truth {
        Some(truth) => truth.words()[word],
        None => crate::bitmap::low_bits(rows - word * 64),
    }
}

/// The rows whose first key is null, or those whose is not.
struct Part<'a, 'k> {
    first: &'a Key<'k>,
    rest: &'a [Key<'k>],
    is_null: bool,
    limit: usize,
    kept: Vec<Ranked>,
    /// What does not come before it, need not be kept; none: too few are there to say.
    last: Option<Ranked>,
}

impl Part<'_, '_> {
    fn scan(&mut self, rows: usize, truth: Option<&Bitmap>) -> Result<()> {
        let capacity = self.limit.saturating_add(self.limit.max(LEAST_SPARE));
        let mut prefixes = [0; 64];
        let mut watch = Watch::default();
        for word in 0..rows.div_ceil(64) {
            watch.passed(64)?;
            let valid = self.first.valid(word);
            let mut bits = selected(rows, truth, word) & if self.is_null { !valid } else { valid };
            if let Some((_, row)) = self.last.filter(|_| !self.is_null) {
                bits &= self.first.not_after(word, row as usize);
            }
            if bits == 0 {
                continue;
            }
            if !self.is_null {
                self.first.prefixes(word * 64, &mut prefixes[..(rows - word * 64).min(64)]);
            }
            while bits != 0 {
                let place = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let ranked = (prefixes[place], (word * 64 + place) as u32);
                if self.last.is_some_and(|last| self.compare(&ranked, &last) != Ordering::Less) {
                    continue;
                }
                if self.kept.len() == capacity {
                    self.discard();
                }
                self.kept.try_reserve(1)?;
                self.kept.push(ranked);
            }
        }
        if self.kept.len() > self.limit {
            self.discard();
        }
        pieces::sort(&mut self.kept)?;
        ties::resolve(&mut self.kept, (!self.is_null).then_some(self.first), self.rest)
    }

    /// Keeps the first `limit` rows of those that are there.
    fn discard(&mut self) {
        let mut kept = std::mem::take(&mut self.kept);
        if self.limit < kept.len() {
            kept.select_nth_unstable_by(self.limit - 1, |a, b| self.compare(a, b));
            kept.truncate(self.limit);
            self.last = kept.last().copied();
        }
        self.kept = kept;
    }

    fn compare(&self, a: &Ranked, b: &Ranked) -> Ordering {
        if a.0 != b.0 { a.0.cmp(&b.0) } else { ties::compare(*a, *b, (!self.is_null).then_some(self.first), self.rest) }
    }
}

impl Array {
    /// A new array of rows one by one.
    pub fn take_rows(&self, rows: &[u32]) -> Result<Array> {
        let mut runs: Vec<Run> = Vec::new();
        runs.try_reserve(rows.len())?;
        for &row in rows {
            let row = row as usize;
            if row >= self.len {
                return Err(Error::Misuse("an order of more rows than the column has"));
            }
            match runs.last_mut() {
                Some(run) if run.end() == row => run.len += 1,
                _ => runs.push(Run { start: row, len: 1 }),
            }
        }
        self.take(&runs)
    }
}
