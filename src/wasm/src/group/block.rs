//! Rows on their way into groups, a few thousand at a time, so that what is made of them stays in the nearest cache.

use crate::bitmap::{Bitmap, bits, low_bits};
use crate::error::Result;
use crate::flat::Flat;

/// Rows of a block at most: 8 KiB of numbers.
pub const BLOCK_ROWS: usize = 2048;

/// Rows of a column set, ascending, and the group of each.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    pub rows: &'a [u32],
    pub groups: &'a [u32],
    /// Whether the rows are neighbours.
    pub is_run: bool,
}

/// The rows that are true in a mask, block by block.
pub struct Blocks<'a> {
    truth: Option<&'a Bitmap>,
    rows: usize,
    next: usize,
}

impl<'a> Blocks<'a> {
    /// Of `rows` rows; without a mask, of all of them.
    pub fn new(truth: Option<&'a Bitmap>, rows: usize) -> Self {
        Blocks { truth, rows, next: 0 }
    }

    /// The next rows, instead of what `rows` holds; none are left where it is empty then. Returns whether they are
    /// neighbours.
    pub fn next(&mut self, rows: &mut Vec<u32>) -> Result<bool> {
        rows.clear();
        rows.try_reserve(BLOCK_ROWS)?;
        let Some(truth) = self.truth else {
            let end = (self.next + BLOCK_ROWS).min(self.rows);
            rows.extend(self.next as u32..end as u32);
            self.next = end;
            return Ok(true);
        };
        while self.next < self.rows && rows.len() + 64 <= BLOCK_ROWS {
            let mut word = truth.words()[self.next / 64];
            if word == u64::MAX {
                rows.extend(self.next as u32..self.next as u32 + 64);
            } else {
                while word != 0 {
                    rows.push(self.next as u32 + word.trailing_zeros());
                    word &= word - 1;
                }
            }
            self.next += 64;
        }
        Ok(match (rows.first(), rows.last()) {
            (Some(first), Some(last)) => (last - first) as usize == rows.len() - 1,
            _ => true,
        })
    }
}

/// The rows of a block that are not null in a column: where their values are, and their groups.
#[derive(Default)]
pub struct Places {
    places: Vec<u32>,
    groups: Vec<u32>,
}

impl Places {
    /// Finds them, and counts the others in `nulls`, by group.
    pub fn of<'a>(&'a mut self, block: &Block<'a>, flat: &Flat, nulls: &mut [u64]) -> Result<Block<'a>> {
        let len = block.rows.len();
        if flat.is_null() {
            block.groups.iter().for_each(|&group| nulls[group as usize] += 1);
            return Ok(Block { rows: &[], groups: &[], is_run: true });
        }
        if flat.validity.is_none() && flat.indices.is_none() {
            return Ok(*block);
        }
        self.places.try_reserve(len.saturating_sub(self.places.len()))?;
        self.places.resize(len, 0);
        let Some(validity) = flat.validity else {
            for (place, &row) in self.places.iter_mut().zip(block.rows) {
                *place = flat.place(row as usize) as u32;
            }
            return Ok(Block { rows: &self.places, groups: block.groups, is_run: false });
        };
        self.groups.try_reserve(len.saturating_sub(self.groups.len()))?;
        self.groups.resize(len, 0);
        let mut count = 0;
        for (rows, groups) in block.rows.chunks(64).zip(block.groups.chunks(64)) {
            let valid = match rows {
                [first, ..] if block.is_run => validity.bits(*first as usize, rows.len()),
                _ => bits(rows.len(), |i| validity.get(rows[i] as usize)),
            };
            for (i, (&row, &group)) in rows.iter().zip(groups).enumerate() {
                // Written in any case: the next one overwrites a null.
                (self.places[count], self.groups[count]) = (row, group);
                count += (valid >> i & 1) as usize;
            }
            let mut null = !valid & low_bits(rows.len());
            while null != 0 {
                nulls[groups[null.trailing_zeros() as usize] as usize] += 1;
                null &= null - 1;
            }
        }
        if flat.indices.is_some() {
            self.places[..count].iter_mut().for_each(|place| *place = flat.place(*place as usize) as u32);
        }
        let is_run = block.is_run && count == len && flat.indices.is_none();
        Ok(Block { rows: &self.places[..count], groups: &self.groups[..count], is_run })
    }
}
