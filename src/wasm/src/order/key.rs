//! One key of an order.

use super::bound::not_after;
use crate::array::Data;
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape, value_bytes};
use crate::half;
use crate::int256::Int256;
use crate::pieces;
use crate::types::{Physical, Type};
use crate::vectors::{collected, filled};
use std::cmp::Ordering;

/// Which way a key runs.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    pub is_descending: bool,
    pub are_nulls_first: bool,
}

/// A column to order by: NaN is the greatest number, −0.0 equals 0.0, text goes byte by byte.
pub struct Key<'a> {
    flat: Flat<'a>,
    form: Form,
    /// Of a dictionary: the rank of each of its values, equal ones having one.
    ranks: Option<Vec<u32>>,
    /// Of byte strings: how many leading bytes all values share. Prefixes are of the bytes behind these.
    shared: usize,
    direction: Direction,
}

/// How values are compared.
#[derive(Clone, Copy)]
enum Form {
    Number(Physical),
    Bool,
    Bytes,
    /// There are none.
    Null,
}

impl<'a> Key<'a> {
    /// Of a flat column. Intervals have no order.
    pub fn new(flat: Flat<'a>, ty: Type, direction: Direction) -> Result<Self> {
        let shape = Shape::of(flat.values)?;
        let form = match (ty.physical(), shape) {
            (_, Shape::Null) => Form::Null,
            (Some(physical), Shape::Fixed(width)) if physical.width() == width => Form::Number(physical),
            (None, Shape::Bool) if ty == Type::Bool => Form::Bool,
            (None, Shape::Bytes | Shape::Fixed(_)) if ty.is_bytes() => Form::Bytes,
            (None, _) => return Err(Error::Unsupported("values of this type have no order")),
            _ => return Err(Error::Misuse("a column of another type than its key")),
        };
        let mut key = Key { flat, form, ranks: None, shared: 0, direction };
        key.ranks = key.rank()?;
        if matches!(key.form, Form::Bytes) && key.ranks.is_none() {
            key.shared = key.shared_bytes();
        }
        Ok(key)
    }

    /// Which way it runs.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Whether a row may be null.
    pub fn has_nulls(&self) -> bool {
        self.flat.validity.is_some() || self.flat.is_null()
    }

    /// The bits of the rows `64 × word` and following that are not null.
    pub fn valid(&self, word: usize) -> u64 {
        if self.flat.is_null() { 0 } else { self.flat.validity.map_or(u64::MAX, |validity| validity.words()[word]) }
    }

    /// Whether rows that have this prefix are equal.
    pub fn decides(&self, prefix: u64) -> bool {
        let ascending = if self.direction.is_descending { !prefix } else { prefix };
        match self.form {
            _ if self.ranks.is_some() => true,
            Form::Number(Physical::I128 | Physical::I256) => ascending != 0 && ascending != u64::MAX,
            Form::Number(_) | Form::Bool | Form::Null => true,
            Form::Bytes => ascending & 0xff <= LEADING as u64,
        }
    }

    /// Numbers that order as the values of rows from `from` on do, but may be equal where those are not. That of a null is
    /// any.
    pub fn prefixes(&self, from: usize, out: &mut [u64]) {
        self.ascending(from, out);
        if self.direction.is_descending {
            out.iter_mut().for_each(|prefix| *prefix = !*prefix);
        }
    }

    /// The bits of the rows `64 × word` and following that do not come after a row, or of more.
    pub fn not_after(&self, word: usize, row: usize) -> u64 {
        match (&self.flat.values.data, self.form, self.flat.indices) {
            (Data::Fixed { values, .. }, Form::Number(physical), None) => {
                not_after(values, physical, word * 64, row, self.direction.is_descending).unwrap_or(u64::MAX)
            }
            _ => u64::MAX,
        }
    }

    /// That of one row.
    pub fn prefix(&self, row: usize) -> u64 {
        let mut one = [0];
        self.prefixes(row, &mut one);
        one[0]
    }

    /// Whether rows of equal prefixes are equal, whatever the prefix is.
    pub fn always_decides(&self) -> bool {
        self.ranks.is_some() || !matches!(self.form, Form::Bytes | Form::Number(Physical::I128 | Physical::I256))
    }

