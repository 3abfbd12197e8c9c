//! Exact quantiles by group: all values are kept until the answer is made.
//!
//! Values are kept in the width of their type, as unsigned integers in the same order, so that one selection serves all types.

use super::numbers::{Domain, Numbers};
use crate::bitmap::Bitmap;
use crate::buffer::Number;
use crate::cancel::Watch;
use crate::error::{Error, Result};
use crate::flat::Flat;
use crate::group::block::{Block, Rows};
use crate::group::parts::{DAMAGED, Reader, put};
use crate::pieces;
use crate::scratch::Scratch;
use crate::types::{Physical, Type};
use crate::vectors::{copied, filled, try_collected};

/// Which value of each group is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantile {
    /// Whether it lies between two values where its place does. Otherwise it is one of the values.
    pub is_continuous: bool,
    /// Whether equal values count once.
    pub is_distinct: bool,
    pub share: Share,
    /// The number of an earlier aggregate that keeps the same values: this one keeps none. None: it keeps its values.
    pub values_of: Option<u32>,
}

/// The decimal `digits` · 10^−`scale`, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    digits: u32,
    scale: u32,
}

impl Share {
    /// Fails if it is not from 0 to 1, or has more than nine digits behind the point.
    pub fn new(digits: u32, scale: u32) -> Result<Self> {
        if scale > 9 || digits > 10u32.pow(scale) {
            return Err(Error::Misuse("a share that is not from 0 to 1"));
        }
        Ok(Share { digits, scale })
    }

    /// The place of the value at or below which this share of `len` values is.
    const fn place(self, len: usize) -> usize {
        let power = 10u64.pow(self.scale);
        let above = (len as u64 * (power - self.digits as u64) / power) as usize;
        if above == len { 0 } else { len - above - 1 }
    }

    /// The place between values at which this share of `len` values ends, and how far it lies behind it, from 0 to 1.
    fn between(self, len: usize) -> (usize, f64) {
        let at = (len - 1) as f64 * (f64::from(self.digits) / f64::from(10u32.pow(self.scale)));
        (at.floor() as usize, at - at.floor())
    }
}

/// The values of all groups.
pub struct Quantiles {
    /// The group of each value. Of a table without keys nothing: its group has all values.
    groups: Option<Vec<u32>>,
    words: Words,
}

/// Values as unsigned integers, or those of 128 bits as they are.
enum Words {
    W8(Vec<u8>),
    W16(Vec<u16>),
    W32(Vec<u32>),
    W64(Vec<u64>),
    I128(Vec<i128>),
}

/// A quantile of each group. Those of groups without values are anything.
pub enum Selected {
    I64(Vec<i64>),
    U64(Vec<u64>),
    I128(Vec<i128>),
    F64(Vec<f64>),
}

impl Quantiles {
    /// Of no values. `is_lone`: there will be one group.
    pub fn new(ty: Type, is_lone: bool) -> Result<Self> {
        let words = match ty.physical() {
            None if ty == Type::Bool => Words::W8(Vec::new()),
            Some(Physical::I8 | Physical::U8) => Words::W8(Vec::new()),
            Some(Physical::I16 | Physical::U16) => Words::W16(Vec::new()),
            Some(Physical::I32 | Physical::U32 | Physical::F16 | Physical::F32) => Words::W32(Vec::new()),
            Some(Physical::I64 | Physical::U64 | Physical::F64) => Words::W64(Vec::new()),
            Some(Physical::I128) => Words::I128(Vec::new()),
            Some(Physical::I256) | None => return Err(Error::Unsupported("values of this type have no quantiles")),
        };
        Ok(Quantiles { groups: (!is_lone).then(Vec::new), words })
    }

