//! Which rows of a page are there.

use super::hybrid::{Hybrid, Run};
use super::unpack::word_at;
use crate::bitmap::{Bitmap, low_bits, put_bits, set_bits, word_count, zeroed_words};
use crate::buffer::Number;
use crate::error::Result;

/// Rows of a page, each there or null.
pub struct Presence {
    /// None: all are there.
    bits: Option<Bitmap>,
}

impl Presence {
    /// No row is null.
    pub const fn whole() -> Self {
        Presence { bits: None }
    }

    /// From definition levels of one bit.
    pub fn read(levels: &[u8], rows: usize) -> Result<Self> {
        let mut runs = Hybrid::new(levels, 1)?;
        let mut words = Vec::new();
        let mut at = 0;
        while at < rows {
            let run = runs.next_run()?;
            let len = run.len().min(rows - at);
            match run {
                Run::Repeated { value: 1.., .. } if len == rows => return Ok(Self::whole()),
                _ if words.is_empty() => words = zeroed_words(word_count(rows))?,
                _ => {}
            }
            match run {
                Run::Repeated { value: 0, .. } => {}
                Run::Repeated { .. } => set_bits(&mut words, at, len),
                // Packed bits are in Arrow's order.
                Run::Packed { bytes, .. } => {
                    for i in (0..len).step_by(64) {
                        put_bits(&mut words, at + i, word_at(bytes, i / 8) & low_bits(len - i));
                    }
                }
            }
            at += len;
        }
        Ok(Presence { bits: Some(Bitmap::from_words(words, rows)) })
    }

    /// From bits in Arrow's order, which are as many.
    pub fn packed(bytes: &[u8], rows: usize) -> Result<Self> {
        let mut words = zeroed_words(word_count(rows))?;
        for (i, word) in words.iter_mut().enumerate() {
            *word = word_at(bytes, i * 8);
        }
        Ok(Presence { bits: Some(Bitmap::from_words(words, rows)) })
    }

    /// Rows that are there, of `len` rows from `start` on.
    pub fn count(&self, start: usize, len: usize) -> usize {
        if self.bits.is_none() {
            return len;
        }
        (0..len).step_by(64).map(|at| self.bits(start + at, (len - at).min(64)).count_ones() as usize).sum()
    }

    /// `len` rows (at most 64) from `start` on.
    pub fn bits(&self, start: usize, len: usize) -> u64 {
        match &self.bits {
            Some(bits) => bits.bits(start, len),
            None => low_bits(len),
        }
    }

    /// The rows from `start` to `end`.
    pub const fn rows(&self, start: usize, end: usize) -> Rows<'_> {
        Rows { presence: self, start, end }
    }
}

/// A stretch of a page.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    presence: &'a Presence,
    start: usize,
    end: usize,
}

/// Rows at a time.
const WORD: usize = 64;

/// A block is moved in steps of so many values; the last of a run may move more than the run has.
const STEP: usize = 8;

impl<'a> Rows<'a> {
    /// All of them.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// The first values of `rows`, as many as rows are there, move to their rows; the others become `filler`.
    pub fn spread<T: Number>(self, rows: &mut [T], wanted: usize, filler: T) {
        debug_assert!(rows.len() == self.len() && wanted <= rows.len());
        let mut from = wanted;
        let mut word = [filler; WORD + STEP];
        // From the end, so that no value is overwritten before it has moved.
        for at in (0..rows.len()).step_by(WORD).rev() {
            let len = (rows.len() - at).min(WORD);
            let bits = self.presence.bits(self.start + at, len);
            let count = bits.count_ones() as usize;
            from -= count;
            if count == len && from == at {
                // Nothing before is null.
                return;
            }
            if count == WORD {
                move_word(rows, from, at);
                continue;
            }
            spread_word(bits, &rows[from..], &mut word, filler);
            copy_steps(&word, &mut rows[at..at + len]);
        }
    }

