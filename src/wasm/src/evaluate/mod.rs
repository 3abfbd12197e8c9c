//! Expressions over rows. A program is a list of instructions on typed registers, each of which holds a block of 2048 rows. The loader
//! makes it of expressions (`evaluate/compile.ts`), with equal subexpressions once.
//!
//! A row may fail only if it is asked for: each instruction has rows that matter to it, which those that choose between branches
//! narrow down. An instruction that cannot fail computes all rows of a chunk of 64, because that is faster than to look which.

mod block;
mod collect;
mod frame;
mod input;
mod kernels;
pub mod kind;
mod listed;
pub mod operation;
pub mod program;
mod register;
mod set;
mod texts;

pub use block::Failure;
pub use program::Program;

use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, set_bits, word_count, zeroed_words};
use crate::compare::gather_truth;
use crate::error::{Error, Result};
use crate::mask::Mask;
use crate::vectors::{try_collected, with_room};
use collect::Collected;
use frame::Frame;
use input::{Input, copy_bits, first_bits};
use kind::BLOCK_ROWS;
use std::rc::Rc;

/// A program that is being run over columns.
pub struct Evaluation {
    rows: usize,
    over: Over,
    /// Rows, or values, up to which it has come.
    at: usize,
    /// How many there are.
    end: usize,
    /// The values that rows have which are asked for. None: all.
    used: Option<Bitmap>,
    outputs: Vec<Option<Collected>>,
}

/// What a program is computed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    /// Each row.
    Rows,
    /// Each value of the dictionary of its only column, and null if that column has one.
    Values,
    /// Each value that its only column repeats.
    Cycle,
    /// One row, since there is no column.
    Once,
}

/// What has come of some rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Rows are left.
    More,
    /// There are none.
    Done,
    Failed(Failure),
}

impl Evaluation {
    /// Begins to evaluate a program over columns of `rows` rows, of which those that are true in `truth` are asked for. Without it all are.
    pub fn new(program: &Program, columns: &[&Array], rows: usize, truth: Option<&Bitmap>) -> Result<Self> {
        let is_of_rows = |len: usize| len == rows;
        if columns.len() != program.columns.len()
            || !columns.iter().all(|column| is_of_rows(column.len))
            || truth.is_some_and(|truth| truth.len() != rows)
        {
            return Err(Error::Misuse("columns of other numbers than the program's, or than the mask's"));
        }
        let (over, end) = match columns {
            [] => (Over::Once, rows.min(1)),
            [column] => match &column.data {
                Data::Dictionary { values, .. } if values.len <= rows / 2 => {
                    (Over::Values, values.len + usize::from(column.null_count() > 0))
                }
                Data::Repeat { values, .. } if values.len <= rows => (Over::Cycle, values.len),
                _ => (Over::Rows, rows),
            },
            _ => (Over::Rows, rows),
        };
        let used = if program.can_fail && over != Over::Rows { used_values(columns, over, end, truth)? } else { None };
        let mut outputs = with_room(program.outputs.len())?;
        for &output in &program.outputs {
            outputs.push(Some(Collected::new(output, end, over == Over::Rows)?));
        }
        Ok(Evaluation { rows, over, at: 0, end, used, outputs })
    }

    /// Evaluates the next `count` rows, rounded up to whole blocks.
    pub fn advance(
        &mut self,
        program: &mut Program,
        columns: &[&Array],
        truth: Option<&Bitmap>,
        count: usize,
    ) -> Result<Progress> {
        let inputs = try_collected(columns.iter().zip(&program.columns).map(|(column, kind)| match self.over {
            Over::Values | Over::Cycle => Input::of_values(column, *kind),
            _ => Input::of_rows(column, *kind),
        }))?;
        if columns.len() != program.columns.len() || columns.iter().any(|column| column.len != self.rows) {
            return Err(Error::Misuse("other columns than those with which it was begun"));
        }
        let selected = match self.over {
            Over::Rows => truth,
            _ => self.used.as_ref(),
        };
        let to = self.end.min(self.at.saturating_add(count.max(1)));
        while self.at < to {
            let rows = (self.end - self.at).min(BLOCK_ROWS);
            let selection = match selected {
                Some(bits) => copy_bits(bits, self.at, rows),
                None => first_bits(rows),
            };
            let is_whole = rows == BLOCK_ROWS;
            let start = self.at;
            if is_whole {
                self.outputs.iter_mut().flatten().try_for_each(|output| output.make_room(start))?;
                self.outputs.iter_mut().flatten().for_each(|output| output.exchange(program, start));
            }
            let ran = block::run(program, &inputs, start, rows, &selection);
            let chunks = rows.div_ceil(kind::CHUNK_ROWS);
            let frame = Frame { program, inputs: &inputs, start, selection: &selection, chunks };
            let added = match &ran {
                Ok(None) => self.outputs.iter_mut().flatten().try_for_each(|output| output.add(&frame, rows, is_whole)),
                _ => Ok(()),
            };
            if is_whole {
                self.outputs.iter_mut().flatten().for_each(|output| output.exchange(program, 0));
            }
            program.shrink();
            if let Some(failure) = ran? {
                return Ok(Progress::Failed(failure));
            }
            added?;
            self.at += rows;
        }
        Ok(if self.at < self.end { Progress::More } else { Progress::Done })
    }

