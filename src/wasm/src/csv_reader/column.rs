//! Fields to values of a type: an Arrow array.

use super::characters::{is_quoted, trimmed, unquoted};
use super::dialect::Dialect;
use super::encoding::{Encoding, MOST_BYTES};
use super::field::Fields;
use super::float::{COMMA, POINT};
use super::{float, instant, number};
use crate::array::{Array, Data};
use crate::assemble::check_text;
use crate::bitmap::{Bitmap, word_count, zeroed_words};
use crate::buffer::{Buffer, Number, SLACK};
use crate::copy::copy;
use crate::error::{Error, Result};
use crate::types::Type;

/// An array, or the first row whose field is no value of the type.
pub type Parsed = std::result::Result<Array, usize>;

/// Fields as values; empty ones and those of [`Dialect::nulls`] are null, with or without quotes.
pub fn parse(fields: Fields, ty: Type) -> Result<Parsed> {
    let Dialect { has_decimal_comma, ref format, .. } = *fields.dialect();
    match ty {
        Type::Null => nulls(fields),
        Type::Bool => truths(fields),
        Type::Int { bits: 8, signed: true } => fixed(fields, |text| i8::try_from(number::signed(text)?).ok()),
        Type::Int { bits: 16, signed: true } => fixed(fields, |text| i16::try_from(number::signed(text)?).ok()),
        Type::Int { bits: 32, signed: true } => fixed(fields, |text| i32::try_from(number::signed(text)?).ok()),
        Type::Int { signed: true, .. } => fixed(fields, number::signed),
        Type::Int { bits: 8, .. } => fixed(fields, |text| u8::try_from(number::unsigned(text)?).ok()),
        Type::Int { bits: 16, .. } => fixed(fields, |text| u16::try_from(number::unsigned(text)?).ok()),
        Type::Int { bits: 32, .. } => fixed(fields, |text| u32::try_from(number::unsigned(text)?).ok()),
        Type::Int { .. } => fixed(fields, number::unsigned),
        Type::Float { bits: 32 } if has_decimal_comma => fixed(fields, float::float32::<COMMA>),
        Type::Float { bits: 32 } => fixed(fields, float::float32::<POINT>),
        Type::Float { bits: 64 } if has_decimal_comma => fixed(fields, float::float64::<COMMA>),
        Type::Float { bits: 64 } => fixed(fields, float::float64::<POINT>),
        Type::DateDay if format.is_some() => fixed(fields, |text| fields.dialect().date(text)),
        Type::DateDay => fixed(fields, instant::date),
        Type::Timestamp { unit, .. } if format.is_some() => {
            fixed(fields, |text| fields.dialect().instant(text)?.in_unit(unit))
        }
        Type::Timestamp { unit, .. } => fixed(fields, |text| instant::instant(text)?.in_unit(unit)),
        Type::Utf8 => match fields.dialect().encoding {
            Encoding::Utf8 => texts(fields),
            Encoding::Either => match texts(fields)? {
                Ok(array) => Ok(Ok(array)),
                Err(_) => encoded_texts(fields),
            },
            _ => encoded_texts(fields),
        },
        _ => Err(Error::Misuse("no type that is read from CSV")),
    }
}

/// Which rows are there.
struct Validity {
    words: Vec<u64>,
    nulls: usize,
}

impl Validity {
    fn new(rows: usize) -> Result<Self> {
        let mut words = zeroed_words(word_count(rows))?;
        words.fill(u64::MAX);
        Ok(Validity { words, nulls: 0 })
    }

    fn set_null(&mut self, row: usize) {
        self.words[row / 64] &= !(1 << (row % 64));
        self.nulls += 1;
    }

    fn finish(self, rows: usize) -> Option<Bitmap> {
        (self.nulls > 0).then(|| Bitmap::from_words(self.words, rows))
    }
}

/// Hands each value on; stops at the first field that has none. Blanks around a value count for nothing.
#[inline(always)]
fn each<T: Copy>(
    fields: Fields,
    value: impl Fn(&[u8]) -> Option<T>,
    put: impl FnMut(usize, T),
) -> Result<std::result::Result<Option<Bitmap>, usize>> {
    // Without texts that are null, and without stations, the loop does not look for them.
    match fields.dialect().nulls.is_empty() && !fields.is_carried() {
        true => each_of::<T, true>(fields, value, put),
        false => each_of::<T, false>(fields, value, put),
    }
}

#[inline(always)]
fn each_of<T: Copy, const IS_PLAIN: bool>(
    fields: Fields,
    value: impl Fn(&[u8]) -> Option<T>,
    mut put: impl FnMut(usize, T),
) -> Result<std::result::Result<Option<Bitmap>, usize>> {
    let rows = fields.len();
    let Dialect { quote, ref nulls, .. } = *fields.dialect();
    let mut validity = Validity::new(rows)?;
    let mut scratch = Vec::new();
    // Where the field before lies, and its value: fields that are carried from one station are the same one.
    let mut last: Option<((usize, usize), T)> = None;
    for row in 0..rows {
        let range = fields.range(row);
        let raw = &fields.bytes()[range.0..range.1];
        if !IS_PLAIN
            && let Some((before, value)) = last
            && before == range
        {
            put(row, value);
            continue;
        }
        if raw.is_empty() || !IS_PLAIN && nulls.holds_padded(unquoted(raw, quote, &mut scratch)?) {
            validity.set_null(row);
        } else if let Some(value) = value(raw) {
            put(row, value);
            if !IS_PLAIN {
                last = Some((range, value));
            }
        } else {
            // No value begins with a quote or a space, so only what is no value has to be looked at.
            match trimmed(unquoted(raw, quote, &mut scratch)?) {
                [] => validity.set_null(row),
                text => match value(text) {
                    Some(value) => put(row, value),
                    None => return Ok(Err(row)),
                },
            }
        }
    }
    Ok(Ok(validity.finish(rows)))
}

