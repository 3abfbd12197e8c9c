//! Values of one width.

use super::delta::Deltas;
use super::delta_bytes::Prefixed;
use super::hybrid::{ENDS, IndexBatch, Indices};
use super::page::{Encoding, NOT_KNOWN, Stretch};
use super::split::unsplit;
use crate::array::Data;
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// The rows of a column.
pub struct Fixed {
    width: usize,
    rows: Buffer,
    dictionary: Buffer,
    /// Values of a page without its null rows.
    dense: Buffer,
}

impl Fixed {
    /// Room for rows of `width` bytes.
    pub fn new(rows: usize, width: usize) -> Result<Self> {
        let rows = Buffer::with_capacity(rows.checked_mul(width).ok_or(Error::Memory)?)?;
        Ok(Fixed { width, rows, dictionary: Buffer::empty(), dense: Buffer::empty() })
    }

    /// Takes the dictionary's page, of so many values, before any rows.
    pub fn take_dictionary(&mut self, mut page: Buffer, values: usize) -> Result<()> {
        let len = values.checked_mul(self.width).filter(|&len| len <= page.len()).ok_or(ENDS)?;
        page.truncate(len);
        self.dictionary = page;
        Ok(())
    }

    /// Room for the next rows up to `end`, to be written by the host.
    pub fn room(&mut self, end: usize) -> Result<&mut [u8]> {
        let start = self.rows.len();
        self.rows.resize_unwritten(end * self.width)?;
        Ok(&mut self.rows.bytes_mut()[start..])
    }

    /// Leaves out the next rows up to `end`.
    pub fn skip(&mut self, end: usize) -> Result<()> {
        self.rows.resize(end * self.width)
    }

    /// Appends rows of a page. Of the column's rows those that are not true in `asked` may be zero.
    pub fn append(&mut self, stretch: &Stretch, asked: Option<&Bitmap>) -> Result<()> {
        let width = self.width;
        let Stretch { encoding, bytes, before, wanted, start, rows } = *stretch;
        match asked {
            // All of it is written below.
            None => self.rows.resize_unwritten(stretch.end() * width)?,
            // What is null, or not asked for, is not written. It may be cast, and goes out below a null.
            Some(_) => self.rows.resize(stretch.end() * width)?,
        }
        let out = &mut self.rows.bytes_mut()[start * width..];
        if wanted == rows.len() {
            return match (encoding, width, asked) {
                (Encoding::Dictionary, 4, Some(asked)) => name_asked::<4>(stretch, asked, &self.dictionary, out),
                (Encoding::Dictionary, 8, Some(asked)) => name_asked::<8>(stretch, asked, &self.dictionary, out),
                (Encoding::Dictionary, 16, Some(asked)) => name_asked::<16>(stretch, asked, &self.dictionary, out),
                _ => decode(stretch, width, &self.dictionary, out),
            };
        }
        if let (Encoding::Dictionary, Some(asked)) = (encoding, asked)
            && matches!(width, 4 | 8 | 16)
            && wanted > 0
        {
            self.dense.resize_unwritten(wanted * 4)?;
            let numbers = self.dense.numbers_mut();
            unpack_numbers(stretch, numbers)?;
            return match width {
                4 => name_present::<4>(stretch, asked, numbers, &self.dictionary, out),
                8 => name_present::<8>(stretch, asked, numbers, &self.dictionary, out),
                _ => name_present::<16>(stretch, asked, numbers, &self.dictionary, out),
            };
        }
        let values = match encoding {
            Encoding::Plain => plain(bytes, width, before, wanted)?,
            _ => {
                self.dense.resize_unwritten(wanted * width)?;
                decode(stretch, width, &self.dictionary, self.dense.bytes_mut())?;
                self.dense.bytes()
            }
        };
        match width {
            4 => rows.spread(values.as_chunks::<4>().0, 1, [0; 4], out.as_chunks_mut::<4>().0),
            8 => rows.spread(values.as_chunks::<8>().0, 1, [0; 8], out.as_chunks_mut::<8>().0),
            _ => rows.spread(values, width, 0, out),
        }
        Ok(())
    }