    /// Takes the values of a block in, and counts those that are null.
    pub fn add(
        &mut self,
        ty: Type,
        block: &Block,
        flat: &Flat,
        nulls: &mut [u64],
        numbers: &mut Numbers,
    ) -> Result<()> {
        let Block { rows, groups, .. } = *block;
        let valid = Valid { rows, validity: flat.validity };
        if let Some(validity) = flat.validity {
            rows.each_unset(validity, |place| nulls[groups[place] as usize] += 1);
        }
        if let Some(all) = &mut self.groups {
            valid.append(all, groups, |group| group)?;
        }
        let least = least_of(ty);
        if matches!(ty, Type::Float { bits: 16 | 32 }) {
            let Words::W32(words) = &mut self.words else { return Err(OTHER_WIDTH) };
            if ty == (Type::Float { bits: 32 }) {
                numbers.load_singles(flat, rows)?;
                return valid.append(words, &numbers.f32, of_single);
            }
            numbers.load(ty, flat, rows)?;
            return valid.append(words, &numbers.f64, |value| of_single(value as f32));
        }
        numbers.load(ty, flat, rows)?;
        let word = |value: i64| value.wrapping_sub(least) as u64;
        match (&mut self.words, Domain::of(ty)) {
            (Words::W8(words), Some(Domain::I64)) => valid.append(words, &numbers.i64, |value| word(value) as u8),
            (Words::W16(words), Some(Domain::I64)) => valid.append(words, &numbers.i64, |value| word(value) as u16),
            (Words::W32(words), Some(Domain::I64)) => valid.append(words, &numbers.i64, |value| word(value) as u32),
            (Words::W64(words), Some(Domain::I64)) => valid.append(words, &numbers.i64, word),
            (Words::W64(words), Some(Domain::U64)) => valid.append(words, &numbers.u64, |value| value),
            (Words::W64(words), Some(Domain::F64)) => valid.append(words, &numbers.f64, of_double),
            (Words::I128(words), Some(Domain::I128)) => valid.append(words, &numbers.i128, |value| value),
            _ => Err(OTHER_WIDTH),
        }
    }

    /// The quantile of each group; `counts` are the numbers of their values. Fails if a date is no time.
    pub fn selected(&self, quantile: Quantile, ty: Type, counts: &[u64]) -> Result<Selected> {
        let zero = match ty {
            Type::Float { bits: 64 } => of_double(0.0),
            Type::Float { .. } => of_single(0.0).into(),
            _ => 0,
        };
        let groups = self.groups.as_deref();
        let places = match &self.words {
            Words::W8(words) => places(words, groups, quantile, zero, counts)?,
            Words::W16(words) => places(words, groups, quantile, zero, counts)?,
            Words::W32(words) => places(words, groups, quantile, zero, counts)?,
            Words::W64(words) => places(words, groups, quantile, zero, counts)?,
            Words::I128(words) => {
                let places = places(words, groups, quantile, 0, counts)?;
                return Ok(Selected::I128(values(&places, Ok, of_decimals)?));
            }
        };
        let least = least_of(ty);
        let integer = |word: u64| (word as i64).wrapping_add(least);
        Ok(match ty {
            Type::Float { bits: 64 } => Selected::F64(values(&places, |word| Ok(to_double(word)), of_doubles)?),
            Type::Float { .. } => {
                let single = |word| Ok(f64::from(to_single(word as u32)));
                Selected::F64(values(&places, single, of_singles)?)
            }
            Type::Int { bits: 64, signed: false } if quantile.is_continuous => {
                Selected::F64(values(&places, |word| Ok(word as f64), of_doubles)?)
            }
            Type::Int { .. } if quantile.is_continuous => {
                Selected::F64(values(&places, |word| Ok(integer(word) as f64), of_doubles)?)
            }
            Type::Int { bits: 64, signed: false } => Selected::U64(values(&places, Ok, |low, _, _| low)?),
            Type::DateDay if quantile.is_continuous => {
                Selected::I64(values(&places, |word| time_of_day(integer(word)), of_times)?)
            }
            Type::Decimal { .. } => {
                let between = |low: i64, high: i64, part| of_decimals(low.into(), high.into(), part) as i64;
                Selected::I64(values(&places, |word| Ok(integer(word)), between)?)
            }
            _ => Selected::I64(values(&places, |word| Ok(integer(word)), of_times)?),
        })
    }

