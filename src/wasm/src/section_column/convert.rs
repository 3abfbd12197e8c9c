//! Conversions between the types of arrays of one column. A value that the other type does not have becomes null.

use super::stored::empty;
use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, word_count, zeroed_words};
use crate::buffer::{Buffer, Number};
use crate::csv_reader::{instant, number};
use crate::error::{Error, Result};
use crate::run::Run;
use crate::scratch::Scratch;
use crate::text;
use crate::types::Physical::*;
use crate::types::{Physical, TimeUnit, Type};

/// The same rows in another type: booleans, integers, floats, timestamps without a zone, and text, each into each.
pub fn convert(array: Array, from: Type, to: Type) -> Result<Array> {
    if from == to {
        return Ok(array);
    }
    match (from, to) {
        (Type::Null, _) => empty(to)?.nulls(array.len),
        (_, Type::Null) => Ok(Array { len: array.len, validity: None, data: Data::Null }),
        (_, Type::Utf8) => to_text(&array, from),
        (Type::Utf8, Type::Bool) => texts(&array, |text| truth(text).map(u8::from)).and_then(bits),
        (Type::Utf8, Type::Timestamp { unit, .. }) => {
            texts(&array, |text| instant::instant(text).and_then(|instant| in_unit(instant, unit)))
        }
        (Type::Utf8, _) => from_text(&array, to.physical().ok_or(UNKNOWN)?),
        (Type::Timestamp { unit: from, .. }, Type::Timestamp { unit: to, .. }) => {
            let (from, to) = (from.per_second(), to.per_second());
            if from > to {
                // Towards zero.
                mapped(&array, |value: i64| Some(value / (from / to)))
            } else {
                mapped(&array, |value: i64| value.checked_mul(to / from))
            }
        }
        (Type::Bool, _) => numbers(&bytes_of_bits(&array)?, U8, to.physical().ok_or(UNKNOWN)?),
        (_, Type::Bool) => is_not_zero(&array, from.physical().ok_or(UNKNOWN)?).and_then(bits),
        _ => numbers(&array, from.physical().ok_or(UNKNOWN)?, to.physical().ok_or(UNKNOWN)?),
    }
}

const UNKNOWN: Error = Error::Misuse("a conversion of values of an unknown type");

/// Integers and floats by way of 64 bits. Floats are cut towards zero; integers become the nearest float.
fn numbers(array: &Array, from: Physical, to: Physical) -> Result<Array> {
    macro_rules! widened {
        ($wide:ty) => {
            match from {
                I8 => mapped(array, |value: i8| Some(value as $wide)),
                I16 => mapped(array, |value: i16| Some(value as $wide)),
                I32 => mapped(array, |value: i32| Some(value as $wide)),
                U8 => mapped(array, |value: u8| Some(value as $wide)),
                U16 => mapped(array, |value: u16| Some(value as $wide)),
                U32 => mapped(array, |value: u32| Some(value as $wide)),
                _ => Err(UNKNOWN),
            }
        };
    }
    match from {
        F32 => floats(&mapped(array, |value: f32| Some(f64::from(value)))?, to),
        F64 => floats(array, to),
        // All integers of 32 bits are floats of 64.
        _ if to == F64 && !matches!(from, I64 | U64) => widened!(f64),
        I64 => signed(array, to),
        U64 => unsigned(array, to),
        _ => signed(&widened!(i64)?, to),
    }
}

