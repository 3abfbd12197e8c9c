//! A whole column brought into DuckDB's physical form, once for all its chunks.

use crate::array::{Array, Data};
use crate::bitmap::{BitWriter, Bitmap};
use crate::buffer::{Buffer, Number};
use crate::cast::{cast, convert};
use crate::error::{Error, Result};
use crate::int256::Int256;
use crate::run::Run;
use crate::scratch::Scratch;
use crate::text::{decimal, signed};
use crate::types::Physical::{self, *};
use crate::types::{TimeUnit, Type};
use std::rc::Rc;

/// The type of an array, and of a decimal its digits; 0: becomes a double.
#[derive(Clone, Copy)]
pub struct Form {
    pub ty: Type,
    pub precision: u32,
}

const SECOND_MICROSECONDS: i64 = 1_000_000;
const DAY_MILLISECONDS: i64 = 86_400_000;
const DAY_MICROSECONDS: i64 = 86_400_000_000;

/// The array in DuckDB's form; what has it already is moved, not copied. `forms` are the array's and its children's, each
/// before its own children. [`Error::Overflow`] where DuckDB's type cannot hold a value, as where
/// it is finer than microseconds. A dictionary, and a column that repeats values, become their rows unless they have
/// [few values](has_few_values).
pub fn physical(array: Array, forms: &mut impl Iterator<Item = Form>) -> Result<Array> {
    let form = forms.next().ok_or(Error::Misuse("fewer types than arrays"))?;
    let Form { ty, precision } = form;
    if has_few_values(&array) {
        match by_value(&array, form) {
            // The row of a value that does not fit; there may be none that has it.
            Err(Error::Overflow { .. }) => {}
            // Text has DuckDB's form already.
            by_value => return Ok(by_value?.unwrap_or(array)),
        }
    }
    let array = array.decoded()?.unwrap_or(array);
    match ty {
        Type::Null => {
            Ok(Array { data: Data::Fixed { width: 4, values: zeroed(array.len, 4)? }, ..all_null(array.len)? })
        }
        Type::Bool => bytes_of_bits(array),
        Type::Float { bits: 16 } => cast(&array, ty, Type::Float { bits: 32 }),
        Type::Decimal { bits, scale } => match bits {
            32 => decimals(&array, I32, precision, scale, |value: i32| Int256::from(i128::from(value))),
            64 => decimals(&array, I64, precision, scale, |value: i64| Int256::from(i128::from(value))),
            128 => decimals(&array, I128, precision, scale, |value: i128| Int256::from(value)),
            _ => decimals(&array, I256, precision, scale, |value: Int256| value),
        },
        Type::DateMillisecond => {
            convert(&array, I64, |value: i64| i32::try_from(value.div_euclid(DAY_MILLISECONDS)).ok())
        }
        // Those in nanoseconds have a type of their own.
        Type::Time(TimeUnit::Nanosecond) => {
            convert(&array, I64, |value: i64| (0..=DAY_MICROSECONDS * 1_000).contains(&value).then_some(value))
        }
        Type::Time(unit) => {
            let day = |value: i64| (0..=DAY_MICROSECONDS).contains(&value).then_some(value);
            match ty.physical() {
                Some(I32) => convert(&array, I32, |value: i32| day(microseconds(value.into(), unit)?)),
                _ => convert(&array, I64, |value: i64| day(microseconds(value, unit)?)),
            }
        }
        // Those in nanoseconds have a type of their own.
        Type::Timestamp { unit: unit @ (TimeUnit::Second | TimeUnit::Millisecond), offset: Some(_) } => {
            convert(&array, I64, |value: i64| microseconds(value, unit))
        }
        Type::Duration(unit) => convert(&array, I64, |value: i64| Some(interval(0, 0, microseconds(value, unit)?))),
        Type::IntervalYearMonth => convert(&array, I32, |months: i32| Some(interval(months, 0, 0))),
        Type::IntervalDayTime => convert(&array, I64, |value: i64| {
            Some(interval(0, value as i32, microseconds(value >> 32, TimeUnit::Millisecond)?))
        }),
        Type::IntervalMonthDayNano => convert(&array, I128, |value: i128| {
            let nanoseconds = microseconds((value >> 64) as i64, TimeUnit::Nanosecond)?;
            Some(interval(value as i32, (value >> 32) as i32, nanoseconds))
        }),
        Type::Binary => variable(array),
        Type::Uuid => uuids(array),
        Type::Nested => nested(array, forms),
        _ => Ok(array),
    }
}

/// How many rows each value of a number has at least, so that DuckDB gets the values once. Below that it takes as long to fill a
/// vector with indices as with the numbers.
const ROWS_OF_NUMBER: usize = 4;

/// Whether rows name their values, and these are so few that DuckDB should get them once: of text fewer than rows.
fn has_few_values(array: &Array) -> bool {
    match &array.data {
        Data::Dictionary { values, .. } | Data::Repeat { values, .. } => match values.data {
            Data::Bytes { .. } => values.len < array.len,
            Data::Bool(_) | Data::Fixed { .. } => values.len <= array.len / ROWS_OF_NUMBER,
            _ => false,
        },
        _ => false,
    }
}

/// The same rows with their values in DuckDB's form; none where these are text, which has it. The array has
/// [few values](has_few_values).
fn by_value(array: &Array, form: Form) -> Result<Option<Array>> {
    let (Data::Dictionary { values, .. } | Data::Repeat { values, .. }) = &array.data else { return Ok(None) };
    if let Data::Bytes { .. } = values.data {
        return Ok(None);
    }
    let mut form = std::iter::once(form);
    if let Some(repeated) = array.repeated() {
        let values = physical(repeated.own_values()?, &mut form)?;
        return Array::repeating(values, repeated.cycle.each, repeated.cycle.start, array.len).map(Some);
    }
    let all = [Run { start: 0, len: array.len }];
    let mut taken = array.take(&all)?;
    if let Data::Dictionary { values, .. } = &mut taken.data {
        *values = Rc::new(physical(values.take(&[Run { start: 0, len: values.len }])?, &mut form)?);
    }
    Ok(Some(taken))
}

