//! Arrow arrays, in the ten layouts that are left once a foreign array has been normalised.

use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::cycle::Cycle;
use crate::error::{Error, Result};
use std::rc::Rc;

/// Levels of nesting that a column may have: a guard of the stack, far above any real schema.
pub const MAX_DEPTH: usize = 64;

/// A column. Its buffers were checked when it was made (`assemble`), so the code that reads them only relies on:
/// offsets begin at 0, do not decrease and end inside the values or items; values, bits and struct fields are exactly as
/// many as there are rows.
pub struct Array {
    /// Rows.
    pub len: usize,
    /// Set where a row is not null; none: no row is null.
    pub validity: Option<Bitmap>,
    /// The values by layout.
    pub data: Data,
}

/// The values of an array by layout (Arrow columnar format, "Physical Memory Layout").
pub enum Data {
    /// Every row is null.
    Null,
    /// One bit a row.
    Bool(Bitmap),
    /// `width` bytes a row.
    Fixed { width: usize, values: Buffer },
    /// Text or binary: row `i` is bytes `offsets[i]..offsets[i + 1]`, offsets are `i32`.
    Bytes { offsets: Buffer, values: Buffer },
    /// List or map: row `i` is items `offsets[i]..offsets[i + 1]`, offsets are `i32`.
    List { offsets: Buffer, items: Box<Array> },
    /// The same with `i64` offsets.
    LargeList { offsets: Buffer, items: Box<Array> },
    /// `size` items a row.
    FixedList { size: usize, items: Box<Array> },
    /// Fields side by side.
    Struct(Vec<Array>),
    /// Row `i` is value `indices[i]`, indices are `u32`. Every index, also that of a null row, is one of a value. The values
    /// are flat (`Bool`, `Fixed` or `Bytes`) and none of them is null; they may repeat. Only whole columns are dictionaries,
    /// never what lies inside of lists and structs.
    Dictionary { indices: Buffer, values: Rc<Array> },
    /// Row `i` is value `(start + i) / each % values.len`. The values are flat as those of a dictionary and have no validity of
    /// their own, but may be null: `known` is set where one is not. The cycle, which has `each * values.len` rows, is longer than
    /// `start`, and at most [`MAX_ROWS`] long. The array itself has no validity. Only whole columns repeat values.
    Repeat { values: Rc<Array>, known: Option<Bitmap>, each: usize, start: usize },
}

impl Array {
    /// Null rows.
    pub fn null_count(&self) -> usize {
        if let Some(repeated) = self.repeated() {
            return repeated.null_count();
        }
        match (&self.data, &self.validity) {
            (Data::Null, _) => self.len,
            (_, Some(validity)) => self.len - validity.count(),
            (_, None) => 0,
        }
    }

    /// Whether a row is not null.
    pub fn is_valid(&self, row: usize) -> bool {
        match (&self.data, &self.validity) {
            (Data::Null, _) => false,
            (Data::Repeat { values, known: Some(known), each, start }, _) => {
                known.get(Cycle { each: *each, start: *start, count: values.len }.place(row))
            }
            (_, Some(validity)) => validity.get(row),
            (_, None) => true,
        }
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        let validity = self.validity.as_ref().map_or(0, Bitmap::allocated);
        validity
            + match &self.data {
                Data::Null => 0,
                Data::Bool(bits) => bits.allocated(),
                Data::Fixed { values, .. } => values.allocated(),
                Data::Bytes { offsets, values } => offsets.allocated() + values.allocated(),
                Data::List { offsets, items } | Data::LargeList { offsets, items } => {
                    offsets.allocated() + items.allocated()
                }
                Data::FixedList { items, .. } => items.allocated(),
                Data::Struct(fields) => fields.iter().map(Array::allocated).sum(),
                // Its share of the values, so that the columns that share them add up.
                Data::Dictionary { indices, values } => {
                    indices.allocated() + values.allocated() / Rc::strong_count(values)
                }
                Data::Repeat { values, known, .. } => {
                    known.as_ref().map_or(0, Bitmap::allocated) + values.allocated() / Rc::strong_count(values)
                }
            }
    }

    /// Levels of nesting, 1 for a flat column.
    pub fn depth(&self) -> usize {
        1 + match &self.data {
            Data::List { items, .. } | Data::LargeList { items, .. } | Data::FixedList { items, .. } => items.depth(),
            Data::Struct(fields) => fields.iter().map(Array::depth).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// Offsets of either width.
pub trait Offset: crate::buffer::Number {
    /// Bytes of an offset.
    const WIDTH: usize = size_of::<Self>();
    /// The position. Offsets of an [`Array`] are not negative.
    fn position(self) -> usize;
    /// The offset of a position.
    fn at(position: usize) -> Result<Self>;
    /// Moves offsets, none below the first, so that they begin at 0.
    fn rebase(offsets: &mut [Self]);
    /// Whether positions of ascending offsets fit into an address.
    fn fits_address(offsets: &[Self]) -> bool;
    /// Writes offsets, each with `delta` (modulo 2^32 or more) added, to the front of `out`, little endian.
    fn shift(offsets: &[Self], delta: usize, out: &mut [u8]);
}

macro_rules! offset {
    ($type:ty) => {
        impl Offset for $type {
            fn position(self) -> usize {
                self as usize
            }

            fn at(position: usize) -> Result<Self> {
                <$type>::try_from(position).map_err(|_| Error::TooLong)
            }

            fn rebase(offsets: &mut [Self]) {
                if let Some(&first) = offsets.first().filter(|first| **first != 0) {
                    offsets.iter_mut().for_each(|offset| *offset -= first);
                }
            }

            fn fits_address(offsets: &[Self]) -> bool {
                offsets.last().is_none_or(|&last| usize::try_from(last).is_ok())
            }

            fn shift(offsets: &[Self], delta: usize, out: &mut [u8]) {
                let delta = delta as isize as $type;
                for (out, offset) in out.as_chunks_mut::<{ size_of::<$type>() }>().0.iter_mut().zip(offsets) {
                    *out = offset.wrapping_add(delta).to_le_bytes();
                }
            }
        }
    };
}
offset!(i32);
offset!(i64);
