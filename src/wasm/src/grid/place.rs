//! Where rows belong: parts and their elements.

use super::block::{self, Reader};
use super::{Grid, OTHER_COLUMNS};
use crate::bitmap::{bits, word_count};
use crate::error::{Error, Result};
use crate::group::sized;
use crate::scratch::Scratch;
use crate::vectors::{try_collected, with_room};
use std::cmp::Ordering;

impl Grid {
    /// Gives each value its place, when all dimensions are sorted. The values of the dimensions before `split` choose the part, with
    /// every `rows` values of that dimension; those after it are all in each part, in the order of their values. Returns how many parts
    /// there are.
    pub fn arrange(&mut self, split: usize, rows: usize) -> Result<usize> {
        let sizes: Vec<usize> = self.dimensions.iter().map(|dimension| dimension.order().len()).collect();
        let product = |sizes: &[usize]| {
            sizes.iter().try_fold(1u32, |product, &size| product.checked_mul(size as u32)).ok_or(TOO_LARGE)
        };
        let size = *sizes.get(split).ok_or(OTHER_COLUMNS)?;
        let (cuts, inner) = (size.div_ceil(rows.max(1)), product(&sizes[split + 1..])?);
        let parts = product(&sizes[..split])?.checked_mul(cuts as u32).ok_or(TOO_LARGE)?;
        inner.checked_mul(rows.min(size) as u32).ok_or(TOO_LARGE)?;
        for (at, dimension) in self.dimensions.iter_mut().enumerate() {
            let mut places = std::mem::take(&mut dimension.places);
            sized(&mut places, dimension.len())?;
            let below = if at < split {
                product(&sizes[at + 1..split])? as u64 * cuts as u64
            } else {
                product(&sizes[at + 1..])? as u64
            };
            for (rank, &number) in dimension.order().iter().enumerate() {
                places[number as usize] = match at.cmp(&split) {
                    Ordering::Less => (rank as u64 * below) << 32,
                    Ordering::Equal => ((rank / rows) as u64) << 32 | ((rank % rows) as u64 * below),
                    Ordering::Greater => rank as u64 * below,
                };
            }
            dimension.places = places;
        }
        self.parts = parts as usize;
        Ok(self.parts)
    }

    /// The places of the rows of a block, whose numbers are read.
    pub(super) fn places(&self, reader: &mut Reader, rows: usize) -> Result<Vec<u64>> {
        let mut all: Vec<u64> = Vec::new();
        sized(&mut all, rows)?;
        for dimension in &self.dimensions {
            let places = &dimension.places;
            for (all, number) in all.iter_mut().zip(reader.numbers()?) {
                let place = places.get(u32::from_le_bytes(*number) as usize).ok_or(UNKNOWN)?;
                *all += *place;
            }
        }
        Ok(all)
    }

    /// Appends the rows of a block, part by part, each as a block with the elements of its rows as the only numbers. Rows stay in their
    /// order.
    pub fn distribute(&mut self, bytes: &[u8], rows: usize, out: &mut Scratch) -> Result<()> {
        let mut reader = Reader::new(bytes, rows);
        let places = self.places(&mut reader, rows)?;
        let mut counts = std::mem::take(&mut self.counts);
        let sorted = by_part(&places, self.parts, &mut counts)?;
        self.counts = counts;
        let variables =
            try_collected(self.variables.iter().map(|variable| Ok((variable.width, reader.values(variable.width)?))))?;
        let mut rest = &sorted[..];
        for &count in &self.counts {
            let (rows, further) = rest.split_at(count as usize);
            rest = further;
            block::write(out, rows.iter().map(|&row| (places[row as usize] as u32).to_le_bytes()))?;
            for (width, values) in &variables {
                block::by_width!(*width, W => {
                    let items = values.values.as_chunks::<W>().0;
                    block::write(out, rows.iter().map(|&row| items[row as usize]))?
                });
                let word = |index: usize| {
                    let rows = &rows[index * 64..];
                    bits(rows.len().min(64), |i| values.is_valid(rows[i] as usize))
                };
                block::write(out, (0..word_count(rows.len())).map(|index| word(index).to_le_bytes()))?;
            }
        }
        Ok(())
    }

    /// The rows of each part in the block that was distributed last.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }
}

/// The rows by part, and how many each part has.
fn by_part(places: &[u64], parts: usize, counts: &mut Vec<u32>) -> Result<Vec<u32>> {
    let part = |place: u64| (place >> 32) as usize;
    sized(counts, parts)?.fill(0);
    for &place in places {
        *counts.get_mut(part(place)).ok_or(UNKNOWN)? += 1;
    }
    let mut next = with_room(parts)?;
    let mut start = 0;
    for &count in counts.iter() {
        next.push(start);
        start += count;
    }
    let mut sorted = Vec::new();
    sized(&mut sorted, places.len())?;
    for (row, &place) in places.iter().enumerate() {
        let at = &mut next[part(place)];
        sorted[*at as usize] = row as u32;
        *at += 1;
    }
    Ok(sorted)
}

const TOO_LARGE: Error = Error::Misuse("a part that is too large");
const UNKNOWN: Error = Error::Misuse("a block with numbers that the grid has not given");
