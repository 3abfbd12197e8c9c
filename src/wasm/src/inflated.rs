//! What was inflated last, in memory that an array can take over.

use crate::buffer::{Buffer, SLACK};
use crate::error::{Error, Result};

/// The most memory behind its bytes that an array takes over.
const MOST_SPARE: usize = 64 << 10;

/// Bytes, and memory that is used again for the next ones.
#[derive(Default)]
pub struct Inflated {
    memory: Buffer,
    len: usize,
}

impl Inflated {
    /// No bytes, no memory.
    pub const fn new() -> Self {
        Inflated { memory: Buffer::empty(), len: 0 }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.memory.bytes()[..self.len]
    }

    /// The bytes.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory.bytes_mut()[..self.len]
    }

    /// How many bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets the bytes, and memory beyond `keep` bytes.
    pub fn clear(&mut self, keep: usize) {
        self.len = 0;
        if self.memory.len() > keep {
            self.memory = Buffer::empty();
        }
    }

    /// Room for `len` bytes and [`SLACK`] more, with whatever they hold. [`Inflated::commit`] makes them the bytes.
    pub fn room(&mut self, len: usize) -> Result<&mut [u8]> {
        self.len = 0;
        let end = len.checked_add(SLACK).ok_or(Error::Memory)?;
        if end > self.memory.len() {
            // Nothing in it is needed, so it need not be copied.
            self.memory = Buffer::empty();
            self.memory.resize_unwritten(end)?;
        }
        Ok(&mut self.memory.bytes_mut()[..end])
    }

    /// Takes the first `len` bytes of the room as the bytes.
    pub fn commit(&mut self, len: usize) {
        self.len = len.min(self.memory.len());
    }

    /// Hands the first `len` bytes over with their memory, or as a copy if they are a small part of it. None: there are fewer.
    pub fn take(&mut self, len: usize) -> Result<Option<Buffer>> {
        if len > self.len {
            return Ok(None);
        }
        if self.memory.allocated() - len > MOST_SPARE {
            return Buffer::of(&self.bytes()[..len]).map(Some);
        }
        let mut bytes = std::mem::take(self).memory;
        bytes.truncate(len);
        Ok(Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_handed_over_once() {
        let mut inflated = Inflated::new();
        inflated.room(100).unwrap()[..3].copy_from_slice(&[1, 2, 3]);
        inflated.commit(3);
        assert!(inflated.take(4).unwrap().is_none());
        assert_eq!(inflated.take(2).unwrap().unwrap().bytes(), [1, 2]);
        assert!(inflated.take(1).unwrap().is_none());
        assert!(inflated.bytes().is_empty());
    }

    #[test]
    fn a_small_part_is_copied() {
        let mut inflated = Inflated::new();
        inflated.room(1 << 20).unwrap()[..2].copy_from_slice(&[7, 8]);
        inflated.commit(2);
        let taken = inflated.take(2).unwrap().unwrap();
        assert_eq!((taken.bytes(), taken.allocated()), (&[7, 8][..], 16));
        assert_eq!(inflated.bytes(), [7, 8]);
    }

    #[test]
    fn memory_is_used_again() {
        let mut inflated = Inflated::new();
        let place = inflated.room(1000).unwrap().as_ptr();
        inflated.commit(1000);
        inflated.clear(2000);
        assert_eq!(inflated.room(500).unwrap().as_ptr(), place);
        assert!(inflated.is_empty());
        inflated.clear(10);
        assert_eq!(inflated.bytes().len(), 0);
    }
}