fn fixed<T: Number>(fields: Fields, value: impl Fn(&[u8]) -> Option<T>) -> Result<Parsed> {
    let len = fields.len();
    let width = size_of::<T>();
    let mut values = Buffer::zeroed(len.checked_mul(width).ok_or(Error::Memory)?)?;
    let out = values.numbers_mut::<T>();
    Ok(each(fields, value, |row, value| out[row] = value)?.map(|validity| Array {
        len,
        validity,
        data: Data::Fixed { width, values },
    }))
}

fn truths(fields: Fields) -> Result<Parsed> {
    let len = fields.len();
    let mut words = zeroed_words(word_count(len))?;
    let validity = each(fields, number::truth, |row, value| words[row / 64] |= u64::from(value) << (row % 64))?;
    Ok(validity.map(|validity| Array { len, validity, data: Data::Bool(Bitmap::from_words(words, len)) }))
}

fn nulls(fields: Fields) -> Result<Parsed> {
    let validity = each(fields, |_| None::<()>, |_, ()| ())?;
    Ok(validity.map(|_| Array { len: fields.len(), validity: None, data: Data::Null }))
}

/// The bytes of all fields together. A text may be carried to many records, so that they may be more than there is memory for.
#[inline(always)]
fn room_for(fields: Fields, bytes_of: impl Fn(&[u8]) -> usize) -> Result<usize> {
    let most: u64 = (0..fields.len()).map(|row| bytes_of(fields.raw(row)) as u64).sum();
    usize::try_from(most).ok().filter(|most| *most <= i32::MAX as usize).ok_or(Error::TooLong)
}

fn texts(fields: Fields) -> Result<Parsed> {
    let len = fields.len();
    let most = room_for(fields, <[u8]>::len)?;
    let mut values = Buffer::zeroed(most + SLACK)?;
    let mut offsets = Buffer::zeroed((len + 1) * 4)?;
    let Dialect { quote, ref nulls, .. } = *fields.dialect();
    let has_nulls = !nulls.is_empty();
    let mut validity = Validity::new(len)?;
    let mut scratch = Vec::new();
    let mut end = 0;
    for (row, offset) in offsets.numbers_mut::<i32>()[1..].iter_mut().enumerate() {
        let (from, to) = fields.range(row);
        let raw = &fields.bytes()[from..to];
        let mut length = raw.len();
        if is_quoted(raw, quote) {
            let text = unquoted(raw, quote, &mut scratch)?;
            length = text.len();
            values.bytes_mut()[end..end + length].copy_from_slice(text);
        } else {
            copy(fields.bytes(), from, values.bytes_mut(), end, length);
        }
        if has_nulls && nulls.holds(&values.bytes()[end..end + length]) {
            length = 0;
        }
        if length == 0 {
            validity.set_null(row);
        }
        end += length;
        *offset = i32::try_from(end).map_err(|_| Error::TooLong)?;
    }
    values.truncate(end);
    match check_text(offsets.numbers(), values.bytes()) {
        Ok(()) => Ok(Ok(Array { len, validity: validity.finish(len), data: Data::Bytes { offsets, values } })),
        Err(Error::Invalid { at: Some(row), .. }) => Ok(Err(row)),
        Err(error) => Err(error),
    }
}

/// Texts of an encoding in which each byte is a character, at least in fields that are no UTF-8.
fn encoded_texts(fields: Fields) -> Result<Parsed> {
    let len = fields.len();
    let Dialect { quote, ref nulls, encoding, .. } = *fields.dialect();
    let most = room_for(fields, |raw| {
        let others = raw.iter().filter(|byte| !byte.is_ascii()).count();
        raw.len() + others * (MOST_BYTES - 1)
    })?;
    let mut values = Buffer::zeroed(most)?;
    let mut offsets = Buffer::zeroed((len + 1) * 4)?;
    let mut validity = Validity::new(len)?;
    let mut scratch = Vec::new();
    let mut end = 0;
    for (row, offset) in offsets.numbers_mut::<i32>()[1..].iter_mut().enumerate() {
        let text = unquoted(fields.raw(row), quote, &mut scratch)?;
        if text.is_empty() || nulls.holds(text) {
            validity.set_null(row);
        } else if text.is_ascii() || encoding.may_be_utf8() && std::str::from_utf8(text).is_ok() {
            values.bytes_mut()[end..end + text.len()].copy_from_slice(text);
            end += text.len();
        } else {
            for &byte in text {
                let character = encoding.character(byte);
                end += character.encode_utf8(&mut values.bytes_mut()[end..]).len();
            }
        }
        *offset = i32::try_from(end).map_err(|_| Error::TooLong)?;
    }
    values.truncate(end);
    Ok(Ok(Array { len, validity: validity.finish(len), data: Data::Bytes { offsets, values } }))
}