    /// The same for values of any number of bytes; the others become zeros.
    pub fn spread_bytes(self, rows: &mut [u8], width: usize, wanted: usize) {
        let mut from = wanted;
        for row in (0..self.len()).rev() {
            if from == row + 1 {
                return;
            }
            let at = row * width;
            if self.presence.bits(self.start + row, 1) == 1 {
                from -= 1;
                rows.copy_within(from * width..(from + 1) * width, at);
            } else {
                rows[at..at + width].fill(0);
            }
        }
    }

    /// The same for bits: of `values`, one after the other, those of the rows that are there.
    pub fn spread_bits(self, values: &Presence, from: usize, out: &mut [u64], at: usize) {
        let mut from = from;
        for i in (0..self.len()).step_by(WORD) {
            let len = (self.len() - i).min(WORD);
            let present = self.presence.bits(self.start + i, len);
            let count = present.count_ones() as usize;
            let mut values = values.bits(from, count);
            from += count;
            let mut word = values;
            if count < len {
                let mut left = present;
                word = 0;
                while left != 0 {
                    word |= (values & 1) << left.trailing_zeros();
                    values >>= 1;
                    left &= left - 1;
                }
            }
            put_bits(out, at + i, word);
        }
    }

    /// Runs of rows that are there: first row, counted from the first of these, and length.
    pub const fn runs(self) -> Runs<'a> {
        Runs { rows: self, at: self.start }
    }
}

/// A word of values that lie together and go on doing so, from the last on.
fn move_word<T: Number>(rows: &mut [T], from: usize, to: usize) {
    for i in (0..WORD).step_by(STEP).rev() {
        if let Some(step) = rows[from + i..].first_chunk::<STEP>().copied() {
            rows[to + i..to + i + STEP].copy_from_slice(&step);
        }
    }
}

/// Values to the places of set bits.
fn spread_word<T: Number>(bits: u64, source: &[T], out: &mut [T; WORD + STEP], filler: T) {
    let (mut left, mut at, mut from) = (bits, 0, 0);
    while left != 0 {
        let gap = left.trailing_zeros() as usize;
        at += gap;
        left >>= gap;
        let run = left.trailing_ones() as usize;
        for i in (0..run).step_by(STEP) {
            let (out, source) = (&mut out[at + i..at + i + STEP], &source[from + i..]);
            match source.first_chunk::<STEP>() {
                Some(source) => out.copy_from_slice(source),
                None => out.iter_mut().zip(source).for_each(|(out, value)| *out = *value),
            }
        }
        at += run;
        from += run;
        left = left.checked_shr(run as u32).unwrap_or(0);
    }
    let mut gaps = !bits;
    while gaps != 0 {
        out[gaps.trailing_zeros() as usize] = filler;
        gaps &= gaps - 1;
    }
}

/// In steps, because a call of `memory.copy` costs more than so few values.
fn copy_steps<T: Number>(source: &[T], out: &mut [T]) {
    let (steps, rest) = out.as_chunks_mut::<STEP>();
    let (sources, source_rest) = source.as_chunks::<STEP>();
    for (out, source) in steps.iter_mut().zip(sources) {
        *out = *source;
    }
    let last = sources.get(steps.len()).map_or(source_rest, |last| &last[..]);
    rest.iter_mut().zip(last).for_each(|(out, value)| *out = *value);
}

/// See [`Rows::runs`].
pub struct Runs<'a> {
    rows: Rows<'a>,
    at: usize,
}

impl Iterator for Runs<'_> {
    type Item = (usize, usize);

    fn next(&mut self) -> Option<(usize, usize)> {
        self.skip_while(false);
        let from = self.at;
        self.skip_while(true);
        (self.at > from).then(|| (from - self.rows.start, self.at - from))
    }
}

impl Runs<'_> {
    /// Goes on to the next bit that is not `bit`.
    fn skip_while(&mut self, bit: bool) {
        while self.at < self.rows.end {
            let count = (self.rows.end - self.at).min(64);
            let bits = self.rows.presence.bits(self.at, count);
            let same = if bit { bits.trailing_ones() } else { bits.trailing_zeros() } as usize;
            self.at += same.min(count);
            if same < count {
                return;
            }
        }
    }
}
