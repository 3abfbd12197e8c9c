//! Values of one bit.

use super::hybrid::ENDS;
use super::page::{Encoding, NOT_KNOWN, Stretch};
use super::presence::Presence;
use crate::array::Data;
use crate::bitmap::{Bitmap, word_count, zeroed_words};
use crate::error::Result;

/// The rows of a column.
pub struct Booleans {
    rows: usize,
    words: Vec<u64>,
}

impl Booleans {
    /// Room for rows.
    pub fn new(rows: usize) -> Result<Self> {
        Ok(Booleans { rows, words: zeroed_words(word_count(rows))? })
    }

    /// Appends rows of a page.
    pub fn append(&mut self, stretch: &Stretch) -> Result<()> {
        let Stretch { encoding, bytes, before, wanted, start, rows } = *stretch;
        let count = before + wanted;
        let values = match encoding {
            Encoding::Plain => Presence::packed(bytes.get(..count.div_ceil(8)).ok_or(ENDS)?, count)?,
            Encoding::Runs => {
                let (len, rest) = bytes.split_first_chunk().ok_or(ENDS)?;
                Presence::read(rest.get(..u32::from_le_bytes(*len) as usize).ok_or(ENDS)?, count)?
            }
            _ => return Err(NOT_KNOWN),
        };
        rows.spread_bits(&values, before, &mut self.words, start);
        Ok(())
    }

    /// The rows.
    pub fn finish(self) -> Data {
        Data::Bool(Bitmap::from_words(self.words, self.rows))
    }
}