macro_rules! integers {
    ($name:ident, $wide:ty) => {
        fn $name(array: &Array, to: Physical) -> Result<Array> {
            match to {
                I8 => mapped(array, |value: $wide| i8::try_from(value).ok()),
                I16 => mapped(array, |value: $wide| i16::try_from(value).ok()),
                I32 => mapped(array, |value: $wide| i32::try_from(value).ok()),
                I64 => mapped(array, |value: $wide| i64::try_from(value).ok()),
                U8 => mapped(array, |value: $wide| u8::try_from(value).ok()),
                U16 => mapped(array, |value: $wide| u16::try_from(value).ok()),
                U32 => mapped(array, |value: $wide| u32::try_from(value).ok()),
                U64 => mapped(array, |value: $wide| u64::try_from(value).ok()),
                F32 => mapped(array, |value: $wide| Some(value as f32)),
                F64 => mapped(array, |value: $wide| Some(value as f64)),
                _ => Err(UNKNOWN),
            }
        }
    };
}
integers!(signed, i64);
integers!(unsigned, u64);

fn floats(array: &Array, to: Physical) -> Result<Array> {
    /// Whether the whole part lies from `least` on and below the power of two that is the first float above the type.
    fn cut(value: f64, least: f64, above: f64) -> Option<f64> {
        let whole = value.trunc();
        (whole >= least && whole < above).then_some(whole)
    }
    macro_rules! cut {
        ($type:ty) => {
            mapped(array, |value: f64| {
                // The greatest value rounds up to a power of two where it has more digits than a float.
                let above = 2.0 * ((<$type>::MAX / 2 + 1) as f64);
                cut(value, <$type>::MIN as f64, above).map(|whole| whole as $type)
            })
        };
    }
    match to {
        I8 => cut!(i8),
        I16 => cut!(i16),
        I32 => cut!(i32),
        I64 => cut!(i64),
        U8 => cut!(u8),
        U16 => cut!(u16),
        U32 => cut!(u32),
        U64 => cut!(u64),
        F32 => mapped(array, |value: f64| Some(value as f32)),
        F64 => array.take(&[Run { start: 0, len: array.len }]),
        _ => Err(UNKNOWN),
    }
}

fn from_text(array: &Array, to: Physical) -> Result<Array> {
    macro_rules! integers {
        ($parse:expr, $type:ty) => {
            texts(array, |text| $parse(text).and_then(|value| <$type>::try_from(value).ok()))
        };
    }
    match to {
        I8 => integers!(number::signed, i8),
        I16 => integers!(number::signed, i16),
        I32 => integers!(number::signed, i32),
        I64 => texts(array, number::signed),
        U8 => integers!(number::unsigned, u8),
        U16 => integers!(number::unsigned, u16),
        U32 => integers!(number::unsigned, u32),
        U64 => texts(array, number::unsigned),
        F32 => texts(array, |text| std::str::from_utf8(text).ok()?.parse::<f32>().ok()),
        F64 => texts(array, |text| std::str::from_utf8(text).ok()?.parse::<f64>().ok()),
        _ => Err(UNKNOWN),
    }
}

/// The words that the cast kernels of Arrow take for truth values.
fn truth(text: &[u8]) -> Option<bool> {
    const TRUE: [&[u8]; 10] = [b"t", b"tr", b"tru", b"true", b"y", b"ye", b"yes", b"on", b"1", b"TRUE"];
    const FALSE: [&[u8]; 10] = [b"f", b"fa", b"fal", b"fals", b"false", b"n", b"no", b"of", b"off", b"0"];
    let is = |word: &&[u8]| text.eq_ignore_ascii_case(word);
    if TRUE.iter().any(is) {
        return Some(true);
    }
    FALSE.iter().any(is).then_some(false)
}

/// Digits of the fraction that the unit does not have are dropped.
fn in_unit(instant: instant::Instant, unit: TimeUnit) -> Option<i64> {
    let step = (1_000_000_000 / unit.per_second()) as u32;
    let nanoseconds = instant.nanoseconds - instant.nanoseconds % step;
    instant::Instant { nanoseconds, ..instant }.in_unit(unit)
}

