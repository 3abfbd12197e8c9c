//! A hash table of 64-bit keys, numbered in the order in which they come.

use crate::error::{Error, Result};
use crate::vectors::filled;

/// No number.
pub const NONE: u32 = u32::MAX;

/// Places of a new table.
const INITIAL: usize = 64;
/// A table of fewer places, 128 KiB, is at most an eighth full, so that nearly all keys lie at home.
const SPARSE: usize = 1 << 15;

/// Keys by number, and their numbers by open addressing with linear probing, at most half full. A key's home is given by the
/// highest bits of its product with an odd multiplier (M. Dietzfelbinger et al., "A reliable randomized algorithm for the
/// closest-pair problem", 1997): nobody can choose values that fall together without knowing it.
pub struct Table {
    keys: Vec<u64>,
    /// A number plus one; 0: the place is free.
    marks: Vec<u32>,
    multiplier: u64,
    shift: u32,
    /// The number that has no key.
    skipped: Option<u32>,
}

impl Table {
    /// An empty table, which has no memory yet.
    pub const fn new(seed: u64) -> Self {
        Table { keys: Vec::new(), marks: Vec::new(), multiplier: mix(seed ^ ODD) | 1, shift: 0, skipped: None }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The number of a key; where several values share one, `is_same` tells whether a number is the value's.
    #[inline(always)]
    pub fn find(&self, key: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.marks.is_empty() {
            return None;
        }
        let last = self.marks.len() - 1;
        let mut at = self.home(key);
        loop {
            let number = self.marks[at & last].checked_sub(1)?;
            if self.keys[number as usize] == key && is_same(number) {
                return Some(number);
            }
            at += 1;
        }
    }

    /// The numbers of the keys that lie where they are looked for first, `NONE` for others: most of those that are known, and
    /// the memory of many of them is asked for at once.
    pub fn numbers_at_home(&self, keys: &[u64], numbers: &mut [u32]) {
        if self.marks.is_empty() {
            numbers.fill(NONE);
            return;
        }
        for (number, &key) in numbers.iter_mut().zip(keys) {
            *number = self.marks[self.home(key)].wrapping_sub(1);
        }
        for (number, key) in numbers.iter_mut().zip(keys) {
            if self.keys.get(*number as usize) != Some(key) {
                *number = NONE;
            }
        }
    }

    /// Gives the next number to a key that has none.
    pub fn insert(&mut self, key: u64) -> Result<u32> {
        let share = if self.marks.len() < SPARSE { 8 } else { 2 };
        if (self.keys.len() + 1) * share > self.marks.len() {
            self.grow()?;
        }
        let number = self.push(key)?;
        self.place(number, key);
        Ok(number)
    }

    /// The next number, once, for what has no key.
    pub fn skip(&mut self) -> Result<u32> {
        let number = self.push(0)?;
        self.skipped = Some(number);
        Ok(number)
    }

    /// The keys by number.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Each number that has a key, and the key.
    pub fn entries(&self) -> impl Iterator<Item = (u32, u64)> {
        (0..).zip(self.keys.iter().copied()).filter(|&(number, _)| self.skipped != Some(number))
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.keys.capacity() * 8 + self.marks.capacity() * 4
    }

    fn push(&mut self, key: u64) -> Result<u32> {
        let number = u32::try_from(self.keys.len()).ok().filter(|&number| number != NONE).ok_or(Error::Memory)?;
        self.keys.try_reserve(1)?;
        self.keys.push(key);
        Ok(number)
    }

    fn grow(&mut self) -> Result<()> {
        let count = (self.marks.len() * 2).max(INITIAL);
        let marks = filled(count, 0)?;
        self.marks = marks;
        self.shift = 64 - count.trailing_zeros();
        for number in 0..self.keys.len() as u32 {
            if self.skipped != Some(number) {
                self.place(number, self.keys[number as usize]);
            }
        }
        Ok(())
    }

    #[inline]
    fn place(&mut self, number: u32, key: u64) {
        let last = self.marks.len() - 1;
        let mut at = self.home(key);
        while self.marks[at & last] != 0 {
            at += 1;
        }
        self.marks[at & last] = number + 1;
    }

    /// Where a key is looked for first.
    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        (key.wrapping_mul(self.multiplier) >> self.shift) as usize
    }
}

