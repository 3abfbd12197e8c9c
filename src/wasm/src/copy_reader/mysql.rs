//! Rows of MySQL's binary protocol (MySQL, "Binary Protocol Resultset"): each is a zero, a bit for each field that is null, and the
//! values of the others, little endian. Before each row stands its length in four bytes, in place of the head of its packet.

use super::column::{numbers, texts, validity};
use super::value::{Fault, FieldType};
use super::Row;
use crate::array::{Array, Data};
use crate::buffer::{Buffer, Number};
use crate::csv_reader::instant::days;
use crate::error::{Error, Result};
use crate::types::Type;

/// The length of a row, and the zero that it begins with.
const LENGTH: usize = 4;
const HEAD: usize = 1;
/// So many bits of the nulls stand for no field.
const SPARE_BITS: usize = 2;

/// The lengths of dates: the zero one, with a day, with seconds, and with microseconds.
const ZERO: u8 = 0;
const DAY: u8 = 4;
const SECONDS: u8 = 7;
const MICROSECONDS: u8 = 11;

/// Calendars of MySQL end here.
const LAST_YEAR: u16 = 9999;

/// The row behind the length that begins at `start`.
pub fn row(bytes: &[u8], start: usize, types: &[FieldType], wanted: &[usize], positions: &mut Vec<u32>) -> Row {
    let begin = start + LENGTH;
    let Some(len) = bytes.get(start..).and_then(|rest| rest.first_chunk()) else { return Row::Cut };
    let Some(end) = begin.checked_add(u32::from_le_bytes(*len) as usize) else { return Row::Cut };
    let Some(row) = bytes.get(begin..end) else { return Row::Cut };
    let mut at = HEAD + (types.len() + SPARE_BITS).div_ceil(8);
    if row.first() != Some(&0) || row.len() < at {
        return Row::Misfit { field: 0, fault: Fault::Fields };
    }
    let mut slots = wanted.iter();
    let mut next_wanted = slots.next();
    for (field, FieldType { ty, .. }) in types.iter().enumerate() {
        let bit = field + SPARE_BITS;
        let mut position = 0;
        if row[HEAD + bit / 8] >> (bit % 8) & 1 == 0 {
            let size = match size(*ty, &row[at..]) {
                Ok(size) => size,
                Err(fault) => return Row::Misfit { field, fault },
            };
            // Fits: the bytes of all rows have fewer than 2³² bytes. Never 0: a length is before it.
            position = (begin + at) as u32;
            at += size;
        }
        if next_wanted == Some(&field) {
            positions.push(position);
            next_wanted = slots.next();
        }
    }
    if at == row.len() { Row::Whole { end } } else { Row::Misfit { field: 0, fault: Fault::Fields } }
}

/// The bytes that a value takes at the beginning of others.
fn size(ty: Type, rest: &[u8]) -> std::result::Result<usize, Fault> {
    let size = match ty {
        Type::Int { bits, .. } | Type::Float { bits } => bits as usize / 8,
        Type::DateDay | Type::Timestamp { .. } => instant_size(rest)?,
        _ => {
            let (head, len) = length(rest).ok_or(Fault::Length)?;
            if ty == Type::Uuid && len != 16 {
                return Err(Fault::Length);
            }
            head.checked_add(len).ok_or(Fault::Length)?
        }
    };
    if size <= rest.len() { Ok(size) } else { Err(Fault::Length) }
}

fn instant_size(rest: &[u8]) -> std::result::Result<usize, Fault> {
    let len = *rest.first().ok_or(Fault::Length)?;
    if !matches!(len, ZERO | DAY | SECONDS | MICROSECONDS) {
        return Err(Fault::Length);
    }
    let value = rest.get(1..=usize::from(len)).ok_or(Fault::Length)?;
    let is_right = match *value {
        [] => true,
        [low, high, _, _, ref clock @ ..] => {
            u16::from_le_bytes([low, high]) <= LAST_YEAR
                && match *clock {
                    [hour, minute, second, ref fraction @ ..] => {
                        hour <= 23
                            && minute <= 59
                            && second <= 59
                            && fraction.first_chunk().is_none_or(|micros| u32::from_le_bytes(*micros) <= 999_999)
                    }
                    _ => true,
                }
        }
        _ => false,
    };
    if is_right { Ok(1 + usize::from(len)) } else { Err(Fault::Clock) }
}

