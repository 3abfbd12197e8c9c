//! Values as Parquet stores them (`storage.ts` has the table).

use crate::array::{Array, Data};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::types::{TimeUnit, Type};

/// The values of a column without nulls as they are stored. `width` is that of [`super::Chunk`]. None: they are that already.
pub fn stored(array: &Array, ty: Type, width: usize) -> Result<Option<Array>> {
    let Data::Fixed { width: own, values } = &array.data else { return Ok(None) };
    let data = match (ty, *own) {
        (Type::Int { signed: true, .. }, 1) => each(values, |value: i8| Some(i32::from(value)))?,
        (Type::Int { signed: true, .. }, 2) => each(values, |value: i16| Some(i32::from(value)))?,
        (Type::Int { .. }, 1) => each(values, |value: u8| Some(i32::from(value)))?,
        (Type::Int { .. }, 2) => each(values, |value: u16| Some(i32::from(value)))?,
        (Type::Time(TimeUnit::Second), 4) => each(values, |value: i32| value.checked_mul(1000))?,
        (Type::Timestamp { unit: TimeUnit::Second, .. }, 8) => each(values, |value: i64| value.checked_mul(1000))?,
        (Type::DateMillisecond, 8) => each(values, day)?,
        (Type::Decimal { .. }, own) if own != width || width > 8 => decimals(values, own, width)?,
        (Type::IntervalYearMonth, 4) => each(values, |months: i32| interval(months, 0, 0))?,
        (Type::IntervalDayTime, 8) => {
            each(values, |[days, time]: [u32; 2]| interval(0, days as i32, i64::from(time as i32)))?
        }
        (Type::IntervalMonthDayNano, 16) => each(values, |[months, days, low, high]: [i32; 4]| {
            let nanoseconds = i64::from(high) << 32 | i64::from(low as u32);
            let is_whole = nanoseconds % MILLISECOND_NANOSECONDS == 0;
            if is_whole { interval(months, days, nanoseconds / MILLISECOND_NANOSECONDS) } else { None }
        })?,
        _ => return Ok(None),
    };
    Ok(Some(Array { len: array.len, validity: None, data }))
}

const DAY_MILLISECONDS: i64 = 86_400_000;
const MILLISECOND_NANOSECONDS: i64 = 1_000_000;

/// Each value by `f`; none: it cannot be stored.
fn each<T: Number, U: Number>(values: &Buffer, f: impl Fn(T) -> Option<U>) -> Result<Data> {
    let values = values.numbers::<T>();
    let mut out = zeroed(values.len(), size_of::<U>())?;
    for (row, (out, &value)) in out.numbers_mut().iter_mut().zip(values).enumerate() {
        *out = f(value).ok_or(Error::Overflow { row })?;
    }
    Ok(Data::Fixed { width: size_of::<U>(), values: out })
}

fn day(milliseconds: i64) -> Option<i32> {
    if milliseconds % DAY_MILLISECONDS != 0 {
        return None;
    }
    i32::try_from(milliseconds / DAY_MILLISECONDS).ok()
}

/// The parts of an interval, which have no sign.
fn interval(months: i32, days: i32, milliseconds: i64) -> Option<[u32; 3]> {
    Some([u32::try_from(months).ok()?, u32::try_from(days).ok()?, u32::try_from(milliseconds).ok()?])
}

/// Integers of `own` bytes as those of `width` bytes, of which more than 8 have the highest first.
fn decimals(values: &Buffer, own: usize, width: usize) -> Result<Data> {
    let rows = values.len() / own;
    let mut out = zeroed(rows, width)?;
    let stored = out.bytes_mut().chunks_exact_mut(width);
    for (row, (out, value)) in stored.zip(values.bytes().chunks_exact(own)).enumerate() {
        let kept = own.min(width);
        let sign = (value[kept - 1] as i8 >> 7) as u8;
        if value[kept..].iter().any(|&byte| byte != sign) {
            return Err(Error::Overflow { row });
        }
        out[..kept].copy_from_slice(&value[..kept]);
        out[kept..].fill((value[own - 1] as i8 >> 7) as u8);
        if width > 8 {
            out.reverse();
        }
    }
    Ok(Data::Fixed { width, values: out })
}

fn zeroed(rows: usize, width: usize) -> Result<Buffer> {
    Buffer::zeroed(rows.checked_mul(width).ok_or(Error::Memory)?)
}
