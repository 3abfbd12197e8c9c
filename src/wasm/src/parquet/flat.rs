//! A flat column, optional or not, page by page.

use super::booleans::Booleans;
use super::convert::convert;
use super::fixed::Fixed;
use super::inflate::{Codec, inflate};
use super::kind::{Kind, Read, Stored};
use super::page::{Levels, Page, Stretch};
use super::presence::Presence;
use super::texts::Texts;
use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, put_bits, set_bits, word_count, zeroed_words};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::int96;
use crate::run::MAX_ROWS;
use crate::snappy::only_literal;

/// A column that is filled page by page.
pub struct FlatColumn {
    kind: Kind,
    rows: usize,
    /// Rows that are there already.
    filled: usize,
    values: Values,
    /// Made at the first null.
    validity: Option<Vec<u64>>,
    /// The rows that are looked at. None: all.
    wanted: Option<Bitmap>,
    page: Pages,
}

enum Values {
    Booleans(Booleans),
    Fixed(Fixed),
    Texts(Texts),
    Nothing,
}

/// Memory for one page at a time.
struct Pages {
    /// As it is stored.
    stored: Buffer,
    len: usize,
    /// Without compression.
    inflated: Buffer,
}

impl Pages {
    /// The page that was written last, without compression.
    fn inflate(&mut self, codec: Codec, size: usize, levels: usize) -> Result<&[u8]> {
        let is_plain = codec == Codec::None
            || codec == Codec::Snappy && levels == 0 && only_literal(&self.stored.bytes()[..self.len], size).is_some();
        if is_plain {
            // A literal is the end of what is stored.
            let from = if codec == Codec::None { 0 } else { self.len - size };
            return Ok(&self.stored.bytes()[from..self.len]);
        }
        self.inflate_apart(codec, size, levels)
    }

    /// The same of a page with compression, never where it is stored.
    fn inflate_apart(&mut self, codec: Codec, size: usize, levels: usize) -> Result<&[u8]> {
        let stored = &self.stored.bytes()[..self.len];
        let (levels, compressed) = stored.split_at_checked(levels).ok_or(SHORT)?;
        let rest = size.checked_sub(levels.len()).ok_or(SHORT)?;
        codec.check(compressed.len(), rest)?;
        room(&mut self.inflated, size)?;
        let out = &mut self.inflated.bytes_mut()[..size];
        out[..levels.len()].copy_from_slice(levels);
        inflate(codec, compressed, &mut out[levels.len()..])?;
        Ok(&self.inflated.bytes()[..size])
    }

    /// The page that was written last, without compression, for good.
    fn take(&mut self, codec: Codec, size: usize) -> Result<Buffer> {
        let (page, len) = match codec {
            Codec::None => (&mut self.stored, self.len),
            _ => {
                self.inflate_apart(codec, size, 0)?;
                (&mut self.inflated, size)
            }
        };
        let mut page = std::mem::replace(page, Buffer::empty());
        page.truncate(len);
        Ok(page)
    }
}

fn room(buffer: &mut Buffer, bytes: usize) -> Result<()> {
    if buffer.len() < bytes {
        // Nothing of the last page is kept.
        *buffer = Buffer::empty();
        *buffer = Buffer::zeroed(bytes)?;
    }
    Ok(())
}

impl FlatColumn {
    /// Room for `rows` values.
    pub fn new(kind: Kind, rows: usize) -> Result<Self> {
        if rows > MAX_ROWS {
            return Err(Error::Memory);
        }
        let values = match (kind.read, kind.stored) {
            (Read::Nothing, _) => Values::Nothing,
            (_, Stored::Bits) => Values::Booleans(Booleans::new(rows)?),
            (_, Stored::Fixed { width }) => Values::Fixed(Fixed::new(rows, width)?),
            (read, Stored::Bytes) => Values::Texts(Texts::new(rows, read == Read::Text)?),
        };
        let page = Pages { stored: Buffer::empty(), len: 0, inflated: Buffer::empty() };
        Ok(FlatColumn { kind, rows, filled: 0, values, validity: None, wanted: None, page })
    }

    /// Leaves out the values of rows that are not true in `wanted`, where that saves work: they may be zero.
    pub fn select(&mut self, wanted: &Bitmap) -> Result<()> {
        if wanted.len() < self.rows {
            return Err(Error::Misuse("a mask of fewer rows than the column has"));
        }
        // Not any bytes are such a time.
        if !matches!(self.kind.read, Read::Instant { .. }) {
            self.wanted = Some(wanted.try_clone()?);
        }
        Ok(())
    }

    /// Room for a page as it is stored; what it holds is of no meaning.
    pub fn page(&mut self, bytes: usize) -> Result<&mut [u8]> {
        room(&mut self.page.stored, bytes)?;
        self.page.len = bytes;
        Ok(&mut self.page.stored.bytes_mut()[..bytes])
    }

