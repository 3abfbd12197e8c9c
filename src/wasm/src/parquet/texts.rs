//! Byte arrays of any length, text or binary.

use super::byte_arrays::{ByteArrays, next};
use super::flat::{BEYOND, Encoding, Stretch};
use super::hybrid::read_indices;
use crate::array::Data;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use std::rc::Rc;

/// Of a column, were it not a dictionary: what offsets can address.
const MAX_BYTES: u64 = i32::MAX as u64;

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
    /// Whether rows without a value, beside null ones, are the empty value.
    has_gaps: bool,
}

impl Texts {
    /// Text is checked.
    pub fn new(rows: usize, is_text: bool) -> Result<Self> {
        let mut texts = Texts {
            rows,
            is_text,
            dictionary: ByteArrays::new()?,
            numbers: Buffer::empty(),
            plain: None,
            has_gaps: false,
        };
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

    /// Appends rows that nobody looks at.
    pub fn skip(&mut self, start: usize, rows: usize) -> Result<()> {
        if let Some(plain) = &mut self.plain {
            return plain.push_empty(rows);
        }
        self.has_gaps = true;
        let empty = self.dictionary.len() as u32 - 1;
        self.numbers()?[start..start + rows].fill(empty);
        Ok(())
    }

    /// The rows; a dictionary if no page was plain.
    pub fn finish(mut self, has_nulls: bool) -> Result<Data> {
        if let Some(plain) = self.plain {
            return Ok(plain.finish(self.is_text)?.data);
        }
        self.numbers()?;
        if !has_nulls && !self.has_gaps && self.rows > 0 {
            self.dictionary.pop();
        }
        // A small page may repeat a long value any number of times.
        let most = self.dictionary.longest() as u64 * self.rows as u64;
        if most > MAX_BYTES && self.dictionary.lookup().len_of(self.numbers.numbers()) > MAX_BYTES {
            return Err(Error::TooLong);
        }
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
        if wanted > 0 && read.iter().copied().fold(0, u32::max) as usize >= values {
            return Err(BEYOND);
        }
        let numbers = self.numbers()?;
        let mut at = start;
        for (row, len) in runs {
            let (own, rest) = read.split_at(len);
            numbers[at..row].fill(values as u32);
            numbers[row..row + len].copy_from_slice(own);
            (at, read) = (row + len, rest);
        }
        numbers[at..start + take].fill(values as u32);
        match &mut self.plain {
            Some(plain) => plain.push_named(&self.dictionary.lookup(), &self.numbers.numbers()[start..start + take]),
            None => Ok(()),
        }
    }

    /// The numbers of all rows.
    fn numbers(&mut self) -> Result<&mut [u32]> {
        if self.numbers.is_empty() {
            self.numbers = Buffer::zeroed(self.rows.checked_mul(4).ok_or(Error::Memory)?)?;
        }
        Ok(self.numbers.numbers_mut())
    }
}