/// The bytes of a length, and the length.
fn length(rest: &[u8]) -> Option<(usize, usize)> {
    let number = |len: usize| {
        let mut word = [0; 8];
        word[..len].copy_from_slice(rest.get(1..=len)?);
        Some((1 + len, usize::try_from(u64::from_le_bytes(word)).ok()?))
    };
    match *rest.first()? {
        len @ 0..=250 => Some((1, len.into())),
        252 => number(2),
        253 => number(3),
        254 => number(8),
        _ => None,
    }
}

/// The bytes of the value at a position that `row` has found, whose length is before them.
fn value_at(bytes: &[u8], position: u32) -> &[u8] {
    let rest = &bytes[position as usize..];
    length(rest).map_or(&[], |(head, len)| &rest[head..head + len])
}

/// A column of the values at positions; 0: null. Dates that no calendar has, as the one of zeros, are null too.
pub fn decode(bytes: &[u8], positions: &[u32], ty: Type, digits: u32) -> Result<Array> {
    let len = positions.len();
    let data = match ty {
        Type::Int { bits: 8, .. } => numbers(bytes, positions, u8::from_le_bytes)?,
        Type::Int { bits: 16, .. } => numbers(bytes, positions, u16::from_le_bytes)?,
        Type::Int { bits: 32, .. } | Type::Float { bits: 32 } => numbers(bytes, positions, u32::from_le_bytes)?,
        Type::Int { .. } | Type::Float { .. } => numbers(bytes, positions, u64::from_le_bytes)?,
        Type::DateDay => return instants(bytes, positions, day),
        Type::Timestamp { .. } => return instants(bytes, positions, microseconds),
        Type::Uuid => {
            let uuid = |value: &[u8]| value.first_chunk().map_or(0, |value| u128::from_le_bytes(*value));
            wide(bytes, positions, |value, _| Ok(uuid(value)))?
        }
        Type::Decimal { scale, .. } => {
            wide(bytes, positions, |value, row| decimal(value, scale as usize, digits).ok_or(Error::invalid_at(NO_DECIMAL, row)))?
        }
        _ => texts(bytes, positions, value_at, ty == Type::Utf8)?,
    };
    Ok(Array { len, validity: validity(positions)?, data })
}

const NO_DECIMAL: &str = "a number that its type has not in row";

/// Numbers of 16 bytes.
fn wide<T: Number>(bytes: &[u8], positions: &[u32], number: impl Fn(&[u8], usize) -> Result<T>) -> Result<Data> {
    let mut values = Buffer::zeroed(positions.len() * 16)?;
    for (row, (value, &position)) in values.numbers_mut::<T>().iter_mut().zip(positions).enumerate() {
        if position != 0 {
            *value = number(value_at(bytes, position), row)?;
        }
    }
    Ok(Data::Fixed { width: 16, values })
}

fn instants<T: Number>(bytes: &[u8], positions: &[u32], instant: impl Fn(&[u8]) -> Option<T>) -> Result<Array> {
    let len = positions.len();
    let mut values = Buffer::zeroed(len * size_of::<T>())?;
    let mut valid = crate::vectors::collected(len, positions.iter().copied())?;
    for (value, position) in values.numbers_mut::<T>().iter_mut().zip(&mut valid) {
        if *position == 0 {
            continue;
        }
        match instant(&bytes[*position as usize..]) {
            Some(instant) => *value = instant,
            None => *position = 0,
        }
    }
    Ok(Array { len, validity: validity(&valid)?, data: Data::Fixed { width: size_of::<T>(), values } })
}