/// The children too, null where their parent is: DuckDB reads a field without a look at its struct.
fn nested(array: Array, forms: &mut impl Iterator<Item = Form>) -> Result<Array> {
    let Array { len, validity, data } = array;
    let data = match data {
        Data::List { offsets, items } => Data::List { offsets, items: Box::new(physical(*items, forms)?) },
        Data::LargeList { offsets, items } => Data::LargeList { offsets, items: Box::new(physical(*items, forms)?) },
        Data::FixedList { size, items } => {
            let items = within(*items, validity.as_ref(), size)?;
            Data::FixedList { size, items: Box::new(physical(items, forms)?) }
        }
        Data::Struct(mut fields) => {
            for field in &mut fields {
                let own = std::mem::replace(field, Array { len: 0, validity: None, data: Data::Null });
                *field = physical(within(own, validity.as_ref(), 1)?, forms)?;
            }
            Data::Struct(fields)
        }
        _ => return Err(Error::Misuse("a nested type of a flat array")),
    };
    Ok(Array { len, validity, data })
}

/// Items, `size` a row of their parent, null also where the parent is.
fn within(mut items: Array, parent: Option<&Bitmap>, size: usize) -> Result<Array> {
    let Some(parent) = parent else { return Ok(items) };
    let mut validity = BitWriter::with_capacity(items.len)?;
    for row in 0..parent.len() {
        let start = row * size;
        match &items.validity {
            _ if !parent.get(row) => validity.push_zeros(size),
            Some(own) => validity.push_range(own, start, size),
            None => validity.push_ones(size),
        }
    }
    items.validity = Some(validity.finish());
    Ok(items)
}

fn all_null(len: usize) -> Result<Array> {
    Ok(Array { len, validity: Some(Bitmap::filled(len, false)?), data: Data::Null })
}

fn zeroed(rows: usize, width: usize) -> Result<Buffer> {
    Buffer::zeroed(rows.checked_mul(width).ok_or(Error::Memory)?)
}

fn bytes_of_bits(array: Array) -> Result<Array> {
    let Data::Bool(bits) = &array.data else { return Err(OTHER_LAYOUT) };
    let mut values = zeroed(array.len, 1)?;
    for (out, word) in values.bytes_mut().chunks_mut(64).zip(bits.words()) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = (word >> i & 1) as u8;
        }
    }
    Ok(Array { data: Data::Fixed { width: 1, values }, ..array })
}

/// UUIDs as 128-bit integers, whose highest bit is inverted so that signed integers have the order of the bytes.
fn uuids(mut array: Array) -> Result<Array> {
    let Data::Fixed { width: 16, values } = &mut array.data else { return Err(OTHER_LAYOUT) };
    for value in values.numbers_mut::<u128>() {
        *value = u128::from_be(*value) ^ 1 << 127;
    }
    Ok(array)
}

/// Bytes of one length as bytes of any length.
fn variable(array: Array) -> Result<Array> {
    let Array { len, validity, data } = array;
    let data = match data {
        Data::Fixed { width, values } => {
            i32::try_from(values.len()).map_err(|_| Error::TooLong)?;
            let mut offsets = zeroed(len + 1, 4)?;
            for (row, offset) in offsets.numbers_mut::<i32>().iter_mut().enumerate() {
                *offset = (row * width) as i32;
            }
            Data::Bytes { offsets, values }
        }
        data => data,
    };
    Ok(Array { len, validity, data })
}

/// As many bytes as DuckDB takes for so many digits.
fn decimals<S: Number>(
    array: &Array,
    from: Physical,
    precision: u32,
    scale: i32,
    wide: impl Fn(S) -> Int256,
) -> Result<Array> {
    let bounded = |value: S| {
        let value = wide(value).to_i128()?;
        (value.unsigned_abs() < 10u128.pow(precision)).then_some(value)
    };
    match precision {
        0 => {
            let mut text = Scratch::new();
            convert(array, from, |value: S| double(wide(value), scale, &mut text))
        }
        1..=4 => convert(array, from, |value: S| bounded(value).map(|value| value as i16)),
        5..=9 => convert(array, from, |value: S| bounded(value).map(|value| value as i32)),
        10..=18 => convert(array, from, |value: S| bounded(value).map(|value| value as i64)),
        19..=38 => convert(array, from, bounded),
        _ => Err(Error::Misuse("a decimal of more than 38 digits")),
    }
}

/// The nearest double.
fn double(unscaled: Int256, scale: i32, text: &mut Scratch) -> Option<f64> {
    text.truncate(0);
    decimal(unscaled, 0, text).ok()?;
    text.extend(b"e").ok()?;
    signed(-i64::from(scale), text).ok()?;
    std::str::from_utf8(text.written()).ok()?.parse().ok()
}

fn microseconds(value: i64, unit: TimeUnit) -> Option<i64> {
    if unit == TimeUnit::Nanosecond {
        return (value % 1_000 == 0).then_some(value / 1_000);
    }
    value.checked_mul(SECOND_MICROSECONDS / unit.per_second())
}

/// DuckDB's `INTERVAL`: months and days, 32 bits each, and microseconds, 64 bits.
fn interval(months: i32, days: i32, microseconds: i64) -> u128 {
    u128::from(months as u32) | u128::from(days as u32) << 32 | u128::from(microseconds as u64) << 64
}

const OTHER_LAYOUT: Error = Error::Misuse("an array of another layout than its type's");
