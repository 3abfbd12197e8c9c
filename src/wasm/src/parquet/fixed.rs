//! Values of one width.

use super::delta::Deltas;
use super::delta_bytes::Prefixed;
use super::hybrid::{ENDS, Indices, Piece};
use super::page::{Encoding, NOT_KNOWN, Stretch};
use super::split::unsplit;
use crate::array::Data;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};

/// The rows of a column.
pub struct Fixed {
    width: usize,
    rows: Buffer,
    dictionary: Buffer,
}

impl Fixed {
    /// Room for rows of `width` bytes.
    pub fn new(rows: usize, width: usize) -> Result<Self> {
        let rows = Buffer::zeroed(rows.checked_mul(width).ok_or(Error::Memory)?)?;
        Ok(Fixed { width, rows, dictionary: Buffer::empty() })
    }

    /// Takes the dictionary's page, of so many values, before any rows.
    pub fn take_dictionary(&mut self, mut page: Buffer, values: usize) -> Result<()> {
        let len = values.checked_mul(self.width).filter(|&len| len <= page.len()).ok_or(ENDS)?;
        page.truncate(len);
        self.dictionary = page;
        Ok(())
    }

    /// Rows to be written by the caller.
    pub fn rows(&mut self, start: usize, end: usize) -> &mut [u8] {
        &mut self.rows.bytes_mut()[start * self.width..end * self.width]
    }

    /// Appends rows of a page.
    pub fn append(&mut self, stretch: &Stretch) -> Result<()> {
        match (self.width, stretch.encoding) {
            (_, Encoding::Prefixed) => self.append_bytes(stretch),
            (4, _) => self.append_numbers::<u32>(stretch, |value| value as u32),
            (8, _) => self.append_numbers::<u64>(stretch, |value| value),
            _ => self.append_bytes(stretch),
        }
    }

    /// The rows.
    pub fn finish(self) -> Data {
        Data::Fixed { width: self.width, values: self.rows }
    }

    fn append_numbers<T: Number + Default>(&mut self, stretch: &Stretch, integer: impl Fn(u64) -> T) -> Result<()> {
        let Stretch { encoding, bytes, before, wanted, start, rows } = *stretch;
        let width = size_of::<T>();
        match encoding {
            Encoding::Dictionary => {
                let dictionary = self.dictionary.numbers::<T>();
                name_numbers(bytes, before, dictionary, &mut self.rows.numbers_mut()[start..start + wanted])?;
            }
            Encoding::Deltas => {
                let mut deltas = Deltas::new(bytes)?;
                deltas.skip(before)?;
                deltas.fill(&mut self.rows.numbers_mut()[start..start + wanted], integer)?;
            }
            Encoding::Plain => copy_plain(bytes, width, before, self.rows(start, start + wanted))?,
            Encoding::Split => unsplit(bytes, width, before, self.rows(start, start + wanted))?,
            _ => return Err(NOT_KNOWN),
        }
        rows.spread(&mut self.rows.numbers_mut::<T>()[start..stretch.end()], wanted, T::default());
        Ok(())
    }

    fn append_bytes(&mut self, stretch: &Stretch) -> Result<()> {
        let Stretch { encoding, bytes, before, wanted, start, rows } = *stretch;
        let width = self.width;
        let out = &mut self.rows.bytes_mut()[start * width..stretch.end() * width];
        let dense = &mut out[..wanted * width];
        match encoding {
            Encoding::Plain => copy_plain(bytes, width, before, dense)?,
            Encoding::Dictionary => name_bytes(bytes, before, self.dictionary.bytes(), width, dense)?,
            Encoding::Split => unsplit(bytes, width, before, dense)?,
            Encoding::Prefixed => {
                let mut values = Prefixed::new(bytes)?;
                values.skip(before)?;
                for out in dense.chunks_exact_mut(width) {
                    let value = values.next()?;
                    if value.len() != width {
                        return Err(Error::invalid_at("a page has a value of another length, namely", value.len()));
                    }
                    out.copy_from_slice(value);
                }
            }
            _ => return Err(NOT_KNOWN),
        }
        rows.spread_bytes(out, width, wanted);
        Ok(())
    }
}

fn copy_plain(bytes: &[u8], width: usize, before: usize, out: &mut [u8]) -> Result<()> {
    // Rows that the page only claims may lie beyond any address.
    let from = before.checked_mul(width).ok_or(ENDS)?;
    out.copy_from_slice(bytes.get(from..).and_then(|rest| rest.get(..out.len())).ok_or(ENDS)?);
    Ok(())
}

/// Values by their numbers, from number `before` on.
fn name_numbers<T: Number>(bytes: &[u8], before: usize, dictionary: &[T], mut out: &mut [T]) -> Result<()> {
    let mut indices = Indices::new(bytes)?;
    indices.skip(before)?;
    while !out.is_empty() {
        let len = match indices.next_piece(out.len())? {
            Piece::Repeated { value, len } => {
                out[..len].fill(*dictionary.get(value as usize).ok_or(BEYOND)?);
                len
            }
            Piece::Each(numbers) => {
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

/// The same for values of any number of bytes.
fn name_bytes(bytes: &[u8], before: usize, dictionary: &[u8], width: usize, mut out: &mut [u8]) -> Result<()> {
    let mut indices = Indices::new(bytes)?;
    indices.skip(before)?;
    let value = |number: u32| {
        let from = (number as usize).checked_mul(width).ok_or(BEYOND)?;
        dictionary.get(from..).and_then(|rest| rest.get(..width)).ok_or(BEYOND)
    };
    while !out.is_empty() {
        let len = match indices.next_piece(out.len() / width)? {
            Piece::Repeated { value: number, len } => {
                let value = value(number)?;
                out[..len * width].chunks_exact_mut(width).for_each(|out| out.copy_from_slice(value));
                len
            }
            Piece::Each(numbers) => {
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