    /// A result as a column. `column` is the only one of a program that has one.
    pub fn take_column(&mut self, index: usize, program: &Program, column: Option<&Array>) -> Result<Array> {
        let array = self.take(index)?.into_array(&program.texts)?;
        match (self.over, column.map(|column| &column.data)) {
            (Over::Rows, _) => Ok(array),
            (Over::Once, _) if self.rows == 0 => Ok(array),
            (Over::Once, _) => Array::repeating(array, self.rows, 0, self.rows),
            (Over::Cycle, Some(Data::Repeat { each, start, .. })) => Array::repeating(array, *each, *start, self.rows),
            (Over::Values, Some(Data::Dictionary { .. })) => indexed(array, column.ok_or(OTHER)?),
            _ => Err(OTHER),
        }
    }

    /// A result as a mask.
    pub fn take_mask(&mut self, index: usize, program: &Program, column: Option<&Array>) -> Result<Mask> {
        match (self.over, column) {
            (Over::Rows, _) => return self.take(index)?.into_mask(),
            (Over::Values, Some(column)) => return of_rows(self.take(index)?.into_mask()?, column),
            _ => {}
        }
        let array = self.take_column(index, program, column)?;
        let decoded = array.decoded()?.unwrap_or(array);
        match decoded.data {
            Data::Bool(truth) => match decoded.validity {
                Some(known) => Ok(Mask::new(truth.zip(&known, |truth, known| truth & known)?, Some(known))),
                None => Ok(Mask::new(truth, None)),
            },
            _ => Err(Error::Misuse("a mask of values that are no booleans")),
        }
    }

    fn take(&mut self, index: usize) -> Result<Collected> {
        if self.at < self.end {
            return Err(Error::Misuse("a result of which rows are left"));
        }
        self.outputs.get_mut(index).and_then(Option::take).ok_or(Error::Misuse("no such result, or it was taken"))
    }
}

const OTHER: Error = Error::Misuse("another column than that with which it was begun");

/// The values that rows have which are asked for. The last one stands for null.
fn used_values(columns: &[&Array], over: Over, end: usize, truth: Option<&Bitmap>) -> Result<Option<Bitmap>> {
    let mut words = zeroed_words(word_count(end))?;
    let mut mark = |value: usize| set_bits(&mut words, value, 1);
    let is_asked = |row: usize| truth.is_none_or(|truth| truth.get(row));
    match columns {
        [] if truth.is_none_or(|truth| truth.count() > 0) => (0..end).for_each(mark),
        [] => {}
        [column, ..] => {
            let repeated = column.repeated();
            let indices = match &column.data {
                Data::Dictionary { indices, .. } => indices.numbers::<u32>(),
                _ => &[],
            };
            for row in (0..column.len).filter(|row| is_asked(*row)) {
                match repeated {
                    Some(repeated) => mark(repeated.cycle.place(row)),
                    None if column.is_valid(row) => mark(indices[row] as usize),
                    None => mark(end - 1),
                }
            }
        }
    }
    debug_assert!(over != Over::Rows);
    Ok(Some(Bitmap::from_words(words, end)))
}

/// The truth of the values of a dictionary, as that of the rows of `column`. One behind the last value is that of null.
fn of_rows(of_values: Mask, column: &Array) -> Result<Mask> {
    let Data::Dictionary { indices, values } = &column.data else { return Err(OTHER) };
    let indices = &indices.numbers::<u32>()[..column.len];
    let of_row = |bits: &Bitmap| {
        let rows = gather_truth(bits, indices)?;
        match &column.validity {
            Some(validity) if bits.len() > values.len => rows.where_set(validity, bits.get(values.len)),
            _ => Ok(rows),
        }
    };
    let known = of_values.known().map(of_row).transpose()?;
    Ok(Mask::new(of_row(of_values.truth())?, known))
}

/// The results of the values of a dictionary, as those of the rows of `column`. One behind the last value is that of null.
fn indexed(values: Array, column: &Array) -> Result<Array> {
    let Data::Dictionary { indices, values: old } = &column.data else { return Err(OTHER) };
    let (len, of_null) = (column.len, old.len);
    let is_value = |place: usize| values.validity.as_ref().is_none_or(|validity| validity.get(place));
    let gives_null = values.len == of_null || !is_value(of_null);
    let old_indices = &indices.numbers::<u32>()[..len];
    if values.len == 0 {
        // There is no row, since there is not even a null.
        return Ok(values);
    }
    let validity = match (&values.validity, &column.validity) {
        (Some(of_values), Some(known)) => Some(gather_truth(of_values, old_indices)?.where_set(known, !gives_null)?),
        (Some(of_values), None) => Some(gather_truth(of_values, old_indices)?),
        (None, Some(known)) if gives_null => Some(known.try_clone()?),
        (None, _) => None,
    };
    let mut new_indices = crate::buffer::Buffer::of(old_indices)?;
    if let Some(known) = &column.validity {
        let index_of_null = if gives_null { 0 } else { of_null as u32 };
        for (row, index) in new_indices.numbers_mut::<u32>().iter_mut().enumerate() {
            if !known.get(row) {
                *index = index_of_null;
            }
        }
    }
    let Array { len: count, data, .. } = values;
    let values = Rc::new(Array { len: count, validity: None, data });
    Ok(Array { len, validity, data: Data::Dictionary { indices: new_indices, values } })
}
