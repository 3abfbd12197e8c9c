//! Bitmaps in Arrow's order: bit `i` of the column is bit `i % 8` of byte `i / 8`, held here as little-endian words.

use crate::error::Result;
use crate::vectors::{collected, filled};

/// A fixed number of bits. Bits past the end are zero.
#[derive(Debug, PartialEq, Eq)]
pub struct Bitmap {
    words: Vec<u64>,
    len: usize,
}

/// 64 times the same bit.
pub const fn filled_word(bit: bool) -> u64 {
    if bit { u64::MAX } else { 0 }
}

/// Words that hold `len` bits.
pub const fn word_count(len: usize) -> usize {
    len.div_ceil(64)
}

/// The `count` lowest bits set, `count` at most 64.
pub const fn low_bits(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// `count` bits (at most 64) of a word, the rest zero.
pub fn bits(count: usize, bit: impl Fn(usize) -> bool) -> u64 {
    (0..count).fold(0, |word, i| word | (bit(i) as u64) << i)
}

/// Zeroed words.
pub fn zeroed_words(count: usize) -> Result<Vec<u64>> {
    filled(count, 0)
}

/// Sets `len` bits from bit `at` on.
pub fn set_bits(words: &mut [u64], at: usize, len: usize) {
    for i in (0..len).step_by(64) {
        put_bits(words, at + i, low_bits((len - i).min(64)));
    }
}

/// Sets the bits that are set in `word`, its lowest being bit `at`. Set bits lie inside `words`.
pub fn put_bits(words: &mut [u64], at: usize, word: u64) {
    let (index, shift) = (at / 64, at % 64);
    if word << shift != 0 {
        words[index] |= word << shift;
    }
    if shift > 0 && word >> (64 - shift) != 0 {
        words[index + 1] |= word >> (64 - shift);
    }
}

impl Bitmap {
    /// `len` times the same bit.
    pub fn filled(len: usize, bit: bool) -> Result<Self> {
        let mut words = zeroed_words(word_count(len))?;
        words.fill(filled_word(bit));
        Ok(Self::from_words(words, len))
    }

    /// One bit after the other.
    pub fn from_fn(len: usize, bit: impl Fn(usize) -> bool) -> Result<Self> {
        let words = collected(
            word_count(len),
            (0..word_count(len)).map(|i| bits((len - i * 64).min(64), |j| bit(i * 64 + j))),
        )?;
        Ok(Bitmap { words, len })
    }

    /// Takes words over; bits past `len` are cleared.
    ///
    /// # Panics
    /// If there are not exactly as many words as `len` bits need.
    pub fn from_words(mut words: Vec<u64>, len: usize) -> Self {
        assert_eq!(words.len(), word_count(len));
        if !len.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            *last &= low_bits(len % 64);
        }
        Bitmap { words, len }
    }

    /// The `len` bits of `words` from bit `from` (below 64) on.
    pub fn shifted(mut words: Vec<u64>, from: usize, len: usize) -> Self {
        debug_assert!(from < 64 && words.len() >= word_count(from + len));
        if from > 0 {
            for i in 0..word_count(len) {
                let next = words.get(i + 1).copied().unwrap_or(0);
                words[i] = words[i] >> from | next << (64 - from);
            }
        }
        words.truncate(word_count(len));
        Self::from_words(words, len)
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The words; bits past the end are zero.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Bit `index`.
    pub fn get(&self, index: usize) -> bool {
        debug_assert!(index < self.len);
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// Set bits.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// `count` bits (at most 64) from bit `start` on, in the low bits.
    #[inline]
    pub fn bits(&self, start: usize, count: usize) -> u64 {
        debug_assert!(count <= 64 && start + count <= self.len);
        if count == 0 {
            return 0;
        }
        let (index, shift) = (start / 64, start % 64);
        let mut bits = self.words[index] >> shift;
        if shift + count > 64 {
            bits |= self.words[index + 1] << (64 - shift);
        }
        bits & low_bits(count)
    }

    /// A new bitmap of the same length, word by word from this one's.
    pub fn map(&self, f: impl Fn(u64) -> u64) -> Result<Self> {
        let words = collected(self.words.len(), self.words.iter().map(|&word| f(word)))?;
        Ok(Self::from_words(words, self.len))
    }

    /// A new bitmap, word by word from this one's and another's of the same length.
    pub fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Result<Self> {
        debug_assert_eq!(self.len, other.len);
        let words = collected(self.words.len(), self.words.iter().zip(&other.words).map(|(&a, &b)| f(a, b)))?;
        Ok(Self::from_words(words, self.len))
    }

    /// These bits where those of `choice` are set, and `other` elsewhere. Both have the same length.
    pub fn where_set(&self, choice: &Self, other: bool) -> Result<Self> {
        self.zip(choice, |word, choice| (word & choice) | (filled_word(other) & !choice))
    }

    /// A copy.
    pub fn try_clone(&self) -> Result<Self> {
        self.map(|word| word)
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// Bits appended one run after the other.
pub struct BitWriter {
    words: Vec<u64>,
    /// The word that is not full yet.
    last: u64,
    len: usize,
    set: usize,
}

impl BitWriter {
    /// A writer with room for `capacity` bits.
    pub fn with_capacity(capacity: usize) -> Result<Self> {
        Ok(BitWriter { words: zeroed_words(word_count(capacity))?, last: 0, len: 0, set: 0 })
    }

    /// Appends the `count` (at most 64) low bits of `bits`; those above are zero.
    #[inline(always)]
    pub fn push(&mut self, bits: u64, count: usize) {
        debug_assert!(count <= 64 && bits & !low_bits(count) == 0);
        let (index, shift) = (self.len / 64, self.len % 64);
        self.last |= bits << shift;
        if shift + count >= 64 {
            self.words[index] = self.last;
            self.last = bits.checked_shr(64 - shift as u32).unwrap_or(0);
        }
        self.len += count;
        self.set += bits.count_ones() as usize;
    }

    /// Appends `len` bits of `source` from `start` on. Inlined, so that the writer lies in registers while runs are short.
    #[inline(always)]
    pub fn push_range(&mut self, source: &Bitmap, mut start: usize, mut len: usize) {
        while len > 0 {
            let count = len.min(64);
            self.push(source.bits(start, count), count);
            start += count;
            len -= count;
        }
    }

    /// Appends `len` set bits.
    pub fn push_ones(&mut self, mut len: usize) {
        while len > 0 {
            let count = len.min(64);
            self.push(low_bits(count), count);
            len -= count;
        }
    }

    /// Appends `len` clear bits.
    pub fn push_zeros(&mut self, mut len: usize) {
        while len > 0 {
            let count = len.min(64);
            self.push(0, count);
            len -= count;
        }
    }

    /// Set bits so far.
    pub fn set(&self) -> usize {
        self.set
    }

    /// The bits written.
    pub fn finish(mut self) -> Bitmap {
        if !self.len.is_multiple_of(64) {
            self.words[self.len / 64] = self.last;
        }
        self.words.truncate(word_count(self.len));
        Bitmap { words: self.words, len: self.len }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(len: usize) -> Bitmap {
        let words = (0..word_count(len) as u64).map(|i| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        Bitmap::from_words(words, len)
    }

    #[test]
    fn runs_written_one_after_the_other_read_back() {
        for (start, len) in [(0, 0), (0, 1), (63, 2), (5, 64), (5, 65), (64, 128), (1, 299), (299, 1)] {
            let source = sample(300);
            let mut writer = BitWriter::with_capacity(len + 3).unwrap();
            writer.push(0b101, 3);
            writer.push_range(&source, start, len);
            let set = writer.set();
            let written = writer.finish();
            assert_eq!(written.len(), len + 3);
            assert_eq!(set, written.count());
            for i in 0..len {
                assert_eq!(written.get(i + 3), source.get(start + i), "{start} {len} {i}");
            }
        }
    }

    #[test]
    fn another_bit_stands_where_none_is_chosen() {
        for len in [0, 1, 64, 200] {
            let (source, choice) = (sample(len), sample(2 * len));
            let choice = Bitmap::shifted(choice.words().to_vec(), 3 % (len + 1), len);
            for other in [false, true] {
                let expected = |i| if choice.get(i) { source.get(i) } else { other };
                assert_eq!(source.where_set(&choice, other).unwrap(), Bitmap::from_fn(len, expected).unwrap());
            }
        }
    }

    #[test]
    fn a_shift_drops_the_bits_before_and_clears_those_after() {
        for (from, len) in [(0, 300), (1, 299), (7, 64), (7, 57), (63, 1), (7, 0)] {
            let source = sample(300);
            let shifted = Bitmap::shifted(source.words().to_vec(), from, len);
            assert_eq!(shifted.words().len(), word_count(len));
            for i in 0..len {
                assert_eq!(shifted.get(i), source.get(from + i));
            }
            assert_eq!(shifted.count(), (0..len).filter(|&i| source.get(from + i)).count());
        }
    }
}