    /// Appends all values.
    pub fn write(&self, out: &mut Scratch) -> Result<()> {
        put(out, &[self.len() as u64])?;
        if let Some(groups) = &self.groups {
            put(out, groups)?;
        }
        match &self.words {
            Words::W8(words) => put(out, words),
            Words::W16(words) => put(out, words),
            Words::W32(words) => put(out, words),
            Words::W64(words) => put(out, words),
            Words::I128(words) => put(out, words),
        }
    }

    /// Takes in the values of another table, whose groups have the numbers `groups` here.
    pub fn merge(&mut self, reader: &mut Reader, groups: &[u32]) -> Result<()> {
        let count = reader.numbers::<u64>(1)?.numbers::<u64>()[0];
        let count = usize::try_from(count).ok().filter(|&count| count <= reader.bytes.len()).ok_or(DAMAGED)?;
        if let Some(all) = &mut self.groups {
            let numbers = reader.numbers::<u32>(count)?;
            all.try_reserve(count)?;
            for &group in numbers.numbers::<u32>() {
                all.push(*groups.get(group as usize).ok_or(DAMAGED)?);
            }
        }
        match &mut self.words {
            Words::W8(words) => extend(words, reader, count),
            Words::W16(words) => extend(words, reader, count),
            Words::W32(words) => extend(words, reader, count),
            Words::W64(words) => extend(words, reader, count),
            Words::I128(words) => extend(words, reader, count),
        }
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        let words = match &self.words {
            Words::W8(words) => words.capacity(),
            Words::W16(words) => words.capacity() * 2,
            Words::W32(words) => words.capacity() * 4,
            Words::W64(words) => words.capacity() * 8,
            Words::I128(words) => words.capacity() * 16,
        };
        words + self.groups.as_ref().map_or(0, |groups| groups.capacity() * 4)
    }

    fn len(&self) -> usize {
        match &self.words {
            Words::W8(words) => words.len(),
            Words::W16(words) => words.len(),
            Words::W32(words) => words.len(),
            Words::W64(words) => words.len(),
            Words::I128(words) => words.len(),
        }
    }
}

/// The values at places, or between them.
fn values<W: Copy, T: Copy + Default>(
    places: &[Place<W>],
    value: impl Fn(W) -> Result<T>,
    between: impl Fn(T, T, f64) -> T,
) -> Result<Vec<T>> {
    let each = |place: &Place<W>| match *place {
        Place::None => Ok(T::default()),
        Place::At(word) => value(word),
        Place::Between(low, high, part) => Ok(between(value(low)?, value(high)?, part)),
    };
    try_collected(places.iter().map(each))
}

/// The place of the quantile in each group. `zero` is that of a float, before which that of −0.0 is; of other types 0.
fn places<W: Word>(
    words: &[W],
    groups: Option<&[u32]>,
    quantile: Quantile,
    zero: u64,
    counts: &[u64],
) -> Result<Vec<Place<W::Wide>>> {
    let mut sorted = by_group(words, groups, counts)?;
    let mut rest = &mut sorted[..];
    let mut watch = Watch::default();
    try_collected(counts.iter().map(|&count| {
        let (mut group, others) = std::mem::take(&mut rest).split_at_mut_checked(count as usize).ok_or(DAMAGED)?;
        rest = others;
        watch.passed(group.len())?;
        if quantile.is_distinct {
            pieces::sort(group)?;
            group = without_repeats(group, |a, b| a == b || (zero > 0 && b.is(zero) && a.is(zero - 1)));
        }
        Ok(if group.is_empty() { Place::None } else { select(group, quantile)? })
    }))
}

