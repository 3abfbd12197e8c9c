//! One aggregate of every group of a table.

mod arg_extreme;
mod distinct;
pub(super) mod extreme;
mod kind;
mod numbers;
mod quantile;
mod slots;
pub(super) mod spread;
pub(super) mod sums;

use arg_extreme::ArgExtremes;
use distinct::Distinct;
use extreme::{ByteExtremes, Ordered};
pub use kind::{Argument, Kind};
use numbers::{Domain, Numbers};
use quantile::Quantiles;
pub(super) use quantile::Selected;
pub use quantile::{Quantile, Share};
use spread::Spread;
use sums::{Counts, Masked};

use super::block::{Block, Rows, collect_unset, count_unset, overwrite_unset, sized};
use super::numbering::Source;
use super::numbering::values::Values;
use crate::bitmap::Bitmap;
use crate::buffer::Number;
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape, value_bytes};
use crate::int256::Int256;
use crate::types::{Physical, Type};

/// What is known of each group, by group.
#[allow(clippy::large_enum_variant)] // One for each aggregate of a table, not one for each group.
pub enum State {
    /// Nulls and rows tell everything.
    Counts,
    /// Sums of integers of at most 64 bits.
    Integers(Vec<i128>),
    /// Sums of integers of 128 bits.
    Wide(Vec<Int256>),
    Floats(Vec<f64>),
    I64(Vec<i64>),
    U64(Vec<u64>),
    I128(Vec<i128>),
    I256(Vec<Int256>),
    F64(Vec<f64>),
    Bytes(ByteExtremes),
    Spreads(Vec<Spread>),
    Distinct(Distinct),
    First(Values),
    Quantiles(Quantiles),
    ArgExtremes(ArgExtremes),
}

/// An aggregate, with what it knows of each group.
pub struct Aggregate {
    pub kind: Kind,
    pub argument: Argument,
    /// Rows of each group in which the argument is null.
    pub nulls: Vec<u64>,
    pub state: State,
}

/// Memory for one block, shared by the aggregates of a table.
#[derive(Default)]
pub struct Workspace {
    numbers: Numbers,
    /// Places of rows in which the argument is null, ascending.
    nulls: Vec<u32>,
    /// Groups of the others, or of these.
    groups: Vec<u32>,
}

impl Aggregate {
    /// Of no groups. `is_lone`: there will be one, for there are no keys.
    pub fn new(kind: Kind, argument: Argument, seed: u64, is_lone: bool) -> Result<Self> {
        Ok(Aggregate { kind, argument, nulls: Vec::new(), state: State::new(kind, argument, seed, is_lone)? })
    }

    /// Whether the greatest value is looked for, where it is one of the extremes.
    pub fn is_greatest(&self) -> bool {
        self.kind == Kind::Max
    }

    /// Whether rows of one group are taken in without the number of that group, by [`Block::states`].
    pub fn takes_one_group(&self) -> bool {
        !matches!(self.state, State::Bytes(_) | State::Distinct(_) | State::Quantiles(_) | State::ArgExtremes(_))
    }

    /// Room for groups; `first` are the first rows of those that are new.
    pub fn resize(&mut self, groups: usize, flat: Option<&Flat>, first: &[u32]) -> Result<()> {
        resize(&mut self.nulls, groups, 0)?;
        let is_greatest = self.is_greatest();
        match &mut self.state {
            State::Counts => Ok(()),
            State::Integers(sums) => resize(sums, groups, 0),
            State::Wide(sums) => resize(sums, groups, Int256::default()),
            State::Floats(sums) => resize(sums, groups, 0.0),
            State::I64(extremes) => resize(extremes, groups, Ordered::bound(is_greatest)),
            State::U64(extremes) => resize(extremes, groups, Ordered::bound(is_greatest)),
            State::I128(extremes) => resize(extremes, groups, Ordered::bound(is_greatest)),
            State::I256(extremes) => resize(extremes, groups, Ordered::bound(is_greatest)),
            State::F64(extremes) => resize(extremes, groups, Ordered::bound(is_greatest)),
            State::Bytes(extremes) => extremes.resize(groups),
            State::Spreads(spreads) => resize(spreads, groups, Spread::default()),
            State::Distinct(distinct) => distinct.resize(groups),
            State::Quantiles(_) => Ok(()),
            State::ArgExtremes(extremes) => extremes.resize(groups),
            State::First(values) => {
                let flat = flat.ok_or(NO_ARGUMENT)?;
                first.iter().try_for_each(|&row| values.push(value_at(flat, row as usize)))
            }
        }
    }

