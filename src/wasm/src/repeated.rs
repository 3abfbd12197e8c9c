//! Columns that repeat values in a cycle.

use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, Number};
use crate::cycle::Cycle;
use crate::error::{Error, Result};
use crate::run::{MAX_ROWS, Run, total};
use std::rc::Rc;

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
