//! Tables of groups as bytes, to be added to other ones: numbers are little endian, everything begins at a multiple of 8.
//!
//! First the numbers of groups, keys and aggregates; then each key as an array, the rows of each group, and for each
//! aggregate its nulls and its state. What comes in is checked like a file: it may be wrong, and is never read past its end.

use super::Groups;
use super::aggregate::spread::Spread;
use super::aggregate::{self, Aggregate, State, extreme};
use super::block::Blocks;
use super::parts::{self, Reader, put, put_all, put_array};
use crate::array::Array;
use crate::buffer::Number;
use crate::cancel::{Watch, check};
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape, value_bytes};
use crate::int256::Int256;
use crate::scratch::Scratch;
use crate::vectors::try_collected;

impl Groups {
    /// Appends the table to `out`, whose length is a multiple of 8.
    pub fn write(&self, out: &mut Scratch) -> Result<()> {
        put(out, &[self.rows.len() as u64, self.keys.len() as u64, self.aggregates.len() as u64])?;
        for key in 0..self.keys.len() {
            check()?;
            put_array(out, &self.keys.column(key)?)?;
        }
        put(out, &self.rows)?;
        self.aggregates.iter().try_for_each(|aggregate| {
            check()?;
            aggregate.write(out)
        })
    }

    /// Adds the groups of a table of the same keys and aggregates, as if its rows came after those that are here.
    pub fn add_groups(&mut self, bytes: &[u8]) -> Result<()> {
        self.attempt(|groups| groups.take_groups(&mut Reader { bytes }))
    }

    fn take_groups(&mut self, reader: &mut Reader) -> Result<()> {
        let head = reader.numbers::<u64>(3)?;
        let [len, keys, aggregates] = head.numbers::<u64>()[..] else { return Err(parts::DAMAGED) };
        if (keys, aggregates) != (self.keys.len() as u64, self.aggregates.len() as u64) {
            return Err(Error::invalid("groups of other keys or aggregates"));
        }
        // Each group has at least the number of its rows.
        let len = usize::try_from(len).ok().filter(|&len| len <= reader.bytes.len() / 8).ok_or(parts::DAMAGED)?;
        if len == 0 {
            return Ok(());
        }
        let columns = try_collected((0..self.keys.len()).map(|index| {
            let key = self.keys.key_type(index);
            reader.array(len, key.shape, key.ty)
        }))?;
        let counts = reader.numbers::<u64>(len)?;
        let (mut groups, mut first) = (Vec::new(), Vec::new());
        groups.try_reserve_exact(len)?;
        {
            let keys = try_collected(columns.iter().map(|column| Flat::of(column).map(Some)))?;
            let mut sources = self.keys.sources(&keys, len)?;
            let (mut blocks, mut numbers, mut new) = (Blocks::new(None, len), Vec::new(), Vec::new());
            let mut watch = Watch::default();
            while groups.len() < len {
                self.keys.number(&mut sources, blocks.next()?, &mut numbers, &mut new)?;
                watch.passed(numbers.len())?;
                groups.extend_from_slice(&numbers);
                first.try_reserve(new.len())?;
                first.extend_from_slice(&new);
            }
        }
        let count = self.rows.len() + first.len();
        aggregate::resize(&mut self.rows, count, 0)?;
        merge(&mut self.rows, &groups, counts.numbers(), u64::wrapping_add);
        for aggregate in &mut self.aggregates {
            check()?;
            aggregate.merge(reader, count, &groups, &first)?;
        }
        self.check_memory()
    }
}

impl Aggregate {
    fn write(&self, out: &mut Scratch) -> Result<()> {
        put(out, &self.nulls)?;
        match &self.state {
            State::Counts => Ok(()),
            State::Integers(numbers) | State::I128(numbers) => put(out, numbers),
            State::Wide(numbers) | State::I256(numbers) => put(out, numbers),
            State::Floats(numbers) | State::F64(numbers) => put(out, numbers),
            State::I64(numbers) => put(out, numbers),
            State::U64(numbers) => put(out, numbers),
            State::Bytes(extremes) => put_array(out, &extremes.array(self.argument.shape.unwrap_or(Shape::Bytes))?),
            State::Spreads(spreads) => {
                put_all(out, spreads.iter().map(|spread| [spread.count, spread.mean, spread.squares]))
            }
            State::Distinct(distinct) => {
                put(out, &[distinct.values().len() as u64, distinct.pairs().count() as u64])?;
                put_array(out, &distinct.values().values().array()?)?;
                put_all(out, distinct.pairs().map(|(group, number)| [group, number]))
            }
            State::First(values) => put_array(out, &values.array()?),
            State::Quantiles(quantiles) => quantiles.write(out),
            State::ArgExtremes(extremes) => extremes.write(out, self.argument.shape.unwrap_or(Shape::Null)),
        }
    }

