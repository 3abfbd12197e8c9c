//! The first rows of each group in an order.

use super::{Key, Ranked, ties};
use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, word_count, zeroed_words};
use crate::buffer::Buffer;
use crate::cancel::Watch;
use crate::error::{Error, Result};
use crate::flat::Flat;
use crate::group::{Blocks, KeyType, Keys};
use crate::run::MAX_ROWS;
use crate::vectors::{collected, filled};
use std::cmp::Ordering;

/// A row that may be among the first: whether its first key comes behind nulls or values, its prefix, and its number.
type Entry = (u8, Ranked);

/// Which rows are among the first `most` of their groups.
pub struct Firsts {
    rows: usize,
    /// Those of each group, in no order.
    groups: Kept,
}

enum Kept {
    /// The first row of each group.
    One(Vec<Entry>),
    /// More rows of each group: up to twice as many as are wanted, of which the last ones are thrown away together.
    Several(Vec<Several>),
}

#[derive(Default)]
struct Several {
    entries: Vec<Entry>,
    /// Whether rows were thrown away: the entry at `most - 1` is then the last that is wanted so far.
    is_cut: bool,
}

/// The first `most` rows of each group in the order of `order`, of the rows that are true in `truth` (none: all `rows`). Rows of a group
/// are equal in all `keys`. Of rows that are equal in the whole order the first ones count.
pub fn first_rows(
    keys: &[(KeyType, Flat)],
    order: &[Key],
    rows: usize,
    truth: Option<&Bitmap>,
    most: usize,
    seed: u64,
) -> Result<Firsts> {
    if rows > MAX_ROWS {
        return Err(Error::TooLong);
    }
    if most == 0 || truth.is_some_and(|truth| truth.len() != rows) {
        return Err(Error::Misuse("first rows of other rows"));
    }
    let types = collected(keys.len(), keys.iter().map(|key| key.0))?;
    let columns = collected(keys.len(), keys.iter().map(|key| Some(key.1)))?;
    let mut table = Keys::new(&types, seed)?;
    let mut sources = table.sources(&columns, truth.map_or(rows, Bitmap::count))?;
    let (mut numbers, mut new) = (Vec::new(), Vec::new());
    let mut ranks = Ranks::new(order, rows);
    let mut groups = if most == 1 { Kept::One(Vec::new()) } else { Kept::Several(Vec::new()) };
    let (mut blocks, mut watch) = (Blocks::new(truth, rows), Watch::default());
    loop {
        let block = blocks.next()?;
        if block.len() == 0 {
            return Ok(Firsts { rows, groups });
        }
        watch.passed(block.len())?;
        table.number(&mut sources, block, &mut numbers, &mut new)?;
        for (place, &group) in numbers.iter().enumerate() {
            groups.add(group as usize, ranks.entry(block.at(place)), most, order)?;
        }
    }
}

impl Firsts {
    /// The rows, as bits.
    pub fn truth(&self) -> Result<Bitmap> {
        let mut words = zeroed_words(word_count(self.rows))?;
        self.groups.each(|entry| words[entry.1.1 as usize / 64] |= 1 << (entry.1.1 % 64));
        Ok(Bitmap::from_words(words, self.rows))
    }

    /// The number of each row among those of its group, counted from 1, as a column of 64-bit integers. Other rows have 0.
    pub fn numbers(mut self, order: &[Key]) -> Result<Array> {
        let mut numbers: Vec<i64> = filled(self.rows, 0)?;
        match &mut self.groups {
            Kept::One(entries) => entries.iter().for_each(|entry| numbers[entry.1.1 as usize] = 1),
            Kept::Several(groups) => {
                for Several { entries, .. } in groups {
                    entries.sort_unstable_by(|a, b| compare(order, *a, *b));
                    for (number, entry) in (1..).zip(&*entries) {
                        numbers[entry.1.1 as usize] = number;
                    }
                }
            }
        }
        Ok(Array { len: self.rows, validity: None, data: Data::Fixed { width: 8, values: Buffer::of(&numbers)? } })
    }

    /// Throws away what is beyond the first `most` rows of each group.
    pub fn cut(&mut self, order: &[Key], most: usize) {
        if let Kept::Several(groups) = &mut self.groups {
            groups.iter_mut().for_each(|group| group.cut(order, most));
        }
    }
}

impl Kept {
    /// Takes a row into its group, which has the next number if it is new.
    fn add(&mut self, group: usize, entry: Entry, most: usize, order: &[Key]) -> Result<()> {
        match self {
            Kept::One(entries) => match entries.get_mut(group) {
                Some(first) => {
                    if compare(order, entry, *first) == Ordering::Less {
                        *first = entry;
                    }
                }
                None => {
                    entries.try_reserve(1)?;
                    entries.push(entry);
                }
            },
            Kept::Several(groups) => {
                if group == groups.len() {
                    groups.try_reserve(1)?;
                    groups.push(Several::default());
                }
                groups[group].add(entry, most, order)?;
            }
        }
        Ok(())
    }

    fn each(&self, mut f: impl FnMut(&Entry)) {
        match self {
            Kept::One(entries) => entries.iter().for_each(f),
            Kept::Several(groups) => groups.iter().flat_map(|group| &group.entries).for_each(&mut f),
        }
    }
}

impl Several {
    fn add(&mut self, entry: Entry, most: usize, order: &[Key]) -> Result<()> {
        if self.is_cut && compare(order, entry, self.entries[most - 1]) != Ordering::Less {
            return Ok(());
        }
        self.entries.try_reserve(1)?;
        self.entries.push(entry);
        if self.entries.len() == most.saturating_mul(2) {
            self.cut(order, most);
        }
        Ok(())
    }

    fn cut(&mut self, order: &[Key], most: usize) {
        if self.entries.len() > most {
            self.entries.select_nth_unstable_by(most - 1, |a, b| compare(order, *a, *b));
            self.entries.truncate(most);
            self.is_cut = true;
        }
    }
}

/// What rows are compared by first.
struct Ranks<'a, 'k> {
    first: Option<&'a Key<'k>>,
    rows: usize,
    /// The prefixes of the rows of a word of bits, and which word that is.
    prefixes: [u64; 64],
    word: usize,
}

impl<'a, 'k> Ranks<'a, 'k> {
    fn new(order: &'a [Key<'k>], rows: usize) -> Self {
        Ranks { first: order.first(), rows, prefixes: [0; 64], word: usize::MAX }
    }

    fn entry(&mut self, row: usize) -> Entry {
        let Some(first) = self.first else { return (0, (0, row as u32)) };
        let null_rank = first.null_rank(row);
        if first.is_null(row) {
            return (null_rank, (0, row as u32));
        }
        if row / 64 != self.word {
            self.word = row / 64;
            let start = self.word * 64;
            first.prefixes(start, &mut self.prefixes[..(self.rows - start).min(64)]);
        }
        (null_rank, (self.prefixes[row % 64], row as u32))
    }
}

/// The order of two rows, which are never equal.
#[inline(always)]
fn compare(order: &[Key], a: Entry, b: Entry) -> Ordering {
    let by_first = (a.0, a.1.0).cmp(&(b.0, b.1.0));
    if by_first != Ordering::Equal {
        return by_first;
    }
    match order.split_first() {
        None => a.1.1.cmp(&b.1.1),
        Some((first, rest)) => {
            let is_null = first.is_null(a.1.1 as usize);
            ties::compare(a.1, b.1, (!is_null).then_some(first), rest)
        }
    }
}
