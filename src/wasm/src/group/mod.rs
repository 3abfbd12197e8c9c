//! Rows grouped by keys: distinct rows, and aggregates that may be made in parts (`wire`).
//!
//! Each key column is numbered by its distinct values, and the numbers of several are paired, so that a group is a number
//! in the order of first rows, whatever its keys are. Aggregates are arrays over these numbers.

mod aggregate;
mod block;
mod finish;
mod key;
mod numbering;
mod pack;
mod parts;
mod runs;
mod wire;

pub use aggregate::{Argument, Kind, Quantile, Share};
pub(crate) use block::{BLOCK_ROWS, Blocks, Rows, sized};
pub use key::KeyType;
pub(crate) use key::Keys;
use numbering::is_by_runs;
pub(crate) use numbering::{Numbering, Source};

use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::cancel::{Watch, check};
use crate::cycles::Cycles;
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape};
use crate::vectors::{try_collected, with_room};
use aggregate::{Aggregate, State, Workspace, sums};
use block::Block;

/// A table of groups. After an error it is of no more use.
pub struct Groups {
    keys: Keys,
    /// Rows of each group.
    rows: Vec<u64>,
    aggregates: Vec<Aggregate>,
    maximum: usize,
    workspace: Workspace,
    is_broken: bool,
}

impl Groups {
    /// An empty table that takes at most `maximum` bytes. `seed` is any number: where it is not known in advance, nobody
    /// can make values that slow the table down.
    pub fn new(keys: &[KeyType], aggregates: &[(Kind, Argument)], seed: u64, maximum: usize) -> Result<Self> {
        for (index, &(kind, argument)) in aggregates.iter().enumerate() {
            let Some(other) = kind.values_of() else { continue };
            match aggregates[..index].get(other as usize) {
                Some(&(own, same)) if same == argument && own.is_enough_for(kind) => {}
                _ => return Err(Error::Misuse("an aggregate of the values of another one")),
            }
        }
        let all = try_collected(
            aggregates.iter().map(|&(kind, argument)| Aggregate::new(kind, argument, seed, keys.is_empty())),
        )?;
        Ok(Groups {
            keys: Keys::new(keys, seed)?,
            rows: Vec::new(),
            aggregates: all,
            maximum,
            workspace: Workspace::default(),
            is_broken: false,
        })
    }

    /// Groups so far. Without keys there is always one.
    pub fn count(&self) -> usize {
        if self.keys.is_empty() { 1 } else { self.rows.len() }
    }

    /// Columns: keys, then aggregates.
    pub fn columns(&self) -> usize {
        self.keys.len() + self.aggregates.len()
    }

    /// Takes in the rows that are true in `truth`; none: all `rows`. One column a key, then one an aggregate (none for
    /// `CountRows`), then one for each aggregate by a key ([`Kind::by`]), each of `rows` rows.
    pub fn add_rows(&mut self, columns: &[Option<&Array>], rows: usize, truth: Option<&Bitmap>) -> Result<()> {
        if columns.iter().flatten().any(|column| column.len != rows) {
            return Err(OTHER_COLUMNS);
        }
        let keys = self.keys.len();
        // Rows that a mask leaves are looked at one by one.
        let cycles = Cycles::by_runs(columns, |at, repeated| at < keys && truth.is_none() && is_by_runs(repeated))?;
        let flat = try_collected(
            columns.iter().enumerate().map(|(at, column)| column.map(|column| cycles.flat(at, column)).transpose()),
        )?;
        self.attempt(|groups| groups.take_rows(&flat, rows, truth))
    }

    /// A key or an aggregate as a column, one row a group in the order of first rows.
    pub fn column(&mut self, index: usize) -> Result<Array> {
        check()?;
        if self.keys.is_empty() && self.rows.is_empty() {
            self.attempt(|groups| groups.add_lone_group())?;
        }
        if index < self.keys.len() {
            return self.keys.column(index);
        }
        let aggregate = self.aggregates.get(index - self.keys.len()).ok_or(NO_COLUMN)?;
        let of = aggregate.kind.values_of().map_or(aggregate, |other| &self.aggregates[other as usize]);
        let kind = match aggregate.kind {
            Kind::OfSame(added, _) => added.kind(),
            kind => kind,
        };
        of.column(kind, &self.rows)
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        let aggregates: usize = self.aggregates.iter().map(Aggregate::allocated).sum();
        self.keys.allocated() + self.rows.capacity() * 8 + aggregates
    }

