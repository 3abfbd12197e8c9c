//! Records of a stretch of text: where they begin and where their fields end.

use super::comment::Comment;
use super::dialect::Dialect;
use super::separators::{BLOCK, Place, Scan};
use crate::bitmap::Bitmap;
use crate::error::{Error, Result};

/// Records of `fields` fields each, found one stretch after the other.
pub struct Records {
    scan: Scan,
    comment: Comment,
    fields: usize,
    /// Bytes looked at.
    at: usize,
    /// Where the line begins that is being looked at, and how many ends were known before it.
    line: usize,
    before: usize,
    /// Where fields end, record by record; the first `known` are.
    ends: Vec<u32>,
    known: usize,
    starts: Vec<u32>,
    /// Records may have fewer fields than the first one, and empty ones behind those.
    is_ragged: bool,
    /// Where the ends of each record are. Empty: each has as many fields as the first one, and no record was left out that
    /// others take values from.
    shapes: Vec<Shape>,
}

/// Where the ends of a record are: the index of the first of them, and their number, which is not 0.
#[derive(Clone, Copy)]
pub struct Shape {
    pub first: u32,
    pub count: u32,
}

/// How far a stretch was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// More bytes are needed.
    More,
    /// All records up to the limit are known.
    Done,
    /// The line has another number of fields.
    WrongFields { found: usize },
    /// The text ends between quotes.
    OpenQuote,
}

impl Records {
    /// Records from byte 0 on. With no fields given the first line that is not empty tells their number. `ends` is memory
    /// to use, whatever is in it.
    pub fn new(dialect: &Dialect, fields: usize, ends: Vec<u32>) -> Self {
        let Dialect { delimiter, has_runs, quote, comment, is_ragged, .. } = *dialect;
        let scan = Scan::new(delimiter, quote, Place::FieldStart).with_runs(has_runs);
        let (starts, shapes) = (Vec::new(), Vec::new());
        Records { scan, comment, fields, at: 0, line: 0, before: 0, ends, known: 0, starts, is_ragged, shapes }
    }

    /// Before any were looked for: they begin at a later byte.
    pub fn skip_to(&mut self, begin: usize) {
        self.at = begin;
        self.line = begin;
    }

    /// Gives up the memory for ends.
    pub fn into_ends(self) -> Vec<u32> {
        self.ends
    }

    /// Fields of a record.
    pub fn fields(&self) -> usize {
        self.fields
    }

    /// What lies between fields.
    fn delimiter(&self) -> u8 {
        self.scan.delimiter()
    }

    /// Where the next line begins, or the line begins at which an error was found.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Where records begin.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Where fields end, record by record.
    pub fn ends(&self) -> &[u32] {
        match self.shapes.is_empty() {
            true => &self.ends[..self.starts.len() * self.fields],
            false => &self.ends[..self.before],
        }
    }

    /// Where the ends of each record are. Empty: each has [`Records::fields`] of them.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The index of the first end of record `row`, which exists, and how many it has.
    pub fn ends_of(&self, row: usize) -> (usize, usize) {
        match self.shapes.get(row) {
            Some(shape) => (shape.first as usize, shape.count as usize),
            None => (row * self.fields, self.fields),
        }
    }

    /// Has the ends of records stay where they are when others are left out.
    pub fn hold_ends(&mut self) -> Result<()> {
        let rows = self.starts.len();
        if !self.shapes.is_empty() || rows == 0 {
            return Ok(());
        }
        let count = self.fields as u32;
        self.shapes.try_reserve(rows)?;
        self.shapes.extend((0..rows).map(|row| Shape { first: (row * self.fields) as u32, count }));
        Ok(())
    }

