//! Flat values by number, appended one by one.

use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::flat::Shape;

/// Values of one shape. They become a column when all are there.
pub struct Values {
    shape: Shape,
    /// Of `Shape::Bytes`: where each value ends.
    ends: Vec<u32>,
    /// A boolean is one byte. A null of a fixed width is zeros.
    bytes: Vec<u8>,
    /// The numbers of nulls, ascending.
    nulls: Vec<u32>,
    len: usize,
}

impl Values {
    /// None yet.
    pub const fn new(shape: Shape) -> Self {
        Values { shape, ends: Vec::new(), bytes: Vec::new(), nulls: Vec::new(), len: 0 }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Appends a value of the shape, none: a null.
    pub fn push(&mut self, value: Option<&[u8]>) -> Result<()> {
        if self.len >= crate::run::MAX_ROWS {
            return Err(Error::TooLong);
        }
        match value {
            Some(value) => {
                self.bytes.try_reserve(value.len())?;
                self.bytes.extend_from_slice(value);
            }
            None => {
                self.nulls.try_reserve(1)?;
                self.nulls.push(self.len as u32);
                self.bytes.try_reserve(self.width())?;
                self.bytes.resize(self.bytes.len() + self.width(), 0);
            }
        }
        if self.shape == Shape::Bytes {
            let end = i32::try_from(self.bytes.len()).map_err(|_| Error::TooLong)?;
            self.ends.try_reserve(1)?;
            self.ends.push(end as u32);
        }
        self.len += 1;
        Ok(())
    }

    /// Appends a value of at most 64 bits.
    #[inline]
    pub fn push_word(&mut self, word: u64) -> Result<()> {
        if self.len >= crate::run::MAX_ROWS {
            return Err(Error::TooLong);
        }
        let end = self.bytes.len() + self.width();
        // All eight bytes: that is one store.
        self.bytes.try_reserve(8)?;
        self.bytes.extend_from_slice(&word.to_le_bytes());
        self.bytes.truncate(end);
        self.len += 1;
        Ok(())
    }

    /// The bytes of a value.
    #[inline]
    pub fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        if self.shape == Shape::Bytes {
            let start = if number == 0 { 0 } else { self.ends[number - 1] };
            return &self.bytes[start as usize..self.ends[number] as usize];
        }
        let width = self.width();
        &self.bytes[number * width..(number + 1) * width]
    }

    /// The values as a column.
    pub fn array(&self) -> Result<Array> {
        let data = match self.shape {
            Shape::Null => Data::Null,
            Shape::Bool => Data::Bool(Bitmap::from_fn(self.len, |row| self.bytes[row] != 0)?),
            Shape::Fixed(width) => Data::Fixed { width, values: Buffer::of(&self.bytes)? },
            Shape::Bytes => {
                let mut offsets = Buffer::zeroed((self.len + 1) * 4)?;
                offsets.numbers_mut::<u32>()[1..].copy_from_slice(&self.ends);
                Data::Bytes { offsets, values: Buffer::of(&self.bytes)? }
            }
        };
        Ok(Array { len: self.len, validity: validity_without(self.len, &self.nulls)?, data })
    }

    /// Bytes of all values.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.bytes.capacity() + (self.ends.capacity() + self.nulls.capacity()) * 4
    }

    /// Bytes of a value of a fixed width, else 0.
    pub const fn width(&self) -> usize {
        match self.shape {
            Shape::Bool => 1,
            Shape::Fixed(width) => width,
            Shape::Null | Shape::Bytes => 0,
        }
    }
}

/// A validity of `len` rows of which `nulls` are null.
fn validity_without(len: usize, nulls: &[u32]) -> Result<Option<Bitmap>> {
    if nulls.is_empty() {
        return Ok(None);
    }
    let mut words = crate::bitmap::zeroed_words(crate::bitmap::word_count(len))?;
    words.fill(u64::MAX);
    for &null in nulls {
        words[null as usize / 64] &= !(1 << (null % 64));
    }
    Ok(Some(Bitmap::from_words(words, len)))
}
