//! Dictionaries: their indices checked and made `u32`, their nulls moved to the rows.

use super::SHORT;
use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::types::Physical;
use std::rc::Rc;

/// A dictionary column; a plain one where its values are nested. Indices of null rows are ignored.
pub fn dictionary(
    indices: &Buffer,
    index: Physical,
    mut values: Array,
    validity: Option<Bitmap>,
    len: usize,
) -> Result<Array> {
    let checked = match index {
        Physical::I8 => check::<i8>(indices, values.len, validity.as_ref(), len)?,
        Physical::I16 => check::<i16>(indices, values.len, validity.as_ref(), len)?,
        Physical::I32 => check::<i32>(indices, values.len, validity.as_ref(), len)?,
        Physical::I64 => check::<i64>(indices, values.len, validity.as_ref(), len)?,
        Physical::U8 => check::<u8>(indices, values.len, validity.as_ref(), len)?,
        Physical::U16 => check::<u16>(indices, values.len, validity.as_ref(), len)?,
        Physical::U32 => check::<u32>(indices, values.len, validity.as_ref(), len)?,
        _ => check::<u64>(indices, values.len, validity.as_ref(), len)?,
    };
    let indices = match checked {
        Some(indices) => indices,
        None => {
            // Something to name that is null, as the rows are.
            values = values.nulls(1)?;
            Buffer::zeroed(len.checked_mul(4).ok_or(Error::Memory)?)?
        }
    };
    let validity = match values.validity.take() {
        Some(known) => {
            let indices = indices.numbers::<u32>();
            let is_valid = |row| validity.as_ref().is_none_or(|validity: &Bitmap| validity.get(row));
            let rows = Bitmap::from_fn(len, |row| known.get(indices[row] as usize) && is_valid(row))?;
            (rows.count() < len).then_some(rows)
        }
        None => validity,
    };
    let is_flat = matches!(values.data, Data::Bool(_) | Data::Fixed { .. } | Data::Bytes { .. });
    let column = Array { len, validity, data: Data::Dictionary { indices, values: Rc::new(values) } };
    if is_flat { Ok(column) } else { Ok(column.decoded()?.unwrap_or(column)) }
}

/// Indices of values; that of a null row is 0. None where there are no values and every row is null.
fn check<I: Number + TryInto<u32>>(
    indices: &Buffer,
    values: usize,
    validity: Option<&Bitmap>,
    len: usize,
) -> Result<Option<Buffer>> {
    let indices = indices.numbers::<I>().get(..len).ok_or(SHORT)?;
    let is_null = |row| validity.is_some_and(|validity: &Bitmap| !validity.get(row));
    if values == 0 && len > 0 && (0..len).all(is_null) {
        return Ok(None);
    }
    let mut checked = Buffer::zeroed(len.checked_mul(4).ok_or(Error::Memory)?)?;
    for (row, (out, &index)) in checked.numbers_mut::<u32>().iter_mut().zip(indices).enumerate() {
        match index.try_into() {
            Ok(index) if (index as usize) < values => *out = index,
            _ if is_null(row) => {}
            _ => return Err(Error::invalid_at("a dictionary index out of range", row)),
        }
    }
    Ok(Some(checked))
}
