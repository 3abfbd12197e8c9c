//! The numbers of integers that lie near to each other.

use super::equality::Word;
use super::table::NONE;
use crate::error::Result;

/// Words that a window reaches over at most: 256 KiB of marks.
const MOST: u64 = 1 << 16;
/// Of the first window.
const LEAST: u64 = 64;

/// Numbers by the distance of their words from one of them. Words lie on a circle, so it is all the same whether they are
/// signed.
pub struct Window {
    /// A number plus one; 0: none, as is the last, which stands for all words outside.
    marks: Vec<u32>,
    /// The word of the first mark.
    base: u64,
    /// The bits of a word.
    mask: u64,
    /// What lies inside is between these.
    low: u64,
    high: u64,
}

impl Window {
    /// Of words of 1 to 8 bytes, none yet.
    pub const fn new(width: usize) -> Self {
        Window { marks: Vec::new(), base: 0, mask: u64::MAX >> (64 - 8 * width), low: 0, high: 0 }
    }

    /// What gives the number of a word, or `NONE`.
    #[inline(always)]
    pub fn numbers<W: Word>(&self) -> impl Fn(W) -> u32 {
        let (base, marks) = (self.base, if self.marks.is_empty() { &[0][..] } else { &self.marks });
        move |word| marks[word.steps_from(base).min(marks.len() - 1)].wrapping_sub(1)
    }

    /// The same for floats, whose words here are those of integers of 32 bits.
    #[inline(always)]
    pub fn numbers_of_floats<W: Word>(&self, zeros: bool) -> impl Fn(W) -> u32 {
        let number = self.numbers::<u32>();
        move |word| word.whole(zeros).map_or(NONE, &number)
    }

    /// Takes in a word that has just got its number, unless it lies too far away from the others. `entries` are all numbers and
    /// their words.
    pub fn put(&mut self, word: u64, number: u32, entries: impl Iterator<Item = (u32, u64)>) -> Result<()> {
        if self.marks.is_empty() {
            (self.low, self.high) = (word, word);
        }
        let (up, down) = (self.distance(self.low, word), self.distance(word, self.high));
        let inside = self.distance(self.low, self.high);
        if up.min(down) >= MOST {
            return Ok(());
        }
        if up > inside {
            *(if up <= down { &mut self.high } else { &mut self.low }) = word;
        }
        let at = self.distance(self.base, word);
        if at < self.marks.len().saturating_sub(1) as u64 {
            self.marks[at as usize] = number + 1;
            return Ok(());
        }
        self.widen(up.min(down) + 1, entries)
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.marks.capacity() * 4
    }

    /// Reaches over `span` words from `low` on and about as many more, half of them on either side, so that it seldom has
    /// to be widened again.
    fn widen(&mut self, span: u64, entries: impl Iterator<Item = (u32, u64)>) -> Result<()> {
        let size = (2 * span).next_power_of_two().clamp(LEAST, MOST);
        self.marks.clear();
        self.marks.try_reserve_exact(size as usize + 1)?;
        self.marks.resize(size as usize + 1, 0);
        self.base = self.low.wrapping_sub((size - span) / 2);
        for (number, word) in entries {
            let at = self.distance(self.base, word);
            if at < size {
                self.marks[at as usize] = number + 1;
            }
        }
        Ok(())
    }

    /// Steps upwards from one word to another.
    #[inline(always)]
    const fn distance(&self, from: u64, to: u64) -> u64 {
        to.wrapping_sub(from) & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::numbering::table::Table;

    /// Numbers words as they come, and looks all of them up again; how many the window holds.
    fn held(width: usize, words: impl Iterator<Item = u64>) -> usize {
        let (mut window, mut table) = (Window::new(width), Table::new(1));
        for word in words {
            if table.find(word, |_| true).is_none() {
                let number = table.insert(word).unwrap();
                window.put(word, number, table.entries()).unwrap();
            }
        }
        assert!(window.allocated() <= 4 * (MOST as usize + 1));
        let is_held = |&(number, word): &(u32, u64)| {
            let found = match width {
                1 => window.numbers()(word as u8),
                2 => window.numbers()(word as u16),
                4 => window.numbers()(word as u32),
                _ => window.numbers()(word),
            };
            assert!(found == number || found == NONE, "{word}");
            found == number
        };
        table.entries().filter(is_held).count()
    }

    #[test]
    fn near_words_are_held_however_they_come() {
        // Outwards on both sides of zero, of either width.
        for mask in [u64::MAX, u32::MAX as u64, 0xffff, 0xff] {
            let width = mask.count_ones() as usize / 8;
            let count = if width == 1 { 256 } else { MOST as usize };
            let outwards =
                (0..count as u64).map(|i| (if i % 2 == 0 { i / 2 } else { (i / 2 + 1).wrapping_neg() }) & mask);
            assert_eq!(held(width, outwards), count);
        }
        // Across the greatest of the signed, and upwards, downwards and from place to place.
        assert_eq!(held(8, (0..1000).map(|i| (i64::MAX as u64 - 500).wrapping_add(i))), 1000);
        assert_eq!(held(8, (0..50_000).map(|i| i + (1 << 40))), 50_000);
        assert_eq!(held(4, (0..50_000).rev()), 50_000);
        assert_eq!(held(8, (0..MOST).map(|i| i * 40_503 % MOST)), MOST as usize);
    }

    #[test]
    fn words_that_lie_far_away_are_left_out() {
        assert_eq!(held(8, [0, MOST, 1, i64::MAX as u64, 2, i64::MIN as u64, MOST - 1, MOST + 1].into_iter()), 4);
        assert_eq!(held(8, (0..5000).map(|i| i << 32)), 1);
    }
}
