//! Aggregates as columns, one row a group.

use super::aggregate::spread::Spread;
use super::aggregate::{Aggregate, Kind, Selected, State, sums};
use super::block::Rows;
use super::numbering::{Numbering, Source};
use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape};
use crate::half;
use crate::types::{Physical, Type};
use crate::vectors::collected;
use std::rc::Rc;

impl Aggregate {
    /// The column of a kind, which is its own or another quantile of the same values, in the type of `aggregateType` (`src/plan/finish.ts`). `rows` are those of each group.
    pub fn column(&self, kind: Kind, rows: &[u64]) -> Result<Array> {
        let counts = |group: usize| rows[group].saturating_sub(self.nulls[group]);
        let has_value = |group: usize| counts(group) > 0;
        let scale = match self.argument.ty {
            Type::Decimal { scale, .. } => scale,
            _ => 0,
        };
        let len = rows.len();
        let array = match (&self.state, kind) {
            (State::Counts, Kind::CountRows) => numbers(len, |group| Ok(Some(rows[group] as i64)))?,
            (State::Counts, Kind::Count) => numbers(len, |group| Ok(Some(counts(group) as i64)))?,
            (State::Counts, _) => Array { len, validity: None, data: Data::Null },
            (State::Distinct(distinct), _) => numbers(len, |group| Ok(Some(distinct.count(group) as i64)))?,
            (State::Integers(sums), Kind::Avg) => {
                numbers(len, |group| Ok(some(has_value(group), || sums::average(sums[group], counts(group), scale))))?
            }
            (State::Integers(sums), _) if matches!(self.argument.ty, Type::Decimal { .. }) => {
                numbers(len, |group| has_value(group).then(|| sums::narrow_wide(sums[group].into())).transpose())?
            }
            (State::Integers(sums), _) if matches!(self.argument.ty, Type::Int { signed: false, .. }) => {
                numbers(len, |group| has_value(group).then(|| sums::narrow_unsigned(sums[group])).transpose())?
            }
            (State::Integers(sums), _) => {
                numbers(len, |group| has_value(group).then(|| sums::narrow(sums[group])).transpose())?
            }
            (State::Wide(sums), Kind::Avg) => numbers(len, |group| {
                Ok(some(has_value(group), || match sums[group].to_i128() {
                    Some(sum) => sums::average(sum, counts(group), scale),
                    None => sums[group].to_f64() / counts(group) as f64 / 10f64.powi(scale),
                }))
            })?,
            (State::Wide(sums), _) => {
                numbers(len, |group| has_value(group).then(|| sums::narrow_wide(sums[group])).transpose())?
            }
            (State::Floats(sums), Kind::Avg) => numbers(len, |group| {
                Ok(some(has_value(group), || sums[group] / counts(group) as f64 / 10f64.powi(scale)))
            })?,
            (State::Floats(sums), _) => numbers(len, |group| Ok(some(has_value(group), || sums[group])))?,
            (State::Spreads(spreads), kind) => {
                numbers(len, |group| Ok(spread(spreads[group], kind).map(|value| value / scaled(kind, scale))))?
            }
            (State::I64(values), _) => self.narrowed(values, has_value)?,
            (State::U64(values), _) => numbers(len, |group| Ok(some(has_value(group), || values[group])))?,
            (State::I128(values), _) => numbers(len, |group| Ok(some(has_value(group), || values[group])))?,
            (State::I256(values), _) => numbers(len, |group| Ok(some(has_value(group), || values[group])))?,
            (State::F64(values), _) => self.floats(values, has_value)?,
            (State::Bytes(extremes), _) => extremes.array(self.argument.shape.unwrap_or(Shape::Bytes))?,
            (State::First(values), _) => values.array()?,
            (State::ArgExtremes(extremes), _) => extremes.array(self.argument.shape.unwrap_or(Shape::Null))?,
            (State::Quantiles(quantiles), Kind::Quantile(quantile)) => {
                let ty = self.argument.ty;
                let of_groups = collected(len, (0..len).map(counts))?;
                match quantiles.selected(quantile, ty, &of_groups)? {
                    Selected::I64(times) if quantile.is_continuous && ty == Type::DateDay => {
                        numbers(len, |group| Ok(some(has_value(group), || times[group])))?
                    }
                    Selected::I64(values) => self.narrowed(&values, has_value)?,
                    Selected::U64(values) => numbers(len, |group| Ok(some(has_value(group), || values[group])))?,
                    Selected::I128(values) => numbers(len, |group| Ok(some(has_value(group), || values[group])))?,
                    Selected::F64(values) => self.floats(&values, has_value)?,
                }
            }
            (State::Quantiles(_), _) => return Err(Error::Misuse("the values of another aggregate")),
        };
        let is_value = matches!(kind, Kind::Min | Kind::Max | Kind::First | Kind::ArgMax(_) | Kind::ArgMin(_));
        if self.argument.is_dictionary && is_value {
            return with_dictionary(array, self.argument.ty);
        }
        Ok(array)
    }