fn to_text(array: &Array, from: Type) -> Result<Array> {
    let mut out = Scratch::new();
    let mut offsets = Buffer::zeroed((array.len + 1).checked_mul(4).ok_or(Error::Memory)?)?;
    for row in 0..array.len {
        if array.is_valid(row) {
            match (&array.data, from) {
                (Data::Bool(bits), _) => text::boolean(bits.get(row), &mut out)?,
                (Data::Fixed { values, .. }, _) => fixed(values, from, row, &mut out)?,
                _ => return Err(UNKNOWN),
            }
        }
        offsets.numbers_mut::<i32>()[row + 1] = i32::try_from(out.len()).map_err(|_| Error::TooLong)?;
    }
    let validity = array.validity.as_ref().map(Bitmap::try_clone).transpose()?;
    let values = Buffer::of(out.written())?;
    Ok(Array { len: array.len, validity, data: Data::Bytes { offsets, values } })
}

fn fixed(values: &Buffer, ty: Type, row: usize, out: &mut Scratch) -> Result<()> {
    match ty {
        Type::Timestamp { unit, .. } => text::timestamp(values.numbers::<i64>()[row], unit, None, out),
        _ => text::fixed(values, ty, row, out),
    }
}

/// The values of texts, null where there is none.
fn texts<T: Number + Default>(array: &Array, f: impl Fn(&[u8]) -> Option<T>) -> Result<Array> {
    let Data::Bytes { offsets, values } = &array.data else { return Err(UNKNOWN) };
    let offsets = offsets.numbers::<i32>();
    built(array, |row| f(&values.bytes()[offsets[row] as usize..offsets[row + 1] as usize]))
}

/// Each value that is not null by `f`, null where there is none.
fn mapped<S: Number, T: Number + Default>(array: &Array, f: impl Fn(S) -> Option<T>) -> Result<Array> {
    let Data::Fixed { width, values } = &array.data else { return Err(UNKNOWN) };
    if *width != size_of::<S>() {
        return Err(UNKNOWN);
    }
    let values = values.numbers::<S>();
    built(array, |row| f(values[row]))
}

fn built<T: Number + Default>(array: &Array, value: impl Fn(usize) -> Option<T>) -> Result<Array> {
    let mut out = Buffer::zeroed(array.len.checked_mul(size_of::<T>()).ok_or(Error::Memory)?)?;
    let mut words = zeroed_words(word_count(array.len))?;
    let mut known = 0;
    for (row, out) in out.numbers_mut::<T>()[..array.len].iter_mut().enumerate() {
        if array.is_valid(row)
            && let Some(value) = value(row)
        {
            *out = value;
            words[row / 64] |= 1 << (row % 64);
            known += 1;
        }
    }
    let validity = (known < array.len).then(|| Bitmap::from_words(words, array.len));
    Ok(Array { len: array.len, validity, data: Data::Fixed { width: size_of::<T>(), values: out } })
}

fn is_not_zero(array: &Array, from: Physical) -> Result<Array> {
    match from {
        F32 => mapped(array, |value: f32| Some(u8::from(value != 0.0))),
        F64 => mapped(array, |value: f64| Some(u8::from(value != 0.0))),
        _ => match from.width() {
            1 => mapped(array, |value: u8| Some(u8::from(value != 0))),
            2 => mapped(array, |value: u16| Some(u8::from(value != 0))),
            4 => mapped(array, |value: u32| Some(u8::from(value != 0))),
            _ => mapped(array, |value: u64| Some(u8::from(value != 0))),
        },
    }
}

/// Bytes as booleans.
fn bits(array: Array) -> Result<Array> {
    let Data::Fixed { values, .. } = &array.data else { return Err(UNKNOWN) };
    let bits = Bitmap::from_fn(array.len, |row| values.bytes()[row] != 0)?;
    Ok(Array { data: Data::Bool(bits), ..array })
}

fn bytes_of_bits(array: &Array) -> Result<Array> {
    let Data::Bool(bits) = &array.data else { return Err(UNKNOWN) };
    built(array, |row| Some(u8::from(bits.get(row))))
}
