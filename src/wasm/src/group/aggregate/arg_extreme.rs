//! The value in the row whose key is the least or the greatest of its group. Of rows with equal keys the first stays.

use super::Argument;
use super::extreme::{ByteExtremes, Ordered, improve};
use super::numbers::{Domain, Numbers};
use super::slots::Slots;
use crate::array::Array;
use crate::buffer::Number;
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape, value_bytes};
use crate::group::block::Block;
use crate::group::parts::{DAMAGED, Reader, put, put_array};
use crate::int256::Int256;
use crate::scratch::Scratch;

/// Of each group its extreme key so far, and the value beside it. Rows in which either is null do not count.
pub struct ArgExtremes {
    is_greatest: bool,
    by: Argument,
    keys: Keys,
    values: Slots,
    /// Of a block: the row of each group that is best in it, plus one; 0: none is.
    best: Vec<u32>,
    /// The groups that have one.
    touched: Vec<u32>,
}

/// The extreme keys. That of a group without a value means nothing.
enum Keys {
    /// All of them are null.
    None,
    I64(Vec<i64>),
    U64(Vec<u64>),
    I128(Vec<i128>),
    I256(Vec<Int256>),
    F64(Vec<f64>),
    Bytes(ByteExtremes),
}

impl ArgExtremes {
    /// Of no groups.
    pub fn new(by: Argument, is_greatest: bool) -> Result<Self> {
        let keys = match (by.shape, Domain::of(by.ty)) {
            (Some(Shape::Null), _) => Keys::None,
            (_, Some(Domain::I64)) => Keys::I64(Vec::new()),
            (_, Some(Domain::U64)) => Keys::U64(Vec::new()),
            (_, Some(Domain::I128)) => Keys::I128(Vec::new()),
            (_, Some(Domain::I256)) => Keys::I256(Vec::new()),
            (_, Some(Domain::F64)) => Keys::F64(Vec::new()),
            (Some(_), None) if by.ty.is_bytes() => Keys::Bytes(ByteExtremes::new(is_greatest)),
            _ => return Err(Error::Unsupported("values of this type have no order")),
        };
        let (best, touched) = (Vec::new(), Vec::new());
        Ok(ArgExtremes { is_greatest, by, keys, values: Slots::new(), best, touched })
    }

    /// Room for groups.
    pub fn resize(&mut self, groups: usize) -> Result<()> {
        self.values.resize(groups)?;
        resize(&mut self.best, groups)?;
        match &mut self.keys {
            Keys::None => Ok(()),
            Keys::I64(keys) => resize(keys, groups),
            Keys::U64(keys) => resize(keys, groups),
            Keys::I128(keys) => resize(keys, groups),
            Keys::I256(keys) => resize(keys, groups),
            Keys::F64(keys) => resize(keys, groups),
            Keys::Bytes(keys) => keys.resize(groups),
        }
    }

    /// Takes a block of rows in, and counts those of which the value or the key is null.
    pub fn add(
        &mut self,
        block: &Block,
        value: &Flat,
        by: &Flat,
        nulls: &mut [u64],
        numbers: &mut Numbers,
    ) -> Result<()> {
        let Block { rows, groups, .. } = *block;
        if value.is_null() || by.is_null() {
            groups.iter().for_each(|&group| nulls[group as usize] += 1);
            return Ok(());
        }
        let by = by.of_shape(self.by.shape.unwrap_or(Shape::Null))?;
        if !matches!(self.keys, Keys::None | Keys::Bytes(_)) {
            numbers.load(self.by.ty, &by, rows)?;
        }
        let ArgExtremes { is_greatest, keys, values, best, touched, .. } = self;
        let mut round = Round { block, value, by: &by, nulls, values, best, touched };
        let is_greatest = *is_greatest;
        match keys {
            Keys::None => return Ok(()),
            Keys::I64(keys) => round.numbers(keys, &numbers.i64, is_greatest)?,
            Keys::U64(keys) => round.numbers(keys, &numbers.u64, is_greatest)?,
            Keys::I128(keys) => round.numbers(keys, &numbers.i128, is_greatest)?,
            Keys::I256(keys) => round.numbers(keys, &numbers.i256, is_greatest)?,
            Keys::F64(keys) => round.numbers(keys, &numbers.f64, is_greatest)?,
            Keys::Bytes(keys) => {
                round.each(|place, group, _| keys.add(group, value_bytes(by.values, by.place(rows.at(place)))))?;
            }
        }
        for group in touched.drain(..) {
            let row = std::mem::take(&mut best[group as usize]) as usize - 1;
            values.set(group, value_bytes(value.values, value.place(row)))?;
        }
        Ok(())
    }

    /// The values as a column of a shape.
    pub fn array(&self, shape: Shape) -> Result<Array> {
        self.values.array(shape)
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        let keys = match &self.keys {
            Keys::None => 0,
            Keys::I64(keys) => keys.capacity() * 8,
            Keys::U64(keys) => keys.capacity() * 8,
            Keys::F64(keys) => keys.capacity() * 8,
            Keys::I128(keys) => keys.capacity() * 16,
            Keys::I256(keys) => keys.capacity() * 32,
            Keys::Bytes(keys) => keys.allocated(),
        };
        keys + self.values.allocated() + self.best.capacity() * 4 + self.touched.capacity() * 4
    }

