//! Values of number types as one of the five types that are calculated with.

use super::block::Block;
use crate::array::{Array, Data};
use crate::buffer::Number;
use crate::error::{Error, Result};
use crate::half;
use crate::int256::Int256;
use crate::types::{Physical, Type};

/// What values of a type are calculated as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Booleans, integers but unsigned ones of 64 bits, decimals of at most 64 bits, dates, times.
    I64,
    U64,
    /// Decimals of 128 bits.
    I128,
    /// Decimals of 256 bits.
    I256,
    /// Floats.
    F64,
}

impl Domain {
    /// None: values of the type are no numbers.
    pub fn of(ty: Type) -> Option<Self> {
        Some(match ty.physical() {
            None if ty == Type::Bool => Domain::I64,
            None => return None,
            Some(Physical::F16 | Physical::F32 | Physical::F64) => Domain::F64,
            Some(Physical::U64) => Domain::U64,
            Some(Physical::I128) => Domain::I128,
            Some(Physical::I256) => Domain::I256,
            Some(_) => Domain::I64,
        })
    }
}

/// Values of one block, loaded one after the other. Memory that is used again for the next one.
#[derive(Default)]
pub struct Numbers {
    pub i64: Vec<i64>,
    pub u64: Vec<u64>,
    pub i128: Vec<i128>,
    pub i256: Vec<Int256>,
    pub f64: Vec<f64>,
}

impl Numbers {
    /// Loads the values at the places (`rows`) of a block into the vector of the type's domain.
    pub fn load(&mut self, ty: Type, values: &Array, block: &Block) -> Result<()> {
        let (physical, values) = match (ty.physical(), &values.data) {
            (None, Data::Bool(bits)) if ty == Type::Bool => {
                self.i64.clear();
                self.i64.try_reserve(block.rows.len())?;
                self.i64.extend(block.rows.iter().map(|&row| i64::from(bits.get(row as usize))));
                return Ok(());
            }
            (Some(physical), Data::Fixed { width, values }) if *width == physical.width() => (physical, values),
            _ => return Err(Error::Misuse("values of another type than the aggregate's")),
        };
        match physical {
            Physical::I8 => load(&mut self.i64, values.numbers::<i8>(), block, i64::from),
            Physical::I16 => load(&mut self.i64, values.numbers::<i16>(), block, i64::from),
            Physical::I32 => load(&mut self.i64, values.numbers::<i32>(), block, i64::from),
            Physical::I64 => load(&mut self.i64, values.numbers::<i64>(), block, |value| value),
            Physical::U8 => load(&mut self.i64, values.numbers::<u8>(), block, i64::from),
            Physical::U16 => load(&mut self.i64, values.numbers::<u16>(), block, i64::from),
            Physical::U32 => load(&mut self.i64, values.numbers::<u32>(), block, i64::from),
            Physical::U64 => load(&mut self.u64, values.numbers::<u64>(), block, |value| value),
            Physical::I128 => load(&mut self.i128, values.numbers::<i128>(), block, |value| value),
            Physical::I256 => load(&mut self.i256, values.numbers::<Int256>(), block, |value| value),
            Physical::F16 => {
                load(&mut self.f64, values.numbers::<u16>(), block, |value| f64::from(half::to_f32(value)))
            }
            Physical::F32 => load(&mut self.f64, values.numbers::<f32>(), block, f64::from),
            Physical::F64 => load(&mut self.f64, values.numbers::<f64>(), block, |value| value),
        }
    }

    /// The same as floats: what a variance is made of. Decimals are not scaled.
    pub fn load_floats(&mut self, ty: Type, values: &Array, block: &Block) -> Result<()> {
        self.load(ty, values, block)?;
        match Domain::of(ty) {
            Some(Domain::I64) => convert(&mut self.f64, &self.i64, |value| value as f64),
            Some(Domain::U64) => convert(&mut self.f64, &self.u64, |value| value as f64),
            Some(Domain::I128) => convert(&mut self.f64, &self.i128, |value| value as f64),
            Some(Domain::I256) => convert(&mut self.f64, &self.i256, Int256::to_f64),
            _ => Ok(()),
        }
    }
}

fn load<S: Number, T>(out: &mut Vec<T>, values: &[S], block: &Block, convert: impl Fn(S) -> T) -> Result<()> {
    out.clear();
    out.try_reserve(block.rows.len())?;
    match block.rows {
        [first, ..] if block.is_run => {
            let first = *first as usize;
            out.extend(values[first..first + block.rows.len()].iter().map(|&value| convert(value)));
        }
        rows => out.extend(rows.iter().map(|&row| convert(values[row as usize]))),
    }
    Ok(())
}

fn convert<S: Copy>(out: &mut Vec<f64>, values: &[S], convert: impl Fn(S) -> f64) -> Result<()> {
    out.clear();
    out.try_reserve(values.len())?;
    out.extend(values.iter().map(|&value| convert(value)));
    Ok(())
}
