//! Rows on their way into groups, a few thousand at a time, so that what is made of them stays in the nearest cache.

use super::pack::pack;
use crate::bitmap::{Bitmap, low_bits};
use crate::buffer::{Buffer, Number};
use crate::error::Result;

/// Rows of a block at most: 8 KiB of numbers.
pub const BLOCK_ROWS: usize = 2048;

/// Items that may be written behind those that are wanted.
const SLACK: usize = 64;

/// Some rows of a column set, ascending. The first of them has place 0.
#[derive(Clone, Copy)]
pub enum Rows<'a> {
    /// Neighbours.
    Run { first: usize, len: usize },
    /// Those that are true in a mask, all of some of its words.
    True { rows: &'a [u32], truth: &'a Bitmap },
}

impl<'a> Rows<'a> {
    /// The first `len` rows.
    pub const fn all(len: usize) -> Self {
        Rows::Run { first: 0, len }
    }

    /// How many.
    pub const fn len(&self) -> usize {
        match self {
            Rows::Run { len, .. } => *len,
            Rows::True { rows, .. } => rows.len(),
        }
    }

    /// The row at a place.
    #[inline(always)]
    pub fn at(&self, place: usize) -> usize {
        match self {
            Rows::Run { first, .. } => first + place,
            Rows::True { rows, .. } => rows[place] as usize,
        }
    }

    /// The item of each row: where they lie or, brought next to each other, in `room`.
    pub fn pick<'i, T: Number>(&self, items: &'i [T], room: &'i mut Buffer) -> Result<&'i [T]> {
        if let Rows::Run { first, len } = *self {
            return Ok(&items[first..first + len]);
        }
        let bytes = (self.len() + SLACK) * size_of::<T>();
        if room.len() < bytes {
            *room = Buffer::zeroed(bytes)?;
        }
        let out = room.numbers_mut();
        self.copy(items, out);
        Ok(&out[..self.len()])
    }

    /// The same as a copy.
    pub fn collect<T: Number + Default>(&self, items: &[T], out: &mut Vec<T>) -> Result<()> {
        self.copy(items, sized(out, self.len() + SLACK)?);
        out.truncate(self.len());
        Ok(())
    }

    /// Writes the item of each row to the front of `out`, which has `SLACK` more.
    fn copy<T: Number>(&self, items: &[T], out: &mut [T]) {
        let (rows, truth) = match *self {
            Rows::Run { first, len } => return out[..len].copy_from_slice(&items[first..first + len]),
            Rows::True { rows, truth } => (rows, truth),
        };
        let mut len = 0;
        while len < rows.len() {
            let index = rows[len] as usize / 64;
            let word = truth.words()[index];
            let rows = &rows[len..len + word.count_ones() as usize];
            let out = &mut out[len..len + SLACK];
            match (items[index * 64..].first_chunk(), out.first_chunk_mut()) {
                (Some(items), Some(out)) if rows.len() > FEW => pack(items, word, out),
                _ => write(out, rows, |row| items[row as usize]),
            }
            len += rows.len();
        }
    }

    /// Calls `f` with the place of each row whose bit is not set, ascending.
    #[inline(always)]
    pub fn each_unset(&self, bits: &Bitmap, mut f: impl FnMut(usize)) {
        let len = self.len();
        if len == 0 {
            return;
        }
        let (first, end) = (self.at(0), self.at(len - 1) + 1);
        let mut before = 0;
        for index in first / 64..end.div_ceil(64) {
            let start = index * 64;
            let word = match self {
                Rows::Run { .. } => low_bits(end - start) & !low_bits(first.saturating_sub(start)),
                Rows::True { truth, .. } => truth.words()[index],
            };
            let mut unset = word & !bits.words()[index];
            while unset != 0 {
                let below = (unset - 1) & !unset;
                f(before + (word & below).count_ones() as usize);
                unset &= unset - 1;
            }
            before += word.count_ones() as usize;
        }
    }
}

