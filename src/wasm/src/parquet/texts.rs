//! Byte arrays: text and binary of any length.

use super::flat::ENDS;
use crate::array::{Array, Data};
use crate::assemble::check_text;
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// Values that rows name by their number: those of the dictionary page, then those of plain pages, one a row.
pub struct Texts {
    /// Where each value ends in `bytes`, behind a 0.
    offsets: Vec<i32>,
    bytes: Vec<u8>,
    /// Values of the dictionary page.
    in_dictionary: usize,
}

impl Texts {
    /// The values of a dictionary page, which is theirs to the end.
    pub fn new(dictionary: &[u8]) -> Result<Self> {
        let mut texts = Texts { offsets: Vec::new(), bytes: Vec::new(), in_dictionary: 0 };
        texts.offsets.try_reserve(1)?;
        texts.offsets.push(0);
        texts.bytes.try_reserve_exact(dictionary.len())?;
        let mut rest = dictionary;
        while !rest.is_empty() {
            texts.push(next(&mut rest)?)?;
        }
        texts.in_dictionary = texts.len();
        Ok(texts)
    }

    /// Values.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether some do not come from the dictionary page.
    pub fn has_plain(&self) -> bool {
        self.len() > self.in_dictionary
    }

    /// The values of the dictionary page.
    pub fn in_dictionary(&self) -> usize {
        self.in_dictionary
    }

    /// Appends `count` values of a plain page, those after the first `before`.
    pub fn push_plain(&mut self, page: &[u8], before: usize, count: usize) -> Result<()> {
        let mut rest = page;
        for _ in 0..before {
            next(&mut rest)?;
        }
        // Each value takes 4 bytes at least, so a count that lies needs no memory.
        self.offsets.try_reserve(count.min(rest.len() / 4))?;
        (0..count).try_for_each(|_| self.push(next(&mut rest)?))
    }

    fn push(&mut self, value: &[u8]) -> Result<()> {
        self.bytes.try_reserve(value.len())?;
        self.bytes.extend_from_slice(value);
        let end = i32::try_from(self.bytes.len()).map_err(|_| Error::TooLong)?;
        self.offsets.try_reserve(1)?;
        self.offsets.push(end);
        Ok(())
    }

    /// The values as an array, an empty one if there are none: null rows name a value too.
    pub fn finish(mut self, is_text: bool) -> Result<Array> {
        if self.len() == 0 {
            self.push(&[])?;
        }
        if is_text {
            check_text(&self.offsets, &self.bytes)?;
        }
        let data = Data::Bytes { offsets: Buffer::of(&self.offsets)?, values: Buffer::of(&self.bytes)? };
        Ok(Array { len: self.len(), validity: None, data })
    }
}

/// Takes the next value off a page: its length in 4 bytes, little endian, and its bytes.
fn next<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8]> {
    let (len, tail) = rest.split_first_chunk::<4>().ok_or(ENDS)?;
    let (value, tail) = tail.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(ENDS)?;
    *rest = tail;
    Ok(value)
}
