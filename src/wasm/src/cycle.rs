//! Which of some values a row has, where values come again and again.

use crate::bitmap::{BitWriter, Bitmap};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::run::{Run, total};

/// Which value a row has: row `i` is value `(start + i) / each % count`. `each * count` is at most [`crate::run::MAX_ROWS`], so that no sum
/// overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Neighbouring rows that have the same value.
    pub each: usize,
    /// Rows of the cycle before the first one.
    pub start: usize,
    /// Values.
    pub count: usize,
}

impl Cycle {
    /// The value of a row.
    #[inline(always)]
    pub const fn place(self, row: usize) -> usize {
        (self.start + row) / self.each % self.count
    }

    /// Whether the rows from `first` to `last` have one value.
    pub const fn has_one_value(self, first: usize, last: usize) -> bool {
        self.count == 1 || (self.start + first) % self.each + (last - first) < self.each
    }

    /// The values of `len` rows from `row` on, each as a run of rows that have it: where it is, and how many.
    pub fn values_from(self, row: usize, len: usize) -> impl Iterator<Item = Run> {
        self.values(Run { start: row, len })
    }

    /// The values of rows, each as a run of rows that have it: where it is, and how many.
    fn values(self, run: Run) -> impl Iterator<Item = Run> {
        let (mut row, end) = (run.start, run.end());
        std::iter::from_fn(move || {
            let len = (end - row).min(self.each - (self.start + row) % self.each);
            let value = Run { start: self.place(row), len };
            row += len;
            (len > 0).then_some(value)
        })
    }

    /// The same where each row has the next value: the stretches of values.
    fn stretches(self, run: Run) -> impl Iterator<Item = Run> {
        let (mut row, end) = (run.start, run.end());
        std::iter::from_fn(move || {
            let start = self.place(row);
            let len = (end - row).min(self.count - start);
            row += len;
            (len > 0).then_some(Run { start, len })
        })
    }

    /// The items of the rows of `runs`, of which there is one for each value, to the front of `out`.
    pub fn write<T: Copy>(self, items: &[T], runs: &[Run], mut out: &mut [T]) {
        for &run in runs {
            let (rows, rest) = std::mem::take(&mut out).split_at_mut(run.len);
            let mut to = 0;
            if self.each == 1 {
                for stretch in self.stretches(run) {
                    rows[to..to + stretch.len].copy_from_slice(&items[stretch.start..stretch.end()]);
                    to += stretch.len;
                }
            } else {
                for value in self.values(run) {
                    rows[to..to + value.len].fill(items[value.start]);
                    to += value.len;
                }
            }
            out = rest;
        }
    }

    /// The numbers of the values of rows.
    pub fn numbers(self, runs: &[Run]) -> Result<Buffer> {
        let mut out = Buffer::zeroed(total(runs)?.checked_mul(4).ok_or(Error::Memory)?)?;
        let mut rows = out.numbers_mut::<u32>();
        for &run in runs {
            let (of_run, rest) = rows.split_at_mut(run.len);
            self.write_numbers(run.start, of_run);
            rows = rest;
        }
        Ok(out)
    }

    /// The numbers of the values of rows from `row` on.
    pub fn write_numbers(self, row: usize, out: &mut [u32]) {
        let run = Run { start: row, len: out.len() };
        let mut to = 0;
        if self.each == 1 {
            for stretch in self.stretches(run) {
                (stretch.start as u32..).zip(&mut out[to..to + stretch.len]).for_each(|(number, out)| *out = number);
                to += stretch.len;
            }
        } else {
            for value in self.values(run) {
                out[to..to + value.len].fill(value.start as u32);
                to += value.len;
            }
        }
    }

    /// The bits of the rows of `runs`, of which there is one for each value.
    pub fn bits(self, bits: &Bitmap, runs: &[Run]) -> Result<BitWriter> {
        let mut out = BitWriter::with_capacity(total(runs)?)?;
        for &run in runs {
            if self.each == 1 {
                self.stretches(run).for_each(|stretch| out.push_range(bits, stretch.start, stretch.len));
                continue;
            }
            for value in self.values(run) {
                if bits.get(value.start) { out.push_ones(value.len) } else { out.push_zeros(value.len) }
            }
        }
        Ok(out)
    }

    /// Bits that rows `from..to` take together, if each value takes that many.
    pub fn sum(self, from: usize, to: usize, bits: impl Fn(usize) -> u64) -> u64 {
        self.values(Run { start: from, len: to - from }).map(|value| bits(value.start) * value.len as u64).sum()
    }
}
