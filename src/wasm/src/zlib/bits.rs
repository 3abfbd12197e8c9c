//! The bits of a stream, the lowest of each byte first.

use super::SHORT;
use crate::error::Result;

/// Bits on their way in. Behind the end of the stream come zeros; [`Bits::check`] tells whether they were taken.
#[derive(Clone, Copy)]
pub struct Bits<'a> {
    input: &'a [u8],
    /// The last bytes of the input, from the first one that is not held as a whole.
    behind: &'a [u8],
    /// Bits of the bytes before, the next one the lowest. Above `count` there may be bits of the bytes to come.
    held: u64,
    /// How many, in the lowest 6 bits. The bits above mean nothing.
    count: u32,
    /// Bytes behind the end of the stream that are held.
    missing: u32,
}

impl<'a> Bits<'a> {
    pub const fn new(input: &'a [u8]) -> Self {
        Bits { input, behind: input, held: 0, count: 0, missing: 0 }
    }

    /// Takes in bytes, so that at least 56 bits are held.
    #[inline(always)]
    pub fn refill(&mut self) {
        if !self.refill_inside() {
            // By value, so that the bits can be in registers elsewhere.
            *self = self.refilled_at_end();
        }
    }

    /// The same unless the end of the stream is near.
    #[inline(always)]
    pub fn refill_inside(&mut self) -> bool {
        let Some(next) = self.behind.first_chunk::<8>() else { return false };
        self.held |= u64::from_le_bytes(*next) << (self.count & 63);
        self.behind = &self.behind[(!self.count >> 3 & 7) as usize..];
        self.count |= 56;
        true
    }

    #[cold]
    #[inline(never)]
    fn refilled_at_end(mut self) -> Self {
        self.count &= 63;
        while self.count < 56 {
            match self.behind {
                [byte, behind @ ..] => {
                    self.held |= u64::from(*byte) << self.count;
                    self.behind = behind;
                }
                [] => self.missing += 1,
            }
            self.count += 8;
        }
        self
    }

    /// The bits that are held.
    #[inline(always)]
    pub const fn held(&self) -> u64 {
        self.held
    }

    /// Passes over bits that are held. How many is in the lowest 6 bits of `count`, and the bits above mean nothing.
    #[inline(always)]
    pub const fn skip(&mut self, count: u32) {
        self.held >>= count & 63;
        self.count = self.count.wrapping_sub(count);
    }

    /// The next bits, 16 at most.
    pub fn take(&mut self, count: u32) -> u32 {
        self.refill();
        let bits = self.held & ((1 << count) - 1);
        self.skip(count);
        bits as u32
    }

    /// An error if bits behind the end were taken.
    pub fn check(&self) -> Result<()> {
        self.unread().map(|_| ())
    }

    /// The bytes behind the one that is being read.
    pub fn rest(&self) -> Result<&'a [u8]> {
        let unread = self.unread()?;
        Ok(&self.input[self.input.len() - self.behind.len() - unread..])
    }

    /// The whole bytes of the stream that are held.
    fn unread(&self) -> Result<usize> {
        ((self.count & 63) / 8).checked_sub(self.missing).map(|bytes| bytes as usize).ok_or(SHORT)
    }
}