    fn attempt<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.is_broken {
            return Err(Error::Misuse("a table of groups was used after it had failed"));
        }
        let outcome = f(self);
        self.is_broken = outcome.is_err();
        outcome
    }

    fn take_rows(&mut self, columns: &[Option<Flat>], rows: usize, truth: Option<&Bitmap>) -> Result<()> {
        let by = self.aggregates.iter().filter(|aggregate| aggregate.kind.by().is_some()).count();
        if columns.len() != self.columns() + by || truth.is_some_and(|truth| truth.len() != rows) {
            return Err(OTHER_COLUMNS);
        }
        let selected = truth.map_or(rows, Bitmap::count);
        if selected == 0 {
            return Ok(());
        }
        let (keys, arguments) = columns.split_at(self.keys.len());
        let (arguments, by) = arguments.split_at(self.aggregates.len());
        if self.keys.is_empty() && self.count_only(arguments, selected, truth)? {
            return Ok(());
        }
        let mut keys = self.keys.sources(keys, selected)?;
        let mut arguments = self.sources(arguments, selected)?;
        let (mut blocks, mut watch) = (Blocks::new(truth, rows), Watch::default());
        let (mut numbers, mut first) = (Vec::new(), Vec::new());
        let take_one_group = self.aggregates.iter().all(Aggregate::takes_one_group);
        loop {
            let rows = blocks.next()?;
            if rows.len() == 0 || (self.aggregates.is_empty() && self.keys.is_exhausted(&keys)) {
                return Ok(());
            }
            watch.passed(rows.len())?;
            let is_one = take_one_group && keys.iter().all(|key| key.has_one_value(rows));
            let numbered = if is_one { Rows::Run { first: rows.at(0), len: 1 } } else { rows };
            self.keys.number(&mut keys, numbered, &mut numbers, &mut first)?;
            self.grow(&arguments, &first)?;
            let block = if is_one { Block::of_one(rows, numbers[0]) } else { Block::new(rows, &numbers) };
            self.take_block(&block, &mut arguments, by)?;
            self.check_memory()?;
        }
    }

    /// Where nothing but counts is asked of the one group: from the bits alone, if so.
    fn count_only(&mut self, arguments: &[Option<Flat>], selected: usize, truth: Option<&Bitmap>) -> Result<bool> {
        if !self.aggregates.iter().all(|aggregate| matches!(aggregate.state, State::Counts)) {
            return Ok(false);
        }
        if self.rows.is_empty() {
            self.add_lone_group()?;
        }
        self.rows[0] += selected as u64;
        for (aggregate, argument) in self.aggregates.iter_mut().zip(arguments) {
            if let Some(argument) = argument {
                let valid = match (argument.validity, truth, argument.is_null()) {
                    (_, _, true) => 0,
                    (None, _, _) => selected,
                    (Some(validity), None, _) => validity.count(),
                    (Some(validity), Some(truth), _) => {
                        let words = validity.words().iter().zip(truth.words());
                        words.map(|(a, b)| (a & b).count_ones() as usize).sum()
                    }
                };
                aggregate.nulls[0] += (selected - valid) as u64;
            }
        }
        Ok(true)
    }

    /// The arguments of a call. Only counts take those that are nested, and look at nothing but their nulls.
    fn sources<'a>(&self, arguments: &[Option<Flat<'a>>], rows: usize) -> Result<Vec<Option<Source<'a>>>> {
        let mut sources = with_room(arguments.len())?;
        for (argument, aggregate) in arguments.iter().zip(&self.aggregates) {
            let flat = match (argument, aggregate.argument.shape) {
                (Some(flat), Some(shape)) => Some(flat.of_shape(shape)?),
                (flat, _) => *flat,
            };
            sources.push(flat.map(|flat| Source::new(flat, rows)).transpose()?);
        }
        Ok(sources)
    }

    /// Room for the groups that `first` brings, their first rows.
    fn grow(&mut self, arguments: &[Option<Source>], first: &[u32]) -> Result<()> {
        if first.is_empty() {
            return Ok(());
        }
        let count = self.rows.len() + first.len();
        aggregate::resize(&mut self.rows, count, 0)?;
        for (aggregate, argument) in self.aggregates.iter_mut().zip(arguments) {
            aggregate.resize(count, argument.as_ref().map(Source::flat), first)?;
        }
        Ok(())
    }

    /// The group of no keys, which has no rows yet: its first value is null.
    fn add_lone_group(&mut self) -> Result<()> {
        let nothing = Array { len: 1, validity: None, data: Data::Null };
        let flat = Flat::new(&nothing, Shape::Null)?;
        self.keys.add_lone_group();
        aggregate::resize(&mut self.rows, 1, 0)?;
        self.aggregates.iter_mut().try_for_each(|aggregate| aggregate.resize(1, Some(&flat), &[0]))
    }

    fn take_block(&mut self, block: &Block, arguments: &mut [Option<Source>], by: &[Option<Flat>]) -> Result<()> {
        if self.aggregates.is_empty() {
            return Ok(());
        }
        let (mut counts, mut by) = (Some(block.states(&mut self.rows)), by.iter());
        for (aggregate, argument) in self.aggregates.iter_mut().zip(arguments) {
            let by = aggregate.kind.by().and_then(|_| by.next()?.as_ref());
            aggregate.add(block, argument.as_mut(), by, &mut counts, &mut self.workspace)?;
        }
        if let Some(counts) = counts {
            sums::count(counts, block.groups);
        }
        Ok(())
    }

    fn check_memory(&self) -> Result<()> {
        if self.allocated() > self.maximum { Err(Error::TooManyGroups { maximum: self.maximum }) } else { Ok(()) }
    }
}

const OTHER_COLUMNS: Error = Error::Misuse("other columns than the table's");
const NO_COLUMN: Error = Error::Misuse("a column that the table of groups does not have");
