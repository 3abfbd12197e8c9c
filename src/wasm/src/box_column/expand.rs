//! Columns along some of a box's axes, repeated along the others.

use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use std::rc::Rc;

/// The rows of a box of `shape` of a column that has a cell for each position along `axes`, in the order of the box's axes.
pub fn expand(own: Array, shape: &[usize], axes: &[Option<usize>]) -> Result<Array> {
    let rows = super::count(shape.iter().copied())?;
    if own.len == rows {
        return Ok(own);
    }
    if rows == 0 {
        return own.take(&[]);
    }
    if let Some(each) = rows_of_each(shape, axes) {
        return Array::repeating(own, each, 0, rows);
    }
    let cells = cells_of(shape, axes, rows)?;
    let numbers = &cells.numbers::<u32>()[..rows];
    let validity = match &own.validity {
        Some(known) => Some(Bitmap::from_fn(rows, |row| known.get(numbers[row] as usize))?),
        None => None,
    };
    let data = match own.data {
        Data::Bool(bits) => Data::Bool(Bitmap::from_fn(rows, |row| bits.get(numbers[row] as usize))?),
        Data::Fixed { width, values } => Data::Fixed { width, values: gathered(&values, width, numbers)? },
        Data::Dictionary { indices, values } => Data::Dictionary { indices: gathered(&indices, 4, numbers)?, values },
        data @ Data::Bytes { .. } => {
            Data::Dictionary { indices: cells, values: Rc::new(Array { len: own.len, validity: None, data }) }
        }
        _ => return Err(Error::Misuse("a box of other values")),
    };
    Ok(Array { len: rows, validity, data })
}

/// Neighbouring rows that have the same cell, if the axes lie next to each other, so that the cells repeat in a cycle. Axes of
/// one row may lie anywhere.
fn rows_of_each(shape: &[usize], axes: &[Option<usize>]) -> Option<usize> {
    let mut each = 1;
    let mut state = Place::Behind;
    for axis in (0..shape.len()).rev().filter(|&axis| shape[axis] > 1) {
        state = match (state, axes.contains(&Some(axis))) {
            (Place::Behind, false) => {
                each *= shape[axis];
                Place::Behind
            }
            (Place::Behind | Place::Among, true) => Place::Among,
            (Place::Among | Place::Before, false) => Place::Before,
            (Place::Before, true) => return None,
        };
    }
    Some(each)
}

/// Where an axis lies: behind the column's own ones, among them, or before them.
#[derive(Clone, Copy)]
enum Place {
    Behind,
    Among,
    Before,
}

/// The cell of each row.
fn cells_of(shape: &[usize], axes: &[Option<usize>], rows: usize) -> Result<Buffer> {
    let mut cells = Buffer::zeroed(rows.checked_mul(4).ok_or(Error::Memory)?)?;
    // Along the inner axes first: what is there is repeated along an axis, each time that many cells further.
    let numbers = cells.numbers_mut::<u32>();
    let (mut written, mut own) = (1, 1);
    for axis in (0..shape.len()).rev() {
        let is_own = axes.contains(&Some(axis));
        for position in 1..shape[axis] {
            let further = if is_own { position * own } else { 0 } as u32;
            let (before, after) = numbers.split_at_mut(position * written);
            for (out, number) in after[..written].iter_mut().zip(&before[..written]) {
                *out = number + further;
            }
        }
        written *= shape[axis];
        own *= if is_own { shape[axis] } else { 1 };
    }
    Ok(cells)
}

fn gathered(values: &Buffer, width: usize, numbers: &[u32]) -> Result<Buffer> {
    let mut out = Buffer::zeroed(numbers.len().checked_mul(width).ok_or(Error::Memory)?)?;
    match width {
        1 => gather::<u8>(values, numbers, &mut out),
        2 => gather::<u16>(values, numbers, &mut out),
        4 => gather::<u32>(values, numbers, &mut out),
        8 => gather::<u64>(values, numbers, &mut out),
        _ => return Err(Error::Misuse("a box of values of another width")),
    }
    Ok(out)
}

fn gather<T: Number>(values: &Buffer, numbers: &[u32], out: &mut Buffer) {
    let values = values.numbers::<T>();
    for (out, &number) in out.numbers_mut::<T>().iter_mut().zip(numbers) {
        *out = values[number as usize];
    }
}
