//! Casts to a wider type: those that schema merging over several files can ask for. Decimals of few digits become narrower.

use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, Number};
use crate::cycle::Cycle;
use crate::error::{Error, Result};
use crate::half;
use crate::run::Run;
use crate::types::Physical::{self, *};
use crate::types::Type;

/// Milliseconds of a day.
const DAY_MILLISECONDS: i64 = 86_400_000;

/// The same rows in a wider type; [`Error::Overflow`] where a finer unit cannot hold a value. A dictionary stays one
/// where its values do not change.
pub fn cast(array: &Array, from: Type, to: Type) -> Result<Array> {
    if let Some(repeated) = array.repeated() {
        let Cycle { each, start, .. } = repeated.cycle;
        match cast(&repeated.own_values()?, from, to) {
            // The row of a value that does not fit; there may be none that has it.
            Err(Error::Overflow { .. }) => {}
            values => return Array::repeating(values?, each, start, array.len),
        }
    }
    if from != to
        && let Some(decoded) = array.decoded()?
    {
        return cast(&decoded, from, to);
    }
    match (from, to) {
        (Type::Timestamp { unit: from, .. }, Type::Timestamp { unit: to, .. }) if from < to => {
            scale(array, to.per_second() / from.per_second())
        }
        (Type::Time(from), Type::Time(to)) if from < to => {
            let factor = to.per_second() / from.per_second();
            match (Type::Time(from).physical(), Type::Time(to).physical()) {
                (Some(I32), Some(I32)) => convert(array, I32, |value: i32| value.checked_mul(factor as i32)),
                (Some(I32), Some(I64)) => convert(array, I32, |value: i32| Some(i64::from(value) * factor)),
                _ => scale(array, factor),
            }
        }
        (Type::DateDay, Type::DateMillisecond) => {
            convert(array, I32, |days: i32| Some(i64::from(days) * DAY_MILLISECONDS))
        }
        (Type::Int { .. } | Type::Float { .. }, Type::Int { .. } | Type::Float { .. }) if from != to => {
            widen(array, from.physical().ok_or(NOT_WIDER)?, to.physical().ok_or(NOT_WIDER)?)
        }
        (Type::Decimal { bits: 128, scale: from }, Type::Decimal { bits: 64, scale: to }) if from == to => {
            convert(array, I128, |value: i128| i64::try_from(value).ok())
        }
        // Another zone is the same instants, another list or text the same bytes.
        (Type::Timestamp { unit: from, .. }, Type::Timestamp { unit: to, .. }) if from == to => copy(array),
        _ if from == to || (from, to) == (Type::Uuid, Type::Binary) => copy(array),
        _ => Err(NOT_WIDER),
    }
}

const NOT_WIDER: Error = Error::Misuse("a cast to a type that is not wider");

fn copy(array: &Array) -> Result<Array> {
    array.take(&[Run { start: 0, len: array.len }])
}

fn scale(array: &Array, factor: i64) -> Result<Array> {
    convert(array, I64, |value: i64| value.checked_mul(factor))
}

fn widen(array: &Array, from: Physical, to: Physical) -> Result<Array> {
    macro_rules! lossless {
        ($($from:ident $source:ty => $($to:ident $target:ty),*;)*) => {
            match (from, to) {
                $($(($from, $to) => convert(array, from, |value: $source| Some(<$target>::from(value))),)*)*
                (I64, F64) => convert(array, from, |value: i64| Some(value as f64)),
                (U64, F64) => convert(array, from, |value: u64| Some(value as f64)),
                (F16, F32) => convert(array, from, |bits: u16| Some(half::to_f32(bits))),
                (F16, F64) => convert(array, from, |bits: u16| Some(f64::from(half::to_f32(bits)))),
                _ => Err(NOT_WIDER),
            }
        };
    }
    lossless! {
        I8 i8 => I16 i16, I32 i32, I64 i64, F64 f64;
        I16 i16 => I32 i32, I64 i64, F64 f64;
        I32 i32 => I64 i64, F64 f64;
        U8 u8 => I16 i16, I32 i32, I64 i64, U16 u16, U32 u32, U64 u64, F64 f64;
        U16 u16 => I32 i32, I64 i64, U32 u32, U64 u64, F64 f64;
        U32 u32 => I64 i64, U64 u64, F64 f64;
        F32 f32 => F64 f64;
    }
}

/// Each value that is not null by `f`, which says None where the result does not fit: [`Error::Overflow`].
pub fn convert<S: Number, T: Number + Default>(
    array: &Array,
    from: Physical,
    mut f: impl FnMut(S) -> Option<T>,
) -> Result<Array> {
    let Data::Fixed { width, values } = &array.data else {
        return Err(Error::Misuse("a cast of values of another width"));
    };
    if *width != from.width() || *width != size_of::<S>() {
        return Err(Error::Misuse("a cast of values of another width"));
    }
    let mut out = Buffer::zeroed(array.len.checked_mul(size_of::<T>()).ok_or(Error::Memory)?)?;
    for (row, (out, value)) in out.numbers_mut::<T>().iter_mut().zip(values.numbers::<S>()).enumerate() {
        match f(*value) {
            Some(value) => *out = value,
            None if array.is_valid(row) => return Err(Error::Overflow { row }),
            None => {}
        }
    }
    let validity = array.validity.as_ref().map(Bitmap::try_clone).transpose()?;
    Ok(Array { len: array.len, validity, data: Data::Fixed { width: size_of::<T>(), values: out } })
}
