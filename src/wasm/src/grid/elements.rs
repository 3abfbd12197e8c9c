//! The elements of one part.

use super::block::{self, Reader, Values};
use super::variable::Variable;
use super::{Grid, OTHER_COLUMNS};
use crate::bitmap::word_count;
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// The values of all variables in the elements.
#[derive(Default)]
pub struct Elements {
    count: usize,
    values: Vec<Buffer>,
    /// Of the variables that hold their fill value: a bit for each element, which is set if a value was put there. Else empty.
    present: Vec<Vec<u64>>,
}

impl Elements {
    pub(super) fn allocated(&self) -> usize {
        let values: usize = self.values.iter().map(Buffer::allocated).sum();
        values + self.present.iter().map(|bits| bits.capacity() * 8).sum::<usize>()
    }
}

impl Grid {
    /// Begins a part of empty elements. The memory of the last one is used again.
    pub fn begin(&mut self, elements: usize) -> Result<()> {
        let all = &mut self.elements;
        all.values.resize_with(self.variables.len(), Buffer::default);
        all.present.resize_with(self.variables.len(), Vec::new);
        all.count = elements;
        for (variable, (values, present)) in self.variables.iter().zip(all.values.iter_mut().zip(&mut all.present)) {
            values.resize(elements.checked_mul(variable.width).ok_or(Error::Memory)?)?;
            block::by_width!(variable.width, W => {
                let Some(fill) = variable.fill.first_chunk::<W>() else { return Err(OTHER_COLUMNS) };
                values.bytes_mut().as_chunks_mut::<W>().0.fill(*fill)
            });
            present.clear();
            if variable.holds_fill {
                present.try_reserve_exact(word_count(elements))?;
                present.resize(word_count(elements), 0);
            }
        }
        Ok(())
    }

    /// Puts the rows of a block into their elements: the last value that is not null stays. `is_distributed`: the block has elements as its
    /// numbers, else numbers of values, and the part is the whole grid.
    pub fn put(&mut self, bytes: &[u8], rows: usize, is_distributed: bool) -> Result<()> {
        let mut reader = Reader::new(bytes, rows);
        if is_distributed {
            let elements = reader.numbers()?;
            return self.put_at(&mut reader, rows, |row| u32::from_le_bytes(elements[row]) as usize);
        }
        let places = self.places(&mut reader, rows)?;
        self.put_at(&mut reader, rows, |row| places[row] as usize)
    }

    /// The values of a variable in all elements, and how many of these are empty.
    pub fn values(&self, variable: usize) -> Result<(&[u8], usize)> {
        let described = self.variable(variable)?;
        let (values, present) =
            self.elements.values.get(variable).zip(self.elements.present.get(variable)).ok_or(OTHER_COLUMNS)?;
        let empty = if described.holds_fill {
            self.elements.count - present.iter().map(|word| word.count_ones() as usize).sum::<usize>()
        } else {
            block::by_width!(described.width, W => {
                let fill = described.fill.first_chunk::<W>();
                values.bytes().as_chunks::<W>().0.iter().filter(|value| Some(*value) == fill).count()
            })
        };
        Ok((values.bytes(), empty))
    }

    fn put_at(&mut self, reader: &mut Reader, rows: usize, element: impl Fn(usize) -> usize) -> Result<()> {
        let Elements { values, present, .. } = &mut self.elements;
        for (variable, (out, present)) in self.variables.iter().zip(values.iter_mut().zip(present)) {
            let read = reader.values(variable.width)?;
            if variable.holds_fill {
                each_valid(&read, rows, |row| {
                    if let Some(word) = present.get_mut(element(row) / 64) {
                        *word |= 1 << (element(row) % 64);
                    }
                });
            }
            put_values(variable, &read, rows, &element, out.bytes_mut());
        }
        Ok(())
    }
}

/// Writes the values that are not null to their elements. One whose element the part does not have is left out.
fn put_values(variable: &Variable, read: &Values, rows: usize, element: &impl Fn(usize) -> usize, out: &mut [u8]) {
    let divisor = variable.units.as_ref().map_or(1, |units| units.divisor());
    if divisor != 1 {
        let (values, out) = (read.values.as_chunks().0, out.as_chunks_mut().0);
        each_valid(read, rows, |row| {
            if let Some(out) = out.get_mut(element(row)) {
                *out = (i64::from_le_bytes(values[row]) / divisor).to_le_bytes();
            }
        });
        return;
    }
    block::by_width!(variable.width, W => {
        let (values, out) = (read.values.as_chunks::<W>().0, out.as_chunks_mut::<W>().0);
        each_valid(read, rows, |row| {
            if let Some(out) = out.get_mut(element(row)) {
                *out = values[row];
            }
        });
    });
}

/// Calls `f` with each row that is not null, ascending.
#[inline(always)]
fn each_valid(read: &Values, rows: usize, mut f: impl FnMut(usize)) {
    for start in (0..rows).step_by(64) {
        let mut word = read.word(start / 64);
        if word == u64::MAX {
            (start..start + 64).for_each(&mut f);
            continue;
        }
        while word != 0 {
            f(start + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}
