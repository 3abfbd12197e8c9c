//! Columns whose values come again and again, in a cycle.

use crate::array::{Array, Data, MAX_ROWS};
use crate::bitmap::{BitWriter, Bitmap};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::rows::{Run, total};
use std::rc::Rc;

/// Which value a row has: row `i` is value `(start + i) / each % count`. `each * count` is at most [`MAX_ROWS`], so that no sum
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

/// The parts of a column that repeats values.
#[derive(Clone, Copy)]
pub struct Repeated<'a> {
    pub values: &'a Rc<Array>,
    pub known: Option<&'a Bitmap>,
    pub cycle: Cycle,
    pub len: usize,
}

impl Array {
    /// `len` rows that repeat the values of a flat column.
    pub fn repeating(values: Array, each: usize, start: usize, len: usize) -> Result<Array> {
        let cycle = each.checked_mul(values.len).filter(|&cycle| cycle <= MAX_ROWS && (start < cycle || len == 0));
        if len > MAX_ROWS || cycle.is_none() {
            return Err(Error::Misuse("a cycle of no values, or of more rows than there can be"));
        }
        if each == 1 && start == 0 && len == values.len {
            return Ok(values);
        }
        if len == 0 {
            return values.take(&[]);
        }
        if let Data::Null = values.data {
            return values.nulls(len);
        }
        let Array { len: count, validity, data } = values.decoded()?.unwrap_or(values);
        if !matches!(data, Data::Bool(_) | Data::Fixed { .. } | Data::Bytes { .. }) {
            return Err(Error::Misuse("only flat values can be repeated"));
        }
        let values = Rc::new(Array { len: count, validity: None, data });
        Ok(Array { len, validity: None, data: Data::Repeat { values, known: validity, each, start } })
    }

    /// The parts, if the column repeats values.
    pub fn repeated(&self) -> Option<Repeated<'_>> {
        match &self.data {
            Data::Repeat { values, known, each, start } => {
                let cycle = Cycle { each: *each, start: *start, count: values.len };
                Some(Repeated { values, known: known.as_ref(), cycle, len: self.len })
            }
            _ => None,
        }
    }
}

impl Repeated<'_> {
    /// Rows as a dictionary.
    pub fn take(&self, runs: &[Run]) -> Result<Array> {
        let len = total(runs)?;
        let data = Data::Dictionary { indices: self.cycle.numbers(runs)?, values: Rc::clone(self.values) };
        Ok(Array { len, validity: self.validity(runs)?, data })
    }

    /// Neighbouring rows, which repeat the same values.
    pub fn slice(&self, run: Run) -> Result<Array> {
        let cycle = self.cycle.each * self.cycle.count;
        let known = self.known.map(Bitmap::try_clone).transpose()?;
        let start = (self.cycle.start + run.start) % cycle;
        let data = Data::Repeat { values: Rc::clone(self.values), known, each: self.cycle.each, start };
        Ok(Array { len: run.len, validity: None, data })
    }

    /// A copy of the values, nulls among them.
    pub fn own_values(&self) -> Result<Array> {
        let values = self.values.take(&[Run { start: 0, len: self.values.len }])?;
        Ok(Array { validity: self.known.map(Bitmap::try_clone).transpose()?, ..values })
    }

    /// Null rows.
    pub fn null_count(&self) -> usize {
        let nulls = |known: &Bitmap| self.cycle.sum(0, self.len, |value| u64::from(!known.get(value))) as usize;
        self.known.map_or(0, nulls)
    }

    /// Which rows are not null; none: all.
    pub fn validity(&self, runs: &[Run]) -> Result<Option<Bitmap>> {
        let Some(known) = self.known else { return Ok(None) };
        let bits = self.cycle.bits(known, runs)?;
        Ok((bits.set() < total(runs)?).then(|| bits.finish()))
    }

    /// The rows one by one.
    pub fn decoded(&self) -> Result<Array> {
        let runs = [Run { start: 0, len: self.len }];
        let data = match &self.values.data {
            Data::Fixed { width, values } if matches!(width, 1 | 2 | 4 | 8 | 16) => {
                let mut out = Buffer::zeroed(self.len.checked_mul(*width).ok_or(Error::Memory)?)?;
                match width {
                    1 => self.write::<u8>(values, &runs, &mut out),
                    2 => self.write::<u16>(values, &runs, &mut out),
                    4 => self.write::<u32>(values, &runs, &mut out),
                    8 => self.write::<u64>(values, &runs, &mut out),
                    _ => self.write::<u128>(values, &runs, &mut out),
                }
                Data::Fixed { width: *width, values: out }
            }
            Data::Bool(bits) => Data::Bool(self.cycle.bits(bits, &runs)?.finish()),
            _ => {
                let indexed = self.take(&runs)?;
                return Ok(indexed.decoded()?.unwrap_or(indexed));
            }
        };
        Ok(Array { len: self.len, validity: self.validity(&runs)?, data })
    }

    fn write<T: Number>(&self, values: &Buffer, runs: &[Run], out: &mut Buffer) {
        self.cycle.write(&values.numbers::<T>()[..self.values.len], runs, out.numbers_mut());
    }
}
