//! Numbers of the types that columns have.

use super::fills::{without, without_halves, words};
use super::instants::Instants;
use super::{Decoding, Scaling};
use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, bits, word_count};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::half;
use crate::types::Physical::{self, *};
use crate::vectors::with_room;

/// The column of stored numbers.
pub fn decode(stored: Buffer, len: usize, physical: Physical, decoding: &Decoding, fills: &[Vec<u8>]) -> Result<Array> {
    macro_rules! integers {
        ($type:ty, $instant:expr) => {{
            let values = &stored.numbers::<$type>()[..len];
            let known = without(values, &words(fills, <$type>::from_le_bytes)?, None)?;
            match decoding {
                Decoding::Names(names) => names.decode(values, known, |value| value as i64),
                Decoding::Scaled(scaling) => scaled(values, known, scaling, |value| value as f64, |value| value as f32),
                Decoding::Instants(instants) => timed(values, known, |value| $instant(instants, value)),
                _ => Ok(column(stored, len, physical, known)),
            }
        }};
    }
    macro_rules! floats {
        ($type:ty) => {{
            let values = &stored.numbers::<$type>()[..len];
            let bounds = (<$type>::NEG_INFINITY, <$type>::INFINITY);
            let known = without(values, &words(fills, <$type>::from_le_bytes)?, Some(bounds))?;
            match decoding {
                Decoding::Scaled(scaling) => {
                    scaled(values, known, scaling, |value| f64::from(value), |value| value as f32)
                }
                Decoding::Instants(instants) => timed(values, known, |value| instants.of_float(value.into())),
                _ => Ok(column(stored, len, physical, known)),
            }
        }};
    }
    match physical {
        I8 => integers!(i8, |instants: &Instants, value: i8| instants.of_signed(value.into())),
        I16 => integers!(i16, |instants: &Instants, value: i16| instants.of_signed(value.into())),
        I32 => integers!(i32, |instants: &Instants, value: i32| instants.of_signed(value.into())),
        I64 => integers!(i64, Instants::of_signed),
        U8 => integers!(u8, |instants: &Instants, value: u8| instants.of_signed(value.into())),
        U16 => integers!(u16, |instants: &Instants, value: u16| instants.of_signed(value.into())),
        U32 => integers!(u32, |instants: &Instants, value: u32| instants.of_signed(value.into())),
        U64 => integers!(u64, Instants::of_unsigned),
        F32 => floats!(f32),
        F64 => floats!(f64),
        F16 => {
            let values = &stored.numbers::<u16>()[..len];
            let known = without_halves(values, &words(fills, u16::from_le_bytes)?)?;
            let wide = |value: u16| f64::from(half::to_f32(value));
            match decoding {
                Decoding::Scaled(scaling) => scaled(values, known, scaling, wide, half::to_f32),
                Decoding::Instants(instants) => timed(values, known, |value| instants.of_float(wide(value))),
                _ => Ok(column(stored, len, physical, known)),
            }
        }
        I128 | I256 => Err(Error::Misuse("elements of more than 64 bits")),
    }
}

fn column(values: Buffer, len: usize, physical: Physical, validity: Option<Bitmap>) -> Array {
    Array { len, validity, data: Data::Fixed { width: physical.width(), values } }
}

fn scaled<T: Number>(
    stored: &[T],
    known: Option<Bitmap>,
    scaling: &Scaling,
    wide: impl Fn(T) -> f64,
    single: impl Fn(T) -> f32,
) -> Result<Array> {
    let Scaling { scale, offset, is_single, is_nan_null } = *scaling;
    let len = stored.len();
    let mut values = Buffer::zeroed(len.checked_mul(8).ok_or(Error::Memory)?)?;
    let pairs = values.numbers_mut::<f64>().iter_mut().zip(stored);
    if is_single {
        let (scale, offset) = (scale as f32, offset as f32);
        pairs.for_each(|(out, &value)| *out = f64::from(single(value) * scale + offset));
    } else {
        pairs.for_each(|(out, &value)| *out = wide(value) * scale + offset);
    }
    let numbers = if is_nan_null { numbers_of(&values.numbers::<f64>()[..len])? } else { None };
    let validity = match (known, numbers) {
        (Some(known), Some(numbers)) => Some(known.zip(&numbers, |known, number| known & number)?),
        (known, numbers) => known.or(numbers),
    };
    Ok(column(values, len, F64, validity))
}

fn numbers_of(values: &[f64]) -> Result<Option<Bitmap>> {
    without(values, &[f64::NAN], Some((f64::NEG_INFINITY, f64::INFINITY)))
}

/// A NaN of binary16.
const HALF_NAN: u16 = 0x7e00;

/// A column of floats of `width` bytes without nulls, of which each NaN becomes null.
pub fn without_nan(column: Array, width: usize) -> Result<Array> {
    let Array { len, validity: None, data: Data::Fixed { width: own, values } } = column else {
        return Err(Error::Misuse("floats of another layout, or with nulls"));
    };
    if own != width {
        return Err(Error::Misuse("floats of another width"));
    }
    let validity = match width {
        2 => without_halves(&values.numbers::<u16>()[..len], &[HALF_NAN])?,
        4 => without(&values.numbers::<f32>()[..len], &[f32::NAN], Some((f32::NEG_INFINITY, f32::INFINITY)))?,
        8 => numbers_of(&values.numbers::<f64>()[..len])?,
        _ => return Err(Error::Misuse("floats of another width")),
    };
    Ok(Array { len, validity, data: Data::Fixed { width, values } })
}

/// A value that is not known is not looked at, and one without an instant is null.
fn timed<T: Number>(stored: &[T], known: Option<Bitmap>, instant: impl Fn(T) -> Option<i64>) -> Result<Array> {
    let len = stored.len();
    let mut values = Buffer::zeroed(len.checked_mul(8).ok_or(Error::Memory)?)?;
    let mut found = with_room(word_count(len))?;
    for (index, (out, stored)) in values.numbers_mut::<i64>().chunks_mut(64).zip(stored.chunks(64)).enumerate() {
        let mut instants = [None; 64];
        let known = known.as_ref().map_or(u64::MAX, |known| known.words()[index]);
        for (i, (instant_of, &value)) in instants.iter_mut().zip(stored).enumerate() {
            *instant_of = if known >> i & 1 == 1 { instant(value) } else { None };
        }
        for (out, instant) in out.iter_mut().zip(&instants) {
            *out = instant.unwrap_or(0);
        }
        found.push(bits(stored.len(), |i| instants[i].is_some()));
    }
    let validity = super::fills::unless_all(Bitmap::from_words(found, len));
    Ok(column(values, len, I64, validity))
}
