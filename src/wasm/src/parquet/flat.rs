//! A flat column of values of 4 or 8 bytes or of byte arrays, optional or not, plain or by dictionary: the bulk of
//! scientific data.

use super::hybrid::{Hybrid, Run, unpack};
use super::texts::Texts;
use crate::array::{Array, Data, MAX_ROWS};
use crate::bitmap::{Bitmap, low_bits, word_count, zeroed_words};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use std::rc::Rc;

/// A column that is filled page by page.
pub struct FlatColumn {
    kind: Kind,
    /// Bytes of a value, or of the number of a byte array.
    width: usize,
    rows: usize,
    /// Rows that are there already.
    filled: usize,
    values: Buffer,
    /// Made at the first null.
    validity: Option<Vec<u64>>,
    dictionary: Buffer,
    /// Of byte arrays, once the first page is there.
    texts: Option<Texts>,
    /// The bytes of a page, while it is read: definition levels and values.
    page: Buffer,
}

/// What the values are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 4 or 8 bytes each.
    Fixed { width: usize },
    /// Byte arrays of any length; text is checked.
    Bytes { is_text: bool },
}

impl Kind {
    /// From the loader's number (`flat-column.ts`): the width, or 0 for binary and 1 for text.
    pub fn from_code(code: u32) -> Result<Self> {
        match code {
            4 | 8 => Ok(Kind::Fixed { width: code as usize }),
            0 | 1 => Ok(Kind::Bytes { is_text: code == 1 }),
            _ => Err(Error::Misuse("a flat column has values of 4 or 8 bytes, or byte arrays")),
        }
    }
}

/// How a page is to be read.
pub struct Page {
    /// Rows, nulls included.
    pub rows: usize,
    /// Bytes of the definition levels at the front; none where the column is required.
    pub levels: Option<usize>,
    /// Of the values behind them.
    pub encoding: Encoding,
    /// Rows at the beginning that are not wanted, and those after them that are.
    pub skip: usize,
    /// See `skip`.
    pub take: usize,
}

/// Of values.
pub enum Encoding {
    /// One value after the other.
    Plain,
    /// Indices into the dictionary, after a byte that tells their width.
    Dictionary,
}

impl FlatColumn {
    /// Room for `rows` values.
    pub fn new(kind: Kind, rows: usize) -> Result<Self> {
        let width = if let Kind::Fixed { width } = kind { width } else { 4 };
        let bytes = rows.checked_mul(width).filter(|_| rows <= MAX_ROWS).ok_or(Error::Memory)?;
        Ok(FlatColumn {
            kind,
            width,
            rows,
            filled: 0,
            values: Buffer::zeroed(bytes)?,
            validity: None,
            dictionary: Buffer::empty(),
            texts: None,
            page: Buffer::empty(),
        })
    }

    /// Room for the dictionary's values, before the first page.
    pub fn dictionary(&mut self, bytes: usize) -> Result<&mut [u8]> {
        self.dictionary = Buffer::zeroed(bytes)?;
        Ok(self.dictionary.bytes_mut())
    }

    /// Room for a page.
    pub fn page(&mut self, bytes: usize) -> Result<&mut [u8]> {
        if self.page.len() != bytes {
            self.page = Buffer::zeroed(bytes)?;
        }
        Ok(self.page.bytes_mut())
    }

    /// The next `rows` rows, none of them null and of fixed width, to be written by the caller.
    pub fn plain(&mut self, rows: usize) -> Result<&mut [u8]> {
        if let Kind::Bytes { .. } = self.kind {
            return Err(Error::Misuse("byte arrays are not written in place"));
        }
        let start = self.filled;
        let end = self.advance(rows)?;
        if let Some(validity) = &mut self.validity {
            set_bits(validity, start, rows);
        }
        Ok(&mut self.values.bytes_mut()[start * self.width..end * self.width])
    }