/// Writes `item` over the items of neighbouring rows, from `first` on, whose bits are not set.
pub fn overwrite_unset<T: Copy>(items: &mut [T], first: usize, bits: &Bitmap, item: T) {
    for (index, items) in items.chunks_mut(64).enumerate() {
        let word = bits.bits(first + index * 64, items.len());
        let mut unset = !word & low_bits(items.len());
        if word == 0 {
            items.fill(item);
        } else if unset.count_ones() as usize <= FEW {
            while unset != 0 {
                items[unset.trailing_zeros() as usize] = item;
                unset &= unset - 1;
            }
        } else {
            // Eight at a time and without branches, so that these are vectors.
            for (index, items) in items.chunks_mut(8).enumerate() {
                let byte = (word >> (index * 8)) as u32;
                let each = items.iter_mut().enumerate();
                each.for_each(|(i, each)| *each = if byte & 1 << i == 0 { item } else { *each });
            }
        }
    }
}

/// Writes the items of neighbouring rows, from `first` on, whose bits are not set to the front of `out`; how many.
pub fn collect_unset<'o>(items: &[u32], first: usize, bits: &Bitmap, out: &'o mut Vec<u32>) -> Result<&'o [u32]> {
    let out = sized(out, items.len() + SLACK)?;
    let mut len = 0;
    for (index, items) in items.chunks(64).enumerate() {
        let mut unset = !bits.bits(first + index * 64, items.len()) & low_bits(items.len());
        let count = unset.count_ones() as usize;
        let rest = &mut out[len..];
        match (items.first_chunk(), rest.first_chunk_mut()) {
            (Some(items), _) if count == 64 => rest[..64].copy_from_slice(items),
            (Some(items), Some(rest)) if count > FEW => pack(items, unset, rest),
            _ => {
                for each in &mut rest[..count] {
                    *each = items[unset.trailing_zeros() as usize];
                    unset &= unset - 1;
                }
            }
        }
        len += count;
    }
    Ok(&out[..len])
}

/// How many of `len` bits, from `first` on, are not set.
pub fn count_unset(bits: &Bitmap, first: usize, len: usize) -> usize {
    let set = |at: usize| bits.bits(first + at, (len - at).min(64)).count_ones() as usize;
    len - (0..len).step_by(64).map(set).sum::<usize>()
}

/// Rows of a column set, and the group of each.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    pub rows: Rows<'a>,
    /// The group of each row, counted from the first one of [`Block::states`].
    pub groups: &'a [u32],
    only: Option<u32>,
}

impl<'a> Block<'a> {
    /// Of rows of any groups.
    pub const fn new(rows: Rows<'a>, groups: &'a [u32]) -> Self {
        Block { rows, groups, only: None }
    }

    /// Of at most [`BLOCK_ROWS`] rows of one group, which need no number each.
    pub fn of_one(rows: Rows<'a>, group: u32) -> Self {
        static ZEROS: [u32; BLOCK_ROWS] = [0; BLOCK_ROWS];
        Block { rows, groups: &ZEROS[..rows.len()], only: Some(group) }
    }

    /// Of what there is for each group of a table, those of the groups of these rows.
    pub fn states<'s, T>(&self, all: &'s mut [T]) -> &'s mut [T] {
        match self.only {
            Some(group) => &mut all[group as usize..][..1],
            None => all,
        }
    }
}

/// A vector of so many items that hold anything: memory that is used again for each block.
pub fn sized<T: Copy + Default>(items: &mut Vec<T>, len: usize) -> Result<&mut [T]> {
    items.try_reserve(len.saturating_sub(items.len()))?;
    items.resize(len, T::default());
    Ok(items)
}

/// Writes what becomes of each item.
#[inline(always)]
pub fn write<T: Copy, U>(out: &mut [U], items: &[T], f: impl Fn(T) -> U) {
    out.iter_mut().zip(items).for_each(|(out, &item)| *out = f(item));
}

/// The rows that are true in a mask, block by block.
pub struct Blocks<'a> {
    truth: Option<&'a Bitmap>,
    rows: usize,
    next: usize,
    numbers: Vec<u32>,
}

impl<'a> Blocks<'a> {
    /// Of `rows` rows; without a mask, of all of them.
    pub const fn new(truth: Option<&'a Bitmap>, rows: usize) -> Self {
        Blocks { truth, rows, next: 0, numbers: Vec::new() }
    }