    /// Takes a block of rows in; `by` is the column of the key, if there is one. The rows of each group are counted on the way
    /// where that costs nothing.
    pub fn add(
        &mut self,
        block: &Block,
        source: Option<&mut Source>,
        by: Option<&Flat>,
        counts: &mut Counts,
        workspace: &mut Workspace,
    ) -> Result<()> {
        let is_greatest = self.is_greatest();
        let Aggregate { kind, argument, nulls, state } = self;
        if matches!(kind, Kind::CountRows | Kind::First | Kind::OfSame(..)) {
            return Ok(());
        }
        let source = source.ok_or(NO_ARGUMENT)?;
        if let State::Distinct(distinct) = state {
            return distinct.add(source, block.rows, block.groups, nulls);
        }
        let flat = source.flat();
        if let State::ArgExtremes(extremes) = state {
            return extremes.add(block, flat, by.ok_or(NO_ARGUMENT)?, nulls, &mut workspace.numbers);
        }
        let Block { rows, groups, .. } = *block;
        let nulls = block.states(nulls);
        if flat.is_null() {
            groups.iter().for_each(|&group| nulls[group as usize] += 1);
            return Ok(());
        }
        let Workspace { numbers, nulls: places, groups: valid_groups } = workspace;
        let ty = argument.ty;
        if let State::Quantiles(quantiles) = state {
            return quantiles.add(ty, block, flat, nulls, numbers);
        }
        let is_single = ty.physical() == Some(Physical::F32);
        if let (State::Floats(sums), [nulls]) = (&mut *state, &mut *nulls)
            && match ty.physical() {
                Some(Physical::F32) => add_neighbours::<f32>(block.states(sums), counts, nulls, flat, block),
                Some(Physical::F64) => add_neighbours::<f64>(block.states(sums), counts, nulls, flat, block),
                _ => false,
            }
        {
            return Ok(());
        }
        places.clear();
        // Of neighbours, nulls are taken out 64 at a time: a sea has its land in one piece.
        let unset = match (rows, flat.validity, nulls) {
            (Rows::Run { first, len }, Some(validity), nulls) if !matches!(state, State::Spreads(_)) => {
                match nulls {
                    [nulls] => *nulls += count_unset(validity, first, len) as u64,
                    nulls => sums::count(nulls, collect_unset(groups, first, validity, valid_groups)?),
                }
                Unset::Run { first, validity }
            }
            (_, Some(validity), nulls) => {
                places.try_reserve(groups.len())?;
                rows.each_unset(validity, |place| {
                    places.push(place as u32);
                    nulls[groups[place] as usize] += 1;
                });
                Unset::Places(places)
            }
            (_, None, _) => Unset::Places(places),
        };
        match state {
            State::Counts | State::Distinct(_) | State::First(_) | State::Quantiles(_) | State::ArgExtremes(_) => {
                return Ok(());
            }
            State::Bytes(extremes) => {
                for (place, &group) in groups.iter().enumerate() {
                    let row = rows.at(place);
                    if flat.is_valid(row) {
                        extremes.add(group, value_bytes(flat.values, flat.place(row)))?;
                    }
                }
                return Ok(());
            }
            State::Floats(_) | State::F64(_) if is_single => numbers.load_singles(flat, rows)?,
            State::Floats(_) | State::Spreads(_) => numbers.load_floats(ty, flat, rows)?,
            _ => numbers.load(ty, flat, rows)?,
        }
        // Values of null rows become such as change nothing.
        match state {
            State::Floats(sums) if is_single => {
                sums::add_floats(block.states(sums), counts, groups, unset.with(&mut numbers.f32, 0.0));
            }
            State::Floats(sums) => {
                sums::add_floats(block.states(sums), counts, groups, unset.with(&mut numbers.f64, 0.0))
            }
            State::Spreads(spreads) => {
                let valid = sized(valid_groups, groups.len())?;
                valid.copy_from_slice(groups);
                spread::add(block.states(spreads), without(valid, places), without(&mut numbers.f64, places));
            }
            State::Integers(sums) if Domain::of(ty) == Some(Domain::U64) => {
                sums::add_integers(block.states(sums), counts, groups, unset.with(&mut numbers.u64, 0));
            }
            State::Integers(sums) => {
                sums::add_integers(block.states(sums), counts, groups, unset.with(&mut numbers.i64, 0))
            }
            State::Wide(sums) => sums::add_wide(block.states(sums), counts, groups, unset.with(&mut numbers.i128, 0)),
            State::I64(extremes) => add_extremes(block.states(extremes), is_greatest, groups, &mut numbers.i64, &unset),
            State::U64(extremes) => add_extremes(block.states(extremes), is_greatest, groups, &mut numbers.u64, &unset),
            State::I128(extremes) => {
                add_extremes(block.states(extremes), is_greatest, groups, &mut numbers.i128, &unset)
            }
            State::I256(extremes) => {
                add_extremes(block.states(extremes), is_greatest, groups, &mut numbers.i256, &unset)
            }
            State::F64(extremes) if is_single => {
                add_extremes(block.states(extremes), is_greatest, groups, &mut numbers.f32, &unset);
            }
            State::F64(extremes) => add_extremes(block.states(extremes), is_greatest, groups, &mut numbers.f64, &unset),
            _ => {}
        }
        Ok(())
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.nulls.capacity() * 8
            + match &self.state {
                State::Counts => 0,
                State::Integers(numbers) | State::I128(numbers) => numbers.capacity() * 16,
                State::Wide(numbers) | State::I256(numbers) => numbers.capacity() * 32,
                State::Floats(numbers) | State::F64(numbers) => numbers.capacity() * 8,
                State::I64(numbers) => numbers.capacity() * 8,
                State::U64(numbers) => numbers.capacity() * 8,
                State::Bytes(extremes) => extremes.allocated(),
                State::Spreads(spreads) => spreads.capacity() * size_of::<Spread>(),
                State::Distinct(distinct) => distinct.allocated(),
                State::First(values) => values.allocated(),
                State::Quantiles(quantiles) => quantiles.allocated(),
                State::ArgExtremes(extremes) => extremes.allocated(),
            }
    }
}

