//! Constants as the loader sends them, and the test that an operator makes of them.

use super::lanes::Lanes;
use super::{Operator, Test};
use crate::error::{Error, Result};
use crate::int256::Int256;
use crate::types::{Physical, Type};
use crate::vectors::{collected, with_room};

/// The constants of one comparison: one, two for `Between`, any number for `In`.
pub enum Constants<'a> {
    /// For integers, decimals (unscaled), dates, times, and booleans as 0 and 1.
    Integers(Integers),
    /// For floats, already of the column's precision.
    Floats(Floats),
    /// For text and binary.
    Bytes(Bytes<'a>),
}

/// Integers of any width.
pub struct Integers(Vec<Int256>);
/// Floats of any width.
pub struct Floats(Vec<f64>);
/// Byte strings.
pub struct Bytes<'a>(Vec<&'a [u8]>);

impl<'a> Constants<'a> {
    /// Reads `count` constants, ascending those of `In`, for a column of type `ty`: an integer is 32 bytes, a float 8, a byte string its length
    /// in 4 and then its bytes; all little endian.
    pub fn parse(ty: Type, operator: Operator, count: usize, arguments: &'a [u8]) -> Result<Self> {
        let wanted = match operator {
            Operator::Between => 2,
            Operator::In => count,
            _ => 1,
        };
        if count != wanted {
            return Err(MALFORMED);
        }
        match (ty, ty.physical()) {
            (_, Some(Physical::F16 | Physical::F32 | Physical::F64)) => {
                let mut values = chunks::<8>(arguments, count)?.map(f64::from_le_bytes);
                let values = collect(count, || values.next().ok_or(MALFORMED))?;
                sorted(operator, values.is_sorted_by(|a, b| a <= b || b.is_nan()))?;
                Ok(Constants::Floats(Floats(values)))
            }
            (Type::Bool | Type::Null, _) | (_, Some(_)) => {
                let mut values = chunks::<32>(arguments, count)?.map(Int256::from_le_bytes);
                let values = collect(count, || values.next().ok_or(MALFORMED))?;
                sorted(operator, values.is_sorted())?;
                Ok(Constants::Integers(Integers(values)))
            }
            (ty, _) if ty.is_bytes() => {
                let mut rest = arguments;
                let next = || {
                    let (len, tail) = rest.split_first_chunk::<4>().ok_or(MALFORMED)?;
                    let (bytes, tail) = tail.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(MALFORMED)?;
                    rest = tail;
                    Ok(bytes)
                };
                let values = collect(count, next)?;
                sorted(operator, values.is_sorted())?;
                Ok(Constants::Bytes(Bytes(values)))
            }
            _ => Err(Error::Unsupported("columns of this type cannot be compared")),
        }
    }
}

const MALFORMED: Error = Error::Misuse("malformed constants");

/// The constants of `In` are searched, so they come in order.
fn sorted(operator: Operator, is_sorted: bool) -> Result<()> {
    if operator == Operator::In && !is_sorted { Err(MALFORMED) } else { Ok(()) }
}

fn chunks<const N: usize>(bytes: &[u8], count: usize) -> Result<impl Iterator<Item = [u8; N]>> {
    let (chunks, rest) = bytes.as_chunks::<N>();
    if chunks.len() != count || !rest.is_empty() { Err(MALFORMED) } else { Ok(chunks.iter().copied()) }
}

fn collect<T>(count: usize, mut next: impl FnMut() -> Result<T>) -> Result<Vec<T>> {
    let mut values = with_room(count)?;
    for _ in 0..count {
        values.push(next()?);
    }
    Ok(values)
}

/// Integer types of columns.
pub trait Integer: Lanes {
    /// Least and greatest value.
    const BOUNDS: (Self, Self);
    /// The value, if the type has it.
    fn narrow(value: Int256) -> Option<Self>;
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(impl Integer for $type {
            const BOUNDS: (Self, Self) = (<$type>::MIN, <$type>::MAX);
            fn narrow(value: Int256) -> Option<Self> {
                value.to_i128().and_then(|value| value.try_into().ok())
            }
        })*
    };
}
integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

impl Integer for Int256 {
    const BOUNDS: (Self, Self) = (Int256::MIN, Int256::MAX);
    fn narrow(value: Int256) -> Option<Self> {
        Some(value)
    }
}

