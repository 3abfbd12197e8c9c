//! An array from foreign buffers: everything that the rest of the core relies on is checked here, once, and the encodings
//! of one and the same values (large offsets, views) are brought to one. Of dictionaries those of flat columns stay.

mod dictionary;
mod offsets;
mod views;

use crate::array::{Array, Data, MAX_DEPTH};
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::run::MAX_ROWS;
use crate::types::{Physical, TimeUnit};
use crate::{int96, interval};
use dictionary::dictionary;
pub use offsets::{bitmap, check_text};
use offsets::{checked_offsets, last, narrow_offsets};
use views::copy_views;

/// Layouts that arrays come in. Buffer 0 is always the validity; what the others are is said at each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// No buffers, not even a validity.
    Null,
    /// 1: bits.
    Bool,
    /// 1: values of `width` bytes.
    Fixed { width: usize },
    /// 1: values of Parquet's INT96. 2: bits, from the first on, of the rows whose parents are not null, if some are.
    Int96 { unit: TimeUnit },
    /// 1 and 2: the same of Parquet's INTERVAL.
    Interval,
    /// 1: `i32` offsets (`i64` if `large`), 2: the bytes from the first offset to the last.
    Bytes { large: bool, text: bool },
    /// 1: views of 16 bytes, 2 and following: the data buffers.
    View { text: bool },
    /// 1: `i32` offsets (`i64` if `large`); child: the items from the first offset to the last.
    List { large: bool },
    /// Child: `size` items a row.
    FixedList { size: usize },
    /// Children: the fields.
    Struct,
    /// 1: indices; child: the values.
    Dictionary { index: Physical },
}

impl Layout {
    /// From the loader's two numbers (`assembly.ts`): the layout, and its width, size or index type.
    pub fn from_code(code: u32, parameter: usize) -> Result<Self> {
        Ok(match code {
            0 => Layout::Null,
            1 => Layout::Bool,
            2 => Layout::Fixed { width: parameter },
            3 => Layout::Bytes { large: false, text: false },
            4 => Layout::Bytes { large: false, text: true },
            5 => Layout::Bytes { large: true, text: false },
            6 => Layout::Bytes { large: true, text: true },
            7 => Layout::View { text: false },
            8 => Layout::View { text: true },
            9 => Layout::List { large: false },
            10 => Layout::List { large: true },
            11 => Layout::FixedList { size: parameter },
            12 => Layout::Struct,
            13 => Layout::Dictionary { index: Physical::of_index(parameter)? },
            14 => Layout::Int96 { unit: *TimeUnit::ALL.get(parameter).ok_or(Error::Misuse("unknown unit"))? },
            15 => Layout::Interval,
            _ => return Err(Error::Misuse("unknown layout code")),
        })
    }
}

/// An array while its buffers and children come in.
pub struct Assembly {
    layout: Layout,
    len: usize,
    /// Bits to skip at the start of the validity and of `Bool` values.
    bit: usize,
    validity: Option<Buffer>,
    /// Buffers 1 and following.
    buffers: Vec<Buffer>,
    children: Vec<Array>,
}

impl Assembly {
    /// An array of `len` rows, bitmaps beginning at bit `bit` (below 8).
    pub fn new(layout: Layout, len: usize, bit: usize) -> Result<Self> {
        if len > MAX_ROWS {
            return Err(Error::invalid("more than 2^31 rows"));
        }
        if bit >= 8 {
            return Err(Error::Misuse("a bit offset above 7"));
        }
        Ok(Assembly { layout, len, bit, validity: None, buffers: Vec::new(), children: Vec::new() })
    }

    /// Room for the next buffer. The validity is number 0 and may be left out.
    pub fn buffer(&mut self, index: usize, bytes: usize) -> Result<&mut [u8]> {
        let buffer = if index == 0 {
            self.validity.insert(Buffer::zeroed(bytes)?)
        } else if index == self.buffers.len() + 1 {
            self.buffers.try_reserve(1)?;
            self.buffers.push_mut(Buffer::zeroed(bytes)?)
        } else {
            return Err(Error::Misuse("buffers out of order"));
        };
        Ok(buffer.bytes_mut())
    }

    /// Adds the next child.
    pub fn child(&mut self, child: Array) -> Result<()> {
        let child = child.decoded()?.unwrap_or(child);
        if child.depth() >= MAX_DEPTH {
            return Err(Error::invalid("nested more than 64 levels deep"));
        }
        self.children.try_reserve(1)?;
        self.children.push(child);
        Ok(())
    }