    /// Appends rows of the page that was written last.
    pub fn append(&mut self, page: &Page) -> Result<()> {
        if page.skip.checked_add(page.take).is_none_or(|end| end > page.rows) || page.rows > MAX_ROWS {
            return Err(Error::Misuse("rows beyond the end of a page"));
        }
        let bytes = std::mem::replace(&mut self.page, Buffer::empty());
        let (levels, values) = bytes
            .bytes()
            .split_at_checked(page.levels.unwrap_or(0))
            .ok_or(Error::invalid("a page ends in its levels"))?;
        let present = match page.levels {
            Some(_) => read_levels(levels, page.rows)?,
            None => Bitmap::filled(page.rows, true)?,
        };
        let before = count(&present, 0, page.skip);
        let wanted = count(&present, page.skip, page.take);
        let start = self.filled;
        self.advance(page.take)?;
        self.append_validity(&present, page, start, wanted)?;
        let runs = Runs { present: &present, at: page.skip, end: page.skip + page.take, skip: page.skip, start };
        match (self.kind, &page.encoding) {
            (Kind::Bytes { .. }, encoding) => self.append_texts(encoding, values, before, wanted, runs)?,
            (_, Encoding::Plain) => self.append_plain(values, before, runs)?,
            (_, Encoding::Dictionary) => match self.width {
                4 => self.append_indices::<u32>(values, before, wanted, runs)?,
                _ => self.append_indices::<u64>(values, before, wanted, runs)?,
            },
        }
        self.page = bytes;
        Ok(())
    }

    /// The column, once all of its rows are there.
    pub fn finish(self) -> Result<Array> {
        if self.filled != self.rows {
            return Err(Error::invalid("the pages hold fewer rows than they claim"));
        }
        let len = self.rows;
        let validity = self.validity.map(|words| Bitmap::from_words(words, len));
        let Kind::Bytes { is_text } = self.kind else {
            return Ok(Array { len, validity, data: Data::Fixed { width: self.width, values: self.values } });
        };
        let texts = match self.texts {
            Some(texts) => texts,
            None => Texts::new(&[])?,
        };
        let has_plain = texts.has_plain();
        let values = Rc::new(texts.finish(is_text)?);
        let column = Array { len, validity, data: Data::Dictionary { indices: self.values, values } };
        if has_plain { Ok(column.decoded()?.unwrap_or(column)) } else { Ok(column) }
    }

    fn advance(&mut self, rows: usize) -> Result<usize> {
        let end = self.filled.checked_add(rows).filter(|&end| end <= self.rows);
        self.filled = end.ok_or(Error::Misuse("more rows than the column has"))?;
        Ok(self.filled)
    }

    fn append_validity(&mut self, present: &Bitmap, page: &Page, start: usize, wanted: usize) -> Result<()> {
        if wanted < page.take && self.validity.is_none() {
            let mut words = zeroed_words(word_count(self.rows))?;
            set_bits(&mut words, 0, start);
            self.validity = Some(words);
        }
        if let Some(words) = &mut self.validity {
            for at in (0..page.take).step_by(64) {
                let count = (page.take - at).min(64);
                put_bits(words, start + at, present.bits(page.skip + at, count));
            }
        }
        Ok(())
    }

    fn append_plain(&mut self, values: &[u8], before: usize, runs: Runs) -> Result<()> {
        let width = self.width;
        let mut from = before * width;
        for (row, len) in runs {
            let source = values.get(from..from + len * width).ok_or(ENDS)?;
            let target = row * width;
            self.values.bytes_mut()[target..target + len * width].copy_from_slice(source);
            from += len * width;
        }
        Ok(())
    }

    /// The numbers of byte arrays.
    fn append_texts(
        &mut self,
        encoding: &Encoding,
        values: &[u8],
        before: usize,
        wanted: usize,
        runs: Runs,
    ) -> Result<()> {
        let texts = match &mut self.texts {
            Some(texts) => texts,
            None => self.texts.insert(Texts::new(self.dictionary.bytes())?),
        };
        let out = self.values.numbers_mut::<u32>();
        match encoding {
            Encoding::Plain => {
                let mut next = texts.len() as u32;
                texts.push_plain(values, before, wanted)?;
                for (row, len) in runs {
                    for (out, number) in out[row..row + len].iter_mut().zip(next..) {
                        *out = number;
                    }
                    next += len as u32;
                }
            }
            Encoding::Dictionary if wanted > 0 => {
                let mut numbers = &read_indices(values, before + wanted)?[before..];
                if numbers.iter().max().is_some_and(|&most| most as usize >= texts.in_dictionary()) {
                    return Err(BEYOND);
                }
                for (row, len) in runs {
                    let (own, rest) = numbers.split_at(len);
                    out[row..row + len].copy_from_slice(own);
                    numbers = rest;
                }
            }
            Encoding::Dictionary => {}
        }
        Ok(())
    }