    /// Floats in the argument's own width, if it has floats.
    fn floats(&self, values: &[f64], has_value: impl Fn(usize) -> bool) -> Result<Array> {
        let len = values.len();
        match self.argument.ty.physical() {
            Some(Physical::F16) => numbers(len, |group| Ok(some(has_value(group), || half::from_f64(values[group])))),
            Some(Physical::F32) => numbers(len, |group| Ok(some(has_value(group), || values[group] as f32))),
            _ => numbers(len, |group| Ok(some(has_value(group), || values[group]))),
        }
    }

    /// Extremes of at most 64 bits in the argument's own width.
    fn narrowed(&self, values: &[i64], has_value: impl Fn(usize) -> bool) -> Result<Array> {
        let len = values.len();
        let value = |group: usize| some(has_value(group), || values[group]);
        match self.argument.ty.physical() {
            None => {
                let bits = Bitmap::from_fn(len, |group| has_value(group) && values[group] != 0)?;
                Ok(Array { len, validity: validity(len, has_value)?, data: Data::Bool(bits) })
            }
            Some(Physical::I8 | Physical::U8) => numbers(len, |group| Ok(value(group).map(|value| value as u8))),
            Some(Physical::I16 | Physical::U16) => numbers(len, |group| Ok(value(group).map(|value| value as u16))),
            Some(Physical::I32 | Physical::U32) => numbers(len, |group| Ok(value(group).map(|value| value as u32))),
            _ => numbers(len, |group| Ok(value(group))),
        }
    }
}

/// The column as a dictionary of its distinct values. They may be as many as its type's indices cannot name.
pub fn with_dictionary(array: Array, ty: Type) -> Result<Array> {
    let shape = Shape::of(&array)?;
    let len = array.len;
    // Every bit counts: what leaves is what came.
    let mut numbering =
        Numbering::new(if matches!(ty, Type::Float { .. }) { Type::Binary } else { ty }, shape, 0, true);
    let mut indices = Buffer::zeroed(len.checked_mul(4).ok_or(Error::Memory)?)?;
    let mut source = Source::new(Flat::new(&array, shape)?, len)?;
    numbering.number(&mut source, Rows::all(len), indices.numbers_mut())?;
    let values = Rc::new(Array { validity: None, ..numbering.values().array()? });
    Ok(Array { len, validity: array.validity, data: Data::Dictionary { indices, values } })
}

fn spread(spread: Spread, kind: Kind) -> Option<f64> {
    let variance = spread.variance(matches!(kind, Kind::VarSamp | Kind::StddevSamp))?;
    Some(if matches!(kind, Kind::StddevSamp | Kind::StddevPop) { variance.sqrt() } else { variance })
}

/// What a spread of unscaled decimals is too large by.
fn scaled(kind: Kind, scale: i32) -> f64 {
    let power = 10f64.powi(scale);
    if matches!(kind, Kind::VarSamp | Kind::VarPop) { power * power } else { power }
}

fn some<T>(is_some: bool, value: impl FnOnce() -> T) -> Option<T> {
    is_some.then(value)
}

/// A column of numbers; none: a null.
fn numbers<T: Number + Default>(len: usize, value: impl Fn(usize) -> Result<Option<T>>) -> Result<Array> {
    let mut values = Buffer::zeroed(len.checked_mul(size_of::<T>()).ok_or(Error::Memory)?)?;
    let mut words = crate::bitmap::zeroed_words(crate::bitmap::word_count(len))?;
    let mut valid = 0;
    for (group, out) in values.numbers_mut::<T>().iter_mut().enumerate() {
        if let Some(value) = value(group)? {
            *out = value;
            words[group / 64] |= 1 << (group % 64);
            valid += 1;
        }
    }
    let validity = (valid < len).then(|| Bitmap::from_words(words, len));
    Ok(Array { len, validity, data: Data::Fixed { width: size_of::<T>(), values } })
}

fn validity(len: usize, is_valid: impl Fn(usize) -> bool) -> Result<Option<Bitmap>> {
    let bits = Bitmap::from_fn(len, is_valid)?;
    Ok((bits.count() < len).then_some(bits))
}