    /// Checks and normalises.
    pub fn finish(mut self) -> Result<Array> {
        let len = self.len;
        let validity = match self.validity.take() {
            Some(bits) if self.layout != Layout::Null => {
                let bits = bitmap(bits.bytes(), self.bit, len)?;
                (bits.count() < len).then_some(bits)
            }
            _ => None,
        };
        let data = match self.layout {
            Layout::Null => Data::Null,
            Layout::Bool => Data::Bool(bitmap(self.next_buffer()?.bytes(), self.bit, len)?),
            Layout::Fixed { width } => {
                let mut values = self.next_buffer()?;
                let wanted = len.checked_mul(width).ok_or(SHORT)?;
                if values.len() < wanted {
                    return Err(SHORT);
                }
                values.truncate(wanted);
                Data::Fixed { width, values }
            }
            Layout::Int96 { .. } | Layout::Interval => {
                let stored = self.next_buffer()?;
                let stored =
                    len.checked_mul(STORED_WIDTH).and_then(|wanted| stored.bytes().get(..wanted)).ok_or(SHORT)?;
                let parents = match self.buffers.pop() {
                    Some(bits) => Some(bitmap(bits.bytes(), 0, len)?),
                    None => None,
                };
                let is_set = |bits: &Option<Bitmap>, row| bits.as_ref().is_none_or(|bits| bits.get(row));
                let known = |row| is_set(&validity, row) && is_set(&parents, row);
                match self.layout {
                    Layout::Int96 { unit } => int96::timestamps(stored, unit, known)?,
                    _ => interval::intervals(stored, known)?,
                }
            }
            Layout::Bytes { large, text } => {
                let offsets = self.next_buffer()?;
                let offsets = if large { narrow_offsets(offsets, len)? } else { checked_offsets::<i32>(offsets, len)? };
                let end = last::<i32>(&offsets);
                let mut values = self.next_buffer()?;
                if values.len() < end {
                    return Err(Error::invalid("an offset lies past the end of the values"));
                }
                values.truncate(end);
                if text {
                    check_text(offsets.numbers(), values.bytes())?;
                }
                Data::Bytes { offsets, values }
            }
            Layout::View { text } => {
                let views = self.next_buffer()?;
                let data = copy_views(&views, &self.buffers, validity.as_ref(), len)?;
                if text && let Data::Bytes { offsets, values } = &data {
                    check_text(offsets.numbers(), values.bytes())?;
                }
                data
            }
            Layout::List { large: false } => {
                let offsets = checked_offsets::<i32>(self.next_buffer()?, len)?;
                let items = self.items(last::<i32>(&offsets))?;
                Data::List { offsets, items }
            }
            Layout::List { large: true } => {
                let offsets = checked_offsets::<i64>(self.next_buffer()?, len)?;
                let items = self.items(last::<i64>(&offsets))?;
                Data::LargeList { offsets, items }
            }
            Layout::FixedList { size } => {
                let wanted = len.checked_mul(size).ok_or(Error::invalid("too few list items"))?;
                Data::FixedList { size, items: self.items(wanted)? }
            }
            Layout::Struct => {
                if self.children.iter().any(|field| field.len != len) {
                    return Err(Error::invalid("fields of a struct have different lengths"));
                }
                Data::Struct(self.children)
            }
            Layout::Dictionary { index } => {
                let values = self.children.pop().ok_or(Error::Misuse("a dictionary without values"))?;
                return dictionary(&self.next_buffer()?, index, values, validity, len);
            }
        };
        Ok(Array { len, validity, data })
    }

    fn next_buffer(&mut self) -> Result<Buffer> {
        if self.buffers.is_empty() { Err(Error::invalid("a buffer is missing")) } else { Ok(self.buffers.remove(0)) }
    }

    fn items(&mut self, wanted: usize) -> Result<Box<Array>> {
        let items = self.children.pop().ok_or(Error::Misuse("a list without items"))?;
        if items.len < wanted {
            return Err(Error::invalid("an offset lies past the end of the list items"));
        }
        Ok(Box::new(items))
    }
}

/// Bytes of an INT96 and of an INTERVAL.
const STORED_WIDTH: usize = {
    assert!(int96::WIDTH == interval::WIDTH);
    int96::WIDTH
};

const SHORT: Error = Error::invalid("fewer values than rows");
