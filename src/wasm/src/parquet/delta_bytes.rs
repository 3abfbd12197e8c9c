//! Byte arrays with their lengths apart: DELTA_LENGTH_BYTE_ARRAY, and DELTA_BYTE_ARRAY, whose values begin like the ones
//! before them.

use super::byte_arrays::ByteArrays;
use super::delta::Deltas;
use super::hybrid::ENDS;
use crate::error::{Error, Result};

/// DELTA_LENGTH_BYTE_ARRAY: all lengths, then all bytes.
pub struct Lengths<'a> {
    lengths: Deltas<'a>,
    bytes: &'a [u8],
}

/// Lengths at a time.
const BATCH: usize = 256;

impl<'a> Lengths<'a> {
    /// Those of a page.
    pub fn new(page: &'a [u8]) -> Result<Self> {
        Ok(Lengths { lengths: Deltas::new(page)?, bytes: Deltas::new(page)?.rest()? })
    }

    /// Leaves out `count` values.
    pub fn skip(&mut self, count: usize) -> Result<()> {
        self.each(count, |_, _| Ok(()))
    }

    /// Appends `count` values.
    pub fn push(&mut self, count: usize, to: &mut ByteArrays) -> Result<()> {
        self.each(count, |lengths, bytes| to.push_joined(lengths, bytes))
    }

    fn each(&mut self, count: usize, mut take: impl FnMut(&[usize], &[u8]) -> Result<()>) -> Result<()> {
        let mut batch = [0; BATCH];
        for at in (0..count).step_by(BATCH) {
            let batch = &mut batch[..(count - at).min(BATCH)];
            self.lengths.fill(batch, length)?;
            let size = batch.iter().try_fold(0usize, |sum, &len| sum.checked_add(len)).ok_or(ENDS)?;
            let (bytes, rest) = self.bytes.split_at_checked(size).ok_or(ENDS)?;
            self.bytes = rest;
            take(batch, bytes)?;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<&'a [u8]> {
        let mut len = [0];
        self.lengths.fill(&mut len, length)?;
        let (bytes, rest) = self.bytes.split_at_checked(len[0]).ok_or(ENDS)?;
        self.bytes = rest;
        Ok(bytes)
    }
}

/// DELTA_BYTE_ARRAY: how many bytes each value has in common with the one before, and what follows them.
pub struct Prefixed<'a> {
    prefixes: Deltas<'a>,
    suffixes: Lengths<'a>,
    last: Vec<u8>,
}

impl<'a> Prefixed<'a> {
    /// Those of a page.
    pub fn new(page: &'a [u8]) -> Result<Self> {
        let suffixes = Lengths::new(Deltas::new(page)?.rest()?)?;
        Ok(Prefixed { prefixes: Deltas::new(page)?, suffixes, last: Vec::new() })
    }

    /// The next value.
    pub fn next(&mut self) -> Result<&[u8]> {
        let mut prefix = [0];
        self.prefixes.fill(&mut prefix, length)?;
        let suffix = self.suffixes.next()?;
        if prefix[0] > self.last.len() {
            return Err(Error::invalid("a value of a page begins like one that is shorter"));
        }
        self.last.truncate(prefix[0]);
        self.last.try_reserve(suffix.len())?;
        self.last.extend_from_slice(suffix);
        Ok(&self.last)
    }

    /// Leaves out `count` values.
    pub fn skip(&mut self, count: usize) -> Result<()> {
        (0..count).try_for_each(|_| self.next().map(|_| ()))
    }

    /// Appends `count` values.
    pub fn push(&mut self, count: usize, to: &mut ByteArrays) -> Result<()> {
        (0..count).try_for_each(|_| {
            let value = self.next()?;
            to.push_joined(&[value.len()], value)
        })
    }
}

/// Lengths are of 32 bits; a negative one is longer than any page.
fn length(value: u64) -> usize {
    value as u32 as usize
}
