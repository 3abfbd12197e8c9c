//! Making columns of boxes of stored arrays.

use super::call;
use crate::box_column::{
    BoxColumn, Calendar, Decoding, Element, Elements, Instants, Name, Names, Order, Scaling, SlabPart, Spec,
    without_nan,
};
use crate::error::{Error, Result};
use crate::types::Physical::*;
use crate::vectors::copied;

/// Begins a column of a box. The arguments are its [`Spec`], in the form that [`Reader::spec`] reads.
#[unsafe(no_mangle)]
pub extern "C" fn box_new() -> i32 {
    call(|state| {
        let spec = Reader { bytes: &state.arguments }.spec()?;
        state.boxes.insert(BoxColumn::new(spec)?)
    })
}

/// Begins a column of a box of numbers or characters, all of which the host writes; the first result is where, in the order of the box's axes.
#[unsafe(no_mangle)]
pub extern "C" fn box_cells() -> i32 {
    call(|state| {
        let spec = Reader { bytes: &state.arguments }.spec()?;
        let mut column = BoxColumn::unwritten(spec)?;
        state.results[0] = column.cells().as_mut_ptr() as usize as u32;
        state.boxes.insert(column)
    })
}

/// Says that the host has written all elements of [`box_cells`].
#[unsafe(no_mangle)]
pub extern "C" fn box_written(column: u32, is_big_endian: u32) -> i32 {
    call(|state| {
        state.boxes.get_mut(column)?.set_written(is_big_endian != 0);
        Ok(0)
    })
}

/// Room for a part, see [`BoxColumn::add_written`]; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn box_room(column: u32, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.boxes.get_mut(column)?.room(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// Adds the part in the room: elements one after the other, `stride` bytes from one to the next and `offset` bytes before the
/// first one. A stride of 0 repeats one element.
#[unsafe(no_mangle)]
pub extern "C" fn box_elements(column: u32, elements: usize, stride: usize, offset: usize, is_big_endian: u32) -> i32 {
    add(column, elements, Order::Strided { stride, offset }, is_big_endian)
}

/// Adds the part in the room: the first bytes of all elements, then the second ones, and so on.
#[unsafe(no_mangle)]
pub extern "C" fn box_shuffled(column: u32, elements: usize, is_big_endian: u32) -> i32 {
    add(column, elements, Order::Shuffled, is_big_endian)
}

/// Adds elements that were inflated, from number `first` on, of `elements` in all; the room has the dimensions. They lie as
/// [`box_elements`] and [`box_shuffled`] say: a stride of 0 means that they are shuffled, behind `offset` bytes for each element.
#[unsafe(no_mangle)]
pub extern "C" fn box_inflated(
    column: u32,
    first: usize,
    elements: usize,
    stride: usize,
    offset: usize,
    is_big_endian: u32,
) -> i32 {
    call(|state| {
        let (order, before) = match stride {
            0 => (Order::Shuffled, offset.checked_mul(elements)),
            _ => (Order::Strided { stride, offset }, Some(0)),
        };
        let bytes = before.and_then(|before| state.inflated.bytes().get(before..)).ok_or(SHORT)?;
        state
            .boxes
            .get_mut(column)?
            .add_elements(|width| Elements::new(bytes, elements, width, order, is_big_endian != 0)?.from(first))?;
        Ok(0)
    })
}

/// Adds the part in the room: a byte for each element, 0 where it is null.
#[unsafe(no_mangle)]
pub extern "C" fn box_validity(column: u32, elements: usize) -> i32 {
    call(|state| {
        let order = Order::Strided { stride: 1, offset: 0 };
        let column = state.boxes.get_mut(column)?;
        column.add_written(|bytes, _| Elements::new(bytes, elements, 1, order, false).map(SlabPart::Validity))?;
        Ok(0)
    })
}

fn add(column: u32, elements: usize, order: Order, is_big_endian: u32) -> i32 {
    call(|state| {
        let column = state.boxes.get_mut(column)?;
        column.add_written(|bytes, width| {
            Elements::new(bytes, elements, width, order, is_big_endian != 0).map(SlabPart::Elements)
        })?;
        Ok(0)
    })
}

/// Adds the part in the room: an offset more than there are texts, 32 bits each, and the bytes of the texts.
#[unsafe(no_mangle)]
pub extern "C" fn box_texts(column: u32, texts: usize) -> i32 {
    call(|state| {
        let column = state.boxes.get_mut(column)?;
        let len = texts.checked_add(1).and_then(|count| count.checked_mul(4)).ok_or(Error::Memory)?;
        column.add_written(|bytes, _| {
            let (offsets, bytes) = bytes.split_at_checked(len).ok_or(SHORT)?;
            Ok(SlabPart::Texts { offsets: offsets.as_chunks().0, bytes })
        })?;
        Ok(0)
    })
}