    /// Appends the keys and the values, which are of a shape.
    pub fn write(&self, out: &mut Scratch, shape: Shape) -> Result<()> {
        put_array(out, &self.array(shape)?)?;
        match &self.keys {
            Keys::None => Ok(()),
            Keys::I64(keys) => put(out, keys),
            Keys::U64(keys) => put(out, keys),
            Keys::I128(keys) => put(out, keys),
            Keys::I256(keys) => put(out, keys),
            Keys::F64(keys) => put(out, keys),
            Keys::Bytes(keys) => put_array(out, &keys.array(self.by.shape.unwrap_or(Shape::Bytes))?),
        }
    }

    /// Takes in what another table wrote, whose groups have the numbers `groups` here. `value` is what its values are.
    pub fn merge(&mut self, reader: &mut Reader, groups: &[u32], value: Argument) -> Result<()> {
        let (len, shape) = (groups.len(), value.shape.unwrap_or(Shape::Null));
        let array = reader.array(len, shape, value.ty)?;
        let from = Flat::new(&array, shape)?;
        let ArgExtremes { is_greatest, by, keys, values, .. } = self;
        let is_greatest = *is_greatest;
        let mut merge = Merge { groups, from: &from, values };
        match keys {
            Keys::None => Ok(()),
            Keys::I64(keys) => merge.numbers(keys, reader.numbers::<i64>(len)?.numbers(), is_greatest),
            Keys::U64(keys) => merge.numbers(keys, reader.numbers::<u64>(len)?.numbers(), is_greatest),
            Keys::I128(keys) => merge.numbers(keys, reader.numbers::<i128>(len)?.numbers(), is_greatest),
            Keys::I256(keys) => merge.numbers(keys, reader.numbers::<Int256>(len)?.numbers(), is_greatest),
            Keys::F64(keys) => merge.numbers(keys, reader.numbers::<f64>(len)?.numbers(), is_greatest),
            Keys::Bytes(keys) => {
                let shape = by.shape.unwrap_or(Shape::Bytes);
                let array = reader.array(len, shape, by.ty)?;
                let by = Flat::new(&array, shape)?;
                if (0..len).any(|row| from.is_valid(row) && !by.is_valid(row)) {
                    return Err(DAMAGED);
                }
                merge.each(|row, group, _| keys.add(group, value_bytes(by.values, by.place(row))))
            }
        }
    }
}

/// A block on its way in.
struct Round<'a> {
    block: &'a Block<'a>,
    value: &'a Flat<'a>,
    by: &'a Flat<'a>,
    nulls: &'a mut [u64],
    values: &'a Slots,
    best: &'a mut [u32],
    touched: &'a mut Vec<u32>,
}

impl Round<'_> {
    fn numbers<T: Ordered>(&mut self, keys: &mut [T], news: &[T], is_greatest: bool) -> Result<()> {
        self.each(|place, group, is_first| Ok(improve(&mut keys[group as usize], is_first, is_greatest, news[place])))
    }

    /// `take` takes in the key at a place, and says whether it is the best of its group; it may be the first there.
    #[inline(always)]
    fn each(&mut self, mut take: impl FnMut(usize, u32, bool) -> Result<bool>) -> Result<()> {
        let Block { rows, groups, .. } = *self.block;
        self.touched.try_reserve(groups.len())?;
        for (place, &group) in groups.iter().enumerate() {
            let row = rows.at(place);
            if !(self.value.is_valid(row) && self.by.is_valid(row)) {
                self.nulls[group as usize] += 1;
                continue;
            }
            let best = &mut self.best[group as usize];
            if take(place, group, *best == 0 && !self.values.has(group as usize))? {
                if *best == 0 {
                    self.touched.push(group);
                }
                *best = row as u32 + 1;
            }
        }
        Ok(())
    }
}

/// What another table wrote, on its way in.
struct Merge<'a> {
    groups: &'a [u32],
    from: &'a Flat<'a>,
    values: &'a mut Slots,
}

impl Merge<'_> {
    fn numbers<T: Ordered + Number>(&mut self, keys: &mut [T], news: &[T], is_greatest: bool) -> Result<()> {
        self.each(|row, group, is_first| Ok(improve(&mut keys[group as usize], is_first, is_greatest, news[row])))
    }

    fn each(&mut self, mut take: impl FnMut(usize, u32, bool) -> Result<bool>) -> Result<()> {
        for (row, &group) in self.groups.iter().enumerate() {
            if self.from.is_valid(row) && take(row, group, !self.values.has(group as usize))? {
                self.values.set(group, value_bytes(self.from.values, self.from.place(row)))?;
            }
        }
        Ok(())
    }
}

fn resize<T: Copy + Default>(items: &mut Vec<T>, len: usize) -> Result<()> {
    super::resize(items, len, T::default())
}
