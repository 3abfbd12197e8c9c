//! Dictionaries, which become their values.

use super::SHORT;
use crate::array::Array;
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::rows::Run;
use crate::types::Physical;

/// The values that the indices name. Indices of null rows are ignored.
pub fn decode(
    indices: &Buffer,
    index: Physical,
    values: &Array,
    validity: Option<Bitmap>,
    len: usize,
) -> Result<Array> {
    let runs = match index {
        Physical::I8 => runs_of::<i8>(indices, values.len, validity.as_ref(), len)?,
        Physical::I16 => runs_of::<i16>(indices, values.len, validity.as_ref(), len)?,
        Physical::I32 => runs_of::<i32>(indices, values.len, validity.as_ref(), len)?,
        Physical::I64 => runs_of::<i64>(indices, values.len, validity.as_ref(), len)?,
        Physical::U8 => runs_of::<u8>(indices, values.len, validity.as_ref(), len)?,
        Physical::U16 => runs_of::<u16>(indices, values.len, validity.as_ref(), len)?,
        Physical::U32 => runs_of::<u32>(indices, values.len, validity.as_ref(), len)?,
        _ => runs_of::<u64>(indices, values.len, validity.as_ref(), len)?,
    };
    let Some(runs) = runs else {
        return values.nulls(len);
    };
    let mut array = values.take(&runs)?;
    array.validity = match (array.validity.take(), validity) {
        (Some(of_values), Some(of_rows)) => Some(of_values.zip(&of_rows, |a, b| a & b)?),
        (one, other) => one.or(other),
    };
    Ok(array)
}

/// One run a row; a null row takes the first value. None where there are no values and every row is null.
fn runs_of<I: Number + TryInto<usize>>(
    indices: &Buffer,
    values: usize,
    validity: Option<&Bitmap>,
    len: usize,
) -> Result<Option<Vec<Run>>> {
    let indices = indices.numbers::<I>().get(..len).ok_or(SHORT)?;
    let is_null = |row| validity.is_some_and(|validity: &Bitmap| !validity.get(row));
    if values == 0 && len > 0 && (0..len).all(is_null) {
        return Ok(None);
    }
    let mut runs = Vec::new();
    runs.try_reserve_exact(len)?;
    for (row, &index) in indices.iter().enumerate() {
        let start = match index.try_into() {
            Ok(start) if start < values => start,
            _ if is_null(row) => 0,
            _ => return Err(Error::invalid_at("a dictionary index out of range", row)),
        };
        runs.push(Run { start, len: 1 });
    }
    Ok(Some(runs))
}