/// Ends a column of a box: a column. The box is gone, also when elements are missing.
#[unsafe(no_mangle)]
pub extern "C" fn box_finish(column: u32) -> i32 {
    call(|state| {
        let column = state.boxes.remove(column)?.finish()?;
        state.columns.insert(column)
    })
}

/// A column of floats of `width` bytes without nulls, of which each NaN becomes null. The given handle is gone.
#[unsafe(no_mangle)]
pub extern "C" fn box_without_nan(column: u32, width: usize) -> i32 {
    call(|state| {
        let column = without_nan(state.columns.remove(column)?, width)?;
        state.columns.insert(column)
    })
}

/// Gives up a column of a box.
#[unsafe(no_mangle)]
pub extern "C" fn box_free(column: u32) -> i32 {
    call(|state| state.boxes.remove(column).map(|_| 0))
}

/// Types of elements in the order of their codes (`box-spec.ts`).
const ELEMENTS: [Element; 15] = [
    Element::Number(I8),
    Element::Number(I16),
    Element::Number(I32),
    Element::Number(I64),
    Element::Number(U8),
    Element::Number(U16),
    Element::Number(U32),
    Element::Number(U64),
    Element::Number(F16),
    Element::Number(F32),
    Element::Number(F64),
    Element::Char,
    Element::Text,
    Element::Bytes,
    Element::Bool,
];

const SHORT: Error = Error::Misuse("fewer arguments than a box needs");

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    /// 32-bit integers: the element, the decoding, the numbers of axes, dimensions and fills; the shape; the axis of each
    /// dimension; what the decoding needs; and each fill after its length.
    fn spec(mut self) -> Result<Spec> {
        let [element, decoding, axes, dimensions, fills] =
            [self.number()?, self.number()?, self.number()?, self.number()?, self.number()?];
        Ok(Spec {
            shape: self.list(axes, Self::number)?,
            axes: self.list(dimensions, Self::axis)?,
            element: *ELEMENTS.get(element).ok_or(Error::Misuse("an unknown element"))?,
            decoding: self.decoding(decoding)?,
            fills: self.list(fills, Self::fill)?,
        })
    }

    fn decoding(&mut self, code: usize) -> Result<Decoding> {
        Ok(match code {
            0 => Decoding::Stored,
            1 => {
                let (scale, offset) = (f64::from_le_bytes(self.array()?), f64::from_le_bytes(self.array()?));
                let flags = self.number()?;
                Decoding::Scaled(Scaling { scale, offset, is_single: flags & 1 != 0, is_nan_null: flags & 2 != 0 })
            }
            2 => Decoding::Instants(Instants {
                unit: i64::from_le_bytes(self.array()?),
                epoch: i128::from_le_bytes(self.array()?),
                calendar: if self.number()? == 0 { Calendar::Gregorian } else { Calendar::NoLeap },
                are_microseconds: self.number()? != 0,
            }),
            3 => Decoding::Joined { length: self.number()? },
            4 => {
                let count = self.number()?;
                Decoding::Names(Names::new(self.list(count, Self::name)?))
            }
            _ => return Err(Error::Misuse("an unknown decoding")),
        })
    }

    /// The number of a name, 64 bits, and then the name as a fill.
    fn name(&mut self) -> Result<Name> {
        Ok(Name { number: i64::from_le_bytes(self.array()?), name: self.fill()? })
    }

    fn fill(&mut self) -> Result<Vec<u8>> {
        let len = self.number()?;
        let (fill, rest) = self.bytes.split_at_checked(len).ok_or(SHORT)?;
        self.bytes = rest;
        copied(fill)
    }

    fn list<T>(&mut self, len: usize, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut list = Vec::new();
        // Each item takes 4 bytes at least.
        list.try_reserve_exact(len.min(self.bytes.len() / 4))?;
        for _ in 0..len {
            list.push(item(self)?);
        }
        Ok(list)
    }

    /// 2^32 - 1: none.
    fn axis(&mut self) -> Result<Option<usize>> {
        let axis = u32::from_le_bytes(self.array()?);
        Ok((axis != u32::MAX).then_some(axis as usize))
    }

    fn number(&mut self) -> Result<usize> {
        Ok(u32::from_le_bytes(self.array()?) as usize)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (array, rest) = self.bytes.split_first_chunk().ok_or(SHORT)?;
        self.bytes = rest;
        Ok(*array)
    }
}
