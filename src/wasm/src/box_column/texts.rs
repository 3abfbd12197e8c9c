//! Text of boxes.

use super::fills::unless_all;
use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use std::rc::Rc;

/// Texts, or other bytes of any length, one after the other.
pub struct Texts {
    /// Where each begins, and where the last one ends.
    offsets: Vec<i32>,
    bytes: Buffer,
}

/// What stands for bytes that are not UTF-8.
const REPLACEMENT: &str = "\u{fffd}";

impl Texts {
    /// None yet.
    pub const fn new() -> Self {
        Texts { offsets: Vec::new(), bytes: Buffer::empty() }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Appends texts: text `i` is bytes `offsets[i]..offsets[i + 1]`. With `are_texts` what is not UTF-8 becomes U+FFFD.
    pub fn append(&mut self, offsets: &[[u8; 4]], bytes: &[u8], are_texts: bool) -> Result<()> {
        for pair in offsets.array_windows::<2>() {
            let [from, to] = pair.map(|offset| u32::from_le_bytes(offset) as usize);
            let text = bytes.get(from..to);
            let text = text.ok_or(Error::invalid("offsets of text that are not ascending, or beyond its bytes"))?;
            if are_texts { self.push(text)? } else { self.push_bytes(text)? }
        }
        Ok(())
    }

    pub fn push(&mut self, text: &[u8]) -> Result<()> {
        if text.is_ascii() {
            return self.push_bytes(text);
        }
        for chunk in text.utf8_chunks() {
            self.extend(chunk.valid().as_bytes())?;
            if !chunk.invalid().is_empty() {
                self.extend(REPLACEMENT.as_bytes())?;
            }
        }
        self.end()
    }

    fn push_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.extend(bytes)?;
        self.end()
    }

    /// Ends a text, whose bytes are there.
    fn end(&mut self) -> Result<()> {
        self.offsets.try_reserve(2)?;
        if self.offsets.is_empty() {
            self.offsets.push(0);
        }
        self.offsets.push(i32::try_from(self.bytes.len()).map_err(|_| Error::TooLong)?);
        Ok(())
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<()> {
        let from = self.bytes.len();
        self.bytes.resize(from.checked_add(bytes.len()).ok_or(Error::TooLong)?)?;
        self.bytes.bytes_mut()[from..].copy_from_slice(bytes);
        Ok(())
    }

    fn get(&self, number: usize) -> &[u8] {
        &self.bytes.bytes()[self.offsets[number] as usize..self.offsets[number + 1] as usize]
    }

    /// A text for each row.
    pub fn array(self) -> Result<Array> {
        let len = self.len();
        let offsets = if self.offsets.is_empty() { Buffer::zeroed(4)? } else { Buffer::of(&self.offsets)? };
        Ok(Array { len, validity: None, data: Data::Bytes { offsets, values: self.bytes } })
    }

    /// The column of which cell `i` is text `numbers[i]`.
    pub fn column(self, numbers: Buffer, cells: usize, fills: &[Vec<u8>]) -> Result<Array> {
        let indices = &numbers.numbers::<u32>()[..cells];
        if cells == self.len() && (0..).zip(indices).all(|(cell, &number)| cell == number) {
            return self.rows(fills);
        }
        let validity = match fills {
            [] => None,
            _ => unless_all(Bitmap::from_fn(cells, |cell| !is_fill(self.get(indices[cell] as usize), fills))?),
        };
        let values = Rc::new(self.array()?);
        Ok(Array { len: cells, validity, data: Data::Dictionary { indices: numbers, values } })
    }

    fn rows(self, fills: &[Vec<u8>]) -> Result<Array> {
        let validity = match fills {
            [] => None,
            _ => unless_all(Bitmap::from_fn(self.len(), |row| !is_fill(self.get(row), fills))?),
        };
        Ok(Array { validity, ..self.array()? })
    }
}

fn is_fill(text: &[u8], fills: &[Vec<u8>]) -> bool {
    fills.iter().any(|fill| fill == text)
}

/// Each byte as a text of one character of ISO 8859-1, zeros as empty ones.
pub fn characters(bytes: &[u8], fills: &[Vec<u8>]) -> Result<Array> {
    let mut texts = Texts::new();
    texts.offsets.try_reserve_exact(bytes.len() + 1)?;
    for &byte in bytes {
        let mut character = [0; 2];
        let text = char::from(byte).encode_utf8(&mut character);
        texts.push(if byte == 0 { &[] } else { text.as_bytes() })?;
    }
    texts.rows(fills)
}

/// Each `length` bytes as a text, without zeros and white space at its end.
pub fn joined(bytes: &[u8], count: usize, length: usize, fills: &[Vec<u8>]) -> Result<Array> {
    let mut texts = Texts::new();
    for text in 0..count {
        texts.push(trimmed(&bytes[text * length..(text + 1) * length]))?;
    }
    texts.rows(fills)
}

fn trimmed(text: &[u8]) -> &[u8] {
    let len = text.iter().rposition(|&byte| byte != 0 && byte != 0x0b && !byte.is_ascii_whitespace());
    &text[..len.map_or(0, |last| last + 1)]
}