    fn append_indices<T: Number>(&mut self, values: &[u8], before: usize, wanted: usize, runs: Runs) -> Result<()> {
        if wanted == 0 {
            return Ok(());
        }
        let indices = read_indices(values, before + wanted)?;
        let dictionary = self.dictionary.numbers::<T>();
        let out = self.values.numbers_mut::<T>();
        let mut next = before;
        for (row, len) in runs {
            for (out, &index) in out[row..row + len].iter_mut().zip(&indices[next..next + len]) {
                *out = *dictionary.get(index as usize).ok_or(BEYOND)?;
            }
            next += len;
        }
        Ok(())
    }
}

/// Which of a page's rows are there: definition levels of one bit.
fn read_levels(bytes: &[u8], rows: usize) -> Result<Bitmap> {
    let mut words = zeroed_words(word_count(rows))?;
    let mut runs = Hybrid::new(bytes, 1)?;
    let mut at = 0;
    while at < rows {
        let run = runs.next_run()?;
        let len = run.len().min(rows - at);
        match run {
            Run::Repeated { value: 0, .. } => {}
            Run::Repeated { .. } => set_bits(&mut words, at, len),
            // Packed bits are in Arrow's order.
            Run::Packed { bytes, .. } => {
                for (i, chunk) in bytes.chunks(8).enumerate().take(len.div_ceil(64)) {
                    let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                    put_bits(&mut words, at + i * 64, word & low_bits(len - i * 64));
                }
            }
        }
        at += len;
    }
    Ok(Bitmap::from_words(words, rows))
}

fn read_indices(values: &[u8], count: usize) -> Result<Vec<u32>> {
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

/// Set bits of `len` bits from `start` on.
fn count(bits: &Bitmap, start: usize, len: usize) -> usize {
    (0..len).step_by(64).map(|at| bits.bits(start + at, (len - at).min(64)).count_ones() as usize).sum()
}

/// Sets `len` bits from bit `at` on.
fn set_bits(words: &mut [u64], at: usize, len: usize) {
    for i in (0..len).step_by(64) {
        put_bits(words, at + i, low_bits((len - i).min(64)));
    }
}

/// Sets the bits that are set in `word`, its lowest being bit `at`. Set bits lie inside `words`.
fn put_bits(words: &mut [u64], at: usize, word: u64) {
    let (index, shift) = (at / 64, at % 64);
    if word << shift != 0 {
        words[index] |= word << shift;
    }
    if shift > 0 && word >> (64 - shift) != 0 {
        words[index + 1] |= word >> (64 - shift);
    }
}

/// Runs of rows that are there, between two rows of a page: first row of the column, and length.
struct Runs<'a> {
    present: &'a Bitmap,
    at: usize,
    end: usize,
    /// Row of the page that is row `start` of the column.
    skip: usize,
    start: usize,
}

impl Iterator for Runs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        self.skip_while(false);
        let from = self.at;
        self.skip_while(true);
        (self.at > from).then(|| (self.start + from - self.skip, self.at - from))
    }
}

impl Runs<'_> {
    /// Goes on to the next bit that is not `bit`.
    fn skip_while(&mut self, bit: bool) {
        while self.at < self.end {
            let count = (self.end - self.at).min(64);
            let bits = self.present.bits(self.at, count);
            let same = if bit { bits.trailing_ones() } else { bits.trailing_zeros() } as usize;
            self.at += same.min(count);
            if same < count {
                return;
            }
        }
    }
}

/// A page is shorter than its values.
pub const ENDS: Error = Error::invalid("a page ends before its values");
const BEYOND: Error = Error::invalid("a page refers to a value that is not in its dictionary");
