//! Samples of any number of bits as integers of whole bytes.

use crate::error::{Error, Result};

/// How samples are stored, and what they become.
#[derive(Clone, Copy, Debug)]
pub struct Samples {
    /// 1 to 64. They lie as a stream of bits, the highest one first.
    pub bits: u32,
    pub is_signed: bool,
    /// Whether the lowest byte of each sample comes first, of samples of whole bytes.
    pub is_reversed: bool,
    /// Samples of a row. A row begins at a whole byte.
    pub count: usize,
    /// Bytes of a value: 1, 2, 4 or 8.
    pub value_bytes: usize,
}

/// Writes each sample of `stored` as a little-endian integer to `values`, row by row, until either has no whole row more.
pub fn widen(stored: &[u8], values: &mut [u8], samples: Samples) -> Result<()> {
    let Samples { bits, count, value_bytes, is_reversed, .. } = samples;
    let row_bits = count.checked_mul(bits as usize).ok_or(WRONG)?;
    let row_bytes = count.checked_mul(value_bytes).filter(|&bytes| bytes > 0).ok_or(WRONG)?;
    if !(1..=64).contains(&bits)
        || (is_reversed && !bits.is_multiple_of(8))
        || ![1, 2, 4, 8].contains(&value_bytes)
        || bits as usize > 8 * value_bytes
    {
        return Err(WRONG);
    }
    let rows = stored.chunks_exact(row_bits.div_ceil(8)).zip(values.chunks_exact_mut(row_bytes));
    for (from, to) in rows {
        let mut row = Row { bytes: from, held: 0, count: 0 };
        for value in to.chunks_exact_mut(value_bytes) {
            let sample = if is_reversed { row.reversed(bits) } else { row.take(bits) };
            let unused = 64 - bits;
            let number = if samples.is_signed { ((sample << unused) as i64 >> unused) as u64 } else { sample };
            value.copy_from_slice(&number.to_le_bytes()[..value_bytes]);
        }
    }
    Ok(())
}

const WRONG: Error = Error::Misuse("samples of other sizes");

struct Row<'a> {
    bytes: &'a [u8],
    /// Bits that were read and not used, as the lowest ones.
    held: u128,
    count: u32,
}

impl Row<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        byte
    }

    #[inline(always)]
    fn take(&mut self, bits: u32) -> u64 {
        while self.count < bits {
            self.held = self.held << 8 | u128::from(self.byte());
            self.count += 8;
        }
        self.count -= bits;
        let sample = self.held >> self.count;
        self.held &= (1 << self.count) - 1;
        sample as u64
    }

    fn reversed(&mut self, bits: u32) -> u64 {
        (0..bits / 8).fold(0, |number, at| number | u64::from(self.byte()) << (8 * at))
    }
}
