//! Columns of fields whose positions are known.

use super::lists;
use super::numeric::decimal;
use super::value::{DAYS_TO_2000, FieldType, MICROSECONDS_TO_2000};
use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::types::Type;

/// Where the length of a field is before its bytes.
const LENGTH: usize = size_of::<i32>();

/// The bytes of the field at a position that `row` has found, or a list.
pub fn value_at(bytes: &[u8], position: u32) -> &[u8] {
    let at = position as usize;
    let mut len = [0; LENGTH];
    len.copy_from_slice(&bytes[at - LENGTH..at]);
    // Neither negative nor beyond the bytes: that was checked when it was found.
    &bytes[at..at + i32::from_be_bytes(len) as usize]
}

/// A column of the fields at positions; 0: null.
pub fn decode(bytes: &[u8], positions: &[u32], field: FieldType) -> Result<Array> {
    if field.is_list {
        return lists::decode(bytes, positions, field);
    }
    let len = positions.len();
    let data = match field.ty {
        Type::Bool => Data::Bool(Bitmap::from_fn(len, |i| positions[i] != 0 && bytes[positions[i] as usize] != 0)?),
        Type::Int { bits: 16, .. } => numbers(bytes, positions, i16::from_be_bytes)?,
        Type::Int { bits: 32, .. } => numbers(bytes, positions, i32::from_be_bytes)?,
        Type::Int { .. } | Type::Time(_) => numbers(bytes, positions, i64::from_be_bytes)?,
        Type::Float { bits: 32 } => numbers(bytes, positions, u32::from_be_bytes)?,
        Type::Float { .. } => numbers(bytes, positions, u64::from_be_bytes)?,
        Type::DateDay => numbers(bytes, positions, |value| i32::from_be_bytes(value).wrapping_add(DAYS_TO_2000))?,
        Type::Timestamp { .. } => {
            numbers(bytes, positions, |value| i64::from_be_bytes(value).wrapping_add(MICROSECONDS_TO_2000))?
        }
        Type::Uuid => numbers(bytes, positions, u128::from_le_bytes)?,
        Type::IntervalMonthDayNano => intervals(bytes, positions)?,
        Type::Decimal { scale, .. } => decimals(bytes, positions, scale, field.digits)?,
        Type::Utf8 => texts(bytes, positions, value_at, true)?,
        _ => texts(bytes, positions, value_at, false)?,
    };
    Ok(Array { len, validity: validity(positions)?, data })
}

pub fn validity(positions: &[u32]) -> Result<Option<Bitmap>> {
    if !positions.contains(&0) {
        return Ok(None);
    }
    Ok(Some(Bitmap::from_fn(positions.len(), |i| positions[i] != 0)?))
}

pub fn numbers<T: Number, const WIDTH: usize>(
    bytes: &[u8],
    positions: &[u32],
    number: impl Fn([u8; WIDTH]) -> T,
) -> Result<Data> {
    const { assert!(size_of::<T>() == WIDTH) };
    let mut values = Buffer::zeroed(positions.len() * WIDTH)?;
    for (value, &position) in values.numbers_mut().iter_mut().zip(positions) {
        if position != 0
            && let Some(stored) = bytes[position as usize..].first_chunk()
        {
            *value = number(*stored);
        }
    }
    Ok(Data::Fixed { width: WIDTH, values })
}

fn intervals(bytes: &[u8], positions: &[u32]) -> Result<Data> {
    let mut values = Buffer::zeroed(positions.len() * 16)?;
    for (row, (value, &position)) in values.numbers_mut::<u128>().iter_mut().zip(positions).enumerate() {
        let Some(stored) = bytes[position as usize..].first_chunk::<16>().filter(|_| position != 0) else { continue };
        // Microseconds in 64 bits, days and months in 32 bits each.
        let stored = u128::from_be_bytes(*stored);
        let (microseconds, days, months) = ((stored >> 64) as i64, (stored >> 32) as u32, stored as u32);
        let Some(nanoseconds) = microseconds.checked_mul(1000) else {
            return Err(Error::invalid_at("an interval of more than 292 years of seconds in row", row));
        };
        *value = u128::from(months) | u128::from(days) << 32 | u128::from(nanoseconds as u64) << 64;
    }
    Ok(Data::Fixed { width: 16, values })
}

fn decimals(bytes: &[u8], positions: &[u32], scale: i32, digits: u32) -> Result<Data> {
    let mut values = Buffer::zeroed(positions.len() * 16)?;
    for (row, (value, &position)) in values.numbers_mut::<i128>().iter_mut().zip(positions).enumerate() {
        if position != 0 {
            *value = decimal(value_at(bytes, position), scale, digits, row)?;
        }
    }
    Ok(Data::Fixed { width: 16, values })
}

/// `value_at`: the bytes of the value at a position.
pub fn texts(
    bytes: &[u8],
    positions: &[u32],
    value_at: impl Fn(&[u8], u32) -> &[u8],
    is_text: bool,
) -> Result<Data> {
    let mut offsets = Buffer::zeroed((positions.len() + 1) * size_of::<i32>())?;
    let mut end = 0usize;
    for (offset, &position) in offsets.numbers_mut::<i32>()[1..].iter_mut().zip(positions) {
        if position != 0 {
            end += value_at(bytes, position).len();
        }
        *offset = i32::try_from(end).map_err(|_| Error::TooLong)?;
    }
    let mut values = Buffer::zeroed(end)?;
    let mut rest = values.bytes_mut();
    for &position in positions.iter().filter(|position| **position != 0) {
        let value = value_at(bytes, position);
        let (target, next) = rest.split_at_mut(value.len());
        target.copy_from_slice(value);
        rest = next;
    }
    if is_text {
        require_utf8(values.bytes(), offsets.numbers())?;
    }
    Ok(Data::Bytes { offsets, values })
}

/// Each text is UTF-8 if all together are, and none begins within a character.
fn require_utf8(values: &[u8], offsets: &[i32]) -> Result<()> {
    let is_whole = std::str::from_utf8(values)
        .is_ok_and(|text| offsets.iter().all(|offset| text.is_char_boundary(*offset as usize)));
    if is_whole {
        return Ok(());
    }
    let row = offsets.array_windows().position(|[from, to]| {
        let value = &values[*from as usize..*to as usize];
        std::str::from_utf8(value).is_err()
    });
    Err(Error::invalid_at("text that is not UTF-8 in row", row.unwrap_or(0)))
}
