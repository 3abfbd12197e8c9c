//! Which rows of a page are there.

use super::hybrid::{Hybrid, Run};
use super::unpack::word_at;
use crate::bitmap::{Bitmap, low_bits, put_bits, set_bits, word_count, zeroed_words};
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

/// Beyond so many runs in a word its rows are taken one by one.
const MANY_RUNS: u32 = 6;

/// Elements that are copied at once.
const STEP: usize = 8;

impl<'a> Rows<'a> {
    /// All of them.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// `len` of them (at most 64) from `start` on, as bits.
    pub fn bits(self, start: usize, len: usize) -> u64 {
        self.presence.bits(self.start + start, len)
    }

    /// Values, each of `size` elements, to the rows that are there; what the others have is filled with `filler`.
    pub fn spread<T: Copy>(self, values: &[T], size: usize, filler: T, out: &mut [T]) {
        let mut from = 0;
        for start in (0..self.len()).step_by(WORD) {
            let len = (self.len() - start).min(WORD);
            let mut left = self.presence.bits(self.start + start, len);
            let mut at = start * size;
            if size == 1 && (left & !(left << 1)).count_ones() > MANY_RUNS {
                for out in &mut out[at..at + len] {
                    let value = values.get(from).copied().unwrap_or(filler);
                    *out = if left & 1 == 1 { value } else { filler };
                    from += (left & 1) as usize;
                    left >>= 1;
                }
                continue;
            }
            while left != 0 {
                let gap = left.trailing_zeros();
                left >>= gap;
                let run = left.trailing_ones();
                left = left.checked_shr(run).unwrap_or(0);
                let [gap, run] = [gap as usize * size, run as usize * size];
                fill(&mut out[at..at + gap], filler);
                at += gap;
                copy_run(&values[from..], &mut out[at..], run);
                at += run;
                from += run;
            }
            fill(&mut out[at..(start + len) * size], filler);
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

/// Copies `len` elements in steps, because a call of `memory.copy` costs more than so few. Some elements behind them may
/// be written over: they are written next.
#[inline(always)]
fn copy_run<T: Copy>(source: &[T], out: &mut [T], len: usize) {
    let steps = len.div_ceil(STEP);
    let (sources, outs) = (source.as_chunks::<STEP>().0, out.as_chunks_mut::<STEP>().0);
    if sources.len() < steps || outs.len() < steps {
        out[..len].iter_mut().zip(&source[..len]).for_each(|(out, value)| *out = *value);
        return;
    }
    for (out, source) in outs[..steps].iter_mut().zip(&sources[..steps]) {
        *out = *source;
    }
}

/// In a loop, because gaps are short.
#[inline(always)]
fn fill<T: Copy>(out: &mut [T], filler: T) {
    for out in out {
        *out = filler;
    }
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