    /// Leaves out the records whose bit is not set; then no more can be found.
    pub fn keep(&mut self, kept: &Bitmap) {
        let mut to = 0;
        for (i, &word) in kept.words().iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let row = i * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.starts[to] = self.starts[row];
                match self.shapes.get(row) {
                    Some(&shape) => self.shapes[to] = shape,
                    None => self.ends.copy_within(row * self.fields..(row + 1) * self.fields, to * self.fields),
                }
                to += 1;
            }
        }
        self.starts.truncate(to);
        self.shapes.truncate(to);
    }

    /// Looks at `bytes`, which begin as they did before, up to the first line that begins at or after `limit`, or until
    /// there are `most` records. `is_last`: no bytes follow. Empty lines and comments are no records.
    pub fn find(&mut self, bytes: &[u8], limit: usize, most: usize, is_last: bool) -> Result<Progress> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(Error::TooLong);
        }
        while self.line < limit && self.starts.len() < most {
            let rest = bytes.get(self.at..).unwrap_or_default();
            if self.at == self.line && self.comment.may_begin(rest) {
                if self.comment.begins(rest) {
                    let Some(end) = comment_end(rest, self.delimiter(), is_last) else { return Ok(Progress::More) };
                    self.skip_to(self.at + end);
                    continue;
                }
                if !is_last {
                    return Ok(Progress::More);
                }
            }
            // One byte more, to see whether a line feed follows a carriage return.
            if rest.len() <= BLOCK && !is_last {
                return Ok(Progress::More);
            }
            if rest.is_empty() {
                return self.finish(bytes);
            }
            let progress = match rest.first_chunk::<BLOCK>() {
                Some(block) => self.block(block, BLOCK, bytes, limit, most)?,
                None => {
                    let mut block = [0; BLOCK];
                    block[..rest.len()].copy_from_slice(rest);
                    self.block(&block, rest.len(), bytes, limit, most)?
                }
            };
            if let Some(error) = progress {
                return Ok(error);
            }
        }
        Ok(Progress::Done)
    }

    #[inline(always)]
    fn block(
        &mut self,
        block: &[u8; BLOCK],
        count: usize,
        bytes: &[u8],
        limit: usize,
        most: usize,
    ) -> Result<Option<Progress>> {
        let found = self.scan.next(block, count);
        let first = self.known;
        self.push_ends(found.fields)?;
        let mut removed = 0;
        let mut records = found.records;
        while records != 0 {
            let bit = records.trailing_zeros();
            records &= records - 1;
            let end = self.at + bit as usize;
            let entry = first + (found.fields & ((1 << bit) - 1)).count_ones() as usize - removed;
            let fields = entry + 1 - self.before;
            if end == self.line || (fields == 1 && self.is_blank(&bytes[self.line..end])) {
                self.ends.copy_within(entry + 1..self.known, entry);
                self.known -= 1;
                removed += 1;
            } else if fields == self.fields || self.fields == 0 {
                self.fields = fields;
                self.push_start(fields)?;
                self.before = entry + 1;
            } else if self.may_have(fields, &bytes[..end]) {
                self.hold_ends()?;
                self.push_shape(fields.min(self.fields))?;
                self.starts.try_reserve(1)?;
                self.starts.push(self.line as u32);
                self.before = entry + 1;
            } else {
                return Ok(Some(Progress::WrongFields { found: fields }));
            }
            let is_pair = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n') && self.delimiter() != b'\n';
            self.line = end + 1 + usize::from(is_pair);
            if self.line >= limit || self.starts.len() >= most {
                break;
            }
            if self.comment.may_begin(&bytes[self.line..]) {
                // Quotes in a comment open no fields, so that what the scan found behind this line is forgotten.
                self.scan = self.scan.at_line();
                self.known = self.before;
                self.at = self.line;
                return Ok(None);
            }
        }
        self.at += count;
        Ok(None)
    }

    /// Ends the last line where the text ends without a line end.
    fn finish(&mut self, bytes: &[u8]) -> Result<Progress> {
        let end = bytes.len();
        if self.scan.is_quoted() {
            return Ok(Progress::OpenQuote);
        }
        // After CR LF at the very end the next line begins behind it.
        if self.line < end && !self.is_blank(&bytes[self.line..]) {
            self.push_ends_at(end)?;
            let fields = self.known - self.before;
            if self.fields == 0 || fields == self.fields {
                self.fields = fields;
                self.push_start(fields)?;
            } else if self.may_have(fields, bytes) {
                self.hold_ends()?;
                self.push_shape(fields.min(self.fields))?;
                self.starts.try_reserve(1)?;
                self.starts.push(self.line as u32);
            } else {
                return Ok(Progress::WrongFields { found: fields });
            }
            self.before = self.known;
        }
        self.line = end;
        Ok(Progress::Done)
    }

    /// Whether a record at the end of these bytes may have another number of fields than the first one: fewer, or more that
    /// have nothing but blanks.
    #[cold]
    fn may_have(&self, fields: usize, bytes: &[u8]) -> bool {
        let surplus = || &bytes[self.ends[self.before + self.fields - 1] as usize..];
        self.is_ragged
            && (fields < self.fields || surplus().iter().all(|byte| *byte == b' ' || *byte == self.delimiter()))
    }

    /// Whether a line is empty because it has nothing but blanks, which are no fields where runs of them lie between fields, or
    /// where fields may be missing.
    #[inline(always)]
    fn is_blank(&self, line: &[u8]) -> bool {
        (self.scan.has_runs() || self.is_ragged) && line.iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }

    #[inline(always)]
    fn push_start(&mut self, fields: usize) -> Result<()> {
        if !self.shapes.is_empty() {
            self.push_shape(fields)?;
        }
        self.starts.try_reserve(1)?;
        self.starts.push(self.line as u32);
        Ok(())
    }

    /// The ends of the record that is being looked at.
    fn push_shape(&mut self, count: usize) -> Result<()> {
        self.shapes.try_reserve(1)?;
        self.shapes.push(Shape { first: self.before as u32, count: count as u32 });
        Ok(())
    }

    fn push_ends(&mut self, mut bits: u64) -> Result<()> {
        let at = self.at as u32;
        let out = self.room()?;
        let count = bits.count_ones() as usize;
        // In steps of 8, of which the last writes more than there is: a loop to the exact end is mispredicted.
        for step in out.as_chunks_mut::<8>().0.iter_mut().take(count.div_ceil(8)) {
            for end in step {
                *end = at.wrapping_add(bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
        }
        self.known += count;
        Ok(())
    }

    fn push_ends_at(&mut self, end: usize) -> Result<()> {
        self.room()?[0] = end as u32;
        self.known += 1;
        Ok(())
    }

    /// Room for the ends in one block.
    fn room(&mut self) -> Result<&mut [u32]> {
        let wanted = self.known + BLOCK;
        if wanted > self.ends.len() {
            self.ends.try_reserve(wanted - self.ends.len())?;
            self.ends.resize(self.ends.capacity(), 0);
        }
        Ok(&mut self.ends[self.known..wanted])
    }
}

/// Where the line after a comment begins, counted from the comment. None: more bytes are needed to see it.
fn comment_end(text: &[u8], delimiter: u8, is_last: bool) -> Option<usize> {
    let ends_line = |byte: &u8| (*byte == b'\n' || *byte == b'\r') && *byte != delimiter;
    let Some(end) = text.iter().position(ends_line) else { return is_last.then_some(text.len()) };
    match text.get(end + 1) {
        Some(b'\n') if text[end] == b'\r' && delimiter != b'\n' => Some(end + 2),
        None if text[end] == b'\r' && !is_last => None,
        _ => Some(end + 1),
    }
}

/// Records that have to have the right number of fields for a guess to be believed.
const PLAUSIBLE: usize = 8;

/// Where the first record begins after byte 0, of which it is not known whether it lies between quotes: outside of them
/// if the records that follow then have so many fields, else inside, else it is the quote that opens a field. None where
/// nothing fits, or where too few `bytes` are given to see a record.
pub fn guess(bytes: &[u8], dialect: &Dialect, fields: usize, is_last: bool) -> Result<Option<usize>> {
    let places: &[Place] = match dialect.quote {
        Some(_) => &[Place::Unquoted, Place::Quoted, Place::FieldStart],
        None => &[Place::Unquoted],
    };
    // Records of the full number of fields say more than ragged ones, which almost any lines are.
    let choices: &[bool] = if dialect.is_ragged { &[false, true] } else { &[false] };
    for (&is_ragged, &place) in choices.iter().flat_map(|ragged| places.iter().map(move |place| (ragged, place))) {
        let scan = Scan::new(dialect.delimiter, dialect.quote, place).with_runs(dialect.has_runs);
        let Some(begin) = next_line(bytes, scan, is_last) else { continue };
        let mut records = Records { is_ragged, ..Records::new(dialect, fields, Vec::new()) };
        records.skip_to(begin);
        let progress = records.find(bytes, bytes.len(), PLAUSIBLE, is_last)?;
        let is_plausible = match progress {
            Progress::Done => true,
            Progress::More => !records.starts.is_empty(),
            Progress::WrongFields { .. } | Progress::OpenQuote => false,
        };
        if is_plausible {
            return Ok(Some(begin));
        }
    }
    Ok(None)
}

fn next_line(bytes: &[u8], mut scan: Scan, is_last: bool) -> Option<usize> {
    for (i, chunk) in bytes.chunks(BLOCK).enumerate() {
        let mut block = [0; BLOCK];
        block[..chunk.len()].copy_from_slice(chunk);
        let records = scan.next(&block, chunk.len()).records;
        if records != 0 {
            let end = i * BLOCK + records.trailing_zeros() as usize;
            let next = bytes.get(end + 1);
            let is_pair = bytes[end] == b'\r' && next == Some(&b'\n') && scan.delimiter() != b'\n';
            return (next.is_some() || is_last).then_some(end + 1 + usize::from(is_pair));
        }
    }
    None
}
