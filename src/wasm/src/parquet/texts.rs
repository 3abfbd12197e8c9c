//! Byte arrays of any length, text or binary.

use super::byte_arrays::{ByteArrays, next};
use super::delta_bytes::{Lengths, Prefixed};
use super::fixed::BEYOND;
use super::hybrid::{IndexBatch, Indices};
use super::page::{Encoding, NOT_KNOWN, Stretch};
use crate::array::Data;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use std::rc::Rc;

/// Of a column, were it not a dictionary: what offsets can address.
const MAX_BYTES: u64 = i32::MAX as u64;

/// The rows of a column: numbers of values as long as all pages refer to the dictionary, from the first page on that does
/// not the byte arrays themselves.
pub struct Texts {
    rows: usize,
    is_text: bool,
    /// Its values and an empty one, which is that of null rows.
    dictionary: ByteArrays,
    /// 32 bits a row, once there is one that refers to the dictionary.
    numbers: Buffer,
    plain: Option<ByteArrays>,
    /// Whether rows without a value, beside null ones, are the empty value.
    has_gaps: bool,
}

/// The values of a page that does not refer to the dictionary.
enum Values<'a> {
    Plain { page: &'a [u8], at: usize },
    Lengths(Lengths<'a>),
    Prefixed(Prefixed<'a>),
}

impl Values<'_> {
    fn skip(&mut self, count: usize) -> Result<()> {
        match self {
            Values::Plain { page, at } => (0..count).try_for_each(|_| next(page, at).map(|_| ())),
            Values::Lengths(values) => values.skip(count),
            Values::Prefixed(values) => values.skip(count),
        }
    }

    fn push(&mut self, count: usize, to: &mut ByteArrays) -> Result<()> {
        match self {
            Values::Plain { page, at } => to.push_plain(page, at, count),
            Values::Lengths(values) => values.push(count, to),
            Values::Prefixed(values) => values.push(count, to),
        }
    }
}

impl Texts {
    /// Text is checked.
    pub fn new(rows: usize, is_text: bool) -> Result<Self> {
        let mut texts = Texts {
            rows,
            is_text,
            dictionary: ByteArrays::new()?,
            numbers: Buffer::empty(),
            plain: None,
            has_gaps: false,
        };
        texts.read_dictionary(&[], 0)?;
        Ok(texts)
    }

    /// Takes the dictionary off its page, before any rows.
    pub fn read_dictionary(&mut self, page: &[u8], values: usize) -> Result<()> {
        self.dictionary = ByteArrays::new()?;
        self.dictionary.push_plain(page, &mut 0, values)?;
        self.dictionary.push_empty(1)
    }

    /// Appends rows of a page.
    pub fn append(&mut self, stretch: &Stretch) -> Result<()> {
        let bytes = stretch.bytes;
        let values = match stretch.encoding {
            Encoding::Dictionary => return self.append_numbers(stretch),
            Encoding::Plain => Values::Plain { page: bytes, at: 0 },
            // Nothing is known of what is before values that are not there.
            _ if stretch.wanted == 0 => Values::Plain { page: &[], at: 0 },
            Encoding::Lengths => Values::Lengths(Lengths::new(bytes)?),
            Encoding::Prefixed => Values::Prefixed(Prefixed::new(bytes)?),
            _ => return Err(NOT_KNOWN),
        };
        self.append_values(stretch, values)
    }

    /// Appends rows that nobody looks at.
    pub fn skip(&mut self, start: usize, rows: usize) -> Result<()> {
        if let Some(plain) = &mut self.plain {
            return plain.push_empty(rows);
        }
        self.has_gaps = true;
        let empty = self.dictionary.len() as u32 - 1;
        self.numbers()?[start..start + rows].fill(empty);
        Ok(())
    }

    /// The rows; a dictionary if all pages referred to it.
    pub fn finish(mut self, has_nulls: bool) -> Result<Data> {
        if let Some(plain) = self.plain {
            return Ok(plain.finish(self.is_text)?.data);
        }
        self.numbers()?;
        if !has_nulls && !self.has_gaps && self.rows > 0 {
            self.dictionary.pop();
        }
        // A small page may repeat a long value any number of times.
        let most = self.dictionary.longest() as u64 * self.rows as u64;
        if most > MAX_BYTES && self.dictionary.lookup().len_of(self.numbers.numbers()) > MAX_BYTES {
            return Err(Error::TooLong);
        }
        let values = Rc::new(self.dictionary.finish(self.is_text)?);
        Ok(Data::Dictionary { indices: self.numbers, values })
    }

    fn append_values(&mut self, stretch: &Stretch, mut values: Values) -> Result<()> {
        let &Stretch { before, wanted, start, rows, .. } = stretch;
        let plain = match &mut self.plain {
            Some(plain) => plain,
            None => {
                let mut rows = ByteArrays::new()?;
                rows.push_named(&self.dictionary.lookup(), &self.numbers.numbers()[..start])?;
                self.plain.insert(rows)
            }
        };
        if wanted > 0 {
            values.skip(before)?;
        }
        for (row, len) in rows.runs() {
            plain.push_empty(start + row - plain.len())?;
            values.push(len, plain)?;
        }
        plain.push_empty(stretch.end() - plain.len())
    }

    fn append_numbers(&mut self, stretch: &Stretch) -> Result<()> {
        let &Stretch { wanted, start, rows, .. } = stretch;
        let values = self.dictionary.len() - 1;
        let numbers = &mut self.numbers()?[start..stretch.end()];
        if wanted == rows.len() {
            read_numbers(stretch, values, numbers)?;
        } else {
            let mut dense = Vec::new();
            dense.try_reserve_exact(wanted)?;
            dense.resize(wanted, 0);
            read_numbers(stretch, values, &mut dense)?;
            rows.spread(&dense, 1, values as u32, numbers);
        }
        match &mut self.plain {
            Some(plain) => plain.push_named(&self.dictionary.lookup(), &self.numbers.numbers()[start..stretch.end()]),
            None => Ok(()),
        }
    }

    /// The numbers of all rows.
    fn numbers(&mut self) -> Result<&mut [u32]> {
        if self.numbers.is_empty() {
            self.numbers = Buffer::zeroed(self.rows.checked_mul(4).ok_or(Error::Memory)?)?;
        }
        Ok(self.numbers.numbers_mut())
    }
}

/// The numbers that are wanted, in a dictionary of so many values.
fn read_numbers(stretch: &Stretch, values: usize, mut out: &mut [u32]) -> Result<()> {
    if out.is_empty() {
        return Ok(());
    }
    let mut indices = Indices::new(stretch.bytes)?;
    indices.skip(stretch.before)?;
    while !out.is_empty() {
        let (len, greatest) = match indices.next_batch(out.len())? {
            IndexBatch::Repeated { value, len } => {
                out[..len].fill(value);
                (len, value)
            }
            IndexBatch::Each(numbers) => {
                out[..numbers.len()].copy_from_slice(numbers);
                (numbers.len(), numbers.iter().copied().fold(0, u32::max))
            }
        };
        if greatest as usize >= values {
            return Err(BEYOND);
        }
        out = &mut out[len..];
    }
    Ok(())
}
