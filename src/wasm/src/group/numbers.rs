//! Values of number types as one of the five types that are calculated with.

use super::block::{Rows, sized};
use crate::array::Data;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::flat::Flat;
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
    /// Loads the values of rows into the vector of the type's domain; those of null rows may be anything.
    pub fn load(&mut self, ty: Type, flat: &Flat, rows: Rows) -> Result<()> {
        let (physical, values) = match (ty.physical(), &flat.values.data) {
            (None, Data::Bool(bits)) if ty == Type::Bool => {
                let out = sized(&mut self.i64, rows.len())?;
                for (place, out) in out.iter_mut().enumerate() {
                    *out = bits.get(flat.place(rows.at(place))).into();
                }
                return Ok(());
            }
            (Some(physical), Data::Fixed { width, values }) if *width == physical.width() => (physical, values),
            _ => return Err(Error::Misuse("values of another type than the aggregate's")),
        };
        let column = Column { values, indices: flat.indices, rows };
        match physical {
            Physical::I8 => column.load(&mut self.i64, |value: i8| value.into()),
            Physical::I16 => column.load(&mut self.i64, |value: i16| value.into()),
            Physical::I32 => column.load(&mut self.i64, |value: i32| value.into()),
            Physical::I64 => column.load(&mut self.i64, |value: i64| value),
            Physical::U8 => column.load(&mut self.i64, |value: u8| value.into()),
            Physical::U16 => column.load(&mut self.i64, |value: u16| value.into()),
            Physical::U32 => column.load(&mut self.i64, |value: u32| value.into()),
            Physical::U64 => column.load(&mut self.u64, |value: u64| value),
            Physical::I128 => column.load(&mut self.i128, |value: i128| value),
            Physical::I256 => column.load(&mut self.i256, |value: Int256| value),
            Physical::F16 => column.load(&mut self.f64, |value: u16| half::to_f32(value).into()),
            Physical::F32 => column.load(&mut self.f64, |value: f32| value.into()),
            Physical::F64 => column.load(&mut self.f64, |value: f64| value),
        }
    }

    /// The same as floats: what a variance is made of. Decimals are not scaled.
    pub fn load_floats(&mut self, ty: Type, flat: &Flat, rows: Rows) -> Result<()> {
        self.load(ty, flat, rows)?;
        match Domain::of(ty) {
            Some(Domain::I64) => convert(&mut self.f64, &self.i64, |value| value as f64),
            Some(Domain::U64) => convert(&mut self.f64, &self.u64, |value| value as f64),
            Some(Domain::I128) => convert(&mut self.f64, &self.i128, |value| value as f64),
            Some(Domain::I256) => convert(&mut self.f64, &self.i256, Int256::to_f64),
            _ => Ok(()),
        }
    }
}

/// The values of rows, which may be those of a dictionary.
struct Column<'a> {
    values: &'a Buffer,
    indices: Option<&'a [u32]>,
    rows: Rows<'a>,
}

impl Column<'_> {
    fn load<S: Number, T: Copy + Default>(&self, out: &mut Vec<T>, convert: impl Fn(S) -> T) -> Result<()> {
        let (values, out) = (self.values.numbers::<S>(), sized(out, self.rows.len())?);
        match self.indices {
            Some(indices) => self.rows.map(indices, out, |place| convert(values[place as usize])),
            None => self.rows.map(values, out, convert),
        }
        Ok(())
    }
}

fn convert<S: Copy>(out: &mut Vec<f64>, values: &[S], convert: impl Fn(S) -> f64) -> Result<()> {
    sized(out, values.len())?.iter_mut().zip(values).for_each(|(out, &value)| *out = convert(value));
    Ok(())
}
