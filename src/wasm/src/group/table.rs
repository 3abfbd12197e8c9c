//! A hash table from 64-bit keys to numbers.

use crate::error::Result;

/// Slots of a new table.
const INITIAL: usize = 64;

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    /// The number plus one; 0: the slot is free.
    mark: u32,
}

const FREE: Slot = Slot { key: 0, mark: 0 };

/// Numbers by key, open addressing with linear probing, at most 2/3 full. Keys are mixed with a seed, so that nobody can
/// choose values that fall together without knowing it.
pub struct Table {
    slots: Vec<Slot>,
    len: usize,
    seed: u64,
}

impl Table {
    /// An empty table, which has no memory yet.
    pub const fn new(seed: u64) -> Self {
        Table { slots: Vec::new(), len: 0, seed }
    }

    /// The number of a key; where several values share one, `is_same` tells whether a number is the value's.
    #[inline(always)]
    pub fn find(&self, key: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let last = self.slots.len() - 1;
        let mut at = self.home(key);
        loop {
            let slot = &self.slots[at & last];
            if slot.mark == 0 {
                return None;
            }
            if slot.key == key && is_same(slot.mark - 1) {
                return Some(slot.mark - 1);
            }
            at += 1;
        }
    }

    /// Adds a number, below `u32::MAX`, under a key that has none.
    #[cold]
    #[inline(never)]
    pub fn insert(&mut self, key: u64, number: u32) -> Result<()> {
        if (self.len + 1) * 3 > self.slots.len() * 2 {
            self.grow()?;
        }
        self.place(Slot { key, mark: number + 1 });
        self.len += 1;
        Ok(())
    }

    /// The keys, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().filter(|slot| slot.mark != 0).map(|slot| slot.key)
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    fn grow(&mut self) -> Result<()> {
        let count = (self.slots.len() * 2).max(INITIAL);
        let mut slots = Vec::new();
        slots.try_reserve_exact(count)?;
        slots.resize(count, FREE);
        for slot in std::mem::replace(&mut self.slots, slots) {
            if slot.mark != 0 {
                self.place(slot);
            }
        }
        Ok(())
    }

    fn place(&mut self, slot: Slot) {
        let last = self.slots.len() - 1;
        let mut at = self.home(slot.key) & last;
        while self.slots[at].mark != 0 {
            at = (at + 1) & last;
        }
        self.slots[at] = slot;
    }

    /// Where a key is looked for first, once cut to the number of slots.
    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        mix(key ^ self.seed) as usize
    }
}

/// The finaliser of MurmurHash3 without its last shift, the high bits of which go low.
#[inline(always)]
fn mix(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

/// The key of a byte string.
pub fn hash(bytes: &[u8], seed: u64) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut hash = mix(seed ^ bytes.len() as u64);
    for word in words {
        hash = mix(hash ^ u64::from_le_bytes(*word));
    }
    if rest.is_empty() {
        return hash;
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(hash ^ u64::from_le_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_key_and_value() {
        let mut table = Table::new(7);
        assert_eq!(table.find(0, |_| true), None);
        for number in 0..10_000u32 {
            table.insert((number / 2) as u64, number).unwrap();
        }
        for number in 0..10_000u32 {
            assert_eq!(table.find((number / 2) as u64, |found| found == number), Some(number));
        }
        assert_eq!(table.find(5_000, |_| true), None);
        assert_eq!(table.find(3, |_| false), None);
        assert!(table.allocated() >= 15_000 * 16);
    }

    #[test]
    fn byte_strings_that_differ_only_by_zeros_have_different_keys() {
        let zeros = [0; 40];
        let mut keys: Vec<u64> = (0..40).map(|len| hash(&zeros[..len], 1)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 40);
        assert_ne!(hash(b"abcdefgh", 1), hash(b"abcdefgh", 2));
    }
}
