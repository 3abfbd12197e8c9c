//! The cells of one slab.

use super::block::{self, Reader, Values};
use super::variable::Variable;
use super::{Grid, OTHER_COLUMNS};
use crate::bitmap::word_count;
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// The values of all variables in the cells.
#[derive(Default)]
pub struct Cells {
    count: usize,
    values: Vec<Buffer>,
    /// Of the variables that hold their fill value: a bit for each cell, which is set if a value was put there. Else empty.
    present: Vec<Vec<u64>>,
}

impl Cells {
    pub(super) fn allocated(&self) -> usize {
        let values: usize = self.values.iter().map(Buffer::allocated).sum();
        values + self.present.iter().map(|bits| bits.capacity() * 8).sum::<usize>()
    }
}

impl Grid {
    /// Begins a slab of empty cells. The memory of the last one is used again.
    pub fn begin(&mut self, cells: usize) -> Result<()> {
        let all = &mut self.cells;
        all.values.resize_with(self.variables.len(), Buffer::default);
        all.present.resize_with(self.variables.len(), Vec::new);
        all.count = cells;
        for (variable, (values, present)) in self.variables.iter().zip(all.values.iter_mut().zip(&mut all.present)) {
            values.resize(cells.checked_mul(variable.width).ok_or(Error::Memory)?)?;
            block::by_width!(variable.width, W => {
                let Some(fill) = variable.fill.first_chunk::<W>() else { return Err(OTHER_COLUMNS) };
                values.bytes_mut().as_chunks_mut::<W>().0.fill(*fill)
            });
            present.clear();
            if variable.holds_fill {
                present.try_reserve_exact(word_count(cells))?;
                present.resize(word_count(cells), 0);
            }
        }
        Ok(())
    }

    /// Puts the rows of a block into their cells: the last value that is not null stays. `is_distributed`: the block has cells as its
    /// numbers, else numbers of values, and the slab is the whole grid.
    pub fn put(&mut self, bytes: &[u8], rows: usize, is_distributed: bool) -> Result<()> {
        let mut reader = Reader::new(bytes, rows);
        if is_distributed {
            let cells = reader.numbers()?;
            return self.put_at(&mut reader, rows, |row| u32::from_le_bytes(cells[row]) as usize);
        }
        let places = self.places(&mut reader, rows)?;
        self.put_at(&mut reader, rows, |row| places[row] as usize)
    }

    /// The values of a variable in all cells, and how many of these are empty.
    pub fn values(&self, variable: usize) -> Result<(&[u8], usize)> {
        let described = self.variable(variable)?;
        let (values, present) =
            self.cells.values.get(variable).zip(self.cells.present.get(variable)).ok_or(OTHER_COLUMNS)?;
        let empty = if described.holds_fill {
            self.cells.count - present.iter().map(|word| word.count_ones() as usize).sum::<usize>()
        } else {
            block::by_width!(described.width, W => {
                let fill = described.fill.first_chunk::<W>();
                values.bytes().as_chunks::<W>().0.iter().filter(|value| Some(*value) == fill).count()
            })
        };
        Ok((values.bytes(), empty))
    }

    fn put_at(&mut self, reader: &mut Reader, rows: usize, cell: impl Fn(usize) -> usize) -> Result<()> {
        let Cells { values, present, .. } = &mut self.cells;
        for (variable, (out, present)) in self.variables.iter().zip(values.iter_mut().zip(present)) {
            let read = reader.values(variable.width)?;
            if variable.holds_fill {
                each_valid(&read, rows, |row| {
                    if let Some(word) = present.get_mut(cell(row) / 64) {
                        *word |= 1 << (cell(row) % 64);
                    }
                });
            }
            put_values(variable, &read, rows, &cell, out.bytes_mut());
        }
        Ok(())
    }
}

/// Writes the values that are not null to their cells. One whose cell the slab does not have is left out.
fn put_values(variable: &Variable, read: &Values, rows: usize, cell: &impl Fn(usize) -> usize, out: &mut [u8]) {
    let divisor = variable.units.as_ref().map_or(1, |units| units.divisor());
    if divisor != 1 {
        let (values, out) = (read.values.as_chunks().0, out.as_chunks_mut().0);
        each_valid(read, rows, |row| {
            if let Some(out) = out.get_mut(cell(row)) {
                *out = (i64::from_le_bytes(values[row]) / divisor).to_le_bytes();
            }
        });
        return;
    }
    block::by_width!(variable.width, W => {
        let (values, out) = (read.values.as_chunks::<W>().0, out.as_chunks_mut::<W>().0);
        each_valid(read, rows, |row| {
            if let Some(out) = out.get_mut(cell(row)) {
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
