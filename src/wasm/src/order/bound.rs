//! Rows that may come before a row that is known, found with vectors.

use crate::buffer::Buffer;
use crate::compare::{Float, Integer};
use crate::types::Physical;

/// The bits of the 64 values from `from` on that do not come after that of row `bound`; those of nulls are any. None where
/// there are fewer values, or there is no quick way.
pub fn not_after(values: &Buffer, physical: Physical, from: usize, bound: usize, is_descending: bool) -> Option<u64> {
    match physical {
        Physical::I8 => integers::<i8>(values, from, bound, is_descending),
        Physical::I16 => integers::<i16>(values, from, bound, is_descending),
        Physical::I32 => integers::<i32>(values, from, bound, is_descending),
        Physical::I64 => integers::<i64>(values, from, bound, is_descending),
        Physical::U8 => integers::<u8>(values, from, bound, is_descending),
        Physical::U16 => integers::<u16>(values, from, bound, is_descending),
        Physical::U32 => integers::<u32>(values, from, bound, is_descending),
        Physical::U64 => integers::<u64>(values, from, bound, is_descending),
        Physical::F32 => floats::<f32>(values, from, bound, is_descending),
        Physical::F64 => floats::<f64>(values, from, bound, is_descending),
        Physical::F16 | Physical::I128 | Physical::I256 => None,
    }
}

fn integers<T: Integer>(values: &Buffer, from: usize, bound: usize, is_descending: bool) -> Option<u64> {
    let values = values.numbers::<T>();
    let (block, bound) = (values.get(from..)?.first_chunk()?, values[bound]);
    let (least, greatest) = T::BOUNDS;
    Some(if is_descending { T::between(block, bound, greatest) } else { T::between(block, least, bound) })
}

fn floats<T: Float>(values: &Buffer, from: usize, bound: usize, is_descending: bool) -> Option<u64> {
    let values = values.numbers::<T>();
    let (block, bound) = (values.get(from..)?.first_chunk()?, values[bound]);
    let (least, greatest) = T::BOUNDS;
    // NaN is in no interval.
    let nan = || !T::between(block, least, greatest);
    Some(match (is_descending, bound.is_nan()) {
        (false, true) => u64::MAX,
        (false, false) => T::between(block, least, bound),
        (true, true) => nan(),
        (true, false) => T::between(block, bound, greatest) | nan(),
    })
}