    /// 0 where a row is null and nulls come first, or where it is not and they come last; else 1.
    pub fn null_rank(&self, row: usize) -> u8 {
        (self.has_nulls() && self.is_null(row)) as u8 ^ self.direction.are_nulls_first as u8
    }

    /// Whether a row is null.
    pub fn is_null(&self, row: usize) -> bool {
        !self.flat.is_valid(row)
    }

    /// The order of two rows, nulls among them.
    pub fn compare(&self, a: usize, b: usize) -> Ordering {
        match (self.flat.is_valid(a), self.flat.is_valid(b)) {
            (true, true) => self.compare_valid(a, b),
            (false, false) => Ordering::Equal,
            (false, true) if self.direction.are_nulls_first => Ordering::Less,
            (true, false) if !self.direction.are_nulls_first => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    /// The order of two rows that are not null.
    pub fn compare_valid(&self, a: usize, b: usize) -> Ordering {
        let (a, b) = (self.flat.place(a), self.flat.place(b));
        let order = match &self.ranks {
            Some(ranks) => ranks[a].cmp(&ranks[b]),
            None => self.compare_places(a, b),
        };
        if self.direction.is_descending { order.reverse() } else { order }
    }

    fn ascending(&self, from: usize, out: &mut [u64]) {
        let Some(indices) = self.flat.indices else { return self.plain(from, out) };
        for (out, &index) in out.iter_mut().zip(&indices[from..]) {
            match &self.ranks {
                Some(ranks) => *out = ranks[index as usize].into(),
                None => self.plain(index as usize, std::slice::from_mut(out)),
            }
        }
    }

    fn plain(&self, from: usize, out: &mut [u64]) {
        match (&self.flat.values.data, self.form) {
            (Data::Fixed { values, .. }, Form::Number(physical)) => prefixes_of(values, physical, from, out),
            (Data::Bool(bits), _) => (from..).zip(out).for_each(|(row, out)| *out = bits.get(row).into()),
            (Data::Bytes { .. } | Data::Fixed { .. }, _) => {
                (from..).zip(out).for_each(|(row, out)| {
                    // Where a row is null its value is any, and may be shorter.
                    *out = leading(value_bytes(self.flat.values, row).get(self.shared..).unwrap_or_default());
                });
            }
            _ => out.fill(0),
        }
    }

    fn compare_places(&self, a: usize, b: usize) -> Ordering {
        match (&self.flat.values.data, self.form) {
            (Data::Fixed { values, .. }, Form::Number(physical)) => compare_numbers(values, physical, a, b),
            (Data::Bool(bits), _) => bits.get(a).cmp(&bits.get(b)),
            (Data::Null, _) => Ordering::Equal,
            _ => value_bytes(self.flat.values, a).cmp(value_bytes(self.flat.values, b)),
        }
    }

    /// The leading bytes that the values of all rows have in common.
    fn shared_bytes(&self) -> usize {
        let rows = self.flat.indices.map_or(self.flat.values.len, <[u32]>::len);
        let mut values = (0..rows)
            .filter(|row| self.flat.is_valid(*row))
            .map(|row| value_bytes(self.flat.values, self.flat.place(row)));
        let Some(first) = values.next() else { return 0 };
        let mut shared = first.len();
        for value in values {
            if shared == 0 {
                break;
            }
            if value.get(..shared) != Some(&first[..shared]) {
                shared = first[..shared].iter().zip(value).take_while(|(a, b)| a == b).count();
            }
        }
        shared
    }

    /// Of a dictionary: its values sorted once, unless they are more than the rows.
    fn rank(&self) -> Result<Option<Vec<u32>>> {
        let len = self.flat.values.len;
        if self.flat.indices.is_none_or(|indices| indices.len() < len) {
            return Ok(None);
        }
        let mut sorted = collected(len, 0..len as u32)?;
        pieces::sort_by(&mut sorted, |&a, &b| self.compare_places(a as usize, b as usize))?;
        let mut ranks = filled(len, 0)?;
        let mut rank = 0;
        for pair in sorted.windows(2) {
            rank += (self.compare_places(pair[0] as usize, pair[1] as usize) != Ordering::Equal) as u32;
            ranks[pair[1] as usize] = rank;
        }
        Ok(Some(ranks))
    }
}

/// Bytes of a byte string in its prefix.
const LEADING: usize = 7;

/// The first bytes, as they order, zeros where there are fewer; then how many there are, or one more than fit.
fn leading(bytes: &[u8]) -> u64 {
    let first = match bytes.first_chunk::<8>() {
        Some(first) => u64::from_be_bytes(*first) & !0xff,
        None => (0..LEADING).fold(0, |word, i| (word | u64::from(bytes.get(i).copied().unwrap_or(0))) << 8),
    };
    first | bytes.len().min(LEADING + 1) as u64
}

/// An integer as an unsigned one that orders alike.
const fn unsigned(value: i64) -> u64 {
    value as u64 ^ 1 << 63
}

/// A float in the order of integers: NaN, of whichever sign, is the greatest, −0.0 equals 0.0.
fn float(value: f64) -> u64 {
    if value.is_nan() {
        return u64::MAX;
    }
    // Adding 0.0 makes 0.0 of −0.0.
    let bits = (value + 0.0).to_bits() as i64;
    unsigned(bits ^ ((bits >> 63) as u64 >> 1) as i64)
}

/// A wide integer as a narrow one that orders alike; those that are too wide are all the least or all the greatest.
fn narrowed(value: Option<i128>, is_negative: bool) -> u64 {
    match value.and_then(|value| i64::try_from(value).ok()) {
        Some(value) => unsigned(value),
        None if is_negative => 0,
        None => u64::MAX,
    }
}

fn prefixes_of(values: &Buffer, physical: Physical, from: usize, out: &mut [u64]) {
    fn each<T: Number>(values: &Buffer, from: usize, out: &mut [u64], of: impl Fn(T) -> u64) {
        for (out, &value) in out.iter_mut().zip(&values.numbers::<T>()[from..]) {
            *out = of(value);
        }
    }
    match physical {
        Physical::I8 => each(values, from, out, |value: i8| unsigned(value.into())),
        Physical::I16 => each(values, from, out, |value: i16| unsigned(value.into())),
        Physical::I32 => each(values, from, out, |value: i32| unsigned(value.into())),
        Physical::I64 => each(values, from, out, unsigned),
        Physical::U8 => each(values, from, out, |value: u8| value.into()),
        Physical::U16 => each(values, from, out, |value: u16| value.into()),
        Physical::U32 => each(values, from, out, |value: u32| value.into()),
        Physical::U64 => each(values, from, out, |value: u64| value),
        Physical::I128 => each(values, from, out, |value: i128| narrowed(Some(value), value < 0)),
        Physical::I256 => each(values, from, out, |value: Int256| narrowed(value.to_i128(), value < Int256::default())),
        Physical::F16 => each(values, from, out, |value: u16| float(half::to_f32(value).into())),
        Physical::F32 => each(values, from, out, |value: f32| float(value.into())),
        Physical::F64 => each(values, from, out, float),
    }
}

fn compare_numbers(values: &Buffer, physical: Physical, a: usize, b: usize) -> Ordering {
    fn by<T: Number, O: Ord>(values: &Buffer, a: usize, b: usize, of: impl Fn(T) -> O) -> Ordering {
        let values = values.numbers::<T>();
        of(values[a]).cmp(&of(values[b]))
    }
    match physical {
        Physical::I8 => by(values, a, b, |value: i8| value),
        Physical::I16 => by(values, a, b, |value: i16| value),
        Physical::I32 => by(values, a, b, |value: i32| value),
        Physical::I64 => by(values, a, b, |value: i64| value),
        Physical::U8 => by(values, a, b, |value: u8| value),
        Physical::U16 => by(values, a, b, |value: u16| value),
        Physical::U32 => by(values, a, b, |value: u32| value),
        Physical::U64 => by(values, a, b, |value: u64| value),
        Physical::I128 => by(values, a, b, |value: i128| value),
        Physical::I256 => by(values, a, b, |value: Int256| value),
        Physical::F16 => by(values, a, b, |value: u16| float(half::to_f32(value).into())),
        Physical::F32 => by(values, a, b, |value: f32| float(value.into())),
        Physical::F64 => by(values, a, b, float),
    }
}
