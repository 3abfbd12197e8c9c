//! Byte arrays of any length, text or binary.

use super::byte_arrays::{ByteArrays, next};
use super::flat::{BEYOND, Encoding, Stretch, read_indices};
use crate::array::Data;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use std::rc::Rc;

/// The rows of a column: numbers of values as long as all pages refer to the dictionary, from the first plain page on
/// the byte arrays themselves.
pub struct Texts {
    rows: usize,
    is_text: bool,
    /// Its values and an empty one, which is that of null rows.
    dictionary: ByteArrays,
    /// 32 bits a row, once there is one that refers to the dictionary.
    numbers: Buffer,
    plain: Option<ByteArrays>,
}

impl Texts {
    /// Text is checked.
    pub fn new(rows: usize, is_text: bool) -> Result<Self> {
        let mut texts = Texts { rows, is_text, dictionary: ByteArrays::new()?, numbers: Buffer::empty(), plain: None };
        texts.read_dictionary(&[], 0)?;
        Ok(texts)
    }

    /// Takes the dictionary off its page, before any rows.
    pub fn read_dictionary(&mut self, page: &[u8], values: usize) -> Result<()> {
        self.dictionary = ByteArrays::new()?;
        self.dictionary.push_plain(page, &mut 0, values)?;
        self.dictionary.push_empty(1)
    }

    /// Appends rows of a page.
    pub fn append(&mut self, stretch: Stretch) -> Result<()> {
        match stretch.encoding {
            Encoding::Plain => self.append_plain(stretch),
            Encoding::Dictionary => self.append_numbers(stretch),
        }
    }

    /// The rows; a dictionary if no page was plain.
    pub fn finish(mut self, has_nulls: bool) -> Result<Data> {
        if let Some(plain) = self.plain {
            return Ok(plain.finish(self.is_text)?.data);
        }
        self.numbers()?;
        if !has_nulls && self.rows > 0 {
            self.dictionary.pop();
        }
        // A small page may repeat a long value any number of times.
        let bytes = self.dictionary.lookup().len_of(self.numbers.numbers());
        i32::try_from(bytes).map_err(|_| Error::TooLong)?;
        let values = Rc::new(self.dictionary.finish(self.is_text)?);
        Ok(Data::Dictionary { indices: self.numbers, values })
    }

    fn append_plain(&mut self, Stretch { bytes, before, start, take, runs, .. }: Stretch) -> Result<()> {
        let plain = match &mut self.plain {
            Some(plain) => plain,
            None => {
                let mut rows = ByteArrays::new()?;
                rows.push_named(&self.dictionary.lookup(), &self.numbers.numbers()[..start])?;
                self.plain.insert(rows)
            }
        };
        let mut at = 0;
        for _ in 0..before {
            next(bytes, &mut at)?;
        }
        for (row, len) in runs {
            plain.push_empty(row - plain.len())?;
            plain.push_plain(bytes, &mut at, len)?;
        }
        plain.push_empty(start + take - plain.len())
    }

    fn append_numbers(&mut self, Stretch { bytes, before, wanted, start, take, runs, .. }: Stretch) -> Result<()> {
        let read = if wanted > 0 { read_indices(bytes, before + wanted)? } else { Vec::new() };
        let mut read = read.get(before..).unwrap_or_default();
        let values = self.dictionary.len() - 1;
        if read.iter().max().is_some_and(|&most| most as usize >= values) {
            return Err(BEYOND);
        }
        let numbers = self.numbers()?;
        for (row, len) in runs {
            let (own, rest) = read.split_at(len);
            numbers[row..row + len].copy_from_slice(own);
            read = rest;
        }
        match &mut self.plain {
            Some(plain) => plain.push_named(&self.dictionary.lookup(), &self.numbers.numbers()[start..start + take]),
            None => Ok(()),
        }
    }

    /// The numbers of all rows.
    fn numbers(&mut self) -> Result<&mut [u32]> {
        if self.numbers.is_empty() {
            self.numbers = Buffer::zeroed(self.rows.checked_mul(4).ok_or(Error::Memory)?)?;
            self.numbers.numbers_mut().fill(self.dictionary.len() as u32 - 1);
        }
        Ok(self.numbers.numbers_mut())
    }
}
