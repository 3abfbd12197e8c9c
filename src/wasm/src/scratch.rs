//! Bytes on their way out.

use crate::buffer::SLACK;
use crate::error::{Error, Result};
use std::ops::Range;

/// Memory that is used again for every batch: only the first batch of a size pays for clearing it.
#[derive(Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    used: usize,
}

impl Scratch {
    /// Nothing used, all memory kept.
    pub const fn new() -> Self {
        Scratch { bytes: Vec::new(), used: 0 }
    }

    /// Bytes written.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// What has been written.
    pub fn written(&self) -> &[u8] {
        &self.bytes[..self.used]
    }

    /// What has been written.
    pub fn written_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.used]
    }

    /// Forgets what was written past `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.used = self.used.min(len);
    }

    /// Forgets what was written, and memory beyond `keep` bytes.
    pub fn clear(&mut self, keep: usize) {
        self.used = 0;
        if self.bytes.len() > keep {
            self.bytes = Vec::new();
        }
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.bytes.capacity()
    }

    /// The next `len` bytes and [`SLACK`] more, with whatever they hold. [`Scratch::commit`] makes them written.
    #[inline]
    pub fn space(&mut self, len: usize) -> Result<&mut [u8]> {
        let end = self.used.checked_add(len).and_then(|end| end.checked_add(SLACK)).ok_or(Error::Memory)?;
        if end > self.bytes.len() {
            self.grow(end)?;
        }
        Ok(&mut self.bytes[self.used..end])
    }

    /// Apart from `space`, which is short without it and is inlined wherever a few bytes are written.
    #[cold]
    fn grow(&mut self, end: usize) -> Result<()> {
        let more = end - self.bytes.len();
        // Twice as much at a time if there is room, else what is needed.
        self.bytes.try_reserve(more).or_else(|_| self.bytes.try_reserve_exact(more))?;
        self.bytes.resize(end, 0);
        Ok(())
    }

    /// Takes the next `len` bytes as written.
    pub fn commit(&mut self, len: usize) {
        self.used += len;
        debug_assert!(self.used <= self.bytes.len());
    }

    /// Zeroes up to the next multiple of 8.
    pub fn pad(&mut self) {
        let end = self.used.next_multiple_of(8);
        // There is room: every `space` leaves SLACK bytes.
        self.bytes[self.used..end].fill(0);
        self.used = end;
    }

    /// Appends bytes that have been written before.
    #[inline]
    pub fn repeat(&mut self, written: Range<usize>) -> Result<()> {
        let (len, end) = (written.len(), self.used);
        self.space(len)?;
        self.commit(len);
        self.bytes.copy_within(written, end);
        Ok(())
    }

    /// Appends bytes.
    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) -> Result<()> {
        self.space(bytes.len())?[..bytes.len()].copy_from_slice(bytes);
        self.commit(bytes.len());
        Ok(())
    }
}