impl Integers {
    /// The test of a column of `T`. Constants beyond the type are compared as the numbers they are.
    pub fn test<T: Integer>(&self, operator: Operator) -> Result<Test<T>> {
        use Operator::*;
        let (least, greatest) = (Some(Int256::MIN), Some(Int256::MAX));
        let (low, high) = match (operator, &self.0[..]) {
            (Eq | Neq, &[value]) => (Some(value), Some(value)),
            (Gt, &[value]) => (value.successor(), greatest),
            (GtEq, &[value]) => (Some(value), greatest),
            (Lt, &[value]) => (least, value.predecessor()),
            (LtEq, &[value]) => (least, Some(value)),
            (Between, &[low, high]) => (Some(low), Some(high)),
            (In, values) => return among(values.iter().filter_map(|&value| T::narrow(value)), values.len(), false),
            _ => return Err(MALFORMED),
        };
        let negated = operator == Neq;
        let (Some(low), Some(high)) = (low, high) else {
            return Ok(Test::Constant(negated));
        };
        // A bound that the type does not have is beyond all of its values, on one side or the other.
        let below_all = |value: Int256| value < Int256::from(0);
        let low = match T::narrow(low) {
            Some(low) => low,
            None if below_all(low) => T::BOUNDS.0,
            None => return Ok(Test::Constant(negated)),
        };
        let high = match T::narrow(high) {
            Some(high) => high,
            None if below_all(high) => return Ok(Test::Constant(negated)),
            None => T::BOUNDS.1,
        };
        Ok(if low <= high { Test::Between { low, high, negated } } else { Test::Constant(negated) })
    }
}

/// Float types of columns.
pub trait Float: Lanes {
    /// −∞ and ∞.
    const BOUNDS: (Self, Self);
    /// The value rounded to the type.
    fn round(value: f64) -> Self;
    /// The next smaller value.
    fn predecessor(self) -> Self;
    /// Whether it is NaN.
    fn is_nan(self) -> bool;
}

macro_rules! floats {
    ($($type:ty),*) => {
        $(impl Float for $type {
            const BOUNDS: (Self, Self) = (<$type>::NEG_INFINITY, <$type>::INFINITY);
            fn round(value: f64) -> Self {
                value as $type
            }
            fn predecessor(self) -> Self {
                self.next_down()
            }
            fn is_nan(self) -> bool {
                self.is_nan()
            }
        })*
    };
}
floats!(f32, f64);

impl Floats {
    /// The test of a column of `T`: NaN is equal to itself and above all numbers, −0.0 equals 0.0.
    pub fn test<T: Float>(&self, operator: Operator) -> Result<Test<T>> {
        use Operator::*;
        let (least, greatest) = T::BOUNDS;
        let between = |low, high, negated| Test::Between { low, high, negated };
        let is_nan = between(least, greatest, true);
        let below = |value: T, negated| {
            if value.is_nan() {
                between(least, greatest, negated)
            } else if value == least {
                Test::Constant(negated)
            } else {
                between(least, value.predecessor(), negated)
            }
        };
        let constant = |i: usize| self.0.get(i).map(|&value| T::round(value)).ok_or(MALFORMED);
        Ok(match operator {
            In => {
                let nan = self.0.iter().any(|value| value.is_nan());
                let numbers = self.0.iter().filter(|value| !value.is_nan()).map(|&value| T::round(value));
                return among(numbers, self.0.len(), nan);
            }
            Between => {
                let (low, high) = (constant(0)?, constant(1)?);
                match (low.is_nan(), high.is_nan()) {
                    (true, true) => is_nan,
                    (true, false) => Test::Constant(false),
                    (false, true) => below(low, true),
                    (false, false) => between(low, high, false),
                }
            }
            _ => {
                let value = constant(0)?;
                match (operator, value.is_nan()) {
                    (Eq, true) => is_nan,
                    (Neq, true) => between(least, greatest, false),
                    (LtEq, true) => Test::Constant(true),
                    (Gt, true) => Test::Constant(false),
                    (Eq, false) => between(value, value, false),
                    (Neq, false) => between(value, value, true),
                    (LtEq, false) => between(least, value, false),
                    (Gt, false) => between(least, value, true),
                    (Lt, _) => below(value, false),
                    (GtEq, _) => below(value, true),
                    _ => return Err(MALFORMED),
                }
            }
        })
    }
}

/// From sorted numbers.
fn among<T: Lanes>(numbers: impl Iterator<Item = T>, capacity: usize, nan: bool) -> Result<Test<T>> {
    let values = collected(capacity, numbers)?;
    Ok(match values[..] {
        [] if !nan => Test::Constant(false),
        [value] if !nan => Test::Between { low: value, high: value, negated: false },
        _ => Test::Among { values, nan },
    })
}

impl Bytes<'_> {
    /// Whether a value passes, compared byte by byte.
    pub fn holds(&self, operator: Operator, value: &[u8]) -> bool {
        match (operator, &self.0[..]) {
            (Operator::Eq, [constant]) => value == *constant,
            (Operator::Neq, [constant]) => value != *constant,
            (Operator::Gt, [constant]) => value > *constant,
            (Operator::GtEq, [constant]) => value >= *constant,
            (Operator::Lt, [constant]) => value < *constant,
            (Operator::LtEq, [constant]) => value <= *constant,
            (Operator::Between, [low, high]) => *low <= value && value <= *high,
            (Operator::In, constants) => constants.binary_search(&value).is_ok(),
            _ => false,
        }
    }
}
