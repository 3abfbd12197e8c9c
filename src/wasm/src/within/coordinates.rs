//! Columns as coordinates.

use crate::array::{Array, Data};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::half;
use crate::int256::Int256;
use crate::types::{Physical, Type};

/// A column of numbers, seen as 64-bit floats.
pub struct Coordinates<'a> {
    array: &'a Array,
    /// None: every row is null.
    values: Option<(&'a Buffer, Physical)>,
    /// What values are divided by: of decimals a power of ten.
    divisor: f64,
}

impl<'a> Coordinates<'a> {
    /// A column of integers, floats or decimals.
    pub fn new(array: &'a Array, ty: Type) -> Result<Self> {
        let is_number = matches!(ty, Type::Int { .. } | Type::Float { .. } | Type::Decimal { .. });
        let divisor = if let Type::Decimal { scale, .. } = ty { 10f64.powi(scale) } else { 1.0 };
        let physical = ty.physical().filter(|_| is_number);
        let values = match (physical, &array.data) {
            (_, Data::Null) => None,
            (Some(physical), Data::Fixed { width, values }) if physical.width() == *width => Some((values, physical)),
            _ => return Err(Error::Unsupported("coordinates must be columns of numbers")),
        };
        Ok(Coordinates { array, values, divisor })
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.array.len
    }

    /// The bits of the rows from `64 × word` on that are not null.
    pub fn valid(&self, word: usize) -> u64 {
        match (&self.values, &self.array.validity) {
            (None, _) => 0,
            (_, Some(validity)) => validity.words()[word],
            (_, None) => crate::bitmap::low_bits(self.array.len - word * 64),
        }
    }

    /// The values of rows from `from` on. That of a null is any.
    pub fn load(&self, from: usize, out: &mut [f64]) {
        let Some((values, physical)) = self.values else { return };
        match physical {
            Physical::I8 => load(values, from, out, |value: i8| value.into()),
            Physical::I16 => load(values, from, out, |value: i16| value.into()),
            Physical::I32 => load(values, from, out, |value: i32| value.into()),
            Physical::I64 => load(values, from, out, |value: i64| value as f64),
            Physical::U8 => load(values, from, out, |value: u8| value.into()),
            Physical::U16 => load(values, from, out, |value: u16| value.into()),
            Physical::U32 => load(values, from, out, |value: u32| value.into()),
            Physical::U64 => load(values, from, out, |value: u64| value as f64),
            Physical::F16 => load(values, from, out, |value: u16| half::to_f32(value).into()),
            Physical::F32 => load(values, from, out, |value: f32| value.into()),
            Physical::F64 => load(values, from, out, |value: f64| value),
            Physical::I128 => load(values, from, out, |value: i128| value as f64),
            Physical::I256 => load(values, from, out, Int256::to_f64),
        }
        if self.divisor != 1.0 {
            out.iter_mut().for_each(|value| *value /= self.divisor);
        }
    }
}

fn load<T: Number>(values: &Buffer, from: usize, out: &mut [f64], convert: impl Fn(T) -> f64) {
    for (out, &value) in out.iter_mut().zip(&values.numbers::<T>()[from..]) {
        *out = convert(value);
    }
}
