//! Values of 4 or 8 bytes.

use super::flat::{BEYOND, Encoding, Stretch};
use super::hybrid::{ENDS, read_indices};
use crate::array::Data;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};

/// The rows of a column.
pub struct Numbers {
    width: usize,
    rows: Buffer,
    dictionary: Buffer,
}

impl Numbers {
    /// Room for rows of `width` bytes.
    pub fn new(rows: usize, width: usize) -> Result<Self> {
        let rows = Buffer::zeroed(rows.checked_mul(width).ok_or(Error::Memory)?)?;
        Ok(Numbers { width, rows, dictionary: Buffer::empty() })
    }

    /// Takes the dictionary's page, before any rows.
    pub fn take_dictionary(&mut self, page: Buffer) {
        self.dictionary = page;
    }

    /// Rows to be written by the caller.
    pub fn rows(&mut self, start: usize, end: usize) -> &mut [u8] {
        &mut self.rows.bytes_mut()[start * self.width..end * self.width]
    }

    /// Appends rows of a page.
    pub fn append(&mut self, stretch: Stretch) -> Result<()> {
        match (stretch.encoding, self.width) {
            (Encoding::Plain, _) => self.append_plain(stretch),
            (Encoding::Dictionary, 4) => self.append_indices::<u32>(stretch),
            (Encoding::Dictionary, _) => self.append_indices::<u64>(stretch),
        }
    }

    /// The rows.
    pub fn finish(self) -> Data {
        Data::Fixed { width: self.width, values: self.rows }
    }

    fn append_plain(&mut self, Stretch { bytes, before, runs, .. }: Stretch) -> Result<()> {
        let width = self.width;
        // Rows that the page only claims may lie beyond any address.
        let mut from = before.checked_mul(width).ok_or(ENDS)?;
        for (row, len) in runs {
            let source = bytes.get(from..).and_then(|rest| rest.get(..len * width)).ok_or(ENDS)?;
            self.rows(row, row + len).copy_from_slice(source);
            from += len * width;
        }
        Ok(())
    }

    fn append_indices<T: Number>(&mut self, stretch: Stretch) -> Result<()> {
        let Stretch { bytes, before, wanted, runs, .. } = stretch;
        if wanted == 0 {
            return Ok(());
        }
        let indices = read_indices(bytes, before + wanted)?;
        let dictionary = self.dictionary.numbers::<T>();
        let out = self.rows.numbers_mut::<T>();
        let mut next = before;
        for (row, len) in runs {
            for (out, &index) in out[row..row + len].iter_mut().zip(&indices[next..next + len]) {
                *out = *dictionary.get(index as usize).ok_or(BEYOND)?;
            }
            next += len;
        }
        Ok(())
    }
}
