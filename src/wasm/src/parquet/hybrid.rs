//! The hybrid of run-length encoding and bit packing, for levels and dictionary indices.

use crate::bitmap::low_bits;
use crate::error::{Error, Result};

/// Runs of values of `width` bits, at most 32.
pub struct Hybrid<'a> {
    bytes: &'a [u8],
    width: usize,
}

/// Some values in a row.
pub enum Run<'a> {
    /// `len` times the same.
    Repeated { value: u32, len: usize },
    /// `len` values, the first in the lowest bits of the first byte.
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
        Ok(Run::Packed { bytes: self.take(size)?, len })
    }

    fn header(&mut self) -> Result<u32> {
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

/// `count` indices, after a byte that tells their width.
pub fn read_indices(values: &[u8], count: usize) -> Result<Vec<u32>> {
    let (&width, bytes) = values.split_first().ok_or(ENDS)?;
    let width = usize::from(width);
    let mut runs = Hybrid::new(bytes, width)?;
    let mut indices = Vec::new();
    indices.try_reserve_exact(count)?;
    while indices.len() < count {
        let run = runs.next_run()?;
        let len = run.len().min(count - indices.len());
        match run {
            Run::Repeated { value, .. } => indices.resize(indices.len() + len, value),
            Run::Packed { bytes, .. } => unpack(bytes, width, len, &mut indices),
        }
    }
    Ok(indices)
}

/// Appends `len` packed values to `out`, which has room for them. Values that the bytes do not reach are 0.
fn unpack(bytes: &[u8], width: usize, len: usize, out: &mut Vec<u32>) {
    let mask = low_bits(width) as u32;
    let start = out.len();
    out.resize(start + len, 0);
    let out = &mut out[start..];
    if (1..=8).contains(&width) {
        // Eight values fill `width` bytes.
        for (i, out) in out.chunks_mut(8).enumerate() {
            let mut word = word_of(bytes.get(i * width..).unwrap_or_default());
            for out in out {
                *out = word as u32 & mask;
                word >>= width;
            }
        }
        return;
    }
    for (i, out) in out.iter_mut().enumerate() {
        let bit = i * width;
        *out = (word_of(bytes.get(bit / 8..).unwrap_or_default()) >> (bit % 8)) as u32 & mask;
    }
}

/// The first 8 bytes, little endian; those that are missing are 0.
fn word_of(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(whole) => u64::from_le_bytes(*whole),
        None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// A page is shorter than its values.
pub const ENDS: Error = Error::invalid("a page ends before its values");
const TOO_LONG: Error = Error::invalid("a page has a run of more than 2^31 values");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_come_back_at_every_width() {
        for width in 0..=32 {
            let values: Vec<u32> =
                (0..64u64).map(|i| (i * 0x9e37_79b9) as u32 & ((1u64 << width) - 1) as u32).collect();
            let mut bytes = vec![0u8; 8 * width];
            for (i, value) in values.iter().enumerate() {
                for bit in 0..width {
                    let at = i * width + bit;
                    bytes[at / 8] |= ((value >> bit & 1) as u8) << (at % 8);
                }
            }
            let mut out = Vec::new();
            unpack(&bytes, width, 64, &mut out);
            assert_eq!(out, values, "width {width}");
        }
    }

    #[test]
    fn bytes_that_end_early_are_an_error_and_garbage_ends() {
        let mut none = Hybrid::new(&[], 1).unwrap();
        assert!(none.next_run().is_err());
        let mut endless = Hybrid::new(&[0xff; 16], 7).unwrap();
        assert!(endless.next_run().is_err());
        assert!(Hybrid::new(&[], 33).is_err());
    }
}
