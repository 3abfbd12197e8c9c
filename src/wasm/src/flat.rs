//! Flat columns, dictionaries among them, seen as values at places.

use crate::array::{Array, Data, Offset};
use crate::bitmap::Bitmap;
use crate::cycle::Cycle;
use crate::error::{Error, Result};

/// How flat values lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Only nulls.
    Null,
    /// One bit a value.
    Bool,
    /// So many bytes a value.
    Fixed(usize),
    /// Text or binary.
    Bytes,
}

impl Shape {
    /// Of a column or, of a dictionary, of its values.
    pub fn of(array: &Array) -> Result<Self> {
        match &array.data {
            Data::Null => Ok(Shape::Null),
            Data::Bool(_) => Ok(Shape::Bool),
            Data::Fixed { width, .. } => Ok(Shape::Fixed(*width)),
            Data::Bytes { .. } => Ok(Shape::Bytes),
            Data::Dictionary { values, .. } | Data::Repeat { values, .. } => Shape::of(values),
            Data::List { .. } | Data::LargeList { .. } | Data::FixedList { .. } | Data::Struct(_) => {
                Err(Error::Unsupported("values of a nested type have no order and no groups"))
            }
        }
    }
}

/// A flat column. A row that is not null is the value at its place.
#[derive(Clone, Copy)]
pub struct Flat<'a> {
    /// Set where a row is not null; none: no row is null, unless all are.
    pub validity: Option<&'a Bitmap>,
    /// The places of the rows in a dictionary; none: those of the cycle or, without one, each row is its own place.
    pub indices: Option<&'a [u32]>,
    /// How the places follow each other, if the column repeats its values.
    pub cycle: Option<Cycle>,
    /// What the places are of: no dictionary, and without nulls of its own.
    pub values: &'a Array,
}

impl<'a> Flat<'a> {
    /// Of a column, which is of the shape or has only nulls. One that repeats values is looked at with [`crate::cycles::Cycles`].
    pub fn new(array: &'a Array, shape: Shape) -> Result<Self> {
        Flat::of(array)?.of_shape(shape)
    }

    /// Of a column of any type; nested ones have nothing but their validity.
    pub fn of(array: &'a Array) -> Result<Self> {
        let validity = array.validity.as_ref();
        match &array.data {
            Data::Dictionary { indices, values } => {
                Ok(Flat { validity, indices: Some(&indices.numbers::<u32>()[..array.len]), cycle: None, values })
            }
            Data::Repeat { .. } => Err(Error::Misuse("repeated values are looked at as those of a dictionary")),
            _ => Ok(Flat { validity, indices: None, cycle: None, values: array }),
        }
    }

    /// The same, if it is of the shape or has only nulls.
    pub fn of_shape(self, shape: Shape) -> Result<Self> {
        match Shape::of(self.values)? {
            Shape::Null => Ok(self),
            own if own == shape => Ok(self),
            _ => Err(Error::Misuse("a column of another type than the table's")),
        }
    }

    /// Whether each row is its own place.
    pub const fn is_plain(&self) -> bool {
        self.indices.is_none() && self.cycle.is_none()
    }

    /// Whether every row is null.
    pub fn is_null(&self) -> bool {
        matches!(self.values.data, Data::Null)
    }

    /// Whether a row is not null.
    #[inline(always)]
    pub fn is_valid(&self, row: usize) -> bool {
        self.validity.is_none_or(|validity| validity.get(row)) && !self.is_null()
    }

    /// Where the value of a row is.
    #[inline(always)]
    pub fn place(&self, row: usize) -> usize {
        match (self.indices, self.cycle) {
            (Some(indices), _) => indices[row] as usize,
            (None, Some(cycle)) => cycle.place(row),
            (None, None) => row,
        }
    }
}

/// The bytes of a flat value that is not null; a boolean is one byte.
pub fn value_bytes(values: &Array, place: usize) -> &[u8] {
    match &values.data {
        Data::Bool(bits) => &[[0], [1]][bits.get(place) as usize],
        Data::Fixed { width, values } => &values.bytes()[place * width..(place + 1) * width],
        Data::Bytes { offsets, values } => {
            let offsets: &[i32] = offsets.numbers();
            &values.bytes()[offsets[place].position()..offsets[place + 1].position()]
        }
        _ => &[],
    }
}
