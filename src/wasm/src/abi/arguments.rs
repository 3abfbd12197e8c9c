//! Memory for what the host writes before a call.

use crate::buffer::Buffer;
use crate::error::{Error, Result};
use std::ops::Deref;

/// Bytes that begin with a line of the processor's cache. The host reads files into them, and the system copies pages to bytes that begin 1 to 31
/// bytes further in their page three times as slowly (AMD EPYC, docs/measurements.md).
#[derive(Default)]
pub struct Arguments {
    memory: Buffer,
    start: usize,
    len: usize,
}

const LINE: usize = 64;

impl Arguments {
    /// No bytes, no memory.
    pub const fn new() -> Self {
        Arguments { memory: Buffer::empty(), start: 0, len: 0 }
    }

    /// Room for `len` bytes, which holds anything.
    pub fn room(&mut self, len: usize) -> Result<&mut [u8]> {
        let most = len.checked_add(LINE).ok_or(Error::Memory)?;
        if most > self.memory.len() {
            // Nothing in it is needed, so it need not be copied.
            *self = Arguments::new();
            self.memory.resize_unwritten(most)?;
        }
        self.start = (self.memory.bytes().as_ptr() as usize).wrapping_neg() % LINE;
        self.len = len;
        Ok(&mut self.memory.bytes_mut()[self.start..][..len])
    }

    /// Forgets the bytes, and memory beyond `keep` bytes.
    pub fn clear(&mut self, keep: usize) {
        self.len = 0;
        if self.memory.len() > keep {
            *self = Arguments::new();
        }
    }
}

impl Deref for Arguments {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory.bytes()[self.start..][..self.len]
    }
}