    /// Takes the page that was written last, `size` bytes once inflated, for the dictionary, before any rows; it has so
    /// many values.
    pub fn dictionary(&mut self, values: usize, codec: Codec, size: usize) -> Result<()> {
        match &mut self.values {
            Values::Fixed(fixed) => fixed.take_dictionary(self.page.take(codec, size)?, values),
            Values::Texts(texts) => texts.read_dictionary(self.page.inflate(codec, size, 0)?, values),
            Values::Nothing => Ok(()),
            Values::Booleans(_) => Err(Error::Misuse("booleans have no dictionary")),
        }
    }

    /// The next `rows` rows, none of them null and of fixed width, to be written by the host: what they hold is of no meaning.
    pub fn plain(&mut self, rows: usize) -> Result<&mut [u8]> {
        let start = self.filled;
        let end = self.advance(rows)?;
        if let Some(validity) = &mut self.validity {
            set_bits(validity, start, rows);
        }
        match &mut self.values {
            Values::Fixed(fixed) => fixed.room(end),
            _ => Err(Error::Misuse("only values of fixed width are written in place")),
        }
    }

    /// The next `rows` rows, which nobody looks at: they may hold anything.
    pub fn skip(&mut self, rows: usize) -> Result<()> {
        let start = self.filled;
        let end = self.advance(rows)?;
        match &mut self.values {
            Values::Texts(texts) => texts.skip(start, rows),
            // Zeros are a time that few units reach.
            Values::Fixed(fixed) if matches!(self.kind.read, Read::Instant { .. }) => {
                fixed.room(end)?.as_chunks_mut().0.fill(int96::EPOCH);
                Ok(())
            }
            Values::Fixed(fixed) => fixed.skip(end),
            // They are zeros already.
            _ => Ok(()),
        }
    }

    /// Appends rows of the page that was written last, `size` bytes once inflated.
    pub fn append(&mut self, page: &Page, codec: Codec, size: usize) -> Result<()> {
        let levels = match page.levels {
            Levels::Apart { bytes } => bytes,
            Levels::Counted => 0,
        };
        let bytes = self.page.inflate(codec, size, levels)?;
        let (presence, bytes) = page.split(bytes, self.kind.is_optional)?;
        let before = presence.count(0, page.skip);
        let wanted = presence.count(page.skip, page.take);
        let start = self.filled;
        let rows = presence.rows(page.skip, page.skip + page.take);
        let stretch = Stretch { encoding: page.encoding, bytes, before, wanted, start, rows };
        if stretch.end() > self.rows {
            return Err(TOO_MANY);
        }
        match &mut self.values {
            Values::Texts(texts) => texts.append(&stretch)?,
            Values::Fixed(fixed) => fixed.append(&stretch, self.wanted.as_ref())?,
            Values::Booleans(booleans) => booleans.append(&stretch)?,
            Values::Nothing => {}
        }
        append_validity(&mut self.validity, self.rows, &presence, page, start, wanted)?;
        self.filled = stretch.end();
        Ok(())
    }

    /// The column, once all of its rows are there.
    pub fn finish(self) -> Result<Array> {
        if self.filled != self.rows {
            return Err(Error::invalid("the pages hold fewer rows than they claim"));
        }
        let data = match self.values {
            Values::Booleans(booleans) => booleans.finish(),
            Values::Fixed(fixed) => fixed.finish(),
            Values::Texts(texts) => texts.finish(self.validity.is_some())?,
            Values::Nothing => return Ok(Array { len: self.rows, validity: None, data: Data::Null }),
        };
        let validity = self.validity.map(|words| Bitmap::from_words(words, self.rows));
        let array = Array { len: self.rows, validity, data };
        match self.kind.read {
            Read::Same | Read::Text => Ok(array),
            read => Ok(Array { data: convert(&array, read)?, ..array }),
        }
    }

    fn advance(&mut self, rows: usize) -> Result<usize> {
        let end = self.filled.checked_add(rows).filter(|&end| end <= self.rows);
        self.filled = end.ok_or(TOO_MANY)?;
        Ok(self.filled)
    }
}

fn append_validity(
    validity: &mut Option<Vec<u64>>,
    rows: usize,
    presence: &Presence,
    page: &Page,
    start: usize,
    wanted: usize,
) -> Result<()> {
    if wanted < page.take && validity.is_none() {
        let mut words = zeroed_words(word_count(rows))?;
        set_bits(&mut words, 0, start);
        *validity = Some(words);
    }
    if let Some(words) = validity {
        for at in (0..page.take).step_by(64) {
            put_bits(words, start + at, presence.bits(page.skip + at, (page.take - at).min(64)));
        }
    }
    Ok(())
}

const SHORT: Error = Error::invalid("the levels of a page do not fit into it");
const TOO_MANY: Error = Error::Misuse("more rows than the column has");