    /// The next rows; none when none are left.
    pub fn next(&mut self) -> Result<Rows<'_>> {
        let Some(truth) = self.truth else {
            let first = self.next;
            self.next = (first + BLOCK_ROWS).min(self.rows);
            return Ok(Rows::Run { first, len: self.next - first });
        };
        let numbers = sized(&mut self.numbers, BLOCK_ROWS + SLACK)?;
        let mut len = 0;
        while self.next < self.rows && len + 64 <= BLOCK_ROWS {
            len += write_set(truth.words()[self.next / 64], self.next as u32, &mut numbers[len..]);
            self.next += 64;
        }
        let rows = &numbers[..len];
        Ok(match (rows.first(), rows.last()) {
            (Some(&first), Some(&last)) if (last - first) as usize == len - 1 => {
                Rows::Run { first: first as usize, len }
            }
            _ => Rows::True { rows, truth },
        })
    }
}

/// Set bits of a word that are found one by one, at most.
const FEW: usize = 12;

/// Writes the numbers of the set bits, the lowest being `first`, to the front of `out`; how many.
#[inline(always)]
fn write_set(word: u64, first: u32, out: &mut [u32]) -> usize {
    let count = word.count_ones() as usize;
    match out.first_chunk_mut() {
        Some(out) if count > FEW => pack(&std::array::from_fn(|i| first + i as u32), word, out),
        _ => {
            let mut left = word;
            for out in &mut out[..count] {
                *out = first + left.trailing_zeros();
                left &= left - 1;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of all blocks, and the places whose row is no multiple of 3.
    fn rows_of(truth: Option<&Bitmap>, len: usize) -> (Vec<usize>, Vec<usize>) {
        let bits = Bitmap::from_fn(len, |row| row % 3 == 0).unwrap();
        let (mut blocks, mut all, mut unset) = (Blocks::new(truth, len), vec![], vec![]);
        loop {
            let rows = blocks.next().unwrap();
            if rows.len() == 0 {
                return (all, unset);
            }
            assert!(rows.len() <= BLOCK_ROWS);
            rows.each_unset(&bits, |place| unset.push(all.len() + place));
            let numbers: Vec<u32> = (0..len as u32).collect();
            let mut room = Buffer::empty();
            let items = rows.pick(&numbers, &mut room).unwrap();
            assert!(items.iter().enumerate().all(|(place, &row)| rows.at(place) == row as usize));
            all.extend(items.iter().map(|&row| row as usize));
        }
    }

    #[test]
    fn items_whose_bits_are_not_set_are_collected_and_overwritten() {
        let tests: [fn(usize) -> bool; 5] =
            [|_| true, |_| false, |row| row % 3 > 0, |row| row % 50 > 0, |row| row / 90 % 2 == 0];
        for is_set in tests {
            for (first, len) in [(0, 0), (0, 64), (5, 59), (5, 640), (64, 1000), (63, 1)] {
                let bits = Bitmap::from_fn(first + len, is_set).unwrap();
                let mut items: Vec<u32> = (first as u32..(first + len) as u32).collect();
                let unset: Vec<u32> = items.iter().copied().filter(|&row| !is_set(row as usize)).collect();
                assert_eq!(count_unset(&bits, first, len), unset.len());
                assert_eq!(collect_unset(&items, first, &bits, &mut Vec::new()).unwrap(), unset);
                let overwritten: Vec<u32> =
                    items.iter().map(|&row| if is_set(row as usize) { row } else { u32::MAX }).collect();
                overwrite_unset(&mut items, first, &bits, u32::MAX);
                assert_eq!(items, overwritten);
            }
        }
    }

    #[test]
    fn blocks_have_the_rows_that_are_true() {
        let any = |row: usize| (row * row + row / 7) % 5 < 3;
        let tests: [fn(usize) -> bool; 6] =
            [|_| true, |_| false, |row| row % 2 == 0, |row| (70..4200).contains(&row), |row| row % 977 == 3, any];
        for len in [0, 1, 63, 64, 65, 2048, 2049, 5000] {
            let cases = tests.map(|is_true| Some(Bitmap::from_fn(len, is_true).unwrap()));
            for truth in cases.iter().map(Option::as_ref).chain([None]) {
                let expected: Vec<usize> = (0..len).filter(|&row| truth.is_none_or(|truth| truth.get(row))).collect();
                let unset: Vec<usize> =
                    (0..expected.len()).filter(|&place| !expected[place].is_multiple_of(3)).collect();
                // Words without a true row end no block: some may be left when all rows have come.
                assert_eq!(rows_of(truth, len), (expected, unset));
            }
        }
    }
}