impl State {
    fn new(kind: Kind, argument: Argument, seed: u64, is_lone: bool) -> Result<Self> {
        if matches!(kind, Kind::CountRows | Kind::Count | Kind::OfSame(..)) {
            return Ok(State::Counts);
        }
        let Argument { ty, shape, .. } = argument;
        let shape = shape.ok_or(Error::Unsupported(
            "only values of a nested type can be counted, no other aggregate is made of them",
        ))?;
        let domain = Domain::of(ty);
        let is_number = matches!(ty, Type::Int { .. } | Type::Float { .. } | Type::Decimal { .. });
        Ok(match (kind, domain) {
            (Kind::CountDistinct, _) => State::Distinct(Distinct::new(ty, shape, seed, is_lone)),
            (Kind::First, _) => State::First(Values::new(shape)),
            (Kind::ArgMax(by) | Kind::ArgMin(by), _) => {
                State::ArgExtremes(ArgExtremes::new(by, matches!(kind, Kind::ArgMax(_)))?)
            }
            (Kind::Quantile(quantile), _) if shape == Shape::Null || quantile.values_of.is_some() => State::Counts,
            (Kind::Quantile(_), _) => State::Quantiles(Quantiles::new(ty, is_lone)?),
            (Kind::Min | Kind::Max, _) if shape == Shape::Null => State::Counts,
            (Kind::Min | Kind::Max, Some(Domain::I64)) => State::I64(Vec::new()),
            (Kind::Min | Kind::Max, Some(Domain::U64)) => State::U64(Vec::new()),
            (Kind::Min | Kind::Max, Some(Domain::I128)) => State::I128(Vec::new()),
            (Kind::Min | Kind::Max, Some(Domain::I256)) => State::I256(Vec::new()),
            (Kind::Min | Kind::Max, Some(Domain::F64)) => State::F64(Vec::new()),
            (Kind::Min | Kind::Max, None) if ty.is_bytes() => State::Bytes(ByteExtremes::new(kind == Kind::Max)),
            _ if !is_number => return Err(Error::Unsupported("values of this type have no such aggregate")),
            (Kind::Sum, Some(Domain::I256)) => {
                return Err(Error::Unsupported("decimals of 256 bits have no sum: cast them to a narrower type"));
            }
            (Kind::Sum | Kind::Avg, Some(Domain::I64 | Domain::U64)) => State::Integers(Vec::new()),
            (Kind::Sum | Kind::Avg, Some(Domain::I128)) => State::Wide(Vec::new()),
            (Kind::Sum | Kind::Avg, _) => State::Floats(Vec::new()),
            _ => State::Spreads(Vec::new()),
        })
    }
}

