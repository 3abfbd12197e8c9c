//! Values of flat types, as every text format writes them.

use super::{date, date_or_timestamp, decimal, duration, float32, float64, interval, interval_months, signed, time};
use super::{timestamp, unsigned, uuid};
use crate::array::{Array, Data};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::half;
use crate::rows::Selection;
use crate::scratch::Scratch;
use crate::types::{Physical, Type};

/// Writes the selected rows with `write` and stops before the bytes pass `max_bytes`, but not before the first row. The
/// selection is shortened to the rows written.
pub fn rows(
    selection: &mut Selection,
    max_bytes: usize,
    out: &mut Scratch,
    mut write: impl FnMut(usize, &mut Scratch) -> Result<()>,
) -> Result<()> {
    let mut rows = 0;
    for run in &selection.runs {
        for row in run.start..run.end() {
            let start = out.len();
            write(row, out)?;
            if out.len() > max_bytes && rows > 0 {
                out.truncate(start);
                selection.rows = rows;
                selection.next = row;
                return Ok(());
            }
            rows += 1;
        }
    }
    Ok(())
}

/// The layout of a flat array is its type's, so that [`fixed`] finds what it expects.
pub fn check(array: &Array, ty: Type) -> Result<()> {
    let fits = match (&array.data, ty) {
        (Data::Dictionary { values, .. } | Data::Repeat { values, .. }, ty) => return check(values, ty),
        (Data::Null, _) | (Data::Bool(_), Type::Bool) | (Data::Bytes { .. }, Type::Utf8 | Type::Binary) => true,
        (Data::Fixed { .. }, Type::Binary) | (Data::Fixed { width: 16, .. }, Type::Uuid) => true,
        (Data::Fixed { width, .. }, ty) => match ty {
            Type::IntervalYearMonth => *width == 4,
            Type::IntervalDayTime => *width == 8,
            Type::IntervalMonthDayNano => *width == 16,
            _ => ty.physical().is_some_and(|physical| physical.width() == *width),
        },
        _ => false,
    };
    if fits { Ok(()) } else { Err(Error::Misuse("a column is encoded as another type")) }
}

/// `true` or `false`.
pub fn boolean(value: bool, out: &mut Scratch) -> Result<()> {
    out.extend(if value { b"true" } else { b"false" })
}

/// A number, a time, a span or a UUID. Nothing for other types.
#[inline]
pub fn fixed(values: &Buffer, ty: Type, row: usize, out: &mut Scratch) -> Result<()> {
    match ty {
        Type::Uuid => uuid(&values.bytes()[row * 16..(row + 1) * 16], out),
        Type::IntervalYearMonth => interval_months(values.numbers::<i32>()[row], out),
        Type::IntervalDayTime => {
            let parts: &[i32] = values.numbers();
            interval(0, parts[2 * row], i64::from(parts[2 * row + 1]) * 1_000_000, out)
        }
        Type::IntervalMonthDayNano => {
            let parts: &[i32] = values.numbers();
            let nanoseconds = values.numbers::<i64>()[2 * row + 1];
            interval(parts[4 * row], parts[4 * row + 1], nanoseconds, out)
        }
        ty => match ty.physical() {
            Some(Physical::I8) => number(ty, values.numbers::<i8>()[row].into(), out),
            Some(Physical::I16) => number(ty, values.numbers::<i16>()[row].into(), out),
            Some(Physical::I32) => number(ty, values.numbers::<i32>()[row].into(), out),
            Some(Physical::I64) => number(ty, values.numbers::<i64>()[row], out),
            Some(Physical::U8) => unsigned(values.numbers::<u8>()[row].into(), out),
            Some(Physical::U16) => unsigned(values.numbers::<u16>()[row].into(), out),
            Some(Physical::U32) => unsigned(values.numbers::<u32>()[row].into(), out),
            Some(Physical::U64) => unsigned(values.numbers::<u64>()[row], out),
            Some(Physical::I128) => decimal(values.numbers::<i128>()[row].into(), scale(ty), out),
            Some(Physical::I256) => decimal(values.numbers()[row], scale(ty), out),
            Some(Physical::F16) => float32(half::to_f32(values.numbers::<u16>()[row]), out),
            Some(Physical::F32) => float32(values.numbers::<f32>()[row], out),
            Some(Physical::F64) => float64(values.numbers::<f64>()[row], out),
            None => Ok(()),
        },
    }
}

fn number(ty: Type, value: i64, out: &mut Scratch) -> Result<()> {
    match ty {
        Type::Decimal { scale, .. } => decimal(i128::from(value).into(), scale, out),
        Type::DateDay => date(value, out),
        Type::DateMillisecond => date_or_timestamp(value, out),
        Type::Time(unit) => time(value, unit, out),
        Type::Timestamp { unit, offset } => timestamp(value, unit, offset, out),
        Type::Duration(unit) => duration(value, unit, out),
        _ => signed(value, out),
    }
}

fn scale(ty: Type) -> i32 {
    if let Type::Decimal { scale, .. } = ty { scale } else { 0 }
}
