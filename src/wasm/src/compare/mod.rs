//! Comparisons of a column with constants. Every operator becomes one test for a closed interval, perhaps negated, so
//! that there is one loop per number type, and that one has vectors.

mod constants;
mod gather;
mod lanes;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use crate::run::Run;
pub use constants::{Bytes, Constants, Float, Floats, Integer, Integers};
pub use gather::gather_truth;
pub use lanes::Lanes;

use crate::array::{Array, Data, Offset};
use crate::bitmap::{Bitmap, bits, filled_word, word_count};
use crate::error::{Error, Result};
use crate::int256::Int256;
use crate::mask::{Mask, validity};
use crate::types::{Physical, Type};
use crate::vectors::with_room;

/// What is asked of each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Eq,
    Neq,
    Gt,
    GtEq,
    Lt,
    LtEq,
    /// Both bounds inclusive.
    Between,
    /// Equal to one of any number of constants.
    In,
}

/// Compares every row; unknown where it is null.
pub fn compare(array: &Array, ty: Type, operator: Operator, constants: &Constants) -> Result<Mask> {
    if let Data::Null = array.data {
        return Mask::unless_null(array, false);
    }
    if let Some(repeated) = array.repeated() {
        let of_values = compare(repeated.values, ty, operator, constants)?;
        let rows = [Run { start: 0, len: array.len }];
        let truth = match repeated.known {
            Some(known) => &of_values.truth().zip(known, |truth, known| truth & known)?,
            None => of_values.truth(),
        };
        let truth = repeated.cycle.bits(truth, &rows)?.finish();
        return Ok(Mask::new(truth, repeated.validity(&rows)?));
    }
    let truth = match (&array.data, ty, constants) {
        (Data::Dictionary { indices, values }, _, _) => {
            let of_values = compare(values, ty, operator, constants)?;
            gather_truth(of_values.truth(), &indices.numbers()[..array.len])?
        }
        (Data::Bool(bits), Type::Bool, Constants::Integers(constants)) => {
            let test = constants.test::<i8>(operator)?;
            let (of_false, of_true) = (test.holds(0), test.holds(1));
            bits.map(|word| (word & filled_word(of_true)) | (!word & filled_word(of_false)))?
        }
        (Data::Fixed { width, values }, ty, constants) if ty.physical().is_some_and(|p| p.width() == *width) => {
            let values = Values { buffer: values, rows: array.len };
            match (ty.physical().ok_or(MISMATCH)?, constants) {
                (Physical::I8, Constants::Integers(c)) => values.integers::<i8>(operator, c)?,
                (Physical::I16, Constants::Integers(c)) => values.integers::<i16>(operator, c)?,
                (Physical::I32, Constants::Integers(c)) => values.integers::<i32>(operator, c)?,
                (Physical::I64, Constants::Integers(c)) => values.integers::<i64>(operator, c)?,
                (Physical::I128, Constants::Integers(c)) => values.integers::<i128>(operator, c)?,
                (Physical::I256, Constants::Integers(c)) => values.integers::<Int256>(operator, c)?,
                (Physical::U8, Constants::Integers(c)) => values.integers::<u8>(operator, c)?,
                (Physical::U16, Constants::Integers(c)) => values.integers::<u16>(operator, c)?,
                (Physical::U32, Constants::Integers(c)) => values.integers::<u32>(operator, c)?,
                (Physical::U64, Constants::Integers(c)) => values.integers::<u64>(operator, c)?,
                (Physical::F16, Constants::Floats(c)) => values.halves(&c.test::<f32>(operator)?)?,
                (Physical::F32, Constants::Floats(c)) => values.apply(&c.test::<f32>(operator)?)?,
                (Physical::F64, Constants::Floats(c)) => values.apply(&c.test::<f64>(operator)?)?,
                _ => return Err(MISMATCH),
            }
        }
        (Data::Fixed { width, values }, Type::Binary | Type::Uuid, Constants::Bytes(constants)) => {
            let bytes = values.bytes();
            Bitmap::from_fn(array.len, |row| constants.holds(operator, &bytes[row * width..(row + 1) * width]))?
        }
        (Data::Bytes { offsets, values }, Type::Utf8 | Type::Binary, Constants::Bytes(constants)) => {
            let (offsets, bytes): (&[i32], _) = (offsets.numbers(), values.bytes());
            Bitmap::from_fn(array.len, |row| {
                constants.holds(operator, &bytes[offsets[row].position()..offsets[row + 1].position()])
            })?
        }
        _ => return Err(MISMATCH),
    };
    match validity(array)? {
        Some(known) => Ok(Mask::new(truth.zip(&known, |truth, known| truth & known)?, Some(known))),
        None => Ok(Mask::new(truth, None)),
    }
}

const MISMATCH: Error = Error::Misuse("a column is compared with a constant of another type");

/// Whether a value passes.
pub enum Test<T> {
    /// All do, or none.
    Constant(bool),
    /// Those from `low` to `high` do, or all others.
    Between { low: T, high: T, negated: bool },
    /// Those that are equal to one of the sorted `values` do; `nan`: NaN does.
    Among { values: Vec<T>, nan: bool },
}

impl<T: Lanes> Test<T> {
    fn holds(&self, value: T) -> bool {
        match self {
            Test::Constant(outcome) => *outcome,
            Test::Between { low, high, negated } => (*low <= value && value <= *high) != *negated,
            Test::Among { values, nan } => {
                match values.binary_search_by(|probe| probe.partial_cmp(&value).unwrap_or(std::cmp::Ordering::Less)) {
                    Ok(_) => true,
                    Err(_) => *nan && value.partial_cmp(&value).is_none(),
                }
            }
        }
    }

    fn word(&self, block: &[T; 64]) -> u64 {
        match self {
            Test::Constant(outcome) => filled_word(*outcome),
            Test::Between { low, high, negated } => T::between(block, *low, *high) ^ filled_word(*negated),
            Test::Among { .. } => bits(64, |i| self.holds(block[i])),
        }
    }
}

struct Values<'a> {
    buffer: &'a crate::buffer::Buffer,
    rows: usize,
}

impl Values<'_> {
    fn integers<T: Lanes + constants::Integer>(&self, operator: Operator, constants: &Integers) -> Result<Bitmap> {
        self.apply(&constants.test::<T>(operator)?)
    }

    fn apply<T: Lanes>(&self, test: &Test<T>) -> Result<Bitmap> {
        let values = &self.buffer.numbers::<T>()[..self.rows];
        let mut words = with_room(word_count(self.rows))?;
        let (blocks, rest) = values.as_chunks::<64>();
        words.extend(blocks.iter().map(|block| test.word(block)));
        if !rest.is_empty() {
            words.push(bits(rest.len(), |i| test.holds(rest[i])));
        }
        Ok(Bitmap::from_words(words, self.rows))
    }

    fn halves(&self, test: &Test<f32>) -> Result<Bitmap> {
        let values = &self.buffer.numbers::<u16>()[..self.rows];
        Bitmap::from_fn(self.rows, |row| test.holds(crate::half::to_f32(values[row])))
    }
}