/// 2^64 divided by the golden ratio.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of MurmurHash3.
const fn mix(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

/// Byte strings that are keys themselves: fewer bytes than a word has.
const SHORT: usize = 7;

/// Set in the keys of longer ones.
const LONG: u64 = 1 << 63;

/// The key of a byte string that begins at `start`, and whether no other one has it.
#[inline(always)]
pub fn bytes_key(bytes: &[u8], start: usize, len: usize, seed: u64) -> (u64, bool) {
    if len > SHORT {
        return (hash(&bytes[start..start + len], seed) | LONG, false);
    }
    let word = match bytes[start..].first_chunk::<8>() {
        Some(word) => u64::from_le_bytes(*word) & ((1 << (8 * len)) - 1),
        None => bytes[start..start + len].iter().rfold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    (word | (len as u64) << (8 * SHORT), true)
}

fn hash(bytes: &[u8], seed: u64) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    let step = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(ODD ^ seed << 1);
    let hash = words.iter().fold(seed ^ bytes.len() as u64, |hash, word| step(hash, u64::from_le_bytes(*word)));
    mix(step(hash, last_word(bytes)))
}

/// The last eight bytes, of which some may belong to the word before: a loop over those that are left is seldom as long as the
/// last time. Of a shorter string, all of them.
#[inline(always)]
fn last_word(bytes: &[u8]) -> u64 {
    match bytes.last_chunk() {
        Some(last) => u64::from_le_bytes(*last),
        None => bytes.iter().rfold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Whether two byte strings are the same. They are short, and a call would cost more than it does.
#[inline(always)]
pub fn is_same(a: &[u8], b: &[u8]) -> bool {
    let (words, other_words) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    a.len() == b.len()
        && words.iter().zip(other_words).all(|(a, b)| u64::from_le_bytes(*a) == u64::from_le_bytes(*b))
        && last_word(a) == last_word(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_key_and_value() {
        let mut table = Table::new(7);
        assert_eq!(table.find(0, |_| true), None);
        for number in 0..10_000u32 {
            let expected = if number == 10 { table.skip() } else { table.insert((number / 2) as u64) };
            assert_eq!(expected, Ok(number));
        }
        for number in (0..10_000u32).filter(|&number| number != 10) {
            assert_eq!(table.find((number / 2) as u64, |found| found == number), Some(number));
        }
        assert_eq!(table.find(5_000, |_| true), None);
        assert_eq!(table.find(3, |_| false), None);
        assert!(table.allocated() >= 10_000 * 16);
    }

    #[test]
    fn byte_strings_that_differ_only_by_zeros_have_different_keys() {
        let zeros = [0; 40];
        let mut keys: Vec<u64> = (0..40).map(|len| bytes_key(&zeros, 0, len, 1).0).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 40);
        assert_ne!(hash(b"abcdefgh", 1), hash(b"abcdefgh", 2));
    }

    #[test]
    fn the_key_of_a_byte_string_does_not_depend_on_where_it_lies() {
        for len in 0..=12 {
            let text = &b"abcdefghijkl"[..len];
            let alone = bytes_key(text, 0, len, 5);
            assert_eq!(alone, bytes_key(&[b"xx", text, b"yyyyyyyyyyyy"].concat(), 2, len, 5));
            assert_eq!(alone.1, len <= SHORT);
            assert_eq!(alone.0 & LONG != 0, len > SHORT);
            assert!(is_same(text, &[text, b"z"].concat()[..len]) && !is_same(text, &[text, b"z"].concat()));
        }
    }
}
