//! Blocks of rows: 32-bit numbers, one column after the other, and then of each variable the values and a bit for each row that
//! is set where it is not null. Each of them is padded to 8 bytes, so that the number of rows tells where everything is.

use crate::bitmap::word_count;
use crate::error::{Error, Result};
use crate::scratch::Scratch;

/// A block, from its beginning.
pub struct Reader<'a> {
    rest: &'a [u8],
    rows: usize,
}

/// The values of a variable.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub values: &'a [u8],
    /// Words of 64 rows.
    pub valid: &'a [[u8; 8]],
}

impl<'a> Reader<'a> {
    /// Of a block of so many rows.
    pub fn new(bytes: &'a [u8], rows: usize) -> Self {
        Reader { rest: bytes, rows }
    }

    /// The next column of numbers.
    pub fn numbers(&mut self) -> Result<&'a [[u8; 4]]> {
        Ok(self.take(self.rows, 4)?.as_chunks().0)
    }

    /// The next variable, of values of so many bytes.
    pub fn values(&mut self, width: usize) -> Result<Values<'a>> {
        let values = self.take(self.rows, width)?;
        let valid = self.take(word_count(self.rows), 8)?.as_chunks().0;
        Ok(Values { values, valid })
    }

    fn take(&mut self, count: usize, width: usize) -> Result<&'a [u8]> {
        let len = count.checked_mul(width).ok_or(TOO_SHORT)?;
        let (taken, rest) = self.rest.split_at_checked(len.next_multiple_of(8)).ok_or(TOO_SHORT)?;
        self.rest = rest;
        Ok(&taken[..len])
    }
}

impl Values<'_> {
    /// The bits of the rows `64 × word` and following.
    #[inline(always)]
    pub fn word(&self, word: usize) -> u64 {
        u64::from_le_bytes(self.valid[word])
    }

    /// Whether a row is not null.
    #[inline(always)]
    pub fn is_valid(&self, row: usize) -> bool {
        self.word(row / 64) >> (row % 64) & 1 == 1
    }
}

/// Appends items and what pads them.
pub fn write<const W: usize>(out: &mut Scratch, items: impl ExactSizeIterator<Item = [u8; W]>) -> Result<()> {
    let len = items.len() * W;
    for (to, item) in out.space(len)?[..len].as_chunks_mut::<W>().0.iter_mut().zip(items) {
        *to = item;
    }
    out.commit(len);
    out.pad();
    Ok(())
}

/// Runs an expression with the constant `$w`, the bytes of a value of a variable.
macro_rules! by_width {
    ($width:expr, $w:ident => $body:expr) => {
        match $width {
            1 => {
                const $w: usize = 1;
                $body
            }
            2 => {
                const $w: usize = 2;
                $body
            }
            4 => {
                const $w: usize = 4;
                $body
            }
            _ => {
                const $w: usize = 8;
                $body
            }
        }
    };
}
pub(super) use by_width;

const TOO_SHORT: Error = Error::Misuse("a block that is shorter than its rows");
