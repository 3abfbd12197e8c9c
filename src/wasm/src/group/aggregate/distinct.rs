//! How many distinct values each group has.

use crate::cancel::{CHECKED_ROWS, check};
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape};
use crate::group::block::{Rows, sized};
use crate::group::numbering::pairs::Pairs;
use crate::group::numbering::{Numbering, Source};
use crate::types::Type;
use crate::vectors::filled;

/// The values of all groups, and which group has which.
pub struct Distinct {
    values: Numbering,
    /// Group and value. Of a table without keys nothing: its group has all values.
    pairs: Option<Pairs>,
    counts: Vec<u64>,
    numbers: Vec<u32>,
}

impl Distinct {
    /// Of no groups. `is_lone`: there will be one.
    pub fn new(ty: Type, shape: Shape, seed: u64, is_lone: bool) -> Self {
        let pairs = (!is_lone).then(|| Pairs::new(seed));
        Distinct { values: Numbering::new(ty, shape, seed, true), pairs, counts: Vec::new(), numbers: Vec::new() }
    }

    /// Room for groups.
    pub fn resize(&mut self, groups: usize) -> Result<()> {
        self.counts.try_reserve(groups - self.counts.len())?;
        self.counts.resize(groups, 0);
        Ok(())
    }

    /// Takes rows in, and counts those that are null.
    pub fn add(&mut self, source: &mut Source, rows: Rows, groups: &[u32], nulls: &mut [u64]) -> Result<()> {
        let mut numbers = std::mem::take(&mut self.numbers);
        self.values.number(source, rows, sized(&mut numbers, rows.len())?)?;
        let null = self.values.null();
        if let Some(pairs) = &mut self.pairs {
            pairs.expect(self.counts.len(), self.values.len())?;
        }
        for (&group, &number) in groups.iter().zip(&numbers) {
            if Some(number) == null {
                nulls[group as usize] += 1;
            } else if let Some(pairs) = &mut self.pairs
                && pairs.is_new(group, number)?
            {
                self.counts[group as usize] += 1;
            }
        }
        self.numbers = numbers;
        Ok(())
    }

    /// How many values a group has.
    pub fn count(&self, group: usize) -> u64 {
        match self.pairs {
            Some(_) => self.counts[group],
            None => (self.values.len() - self.values.null().is_some() as usize) as u64,
        }
    }

    /// The values of all groups, by number.
    pub fn values(&self) -> &Numbering {
        &self.values
    }

    /// Each group and the number of one of its values.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.pairs.iter().flat_map(Pairs::iter)
    }

    /// Takes in what another table has found: its values, and its pairs. `groups` are its groups' numbers here.
    pub fn merge(&mut self, values: Flat, len: usize, pairs: &[[u32; 2]], groups: &[u32]) -> Result<()> {
        let mut numbers = filled(len, 0)?;
        let mut source = Source::new(values, len)?;
        for (index, numbers) in numbers.chunks_mut(CHECKED_ROWS).enumerate() {
            check()?;
            let rows = Rows::Run { first: index * CHECKED_ROWS, len: numbers.len() };
            self.values.number(&mut source, rows, numbers)?;
        }
        let Some(own) = &mut self.pairs else { return Ok(()) };
        for pairs in pairs.chunks(CHECKED_ROWS) {
            check()?;
            for &[group, number] in pairs {
                let (Some(&group), Some(&number)) = (groups.get(group as usize), numbers.get(number as usize)) else {
                    return Err(Error::invalid("a distinct value of no group"));
                };
                if own.is_new(group, number)? {
                    self.counts[group as usize] += 1;
                }
            }
        }
        Ok(())
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.values.allocated() + self.pairs.as_ref().map_or(0, Pairs::allocated) + self.counts.capacity() * 8
    }
}
