//! Vectors of a known length, whose allocation can fail.

use crate::error::Result;

/// An empty vector with room for `len` values.
pub fn with_room<T>(len: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(len)?;
    Ok(values)
}

/// `len` times `value`.
pub fn filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>> {
    let mut values = with_room(len)?;
    values.resize(len, value);
    Ok(values)
}

/// A copy of values.
pub fn copied<T: Clone>(values: &[T]) -> Result<Vec<T>> {
    let mut copy = with_room(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

/// At most `len` values in their order.
pub fn collected<T>(len: usize, values: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut collected = with_room(len)?;
    collected.extend(values);
    Ok(collected)
}

/// Values in their order, or the first error.
pub fn try_collected<T>(values: impl ExactSizeIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut collected = with_room(values.len())?;
    for value in values {
        collected.push(value?);
    }
    Ok(collected)
}