    /// The rows.
    pub fn finish(self) -> Data {
        Data::Fixed { width: self.width, values: self.rows }
    }
}

/// The values that are wanted, one after the other.
fn decode(stretch: &Stretch, width: usize, dictionary: &Buffer, out: &mut [u8]) -> Result<()> {
    let Stretch { encoding, bytes, before, wanted, .. } = *stretch;
    match (encoding, width) {
        _ if wanted == 0 => {}
        (Encoding::Plain, _) => out.copy_from_slice(plain(bytes, width, before, wanted)?),
        (Encoding::Dictionary, 4) => name_chunks::<4>(bytes, before, dictionary, out)?,
        (Encoding::Dictionary, 8) => name_chunks::<8>(bytes, before, dictionary, out)?,
        (Encoding::Dictionary, 12) => name_chunks::<12>(bytes, before, dictionary, out)?,
        (Encoding::Dictionary, 16) => name_chunks::<16>(bytes, before, dictionary, out)?,
        (Encoding::Dictionary, _) => name_bytes(bytes, before, dictionary.bytes(), width, out)?,
        (Encoding::Deltas, 4 | 8) => {
            let mut deltas = Deltas::new(bytes)?;
            deltas.skip(before)?;
            match width {
                4 => deltas.fill(out.as_chunks_mut().0, |value| (value as u32).to_le_bytes())?,
                _ => deltas.fill(out.as_chunks_mut().0, u64::to_le_bytes)?,
            }
        }
        (Encoding::Split, _) => unsplit(bytes, width, before, out)?,
        (Encoding::Prefixed, _) => {
            let mut values = Prefixed::new(bytes)?;
            values.skip(before)?;
            for out in out.chunks_exact_mut(width) {
                let value = values.next()?;
                if value.len() != width {
                    return Err(Error::invalid_at("a page has a value of another length, namely", value.len()));
                }
                out.copy_from_slice(value);
            }
        }
        _ => return Err(NOT_KNOWN),
    }
    Ok(())
}

fn plain(bytes: &[u8], width: usize, before: usize, wanted: usize) -> Result<&[u8]> {
    // Rows that the page only claims may lie beyond any address.
    let from = before.checked_mul(width).ok_or(ENDS)?;
    bytes.get(from..).and_then(|rest| rest.get(..wanted * width)).ok_or(ENDS)
}

/// Values by their numbers, from number `before` on.
fn name_chunks<const WIDTH: usize>(bytes: &[u8], before: usize, dictionary: &Buffer, out: &mut [u8]) -> Result<()> {
    let dictionary = dictionary.bytes().as_chunks::<WIDTH>().0;
    let mut out = out.as_chunks_mut::<WIDTH>().0;
    let mut indices = Indices::new(bytes)?;
    indices.skip(before)?;
    while !out.is_empty() {
        let len = match indices.next_batch(out.len())? {
            IndexBatch::Repeated { value, len } => {
                out[..len].fill(*dictionary.get(value as usize).ok_or(BEYOND)?);
                len
            }
            IndexBatch::Each(numbers) => {
                for (out, &number) in out.iter_mut().zip(numbers) {
                    *out = *dictionary.get(number as usize).ok_or(BEYOND)?;
                }
                numbers.len()
            }
        };
        out = &mut out[len..];
    }
    Ok(())
}

