//! Values of number types as one of the five types that are calculated with.

use crate::array::Data;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::flat::Flat;
use crate::group::block::{Rows, sized, write};
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
    pub f32: Vec<f32>,
    /// Values, or places in a dictionary, before they are converted.
    room: Buffer,
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
            _ => return Err(MISMATCH),
        };
        let room = &mut self.room;
        let column = Column { values, indices: flat.indices, rows };
        match physical {
            Physical::I8 => column.load(room, &mut self.i64, |value: i8| value.into()),
            Physical::I16 => column.load(room, &mut self.i64, |value: i16| value.into()),
            Physical::I32 => column.load(room, &mut self.i64, |value: i32| value.into()),
            Physical::I64 => column.collect(room, &mut self.i64),
            Physical::U8 => column.load(room, &mut self.i64, |value: u8| value.into()),
            Physical::U16 => column.load(room, &mut self.i64, |value: u16| value.into()),
            Physical::U32 => column.load(room, &mut self.i64, |value: u32| value.into()),
            Physical::U64 => column.collect(room, &mut self.u64),
            Physical::I128 => column.collect(room, &mut self.i128),
            Physical::I256 => column.collect(room, &mut self.i256),
            Physical::F16 => column.load(room, &mut self.f64, |value: u16| half::to_f32(value).into()),
            Physical::F32 => column.load(room, &mut self.f64, |value: f32| value.into()),
            Physical::F64 => column.collect(room, &mut self.f64),
        }
    }

    /// Loads floats of 32 bits as they are.
    pub fn load_singles(&mut self, flat: &Flat, rows: Rows) -> Result<()> {
        match &flat.values.data {
            Data::Fixed { width: 4, values } => {
                Column { values, indices: flat.indices, rows }.collect(&mut self.room, &mut self.f32)
            }
            _ => Err(MISMATCH),
        }
    }

    /// Floats of the type `T` of rows that lie next to each other, where they are; none: they lie otherwise.
    pub fn neighbours<'a, T: Number>(flat: &Flat<'a>, rows: Rows) -> Option<&'a [T]> {
        match (rows, &flat.values.data) {
            (Rows::Run { first, len }, Data::Fixed { width, values })
                if *width == size_of::<T>() && flat.indices.is_none() =>
            {
                values.numbers().get(first..first + len)
            }
            _ => None,
        }
    }

    /// The same as floats: what a variance is made of. Decimals are not scaled.
    pub fn load_floats(&mut self, ty: Type, flat: &Flat, rows: Rows) -> Result<()> {
        self.load(ty, flat, rows)?;
        match Domain::of(ty) {
            Some(Domain::I64) => convert_all(&mut self.f64, &self.i64, |value| value as f64),
            Some(Domain::U64) => convert_all(&mut self.f64, &self.u64, |value| value as f64),
            Some(Domain::I128) => convert_all(&mut self.f64, &self.i128, |value| value as f64),
            Some(Domain::I256) => convert_all(&mut self.f64, &self.i256, Int256::to_f64),
            _ => Ok(()),
        }
    }
}

const MISMATCH: Error = Error::Misuse("values of another type than the aggregate's");

/// The values of rows, which may be those of a dictionary.
struct Column<'a> {
    values: &'a Buffer,
    indices: Option<&'a [u32]>,
    rows: Rows<'a>,
}

impl Column<'_> {
    fn load<S: Number, T: Copy + Default>(
        &self,
        room: &mut Buffer,
        out: &mut Vec<T>,
        convert: impl Fn(S) -> T,
    ) -> Result<()> {
        let values = self.values.numbers::<S>();
        match self.indices {
            Some(indices) => convert_all(out, self.rows.pick(indices, room)?, |place| convert(values[place as usize])),
            None => convert_all(out, self.rows.pick(values, room)?, convert),
        }
    }

    fn collect<T: Number + Default>(&self, room: &mut Buffer, out: &mut Vec<T>) -> Result<()> {
        match self.indices {
            Some(_) => self.load(room, out, |value: T| value),
            None => self.rows.collect(self.values.numbers(), out),
        }
    }
}

fn convert_all<S: Copy, T: Copy + Default>(out: &mut Vec<T>, values: &[S], convert: impl Fn(S) -> T) -> Result<()> {
    write(sized(out, values.len())?, values, convert);
    Ok(())
}
