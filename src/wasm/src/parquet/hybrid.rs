//! The hybrid of run-length encoding and bit packing, for levels, booleans and dictionary indices.

use super::unpack::unpack;
use crate::error::{Error, Result};

/// Runs of values of `width` bits, at most 32.
pub struct Hybrid<'a> {
    bytes: &'a [u8],
    width: usize,
}

/// Some values in a row.
#[derive(Clone, Copy)]
pub enum Run<'a> {
    /// `len` times the same.
    Repeated { value: u32, len: usize },
    /// `len` values, the first in the lowest bits of the first byte; what lies behind them may follow.
    Packed { bytes: &'a [u8], len: usize },
}

impl Run<'_> {
    /// Values.
    pub fn len(&self) -> usize {
        match *self {
            Run::Repeated { len, .. } | Run::Packed { len, .. } => len,
        }
    }
}

impl<'a> Hybrid<'a> {
    /// Reads runs off `bytes`. The width comes from a file.
    pub fn new(bytes: &'a [u8], width: usize) -> Result<Self> {
        if width > 32 {
            return Err(Error::invalid_at("a page has values of more than 32 bits, namely", width));
        }
        Ok(Hybrid { bytes, width })
    }

    /// The next run; an error where the bytes end.
    #[inline(always)]
    pub fn next_run(&mut self) -> Result<Run<'a>> {
        let header = self.header()?;
        let count = (header >> 1) as usize;
        if header & 1 == 0 {
            let bytes = self.take(self.width.div_ceil(8))?;
            let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
            return Ok(Run::Repeated { value, len: count });
        }
        // The last run of a page may be cut short: what is padding need not be there.
        let size = (count as u64 * self.width as u64).min(self.bytes.len() as u64) as usize;
        let len = (size * 8).checked_div(self.width).unwrap_or(count.saturating_mul(8));
        let bytes = self.bytes;
        self.take(size)?;
        Ok(Run::Packed { bytes, len })
    }

    #[inline(always)]
    fn header(&mut self) -> Result<u32> {
        // Most runs are short.
        if let Some((&byte @ 0..0x80, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            return Ok(u32::from(byte));
        }
        let mut header = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.take(1)?[0];
            header |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(header).map_err(|_| TOO_LONG);
            }
        }
        Err(TOO_LONG)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(ENDS)?;
        self.bytes = rest;
        Ok(taken)
    }
}

/// Dictionary indices, after a byte that tells their width.
pub struct Indices<'a> {
    runs: Hybrid<'a>,
    run: Run<'a>,
    /// Values of the run that have been taken.
    at: usize,
    unpacked: [u32; BATCH],
}

/// Indices that are unpacked at once: small enough to stay in the nearest cache.
const BATCH: usize = 512;

/// Some indices in a row.
pub enum IndexBatch<'a> {
    /// `len` times the same.
    Repeated { value: u32, len: usize },
    /// One after the other.
    Each(&'a [u32]),
}

impl<'a> Indices<'a> {
    /// Those of a page.
    pub fn new(values: &'a [u8]) -> Result<Self> {
        let (&width, bytes) = values.split_first().ok_or(ENDS)?;
        let runs = Hybrid::new(bytes, usize::from(width))?;
        Ok(Indices { runs, run: Run::Repeated { value: 0, len: 0 }, at: 0, unpacked: [0; BATCH] })
    }

    /// Leaves out `count` of them.
    pub fn skip(&mut self, mut count: usize) -> Result<()> {
        while count > 0 {
            let len = self.left()?.min(count);
            self.at += len;
            count -= len;
        }
        Ok(())
    }

    /// The next ones, `most` at most, which is at least 1.
    #[inline(always)]
    pub fn next_batch(&mut self, most: usize) -> Result<IndexBatch<'_>> {
        let len = self.left()?.min(most);
        match self.run {
            Run::Repeated { value, .. } => {
                self.at += len;
                Ok(IndexBatch::Repeated { value, len })
            }
            Run::Packed { bytes, .. } => {
                let out = &mut self.unpacked[..len.min(BATCH)];
                unpack(bytes, self.runs.width, self.at, out);
                self.at += out.len();
                Ok(IndexBatch::Each(out))
            }
        }
    }

    /// What is left of the run, or the length of the next one that is not empty.
    fn left(&mut self) -> Result<usize> {
        while self.at == self.run.len() {
            self.run = self.runs.next_run()?;
            self.at = 0;
        }
        Ok(self.run.len() - self.at)
    }
}

/// A page is shorter than its values.
pub const ENDS: Error = Error::invalid("a page ends before its values");
const TOO_LONG: Error = Error::invalid("a page has a run of more than 2^31 values");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_end_early_are_an_error_and_garbage_ends() {
        let mut none = Hybrid::new(&[], 1).unwrap();
        assert!(none.next_run().is_err());
        let mut endless = Hybrid::new(&[0xff; 16], 7).unwrap();
        assert!(endless.next_run().is_err());
        assert!(Hybrid::new(&[], 33).is_err());
        assert!(Indices::new(&[8, 0, 0, 0, 0]).unwrap().skip(1).is_err());
    }
}