/// The same, of a page without nulls, for the rows of the column that are asked for.
fn name_asked<const WIDTH: usize>(
    stretch: &Stretch,
    asked: &Bitmap,
    dictionary: &Buffer,
    out: &mut [u8],
) -> Result<()> {
    let Stretch { bytes, before, start, .. } = *stretch;
    let dictionary = dictionary.bytes().as_chunks::<WIDTH>().0;
    let out = out.as_chunks_mut::<WIDTH>().0;
    let mut indices = Indices::new(bytes)?;
    indices.skip(before)?;
    let mut at = 0;
    while at < out.len() {
        let bits = |at: usize| asked.bits(start + at, (out.len() - at).min(64));
        // Indices of neighbours that nobody asks for are not even unpacked.
        let unasked = (at..out.len()).step_by(64).take_while(|&at| bits(at) == 0).count() * 64;
        if unasked > 0 {
            let unasked = unasked.min(out.len() - at);
            indices.skip(unasked)?;
            at += unasked;
            continue;
        }
        match indices.next_batch(out.len() - at)? {
            IndexBatch::Repeated { value, len } => {
                out[at..at + len].fill(*dictionary.get(value as usize).ok_or(BEYOND)?);
                at += len;
            }
            IndexBatch::Each(numbers) => {
                for (i, numbers) in numbers.chunks(64).enumerate() {
                    let first = at + i * 64;
                    let mut left = asked.bits(start + first, numbers.len());
                    while left != 0 {
                        let place = left.trailing_zeros() as usize;
                        out[first + place] = *dictionary.get(numbers[place] as usize).ok_or(BEYOND)?;
                        left &= left - 1;
                    }
                }
                at += numbers.len();
            }
        }
    }
    Ok(())
}

/// The indices of the values that are wanted.
fn unpack_numbers(stretch: &Stretch, mut out: &mut [u32]) -> Result<()> {
    let mut indices = Indices::new(stretch.bytes)?;
    indices.skip(stretch.before)?;
    while !out.is_empty() {
        let len = match indices.next_batch(out.len())? {
            IndexBatch::Repeated { value, len } => {
                out[..len].fill(value);
                len
            }
            IndexBatch::Each(numbers) => {
                out[..numbers.len()].copy_from_slice(numbers);
                numbers.len()
            }
        };
        out = &mut out[len..];
    }
    Ok(())
}

/// The same as [`name_asked`] of a page with nulls. `numbers` are the indices of the rows that are there.
fn name_present<const WIDTH: usize>(
    stretch: &Stretch,
    asked: &Bitmap,
    numbers: &[u32],
    dictionary: &Buffer,
    out: &mut [u8],
) -> Result<()> {
    let Stretch { start, rows, .. } = *stretch;
    let dictionary = dictionary.bytes().as_chunks::<WIDTH>().0;
    let mut before = 0;
    for (i, out) in out.as_chunks_mut::<WIDTH>().0.chunks_mut(64).enumerate() {
        let present = rows.bits(i * 64, out.len());
        let mut left = present & asked.bits(start + i * 64, out.len());
        while left != 0 {
            let below = (left - 1) & !left;
            let number = numbers[before + (present & below).count_ones() as usize];
            out[left.trailing_zeros() as usize] = *dictionary.get(number as usize).ok_or(BEYOND)?;
            left &= left - 1;
        }
        before += present.count_ones() as usize;
    }
    Ok(())
}

/// The same for values of any number of bytes.
fn name_bytes(bytes: &[u8], before: usize, dictionary: &[u8], width: usize, mut out: &mut [u8]) -> Result<()> {
    let mut indices = Indices::new(bytes)?;
    indices.skip(before)?;
    let value = |number: u32| {
        let from = (number as usize).checked_mul(width).ok_or(BEYOND)?;
        dictionary.get(from..).and_then(|rest| rest.get(..width)).ok_or(BEYOND)
    };
    while !out.is_empty() {
        let len = match indices.next_batch(out.len() / width)? {
            IndexBatch::Repeated { value: number, len } => {
                let value = value(number)?;
                out[..len * width].chunks_exact_mut(width).for_each(|out| out.copy_from_slice(value));
                len
            }
            IndexBatch::Each(numbers) => {
                for (out, &number) in out.chunks_exact_mut(width).zip(numbers) {
                    out.copy_from_slice(value(number)?);
                }
                numbers.len()
            }
        };
        out = &mut out[len * width..];
    }
    Ok(())
}

/// There is no such value.
pub const BEYOND: Error = Error::invalid("a page refers to a value that is not in its dictionary");
