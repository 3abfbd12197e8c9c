//! Byte arrays one after the other, as Arrow holds them.

use super::hybrid::ENDS;
use crate::array::{Array, Data, Offset};
use crate::assemble::check_text;
use crate::buffer::{Buffer, SLACK};
use crate::copy::copy;
use crate::error::{Error, Result};
use crate::lookup::Lookup;
use crate::run::Run;

/// Byte arrays that grow in number.
pub struct ByteArrays {
    /// `i32`: where each begins, and where the last ends.
    offsets: Buffer,
    /// Behind the end of the last is room.
    bytes: Buffer,
}

impl ByteArrays {
    /// None.
    pub fn new() -> Result<Self> {
        Ok(ByteArrays { offsets: Buffer::zeroed(4)?, bytes: Buffer::empty() })
    }

    pub fn len(&self) -> usize {
        self.offsets.len() / 4 - 1
    }

    /// Bytes of the longest.
    pub fn longest(&self) -> usize {
        let offsets: &[i32] = self.offsets.numbers();
        offsets.windows(2).map(|pair| (pair[1] - pair[0]) as usize).max().unwrap_or(0)
    }

    /// Those of which rows name some by their number.
    pub fn lookup(&self) -> Lookup<'_> {
        Lookup { offsets: self.offsets.numbers(), bytes: &self.bytes.bytes()[..self.end()] }
    }

    /// Appends empty ones.
    pub fn push_empty(&mut self, count: usize) -> Result<()> {
        let end = self.end() as i32;
        self.more(count)?.fill(end);
        Ok(())
    }

    /// Appends `count` values of a plain page, from position `at` on, which moves behind them.
    pub fn push_plain(&mut self, page: &[u8], at: &mut usize, count: usize) -> Result<()> {
        // A value takes 4 bytes at least: a count that lies gets no memory.
        let rest = page.len().saturating_sub(*at);
        if count > rest / 4 {
            return Err(ENDS);
        }
        let mut end = self.end();
        let room = end.checked_add(rest).filter(|&room| i32::try_from(room).is_ok()).ok_or(Error::TooLong)?;
        self.bytes.resize(room + SLACK)?;
        let first = self.len() + 1;
        self.more(count)?;
        let bytes = self.bytes.bytes_mut();
        for slot in &mut self.offsets.numbers_mut()[first..] {
            let (from, len) = next(page, at)?;
            copy(page, from, bytes, end, len);
            end += len;
            *slot = end as i32;
        }
        Ok(())
    }

    /// Appends values of these lengths, which fill `bytes`.
    pub fn push_joined(&mut self, lengths: &[usize], bytes: &[u8]) -> Result<()> {
        let (mut end, first) = (self.end(), self.len() + 1);
        let room = end.checked_add(bytes.len()).filter(|&room| i32::try_from(room).is_ok()).ok_or(Error::TooLong)?;
        self.bytes.resize(room + SLACK)?;
        copy(bytes, 0, self.bytes.bytes_mut(), end, bytes.len());
        self.more(lengths.len())?;
        for (slot, len) in self.offsets.numbers_mut()[first..].iter_mut().zip(lengths) {
            end += len;
            *slot = end as i32;
        }
        Ok(())
    }

    /// Appends those that rows name.
    pub fn push_named(&mut self, lookup: &Lookup, numbers: &[u32]) -> Result<()> {
        let runs = [Run { start: 0, len: numbers.len() }];
        let (start, first) = (self.end(), self.len() + 1);
        self.more(numbers.len())?;
        let end = lookup.ends(numbers, &runs, start, &mut self.offsets.bytes_mut()[first * 4..])?;
        self.bytes.resize(end + SLACK)?;
        lookup.copy(numbers, &runs, end - start, &mut self.bytes.bytes_mut()[start..])
    }

    /// Takes the last one away.
    pub fn pop(&mut self) {
        self.offsets.truncate(self.offsets.len() - 4);
    }

    /// All of them, as one array; text is checked.
    pub fn finish(mut self, is_text: bool) -> Result<Array> {
        self.bytes.truncate(self.end());
        if is_text {
            check_text(self.offsets.numbers(), self.bytes.bytes())?;
        }
        let len = self.len();
        Ok(Array { len, validity: None, data: Data::Bytes { offsets: self.offsets, values: self.bytes } })
    }

    /// Where the last one ends.
    fn end(&self) -> usize {
        self.offsets.numbers::<i32>()[self.len()].position()
    }

    /// Room for the ends of more.
    fn more(&mut self, count: usize) -> Result<&mut [i32]> {
        let first = self.len() + 1;
        self.offsets.resize(first.checked_add(count).and_then(|all| all.checked_mul(4)).ok_or(Error::Memory)?)?;
        Ok(&mut self.offsets.numbers_mut()[first..])
    }
}

/// Where the value of a plain page at a position lies, and its length, which stands before it in 4 bytes; the position
/// moves behind it.
pub fn next(page: &[u8], at: &mut usize) -> Result<(usize, usize)> {
    let (len, rest) = page.get(*at..).and_then(<[u8]>::split_first_chunk::<4>).ok_or(ENDS)?;
    let len = u32::from_le_bytes(*len) as usize;
    if len > rest.len() {
        return Err(ENDS);
    }
    let from = *at + 4;
    *at = from + len;
    Ok((from, len))
}
