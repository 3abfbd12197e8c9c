//! Columns of sections: each section is an array that is laid along a grid of its own, and the rows of all grids follow each other.

mod convert;
mod stored;

use crate::array::{Array, Data};
use crate::assemble::bitmap;
use crate::bitmap::BitWriter;
use crate::box_column::expand;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::gather::{Source, gather};
use crate::run::{MAX_ROWS, Run};
use crate::types::{Physical, Type};
use convert::convert;
pub use stored::{Dimension, Stored};

/// A column while its sections come in.
pub struct SectionColumn {
    to: Type,
    /// The rows of all sections together.
    rows: usize,
    added: usize,
    /// The last sections, if their elements are rows as they are.
    plain: Option<Plain>,
    parts: Vec<Array>,
    room: Buffer,
}

/// Values that follow each other.
struct Plain {
    values: Buffer,
    len: usize,
    /// None: no value is null so far.
    known: Option<BitWriter>,
}

impl SectionColumn {
    /// A column without sections.
    pub fn new(to: Type, rows: usize) -> Result<Self> {
        if rows > MAX_ROWS {
            return Err(Error::Memory);
        }
        Ok(SectionColumn { to, rows, added: 0, plain: None, parts: Vec::new(), room: Buffer::empty() })
    }

    /// Room for what the next section has besides plain values.
    pub fn room(&mut self, bytes: usize) -> Result<&mut [u8]> {
        self.room.resize_unwritten(bytes)?;
        Ok(self.room.bytes_mut())
    }

    /// The place of the next values that are rows as they are, up to those of the last row.
    pub fn space(&mut self) -> Result<&mut [u8]> {
        let width = self.physical()?.width();
        let left = self.rows - self.added;
        let plain = match &mut self.plain {
            Some(plain) => plain,
            none => {
                let mut values = Buffer::empty();
                values.resize_unwritten(left.checked_mul(width).ok_or(Error::Memory)?)?;
                none.insert(Plain { values, len: 0, known: None })
            }
        };
        let from = plain.len * width;
        Ok(&mut plain.values.bytes_mut()[from..])
    }

    /// Takes values that were written there. With `is_nullable` the room from [`Self::room`] has bits from bit `bit` on, which are set where
    /// a row is not null.
    pub fn plain(&mut self, elements: usize, is_nullable: bool, bit: usize) -> Result<()> {
        let left = self.rows - self.added;
        if elements > left || bit > 7 {
            return Err(TOO_MANY);
        }
        let plain = self.plain.as_mut().ok_or(Error::Misuse("values that have no place"))?;
        if is_nullable {
            let bits = bitmap(self.room.bytes(), bit, elements)?;
            let known = match &mut plain.known {
                Some(known) => known,
                none => {
                    let mut known = BitWriter::with_capacity(left + plain.len)?;
                    known.push_ones(plain.len);
                    none.insert(known)
                }
            };
            known.push_range(&bits, 0, elements);
        } else if let Some(known) = &mut plain.known {
            known.push_ones(elements);
        }
        plain.len += elements;
        self.added += elements;
        Ok(())
    }

    /// Adds a section of a grid of `shape`, whose buffers are in the room.
    pub fn add(&mut self, stored: &Stored, shape: &[usize], dimensions: &[Dimension]) -> Result<()> {
        if self.to == Type::Null {
            return self.push(Array { len: product(shape)?, validity: None, data: Data::Null });
        }
        let own = stored.cells(self.room.bytes(), dimensions)?;
        let own = convert(own, stored.ty, self.to)?;
        let mut axes = Vec::new();
        axes.try_reserve_exact(dimensions.len())?;
        axes.extend(dimensions.iter().map(|dimension| Some(dimension.axis)));
        self.push(expand(own, shape, &axes)?)
    }

    fn push(&mut self, part: Array) -> Result<()> {
        if part.len > self.rows - self.added {
            return Err(TOO_MANY);
        }
        self.end_plain()?;
        self.added += part.len;
        self.parts.try_reserve(1)?;
        self.parts.push(part);
        Ok(())
    }

    /// The column. An error where rows are missing.
    pub fn finish(mut self) -> Result<Array> {
        self.end_plain()?;
        if self.added < self.rows {
            return Err(Error::Misuse("rows of sections are missing"));
        }
        if self.parts.len() == 1
            && let Some(only) = self.parts.pop()
        {
            return Ok(only);
        }
        if self.parts.is_empty() {
            return stored::empty(self.to);
        }
        let mut whole = Vec::new();
        whole.try_reserve_exact(self.parts.len())?;
        whole.extend(self.parts.iter().map(|part| [Run { start: 0, len: part.len }]));
        let mut sources = Vec::new();
        sources.try_reserve_exact(self.parts.len())?;
        sources.extend(self.parts.iter().zip(&whole).map(|(array, runs)| Source { array, runs }));
        gather(&sources)
    }

    fn physical(&self) -> Result<Physical> {
        self.to.physical().ok_or(Error::Misuse("plain values of a type without a width"))
    }

    fn end_plain(&mut self) -> Result<()> {
        let width = self.to.physical().map_or(0, Physical::width);
        if let Some(Plain { mut values, len, known }) = self.plain.take() {
            values.truncate(len * width);
            let validity = known.filter(|known| known.set() < len).map(BitWriter::finish);
            self.parts.try_reserve(1)?;
            self.parts.push(Array { len, validity, data: Data::Fixed { width, values } });
        }
        Ok(())
    }
}

fn product(shape: &[usize]) -> Result<usize> {
    let rows = shape.iter().try_fold(1usize, |rows, length| rows.checked_mul(*length));
    rows.filter(|&rows| rows <= MAX_ROWS).ok_or(Error::Memory)
}

const TOO_MANY: Error = Error::Misuse("more rows of sections than the column has");
