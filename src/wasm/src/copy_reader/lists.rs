//! Arrays of one dimension.

use super::column::{self, validity, value_at};
use super::value::{FieldType, fault, width};
use crate::array::{Array, Data};
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// The numbers before the dimensions (how many there are, whether there are nulls, the type of the items), and those of a dimension
/// (its length, its lowest index).
const HEAD: usize = 12;
const DIMENSION: usize = 8;

/// A column of the lists at positions; 0: null.
pub fn decode(bytes: &[u8], positions: &[u32], field: FieldType) -> Result<Array> {
    let mut offsets = Buffer::zeroed((positions.len() + 1) * size_of::<i32>())?;
    let mut items = Vec::new();
    for (row, (offset, &position)) in offsets.numbers_mut::<i32>()[1..].iter_mut().zip(positions).enumerate() {
        if position != 0 {
            find_items(value_at(bytes, position), position, field, row, &mut items)?;
        }
        *offset = i32::try_from(items.len()).map_err(|_| Error::TooLong)?;
    }
    let items = column::decode(bytes, &items, FieldType { is_list: false, ..field })?;
    Ok(Array { len: positions.len(), validity: validity(positions)?, data: Data::List { offsets, items: Box::new(items) } })
}

/// Adds the positions of the items of a list, which begins at `position` of all bytes.
fn find_items(value: &[u8], position: u32, field: FieldType, row: usize, items: &mut Vec<u32>) -> Result<()> {
    let damaged = Error::invalid_at("bytes that are no array in row", row);
    let word = |at: usize| {
        value.get(at..).and_then(|rest| rest.first_chunk()).map(|word| i32::from_be_bytes(*word)).ok_or(damaged)
    };
    match word(0)? {
        0 if value.len() == HEAD => return Ok(()),
        1 => {}
        2.. => return Err(Error::invalid_at("an array of several dimensions in row", row)),
        _ => return Err(damaged),
    }
    let count = usize::try_from(word(HEAD)?).map_err(|_| damaged)?;
    let mut at = HEAD + DIMENSION;
    // Each item has its length at least.
    if count > value.len().saturating_sub(at) / size_of::<i32>() {
        return Err(damaged);
    }
    items.try_reserve(count)?;
    for _ in 0..count {
        let len = word(at)?;
        at += size_of::<i32>();
        if len == super::NULL {
            items.push(0);
            continue;
        }
        let len = usize::try_from(len).map_err(|_| damaged)?;
        let item = at.checked_add(len).and_then(|end| value.get(at..end)).ok_or(damaged)?;
        if width(field.ty).is_some_and(|width| width != len) {
            return Err(damaged);
        }
        if fault(field.ty, item).is_some() {
            return Err(Error::invalid_at("an infinite time, or one beyond all years, in row", row));
        }
        items.push(position + at as u32);
        at += len;
    }
    if at == value.len() { Ok(()) } else { Err(damaged) }
}