/// A copy of the values, group by group.
fn by_group<W: Copy + Default>(words: &[W], groups: Option<&[u32]>, counts: &[u64]) -> Result<Vec<W>> {
    let Some(groups) = groups else { return copied(words) };
    let mut sorted = filled(words.len(), W::default())?;
    let mut starts = filled(counts.len(), 0u32)?;
    let mut next = 0;
    for (start, &count) in starts.iter_mut().zip(counts) {
        *start = next;
        next = u32::try_from(count.saturating_add(next.into())).map_err(|_| Error::TooLong)?;
    }
    for (&group, &word) in groups.iter().zip(words) {
        let at = &mut starts[group as usize];
        *sorted.get_mut(*at as usize).ok_or(DAMAGED)? = word;
        *at += 1;
    }
    Ok(sorted)
}

/// Where the quantile of some values is: one of them, or so far between two of them. None of no values.
enum Place<W> {
    None,
    At(W),
    Between(W, W, f64),
}

/// Selects from values, of which there is one at least. Changes their order.
fn select<W: Word>(values: &mut [W], quantile: Quantile) -> Result<Place<W::Wide>> {
    let Quantile { share, is_continuous, .. } = quantile;
    let (place, part) = if is_continuous { share.between(values.len()) } else { (share.place(values.len()), 0.0) };
    pieces::select(values, place)?;
    let low = values[place];
    Ok(match values[place + 1..].iter().min() {
        Some(&high) if part > 0.0 => Place::Between(low.into(), high.into(), part),
        _ => Place::At(low.into()),
    })
}

/// The values without those that are the same as the one before.
fn without_repeats<W: Copy>(values: &mut [W], is_same: impl Fn(W, W) -> bool) -> &mut [W] {
    let mut len = 0;
    for at in 0..values.len() {
        if len == 0 || !is_same(values[len - 1], values[at]) {
            values[len] = values[at];
            len += 1;
        }
    }
    &mut values[..len]
}

/// An integer that a value is kept as.
trait Word: Copy + Ord + Default + Into<Self::Wide> {
    /// One that all of its kind fit into.
    type Wide: Copy;

    /// Whether it is an unsigned integer.
    fn is(self, word: u64) -> bool;
}

macro_rules! words {
    ($($type:ty => $wide:ty),*) => {
        $(impl Word for $type {
            type Wide = $wide;

            fn is(self, word: u64) -> bool {
                self as $wide == word as $wide
            }
        })*
    };
}
words!(u8 => u64, u16 => u64, u32 => u64, u64 => u64, i128 => i128);

/// The rows of a block that are not null.
#[derive(Clone, Copy)]
struct Valid<'a> {
    rows: Rows<'a>,
    validity: Option<&'a Bitmap>,
}

impl Valid<'_> {
    /// Appends what becomes of their items, of which there is one for each row of the block.
    fn append<T: Copy, U>(&self, out: &mut Vec<U>, items: &[T], convert: impl Fn(T) -> U) -> Result<()> {
        out.try_reserve(items.len())?;
        match self.validity {
            None => out.extend(items.iter().map(|&item| convert(item))),
            Some(validity) => {
                let valid = items.iter().enumerate().filter(|(place, _)| validity.get(self.rows.at(*place)));
                out.extend(valid.map(|(_, &item)| convert(item)));
            }
        }
        Ok(())
    }
}

fn extend<W: Number>(words: &mut Vec<W>, reader: &mut Reader, count: usize) -> Result<()> {
    let more = reader.numbers::<W>(count)?;
    words.try_reserve(count)?;
    words.extend_from_slice(more.numbers());
    Ok(())
}

/// The least integer of a type, which is kept as 0.
const fn least_of(ty: Type) -> i64 {
    match ty.physical() {
        Some(Physical::I8) => i8::MIN as i64,
        Some(Physical::I16) => i16::MIN as i64,
        Some(Physical::I32) => i32::MIN as i64,
        Some(Physical::I64) => i64::MIN,
        _ => 0,
    }
}