    /// Takes in what another table knows. `groups` are the numbers that its groups have here, where there are `count` now;
    /// those that are new are its groups `first`.
    fn merge(&mut self, reader: &mut Reader, count: usize, groups: &[u32], first: &[u32]) -> Result<()> {
        let len = groups.len();
        let (shape, ty) = (self.argument.shape.unwrap_or(Shape::Null), self.argument.ty);
        let nulls = reader.numbers::<u64>(len)?;
        let values = match self.state {
            State::Bytes(_) | State::First(_) => Some(reader.array(len, shape, ty)?),
            _ => None,
        };
        let flat = values.as_ref().map(|array: &Array| Flat::new(array, shape)).transpose()?;
        self.resize(count, flat.as_ref(), first)?;
        merge(&mut self.nulls, groups, nulls.numbers(), u64::wrapping_add);
        let is_greatest = self.is_greatest();
        match &mut self.state {
            State::Counts | State::First(_) => {}
            State::Integers(sums) => {
                merge(sums, groups, reader.numbers::<i128>(len)?.numbers(), i128::wrapping_add);
            }
            State::Wide(sums) => {
                merge(sums, groups, reader.numbers::<Int256>(len)?.numbers(), Int256::wrapping_add);
            }
            State::Floats(sums) => merge(sums, groups, reader.numbers::<f64>(len)?.numbers(), |a: f64, b| a + b),
            State::I64(values) => {
                extreme::add::<i64, _>(values, is_greatest, groups, reader.numbers::<i64>(len)?.numbers())
            }
            State::U64(values) => {
                extreme::add::<u64, _>(values, is_greatest, groups, reader.numbers::<u64>(len)?.numbers())
            }
            State::I128(values) => {
                extreme::add::<i128, _>(values, is_greatest, groups, reader.numbers::<i128>(len)?.numbers())
            }
            State::I256(values) => {
                extreme::add::<Int256, _>(values, is_greatest, groups, reader.numbers::<Int256>(len)?.numbers())
            }
            State::F64(values) => {
                extreme::add::<f64, _>(values, is_greatest, groups, reader.numbers::<f64>(len)?.numbers())
            }
            State::Bytes(extremes) => {
                for (row, &group) in groups.iter().enumerate() {
                    if let Some(flat) = flat.filter(|flat| flat.is_valid(row)) {
                        extremes.add(group, value_bytes(flat.values, flat.place(row)))?;
                    }
                }
            }
            State::Spreads(spreads) => {
                let numbers = reader.numbers::<[f64; 3]>(len)?;
                for (&group, &[count, mean, squares]) in groups.iter().zip(numbers.numbers::<[f64; 3]>()) {
                    let spread = &mut spreads[group as usize];
                    *spread = spread.and(Spread { count, mean, squares });
                }
            }
            State::Quantiles(quantiles) => quantiles.merge(reader, groups)?,
            State::ArgExtremes(extremes) => extremes.merge(reader, groups, self.argument)?,
            State::Distinct(distinct) => {
                let head = reader.numbers::<u64>(2)?;
                let [values, pairs] = head.numbers::<u64>()[..] else { return Err(parts::DAMAGED) };
                // A value takes a bit at least, a pair more.
                let most = reader.bytes.len().saturating_mul(8).min(crate::run::MAX_ROWS);
                let bounded = |count: u64| usize::try_from(count).ok().filter(|&count| count <= most);
                let (values, pairs) = (bounded(values).ok_or(parts::DAMAGED)?, bounded(pairs).ok_or(parts::DAMAGED)?);
                let array = reader.array(values, shape, ty)?;
                let pairs = reader.numbers::<[u32; 2]>(pairs)?;
                distinct.merge(Flat::new(&array, shape)?, values, pairs.numbers(), groups)?;
            }
        }
        Ok(())
    }
}

/// Adds each of `parts` to the total of its group.
fn merge<T: Number>(totals: &mut [T], groups: &[u32], parts: &[T], add: impl Fn(T, T) -> T) {
    for (&group, &part) in groups.iter().zip(parts) {
        let total = &mut totals[group as usize];
        *total = add(*total, part);
    }
}
