//! A flat column of values of 4 or 8 bytes or of byte arrays, optional or not, plain or by dictionary: the bulk of
//! scientific data.

use super::hybrid::{Hybrid, Run};
use super::numbers::Numbers;
use super::texts::Texts;
use crate::array::{Array, MAX_ROWS};
use crate::bitmap::{Bitmap, low_bits, put_bits, set_bits, word_count, zeroed_words};
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// A column that is filled page by page.
pub struct FlatColumn {
    rows: usize,
    /// Rows that are there already.
    filled: usize,
    values: Values,
    /// Made at the first null.
    validity: Option<Vec<u64>>,
    /// The bytes of a page, while it is read: definition levels and values.
    page: Buffer,
}

enum Values {
    Numbers(Numbers),
    Texts(Texts),
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
#[derive(Clone, Copy)]
pub enum Encoding {
    /// One value after the other.
    Plain,
    /// Indices into the dictionary, after a byte that tells their width.
    Dictionary,
}

/// What a page holds for rows of the column.
pub struct Stretch<'a> {
    /// Of the bytes.
    pub encoding: Encoding,
    /// The page's values.
    pub bytes: &'a [u8],
    /// How many of them to leave out, and how many to read then.
    pub before: usize,
    /// See `before`.
    pub wanted: usize,
    /// The first row.
    pub start: usize,
    /// Rows, nulls included.
    pub take: usize,
    /// Those that are not null.
    pub runs: Runs<'a>,
}

impl FlatColumn {
    /// Room for `rows` values.
    pub fn new(kind: Kind, rows: usize) -> Result<Self> {
        if rows > MAX_ROWS {
            return Err(Error::Memory);
        }
        let values = match kind {
            Kind::Fixed { width } => Values::Numbers(Numbers::new(rows, width)?),
            Kind::Bytes { is_text } => Values::Texts(Texts::new(rows, is_text)?),
        };
        Ok(FlatColumn { rows, filled: 0, values, validity: None, page: Buffer::empty() })
    }

    /// Room for a page.
    pub fn page(&mut self, bytes: usize) -> Result<&mut [u8]> {
        if self.page.len() != bytes {
            self.page = Buffer::zeroed(bytes)?;
        }
        Ok(self.page.bytes_mut())
    }

    /// Takes the page that was written last for the dictionary, before any rows; it has so many values.
    pub fn dictionary(&mut self, values: usize) -> Result<()> {
        let page = std::mem::replace(&mut self.page, Buffer::empty());
        match &mut self.values {
            Values::Numbers(numbers) => numbers.take_dictionary(page),
            Values::Texts(texts) => texts.read_dictionary(page.bytes(), values)?,
        }
        Ok(())
    }

    /// The next `rows` rows, none of them null and of fixed width, to be written by the caller.
    pub fn plain(&mut self, rows: usize) -> Result<&mut [u8]> {
        let start = self.filled;
        let end = self.advance(rows)?;
        if let Some(validity) = &mut self.validity {
            set_bits(validity, start, rows);
        }
        match &mut self.values {
            Values::Numbers(numbers) => Ok(numbers.rows(start, end)),
            Values::Texts(_) => Err(Error::Misuse("byte arrays are not written in place")),
        }
    }

    /// The next `rows` rows, which nobody looks at: they may hold anything.
    pub fn skip(&mut self, rows: usize) -> Result<()> {
        let start = self.filled;
        self.advance(rows)?;
        match &mut self.values {
            // They are zeros already.
            Values::Numbers(_) => Ok(()),
            Values::Texts(texts) => texts.skip(start, rows),
        }
    }

    /// Appends rows of the page that was written last.
    pub fn append(&mut self, page: &Page) -> Result<()> {
        if page.skip.checked_add(page.take).is_none_or(|end| end > page.rows) || page.rows > MAX_ROWS {
            return Err(Error::Misuse("rows beyond the end of a page"));
        }
        let whole = std::mem::replace(&mut self.page, Buffer::empty());
        let (levels, bytes) = whole
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
        let stretch = Stretch { encoding: page.encoding, bytes, before, wanted, start, take: page.take, runs };
        match &mut self.values {
            Values::Numbers(numbers) => numbers.append(stretch)?,
            Values::Texts(texts) => texts.append(stretch)?,
        }
        self.page = whole;
        Ok(())
    }

    /// The column, once all of its rows are there.
    pub fn finish(self) -> Result<Array> {
        if self.filled != self.rows {
            return Err(Error::invalid("the pages hold fewer rows than they claim"));
        }
        let data = match self.values {
            Values::Numbers(numbers) => numbers.finish(),
            Values::Texts(texts) => texts.finish(self.validity.is_some())?,
        };
        let validity = self.validity.map(|words| Bitmap::from_words(words, self.rows));
        Ok(Array { len: self.rows, validity, data })
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

/// Set bits of `len` bits from `start` on.
fn count(bits: &Bitmap, start: usize, len: usize) -> usize {
    (0..len).step_by(64).map(|at| bits.bits(start + at, (len - at).min(64)).count_ones() as usize).sum()
}

/// Runs of rows that are there, between two rows of a page: first row of the column, and length.
pub struct Runs<'a> {
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

/// There is no such value.
pub const BEYOND: Error = Error::invalid("a page refers to a value that is not in its dictionary");