fn add_extremes<S: Ordered + Into<T>, T: Ordered>(
    extremes: &mut [T],
    is_greatest: bool,
    groups: &[u32],
    values: &mut [S],
    unset: &Unset,
) {
    extreme::add(extremes, is_greatest, groups, unset.with(values, S::bound(is_greatest)));
}

/// Adds the floats of the only group where they are; false: they do not lie next to each other.
fn add_neighbours<T: Masked + Number>(
    sums: &mut [f64],
    counts: &mut Counts,
    nulls: &mut u64,
    flat: &Flat,
    block: &Block,
) -> bool {
    let (Some(values), Rows::Run { first, .. }) = (Numbers::neighbours::<T>(flat, block.rows), block.rows) else {
        return false;
    };
    match (sums, flat.validity) {
        ([sum], Some(validity)) => *nulls += sums::add_valid_floats(sum, values, first, validity) as u64,
        (sums, _) => sums::add_floats(sums, counts, block.groups, values),
    }
    true
}

/// Rows of a block in which a value is null.
enum Unset<'a> {
    /// By their places, ascending.
    Places(&'a [u32]),
    /// Those of neighbours, from `first` on, whose bits are not set.
    Run { first: usize, validity: &'a Bitmap },
}

impl Unset<'_> {
    /// The items of a block, those of nulls being another one.
    fn with<'a, T: Copy>(&self, items: &'a mut [T], item: T) -> &'a [T] {
        match *self {
            Unset::Places(places) => places.iter().for_each(|&place| items[place as usize] = item),
            Unset::Run { first, validity } => overwrite_unset(items, first, validity, item),
        }
        items
    }
}

/// The items without those at places.
fn without<'a, T: Copy>(items: &'a mut [T], places: &[u32]) -> &'a [T] {
    let (mut len, mut left) = (0, 0);
    for place in 0..items.len() {
        // Written in any case: the next one overwrites what is left out.
        items[len] = items[place];
        let is_left = places.get(left).is_some_and(|&next| next as usize == place) as usize;
        (len, left) = (len + 1 - is_left, left + is_left);
    }
    &items[..len]
}

/// The bytes of a row's value; none: it is null.
fn value_at<'a>(flat: &Flat<'a>, row: usize) -> Option<&'a [u8]> {
    flat.is_valid(row).then(|| value_bytes(flat.values, flat.place(row)))
}

/// Makes a vector longer.
pub fn resize<T: Copy>(numbers: &mut Vec<T>, len: usize, value: T) -> Result<()> {
    numbers.try_reserve(len.saturating_sub(numbers.len()))?;
    numbers.resize(len, value);
    Ok(())
}

const NO_ARGUMENT: Error = Error::Misuse("an aggregate without its column");
