//! Byte arrays that rows name by their number in a dictionary.

use crate::array::{Array, Data, Offset};
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, SLACK};
use crate::copy::copy;
use crate::error::{Error, Result};
use crate::rows::value_runs;
use crate::run::Run;

/// The values of a dictionary: value `i` is bytes `offsets[i]..offsets[i + 1]`.
pub struct Lookup<'a> {
    pub offsets: &'a [i32],
    pub bytes: &'a [u8],
}

impl Lookup<'_> {
    /// Bytes that the rows take together.
    pub fn len_of(&self, numbers: &[u32]) -> u64 {
        numbers.iter().map(|&number| self.range(number).1 as u64).sum()
    }

    /// Where the rows of `runs` end, the first of them beginning at `start`, as offsets to the front of `out`; returns the
    /// last.
    pub fn ends(&self, numbers: &[u32], runs: &[Run], start: usize, out: &mut [u8]) -> Result<usize> {
        let mut slots = out.as_chunks_mut::<4>().0.iter_mut();
        let mut end = start as u64;
        for run in runs {
            for (&number, slot) in numbers[run.start..run.end()].iter().zip(&mut slots) {
                end += self.range(number).1 as u64;
                *slot = (end as i32).to_le_bytes();
            }
        }
        i32::try_from(end).map(Offset::position).map_err(|_| Error::TooLong)
    }

    /// The bytes of the rows of `runs`, `len` together, to the front of `out`, which has [`SLACK`] bytes more.
    pub fn copy(&self, numbers: &[u32], runs: &[Run], len: usize, out: &mut [u8]) -> Result<()> {
        let mut padded = Vec::new();
        let mut bytes = self.bytes;
        // The last values of a dictionary are copied as quickly as the others if there are bytes behind them.
        if bytes.len() < len {
            padded.try_reserve_exact(bytes.len() + SLACK)?;
            padded.extend_from_slice(bytes);
            padded.resize(bytes.len() + SLACK, 0);
            bytes = &padded;
        }
        let mut to = 0;
        for run in runs {
            for &number in &numbers[run.start..run.end()] {
                let (from, len) = self.range(number);
                copy(bytes, from, out, to, len);
                to += len;
            }
        }
        Ok(())
    }

    /// Where a value begins, and its length.
    fn range(&self, number: u32) -> (usize, usize) {
        let from = self.offsets[number as usize].position();
        (from, self.offsets[number as usize + 1].position() - from)
    }
}

impl Array {
    /// The values, where they are byte arrays.
    pub fn lookup(&self) -> Option<Lookup<'_>> {
        match &self.data {
            Data::Bytes { offsets, values } => Some(Lookup { offsets: offsets.numbers(), bytes: values.bytes() }),
            _ => None,
        }
    }

    /// The rows one by one; none where they are that already, and the array neither is a dictionary nor repeats values.
    pub fn decoded(&self) -> Result<Option<Array>> {
        if let Some(repeated) = self.repeated() {
            return repeated.decoded().map(Some);
        }
        let Data::Dictionary { indices, values } = &self.data else {
            return Ok(None);
        };
        let (numbers, runs) = (indices.numbers(), [Run { start: 0, len: self.len }]);
        let data = match values.lookup() {
            Some(lookup) => {
                let mut offsets = Buffer::zeroed((self.len + 1).checked_mul(4).ok_or(Error::Memory)?)?;
                let end = lookup.ends(numbers, &runs, 0, &mut offsets.bytes_mut()[4..])?;
                let mut bytes = Buffer::zeroed(end + SLACK)?;
                lookup.copy(numbers, &runs, end, bytes.bytes_mut())?;
                bytes.truncate(end);
                Data::Bytes { offsets, values: bytes }
            }
            None => values.take(&value_runs(numbers, &runs)?)?.data,
        };
        let validity = self.validity.as_ref().map(Bitmap::try_clone).transpose()?;
        Ok(Some(Array { len: self.len, validity, data }))
    }
}