/// Floats as integers in their order: −0.0 comes before 0.0, and NaN is the last.
fn of_double(value: f64) -> u64 {
    let bits = if value.is_nan() { f64::NAN } else { value }.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

fn to_double(word: u64) -> f64 {
    f64::from_bits(if word >> 63 == 1 { word & !(1 << 63) } else { !word })
}

fn of_single(value: f32) -> u32 {
    let bits = if value.is_nan() { f32::NAN } else { value }.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

const fn to_single(word: u32) -> f32 {
    f32::from_bits(if word >> 31 == 1 { word & !(1 << 31) } else { !word })
}

// Between two values, as DuckDB computes it: floats of 32 bits and decimals by their difference, others by weights.

fn of_doubles(low: f64, high: f64, part: f64) -> f64 {
    low * (1.0 - part) + high * part
}

/// The part of the difference is rounded before it is added.
fn of_singles(low: f64, high: f64, part: f64) -> f64 {
    let distance = high as f32 - low as f32;
    (low as f32 + (f64::from(distance) * part) as f32).into()
}

fn of_decimals(low: i128, high: i128, part: f64) -> i128 {
    low.wrapping_add((high.wrapping_sub(low) as f64 * part) as i128)
}

fn of_times(low: i64, high: i64, part: f64) -> i64 {
    let rounded = of_doubles(low as f64, high as f64, part).round();
    // DuckDB's conversion gives the least integer for what does not fit: between two times of infinity.
    if rounded < -(i64::MIN as f64) { rounded as i64 } else { i64::MIN }
}

const DAY_MICROSECONDS: i64 = 86_400_000_000;

/// A date as a time in microseconds. The dates of infinity are its times.
fn time_of_day(day: i64) -> Result<i64> {
    const INFINITE: i64 = i32::MAX as i64;
    match day {
        INFINITE => Ok(i64::MAX),
        day if day == -INFINITE => Ok(-i64::MAX),
        day => day.checked_mul(DAY_MICROSECONDS).ok_or(Error::DateOverflow),
    }
}

const OTHER_WIDTH: Error = Error::Misuse("values of another width than the table's");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_the_order_of_their_floats() {
        let floats = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 5e-324, 1.5, f64::INFINITY, f64::NAN];
        assert!(floats.is_sorted_by(|&a, &b| of_double(a) < of_double(b)));
        assert!(floats.is_sorted_by(|&a, &b| a as f32 == b as f32 || of_single(a as f32) < of_single(b as f32)));
        for value in floats {
            assert_eq!(to_double(of_double(value)).to_bits(), value.to_bits());
            assert_eq!(to_single(of_single(value as f32)).to_bits(), (value as f32).to_bits());
        }
        assert_eq!(of_double(-f64::NAN), of_double(f64::NAN));
    }

    #[test]
    fn between_singles_the_part_is_rounded_before_it_is_added() {
        let between = |low: f32, high: f32, part| of_singles(low.into(), high.into(), part) as f32;
        assert_eq!(between(-1.0, 0.0, 0.6), -0.399_999_98);
        assert_eq!(between(-1.0, 0.0, 0.5), -0.5);
        assert!(between(f32::NEG_INFINITY, f32::NEG_INFINITY, 0.5).is_nan());
    }

    #[test]
    fn shares_have_the_places_of_duckdb() {
        let places = |digits, scale, len| {
            let share = Share::new(digits, scale).unwrap();
            (share.place(len), share.between(len).0)
        };
        assert_eq!(places(0, 0, 4), (0, 0));
        assert_eq!(places(1, 0, 4), (3, 3));
        assert_eq!(places(5, 1, 4), (1, 1));
        assert_eq!(places(55, 2, 100), (54, 54));
        assert_eq!(places(7, 2, 100), (6, 6));
        assert_eq!(places(3, 1, 4), (1, 0));
        assert_eq!(places(1, 9, 1), (0, 0));
        assert!(Share::new(11, 1).is_err() && Share::new(0, 10).is_err());
    }
}