/// Days since 1970.
fn day(value: &[u8]) -> Option<i32> {
    let [_, low, high, month, day] = *value.first_chunk::<5>().filter(|value| value[0] != ZERO)?;
    days(u16::from_le_bytes([low, high]).into(), month.into(), day.into())
}

/// Microseconds since 1970.
fn microseconds(value: &[u8]) -> Option<i64> {
    let seconds = i64::from(day(value)?) * 86_400;
    let at = |place: usize| i64::from(value[place]);
    let clock = if value[0] >= SECONDS { (at(5) * 60 + at(6)) * 60 + at(7) } else { 0 };
    let fraction = if value[0] == MICROSECONDS { value[8..].first_chunk().map(|word| u32::from_le_bytes(*word)) } else { None };
    Some((seconds + clock) * 1_000_000 + i64::from(fraction.unwrap_or(0)))
}

/// Digits, with a sign and a point or without them, times 10^`scale`.
fn decimal(text: &[u8], scale: usize, digits: u32) -> Option<i128> {
    let (is_negative, text) = match *text {
        [b'-', ref rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let (whole, fraction) = match text.iter().position(|byte| *byte == b'.') {
        Some(point) => (&text[..point], &text[point + 1..]),
        None => (text, &[][..]),
    };
    let missing = scale.checked_sub(fraction.len())?;
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut sum = 0i128;
    for byte in whole.iter().chain(fraction).copied().chain(std::iter::repeat_n(b'0', missing)) {
        if !byte.is_ascii_digit() {
            return None;
        }
        sum = sum.checked_mul(10)?.checked_add(i128::from(byte - b'0'))?;
    }
    if sum.unsigned_abs() >= 10u128.pow(digits.min(38)) {
        return None;
    }
    Some(if is_negative { -sum } else { sum })
}

#[cfg(test)]
mod tests {
    use super::super::{CopyRows, Form, Progress, field_types};
    use super::*;

    fn framed(row: &[u8]) -> Vec<u8> {
        [&(row.len() as u32).to_le_bytes(), row].concat()
    }

    fn rows_of(fields: &[(u32, i32, u32)], bytes: &[u8]) -> (CopyRows, Progress) {
        let words: Vec<u32> = fields.iter().flat_map(|(code, parameter, digits)| [*code, *parameter as u32, *digits, 0]).collect();
        let types = field_types(Form::Mysql, &words).unwrap();
        let wanted = (0..fields.len()).collect();
        let mut rows = CopyRows::new(Form::Mysql, types, wanted).unwrap();
        rows.room(bytes.len()).unwrap().copy_from_slice(bytes);
        let progress = rows.find().unwrap();
        (rows, progress)
    }

    const INT4: (u32, i32, u32) = (4, 0, 0);
    const TEXT: (u32, i32, u32) = (17, 0, 0);
    const TIME: (u32, i32, u32) = (27, i32::MIN, 0);

    #[test]
    fn rows_are_found_wherever_the_bytes_are_cut() {
        let mut all = Vec::new();
        for i in 0..5i32 {
            let text = "é!".repeat(if i == 4 { 100 } else { 1 });
            let mut row = vec![0, u8::from(i == 3) << 3];
            row.extend(i.to_le_bytes());
            match i {
                3 => {}
                4 => row.extend([252, 44, 1]),
                _ => row.push(3),
            }
            if i != 3 {
                row.extend(text.as_bytes());
            }
            all.extend(framed(&row));
        }
        for cut in 0..all.len() {
            let (mut rows, progress) = rows_of(&[INT4, TEXT], &all[..cut]);
            assert_eq!(progress, Progress::More);
            rows.room(all.len() - cut).unwrap().copy_from_slice(&all[cut..]);
            assert_eq!(rows.find().unwrap(), Progress::More);
            assert_eq!((rows.rows(), rows.next()), (5, all.len()));
            let (numbers, texts) = (rows.column(0, 1, 5).unwrap(), rows.column(1, 0, 5).unwrap());
            let Data::Fixed { values, .. } = &numbers.data else { panic!() };
            assert_eq!(values.numbers::<i32>(), [1, 2, 3, 4]);
            let Data::Bytes { offsets, .. } = &texts.data else { panic!() };
            assert_eq!(offsets.numbers::<i32>(), [0, 3, 6, 9, 9, 309]);
            assert!(!texts.is_valid(3));
        }
    }

    #[test]
    fn what_cannot_be_right_is_a_fault() {
        let misfit = |row: &[u8]| match rows_of(&[INT4, TEXT, TIME], &framed(row)).1 {
            Progress::Misfit { field, fault } => Some((field, fault)),
            _ => None,
        };
        assert_eq!(misfit(&[0, 0b11100]), None);
        assert_eq!(misfit(&[]), Some((0, Fault::Fields)));
        assert_eq!(misfit(&[1, 0b11100]), Some((0, Fault::Fields)));
        assert_eq!(misfit(&[0, 0b11100, 0]), Some((0, Fault::Fields)));
        assert_eq!(misfit(&[0, 0b11000, 1, 2, 3]), Some((0, Fault::Length)));
        for text in [&[5, 0][..], &[251], &[255], &[252, 1], &[253, 255, 255, 255], &[254, 255, 255, 255, 255, 255, 255, 255, 255]] {
            assert_eq!(misfit(&[&[0, 0b10100], text].concat()), Some((1, Fault::Length)), "{text:?}");
        }
        for time in [&[5, 0, 0, 0, 0, 0][..], &[4, 1], &[]] {
            assert_eq!(misfit(&[&[0, 0b01100], time].concat()), Some((2, Fault::Length)), "{time:?}");
        }
        for time in [&[4, 16, 39, 1, 1][..], &[7, 0, 0, 1, 1, 24, 0, 0], &[11, 0, 0, 1, 1, 0, 0, 0, 64, 66, 15, 0]] {
            assert_eq!(misfit(&[&[0, 0b01100], time].concat()), Some((2, Fault::Clock)), "{time:?}");
        }
    }

    #[test]
    fn dates_that_no_calendar_has_are_null() {
        let times: [(&[u8], Option<i64>); 6] = [
            (&[0], None),
            (&[4, 0xd0, 7, 0, 0], None),
            (&[4, 0xd1, 7, 2, 29], None),
            (&[4, 0xd0, 7, 2, 29], Some(951_782_400_000_000)),
            (&[7, 0xb2, 7, 1, 1, 1, 2, 3], Some(3_723_000_000)),
            (&[11, 0xb1, 7, 12, 31, 23, 59, 59, 0x3f, 0x42, 0x0f, 0], Some(-1)),
        ];
        let bytes: Vec<u8> = times.iter().flat_map(|(time, _)| framed(&[&[0, 0], *time].concat())).collect();
        let array = rows_of(&[TIME], &bytes).0.column(0, 0, times.len()).unwrap();
        let Data::Fixed { values, .. } = &array.data else { panic!() };
        for (row, (_, expected)) in times.iter().enumerate() {
            assert_eq!(array.is_valid(row).then(|| values.numbers::<i64>()[row]), *expected);
        }
    }

    #[test]
    fn digits_become_a_decimal() {
        assert_eq!(decimal(b"-12.345", 3, 5), Some(-12_345));
        assert_eq!(decimal(b"0.5", 3, 5), Some(500));
        assert_eq!(decimal(b".5", 1, 1), Some(5));
        assert_eq!(decimal(b"99999999999999999999999999999999999999", 0, 38), Some(10i128.pow(38) - 1));
        for text in ["", "-", ".", "1.2345", "100", "1e2", "+1", "1.2.3", "999999999999999999999999999999999999999"] {
            assert_eq!(decimal(text.as_bytes(), 3, 5), None, "{text}");
        }
    }
}
