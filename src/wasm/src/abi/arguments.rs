//! Memory for what the host writes before a call.

use crate::error::Result;
use std::ops::Deref;

/// Bytes that begin with a line of the processor's cache. The host reads files into them, and the system copies pages to bytes that begin 1 to 31
/// bytes further in their page three times as slowly (AMD EPYC, docs/measurements.md).
#[derive(Default)]
pub struct Arguments {
    lines: Vec<Line>,
    len: usize,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; LINE]);

const LINE: usize = 64;

impl Arguments {
    /// No bytes, no memory.
    pub const fn new() -> Self {
        Arguments { lines: Vec::new(), len: 0 }
    }

    /// Room for `len` bytes, which holds anything.
    pub fn room(&mut self, len: usize) -> Result<&mut [u8]> {
        let lines = len.div_ceil(LINE);
        self.len = 0;
        if self.lines.capacity() < lines {
            // Nothing in it is needed, so it need not be copied.
            self.lines.clear();
            self.lines.try_reserve_exact(lines)?;
        }
        if cfg!(target_arch = "wasm32") {
            // SAFETY: there is capacity, and in the linear memory of WebAssembly, where the host writes them, no byte is uninitialised.
            unsafe { self.lines.set_len(lines) };
        } else {
            self.lines.resize(lines, Line([0; LINE]));
        }
        self.len = len;
        // SAFETY: the lines have no padding, and at least as many bytes.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), len) })
    }

    /// Forgets the bytes, and memory beyond `keep` bytes.
    pub fn clear(&mut self, keep: usize) {
        self.len = 0;
        if self.lines.capacity() * LINE > keep {
            self.lines = Vec::new();
        }
    }
}

impl Deref for Arguments {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}
