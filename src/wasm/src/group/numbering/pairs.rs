//! Pairs of numbers, numbered.

use super::table::{NONE, Table};
use crate::error::Result;
use crate::group::block::sized;

/// Entries of the direct part at most: 256 KiB.
const MOST_DIRECT: usize = 1 << 16;

/// Numbers of pairs, in the order in which they are met. Pairs of small numbers are looked up in an array.
pub struct Pairs {
    table: Table,
    /// Where both are small: at `first << shift | second` the number plus one; 0: not met, or only before it fitted.
    direct: Vec<u32>,
    shift: u32,
    /// Those of a block.
    keys: Vec<u64>,
    /// See `keys`.
    numbers: Vec<u32>,
}

impl Pairs {
    /// None yet.
    pub const fn new(seed: u64) -> Self {
        Pairs { table: Table::new(seed), direct: Vec::new(), shift: 0, keys: Vec::new(), numbers: Vec::new() }
    }

    /// How many have been met.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Prepares for pairs of numbers below the bounds.
    pub fn expect(&mut self, first: usize, second: usize) -> Result<()> {
        if first > MOST_DIRECT || second > MOST_DIRECT {
            return Ok(());
        }
        let shift = second.next_power_of_two().trailing_zeros();
        let size = (first.next_power_of_two() as u64) << shift;
        if size > MOST_DIRECT as u64 {
            return Ok(());
        }
        let size = size as usize;
        if shift > self.shift || size > self.direct.len() {
            self.shift = shift;
            self.direct.clear();
            self.direct.try_reserve_exact(size)?;
            self.direct.resize(size, 0);
        }
        Ok(())
    }

    /// The number of a pair.
    #[inline(always)]
    pub fn number(&mut self, first: u32, second: u32) -> Result<u32> {
        if let Some(at) = self.direct_place(first, second)
            && let mark @ 1.. = self.direct[at]
        {
            return Ok(mark - 1);
        }
        self.look_up(first, second)
    }

    /// The numbers of pairs, in place of their first halves.
    pub fn number_all(&mut self, firsts: &mut [u32], seconds: &[u32]) -> Result<()> {
        let mut numbers = std::mem::take(&mut self.numbers);
        let outcome = self.number_into(firsts, seconds, sized(&mut numbers, seconds.len())?);
        firsts.copy_from_slice(&numbers);
        self.numbers = numbers;
        outcome
    }

    fn number_into(&mut self, firsts: &[u32], seconds: &[u32], numbers: &mut [u32]) -> Result<()> {
        let pairs = || firsts.iter().zip(seconds).map(|(&first, &second)| (first, second));
        if self.direct.is_empty() {
            let keys = sized(&mut self.keys, seconds.len())?;
            keys.iter_mut().zip(pairs()).for_each(|(pair, (first, second))| *pair = key(first, second));
            numbers.fill(NONE);
            self.table.numbers_at_home(keys, numbers);
        } else {
            for (number, (first, second)) in numbers.iter_mut().zip(pairs()) {
                *number = self.direct_place(first, second).map_or(0, |at| self.direct[at]).wrapping_sub(1);
            }
        }
        if numbers.iter().fold(false, |any, &number| any | (number == NONE)) {
            for (number, (first, second)) in numbers.iter_mut().zip(pairs()).filter(|(number, _)| **number == NONE) {
                // An earlier row may have brought the pair.
                *number = self.number(first, second)?;
            }
        }
        Ok(())
    }

    /// Takes a pair in; whether it was not there before.
    #[inline(always)]
    pub fn is_new(&mut self, first: u32, second: u32) -> Result<bool> {
        let len = self.len();
        self.number(first, second)?;
        Ok(self.len() > len)
    }

    /// The pairs by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.table.keys().iter().map(|key| ((key >> 32) as u32, *key as u32))
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.table.allocated() + self.direct.capacity() * 4
    }

    #[inline(never)]
    fn look_up(&mut self, first: u32, second: u32) -> Result<u32> {
        let key = key(first, second);
        let number = match self.table.find(key, |_| true) {
            Some(number) => number,
            None => self.table.insert(key)?,
        };
        if let Some(at) = self.direct_place(first, second) {
            self.direct[at] = number + 1;
        }
        Ok(number)
    }

    #[inline(always)]
    fn direct_place(&self, first: u32, second: u32) -> Option<usize> {
        let at = (first as u64) << self.shift | second as u64;
        (second >> self.shift == 0 && at < self.direct.len() as u64).then_some(at as usize)
    }
}

const fn key(first: u32, second: u32) -> u64 {
    (first as u64) << 32 | second as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn pairs_keep_their_numbers_while_the_bounds_grow() {
        let (mut pairs, mut expected) = (Pairs::new(3), HashMap::new());
        for round in 0..9u32 {
            let (first, second) = (3 << round, 5 << (2 * round));
            pairs.expect(first as usize, second as usize).unwrap();
            for i in 0..500u32 {
                let pair = (i.wrapping_mul(2_654_435_761) % first, i.wrapping_mul(40_503) % second);
                let next = expected.len() as u32;
                let number = *expected.entry(pair).or_insert(next);
                assert_eq!(pairs.number(pair.0, pair.1).unwrap(), number);
                let mut numbers = [pair.0; 2];
                pairs.number_all(&mut numbers, &[pair.1; 2]).unwrap();
                assert_eq!(numbers, [number; 2]);
            }
        }
        assert_eq!(pairs.len(), expected.len());
    }
}
