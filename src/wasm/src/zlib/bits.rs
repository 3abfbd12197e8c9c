//! The bits of a stream, the lowest of each byte first.

use super::SHORT;
use crate::error::Result;

/// Bits on their way in. Behind the end of the stream come zeros; [`Bits::check`] tells whether they were taken.
pub struct Bits<'a> {
    input: &'a [u8],
    /// Where the next byte is.
    at: usize,
    /// Bits of the bytes before, the next one the lowest. Above `count` there may be bits of the bytes to come.
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    pub const fn new(input: &'a [u8]) -> Self {
        Bits { input, at: 0, held: 0, count: 0 }
    }

    /// At least the next 56 bits.
    #[inline(always)]
    pub fn peek(&mut self) -> u64 {
        match self.input.get(self.at..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(next) => {
                self.held |= u64::from_le_bytes(*next) << self.count;
                self.at += (63 - self.count as usize) / 8;
                self.count |= 56;
            }
            None => self.refill_slowly(),
        }
        self.held
    }

    #[cold]
    fn refill_slowly(&mut self) {
        while self.count < 56 {
            self.held |= u64::from(self.input.get(self.at).copied().unwrap_or(0)) << self.count;
            self.at += 1;
            self.count += 8;
        }
    }

    /// What is left of the bits that were peeked at.
    #[inline(always)]
    pub const fn held(&self) -> u64 {
        self.held
    }

    /// Passes over bits that were peeked at.
    #[inline(always)]
    pub const fn skip(&mut self, count: u32) {
        self.held >>= count;
        self.count = self.count.wrapping_sub(count);
    }

    /// Passes over a code that was peeked at, and the extra bits behind it, whose value it returns.
    #[inline(always)]
    pub const fn extra(&mut self, entry: u32) -> u32 {
        let (all, code) = (entry & 0xff, entry >> 8 & 0x1f);
        let extra = (self.held & ((1 << all) - 1)) >> code;
        self.skip(all);
        extra as u32
    }

    /// The next bits, 16 at most.
    pub fn take(&mut self, count: u32) -> u32 {
        let bits = self.peek() & ((1 << count) - 1);
        self.skip(count);
        bits as u32
    }

    /// An error if bits behind the end were taken.
    pub fn check(&self) -> Result<()> {
        if self.at - self.count as usize / 8 > self.input.len() { Err(SHORT) } else { Ok(()) }
    }

    /// The bytes behind the one that is being read.
    pub fn rest(&self) -> Result<&'a [u8]> {
        self.input.get(self.at - self.count as usize / 8..).ok_or(SHORT)
    }
}
