//! The values of a program's result, block by block.

use super::frame::Frame;
use super::kind::{BLOCK_CHUNKS, BLOCK_ROWS, CHUNK_ROWS, Kind, View};
use super::program::{Output, Program};
use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, word_count, zeroed_words};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::mask::Mask;
use crate::vectors::with_room;
use std::rc::Rc;

/// A result that grows.
pub struct Collected {
    output: Output,
    rows: usize,
    values: Values,
    known: Vec<u64>,
}

enum Values {
    Bits(Vec<u64>),
    Numbers(Buffer),
    Text {
        offsets: Vec<i32>,
        bytes: Vec<u8>,
    },
    /// The numbers of constants.
    Indices(Buffer),
}

impl Collected {
    /// Room for so many rows. `keeps_constants`: text that is always a constant becomes a dictionary.
    pub fn new(output: Output, rows: usize, keeps_constants: bool) -> Result<Self> {
        let values = match output.kind {
            Kind::Bool => Values::Bits(zeroed_words(word_count(rows))?),
            Kind::Text if keeps_constants && output.is_constant_text => {
                Values::Indices(Buffer::with_capacity(rows.checked_mul(4).ok_or(Error::Memory)?)?)
            }
            Kind::Text => {
                let mut offsets = with_room(rows + 1)?;
                offsets.push(0);
                Values::Text { offsets, bytes: Vec::new() }
            }
            kind => Values::Numbers(Buffer::with_capacity(rows.checked_mul(kind.width()).ok_or(Error::Memory)?)?),
        };
        Ok(Collected { output, rows, values, known: zeroed_words(word_count(rows))? })
    }

    /// Makes room for the block at `start`, of which all rows are there.
    pub fn make_room(&mut self, start: usize) -> Result<()> {
        match &mut self.values {
            Values::Numbers(buffer) => buffer.resize_unwritten((start + BLOCK_ROWS) * self.output.kind.width()),
            _ => Ok(()),
        }
    }

    /// Lets the instruction write its values here, instead of into its register, or takes them back. `start` is the block's first row.
    pub fn exchange(&mut self, program: &mut Program, start: usize) {
        if let (Values::Numbers(buffer), Some(register)) = (&mut self.values, self.output.register) {
            program.registers[register].exchange(buffer, start * self.output.kind.width());
        }
    }

    /// Takes `rows` rows of the block of a frame. Rows that are not selected hold anything. `is_exchanged`: values may be here already.
    pub fn add(&mut self, frame: &Frame, rows: usize, is_exchanged: bool) -> Result<()> {
        let Output { value, kind, .. } = self.output;
        let (start, known) = (frame.start, frame.known(value));
        let first = start / CHUNK_ROWS;
        let words = rows.div_ceil(CHUNK_ROWS).min(BLOCK_CHUNKS);
        for (i, word) in self.known[first..first + words].iter_mut().enumerate() {
            *word = known[i] & frame.selection[i];
        }
        match &mut self.values {
            Values::Bits(bits) => {
                let truth = frame.truth(value);
                for (i, word) in bits[first..first + words].iter_mut().enumerate() {
                    *word = truth[i] & known[i] & frame.selection[i];
                }
            }
            Values::Numbers(_) if is_exchanged && self.output.register.is_some() => {}
            Values::Numbers(buffer) => {
                buffer.resize_unwritten((start + rows) * kind.width())?;
                match kind.width() {
                    1 => copy::<u8>(frame, value, rows, buffer),
                    2 => copy::<u16>(frame, value, rows, buffer),
                    4 => copy::<u32>(frame, value, rows, buffer),
                    16 => copy::<i128>(frame, value, rows, buffer),
                    _ => copy::<u64>(frame, value, rows, buffer),
                }
            }
            Values::Indices(buffer) => {
                let views = frame.chunks_of::<View>(value);
                buffer.resize((start + rows) * 4)?;
                let indices = &mut buffer.numbers_mut::<u32>()[start..start + rows];
                for (row, index) in indices.iter_mut().enumerate() {
                    let (chunk, bit) = (row / CHUNK_ROWS, row % CHUNK_ROWS);
                    let is_known = self.known[start / CHUNK_ROWS + chunk] >> bit & 1 == 1;
                    *index = if is_known { views.at(chunk)[bit] as u32 } else { 0 };
                }
            }
            Values::Text { offsets, bytes } => {
                let views = frame.chunks_of::<View>(value);
                let is_known = |row: usize| self.known[(start + row) / CHUNK_ROWS] >> (row % CHUNK_ROWS) & 1 == 1;
                for row in 0..rows {
                    if is_known(row) {
                        let text = frame.text(views.at(row / CHUNK_ROWS)[row % CHUNK_ROWS]);
                        bytes.try_reserve(text.len())?;
                        bytes.extend_from_slice(text);
                    }
                    offsets.push(i32::try_from(bytes.len()).map_err(|_| Error::TooLong)?);
                }
            }
        }
        Ok(())
    }

    /// The result as a mask.
    pub fn into_mask(self) -> Result<Mask> {
        let Values::Bits(bits) = self.values else {
            return Err(Error::Misuse("a mask of values that are no booleans"));
        };
        let known = Bitmap::from_words(self.known, self.rows);
        let is_all = known.count() == self.rows;
        Ok(Mask::new(Bitmap::from_words(bits, self.rows), (!is_all).then_some(known)))
    }

    /// The result as a column. `texts` are the constants of the program.
    pub fn into_array(self, texts: &[Vec<u8>]) -> Result<Array> {
        let known = Bitmap::from_words(self.known, self.rows);
        let validity = (known.count() < self.rows).then_some(known);
        let data = match self.values {
            Values::Bits(bits) => Data::Bool(Bitmap::from_words(bits, self.rows)),
            Values::Numbers(values) => Data::Fixed { width: self.output.kind.width(), values },
            Values::Text { offsets, bytes } => {
                Data::Bytes { offsets: Buffer::of(&offsets)?, values: Buffer::of(&bytes)? }
            }
            // There is no value that the indices of nulls could name.
            Values::Indices(_) if texts.is_empty() => {
                Data::Bytes { offsets: Buffer::zeroed((self.rows + 1) * 4)?, values: Buffer::empty() }
            }
            Values::Indices(indices) => Data::Dictionary { indices, values: Rc::new(texts_array(texts)?) },
        };
        Ok(Array { len: self.rows, validity, data })
    }
}

fn copy<T: crate::buffer::Number>(frame: &Frame, value: u32, rows: usize, buffer: &mut Buffer) {
    let chunks = frame.chunks_of::<T>(value);
    let out = &mut buffer.numbers_mut::<T>()[frame.start..frame.start + rows];
    match chunks.constant() {
        Some(value) => out.fill(value),
        None => out.copy_from_slice(&chunks.rows()[..rows]),
    }
}

fn texts_array(texts: &[Vec<u8>]) -> Result<Array> {
    let mut offsets = with_room(texts.len() + 1)?;
    let mut bytes = Vec::new();
    offsets.push(0i32);
    for text in texts {
        bytes.try_reserve(text.len())?;
        bytes.extend_from_slice(text);
        offsets.push(i32::try_from(bytes.len()).map_err(|_| Error::TooLong)?);
    }
    let data = Data::Bytes { offsets: Buffer::of(&offsets)?, values: Buffer::of(&bytes)? };
    Ok(Array { len: texts.len(), validity: None, data })
}
