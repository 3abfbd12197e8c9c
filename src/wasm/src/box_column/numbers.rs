//! Numbers of the types that columns have.

use super::Decoding;
use super::fills::{without, without_halves, words};
use super::instants::Instants;
use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, bits, word_count};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::half;
use crate::types::Physical::{self, *};

/// The column of stored numbers.
pub fn decode(stored: Buffer, len: usize, physical: Physical, decoding: Decoding, fills: &[Vec<u8>]) -> Result<Array> {
    macro_rules! integers {
        ($type:ty, $instant:expr) => {{
            let values = &stored.numbers::<$type>()[..len];
            let known = without(values, &words(fills, <$type>::from_le_bytes)?, None)?;
            match decoding {
                Decoding::Scaled { scale, offset } => scaled(values, known, |value| value as f64 * scale + offset),
                Decoding::Instants(instants) => timed(values, known, |value| $instant(&instants, value)),
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
                Decoding::Scaled { scale, offset } => scaled(values, known, |value| f64::from(value) * scale + offset),
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
                Decoding::Scaled { scale, offset } => scaled(values, known, |value| wide(value) * scale + offset),
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

fn scaled<T: Number>(stored: &[T], known: Option<Bitmap>, scale: impl Fn(T) -> f64) -> Result<Array> {
    let mut values = Buffer::zeroed(stored.len().checked_mul(8).ok_or(Error::Memory)?)?;
    for (out, &value) in values.numbers_mut::<f64>().iter_mut().zip(stored) {
        *out = scale(value);
    }
    Ok(column(values, stored.len(), F64, known))
}

/// A value that is not known is not looked at, and one without an instant is null.
fn timed<T: Number>(stored: &[T], known: Option<Bitmap>, instant: impl Fn(T) -> Option<i64>) -> Result<Array> {
    let len = stored.len();
    let mut values = Buffer::zeroed(len.checked_mul(8).ok_or(Error::Memory)?)?;
    let mut found = Vec::new();
    found.try_reserve_exact(word_count(len))?;
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
