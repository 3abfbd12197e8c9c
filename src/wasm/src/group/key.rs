//! Which group a row belongs to.

use super::block::{Rows, sized};
use super::finish::with_dictionary;
use super::numbering::pairs::Pairs;
use super::numbering::{Numbering, Source};
use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape};
use crate::types::Type;
use crate::vectors::{try_collected, with_room};
use std::rc::Rc;

/// The type of a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyType {
    pub ty: Type,
    pub shape: Shape,
    /// Whether it is that of a dictionary.
    pub is_dictionary: bool,
}

struct Key {
    ty: KeyType,
    values: Numbering,
    /// The number of each group's value; empty where it is the group's own number, the key being the only one.
    shown: Vec<u32>,
    /// Those of the rows of a block.
    numbers: Vec<u32>,
}

/// The keys of a table.
pub struct Keys {
    keys: Vec<Key>,
    /// Of the numbers of each key but the first with those of all before it.
    pairs: Vec<Pairs>,
    /// Numbers of a block that are to be paired.
    seconds: Vec<u32>,
    /// Groups.
    count: usize,
}

impl Keys {
    /// No groups.
    pub fn new(types: &[KeyType], seed: u64) -> Result<Self> {
        let mut keys = with_room(types.len())?;
        let mut pairs = with_room(types.len())?;
        let is_only = types.len() == 1;
        for &ty in types {
            let values = Numbering::new(ty.ty, ty.shape, seed, is_only);
            keys.push(Key { ty, values, shown: Vec::new(), numbers: Vec::new() });
        }
        pairs.extend(types.iter().skip(1).map(|_| Pairs::new(seed)));
        Ok(Keys { keys, pairs, seconds: Vec::new(), count: 0 })
    }

    /// How many keys.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no keys, so that all rows are one group.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The key columns of a call that brings so many rows.
    pub fn sources<'a>(&self, columns: &[Option<Flat<'a>>], rows: usize) -> Result<Vec<Source<'a>>> {
        try_collected(columns.iter().zip(&self.keys).map(|(column, key)| {
            let column = column.ok_or(Error::Misuse("a key without its column"))?;
            Source::new(column.of_shape(key.ty.shape)?, rows)
        }))
    }

    /// Whether further rows of the columns can bring no new group.
    pub fn is_exhausted(&self, sources: &[Source]) -> bool {
        match (&self.keys[..], sources) {
            ([key], [source]) => key.values.is_exhausted(source),
            _ => false,
        }
    }

    /// The groups of rows, into `groups`, and the first rows of those that are new, which have the next numbers.
    pub fn number(
        &mut self,
        sources: &mut [Source],
        rows: Rows,
        groups: &mut Vec<u32>,
        first: &mut Vec<u32>,
    ) -> Result<()> {
        sized(groups, rows.len())?;
        first.clear();
        let known = self.count;
        match (&mut self.keys[..], sources) {
            ([], _) => {
                groups.fill(0);
                self.count = 1;
            }
            ([key], [source]) => {
                key.values.number(source, rows, groups)?;
                self.count = key.values.len();
            }
            (_, sources) => self.number_several(sources, rows, groups)?,
        }
        if self.count == known {
            return Ok(());
        }
        first.try_reserve(self.count - known)?;
        let mut next = known as u32;
        for (place, &group) in groups.iter().enumerate() {
            if group == next {
                next += 1;
                first.push(rows.at(place) as u32);
                if self.keys.len() > 1 {
                    for key in &mut self.keys {
                        key.shown.try_reserve(1)?;
                        key.shown.push(key.numbers[place]);
                    }
                }
            }
        }
        Ok(())
    }

    /// The type of a key.
    pub fn key_type(&self, index: usize) -> KeyType {
        self.keys[index].ty
    }

    /// Makes the group of no keys, which has no rows yet.
    pub fn add_lone_group(&mut self) {
        self.count = 1;
    }

    /// A key as a column, one row a group.
    pub fn column(&self, index: usize) -> Result<Array> {
        let Key { ty, values, shown, .. } = &self.keys[index];
        let plain = values.values().array()?;
        if self.keys.len() == 1 {
            return if ty.is_dictionary { with_dictionary(plain, ty.ty) } else { Ok(plain) };
        }
        let null = values.null();
        let validity = match null {
            Some(null) => {
                let bits = Bitmap::from_fn(self.count, |group| shown[group] != null)?;
                (bits.count() < self.count).then_some(bits)
            }
            None => None,
        };
        if ty.shape == Shape::Null {
            return Ok(Array { len: self.count, validity: None, data: Data::Null });
        }
        let data = Data::Dictionary { indices: Buffer::of(shown)?, values: Rc::new(Array { validity: None, ..plain }) };
        let column = Array { len: self.count, validity, data };
        if ty.is_dictionary || ty.shape == Shape::Bytes { Ok(column) } else { Ok(column.decoded()?.unwrap_or(column)) }
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        let keys: usize = self.keys.iter().map(|key| key.values.allocated() + key.shown.capacity() * 4).sum();
        keys + self.pairs.iter().map(Pairs::allocated).sum::<usize>()
    }

    fn number_several(&mut self, sources: &mut [Source], rows: Rows, groups: &mut [u32]) -> Result<()> {
        for (key, source) in self.keys.iter_mut().zip(sources) {
            key.values.number(source, rows, sized(&mut key.numbers, rows.len())?)?;
        }
        let Some((first, others)) = self.keys.split_first() else { return Ok(()) };
        let seconds = sized(&mut self.seconds, rows.len())?;
        first.values.canonical(&first.numbers, groups);
        let mut bound = first.values.len();
        for (key, pairs) in others.iter().zip(&mut self.pairs) {
            key.values.canonical(&key.numbers, seconds);
            pairs.expect(bound, key.values.len())?;
            pairs.number_all(groups, seconds)?;
            bound = pairs.len();
        }
        self.count = bound;
        Ok(())
    }
}
