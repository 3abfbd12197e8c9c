//! Texts that an instruction makes of a block.

use super::kind::BLOCK_ROWS;
use crate::error::{Error, Result};

/// The most bytes that the texts of a block take. More than 32 KB a row is no column that anybody reads.
const MOST_BYTES: usize = 64 << 20;

/// The most bytes whose room is kept for the next block.
const KEPT_BYTES: usize = 256 << 10;

/// Texts of a block, one after the other.
#[derive(Default)]
pub struct Texts {
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Texts {
    /// Forgets all texts.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.bytes.clear();
    }

    /// Frees the room of long texts.
    pub fn shrink(&mut self) {
        if self.bytes.capacity() > KEPT_BYTES {
            *self = Texts::default();
        }
    }

    /// A text by its number. Nothing where there is none.
    pub fn get(&self, number: usize) -> &[u8] {
        let start = match number.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or(u32::MAX),
            None => 0,
        };
        let end = self.ends.get(number).copied().unwrap_or_default();
        self.bytes.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Adds bytes to the text that is being made.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        if self.bytes.len() + bytes.len() > MOST_BYTES {
            return Err(Error::Memory);
        }
        self.bytes.try_reserve(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Adds bytes of a text as `change` makes them.
    pub fn push_mapped(&mut self, bytes: &[u8], change: impl Fn(u8) -> u8) -> Result<()> {
        let start = self.bytes.len();
        self.push(bytes)?;
        self.bytes[start..].iter_mut().for_each(|byte| *byte = change(*byte));
        Ok(())
    }

    /// Ends the text that is being made. Returns its number.
    pub fn end(&mut self) -> Result<u32> {
        self.ends.try_reserve(BLOCK_ROWS)?;
        self.ends.push(self.bytes.len() as u32);
        Ok((self.ends.len() - 1) as u32)
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 4
    }
}
