//! Grouping row by row.
#![allow(dead_code)] // Each test file uses its part.

use super::tables::*;
use super::{Random, Value, le, rows};
use core_wasm::array::{Array, Data};
use core_wasm::bitmap::Bitmap;
use core_wasm::flat::Shape;
use core_wasm::group::{Argument, Groups, KeyType, Kind, Quantile, Share};
use core_wasm::types::Type;
use std::cmp::Ordering;

/// All kinds of aggregates but quantiles, and those with a key.
const KINDS: [Kind; 12] = [
    Kind::CountRows,
    Kind::Count,
    Kind::CountDistinct,
    Kind::Sum,
    Kind::Min,
    Kind::Max,
    Kind::Avg,
    Kind::StddevSamp,
    Kind::StddevPop,
    Kind::VarSamp,
    Kind::VarPop,
    Kind::First,
];
/// Bytes that no table of the tests takes.
pub const ENOUGH: usize = 1 << 30;

/// A type, and the bytes of a value.
pub type Typed = (Type, usize);

/// Keys and aggregates.
pub struct Query {
    pub keys: Vec<Typed>,
    pub aggregates: Vec<(Kind, Typed)>,
    pub is_dictionary: bool,
}

impl Query {
    pub fn random(random: &mut Random) -> Query {
        let any = |random: &mut Random| if random.chance(30) { NULL } else { TYPES[random.below(TYPES.len())] };
        let aggregates = (0..random.below(5)).map(|_| {
            loop {
                let (kind, ty) = (any_kind(random), any(random));
                let fits = match kind {
                    Kind::ArgMax(by) => is_ordered(by.ty),
                    Kind::Quantile(quantile) if quantile.is_continuous => {
                        matches!(ty.0, Type::Int { .. } | Type::Float { bits: 32 | 64 })
                    }
                    Kind::Quantile(_) => {
                        is_ordered(ty.0) && !matches!(ty.0, Type::Utf8 | Type::Binary | Type::Decimal { bits: 256, .. })
                    }
                    Kind::Min | Kind::Max => is_ordered(ty.0),
                    Kind::Sum => is_number(ty.0) && ty.1 != 32,
                    Kind::CountRows | Kind::Count | Kind::CountDistinct | Kind::First => true,
                    _ => is_number(ty.0),
                };
                if fits {
                    return (kind, ty);
                }
            }
        });
        let mut aggregates: Vec<(Kind, Typed)> = aggregates.collect();
        // Another quantile of the values of one of them.
        let first = aggregates.iter().position(|(kind, _)| matches!(kind, Kind::Quantile(_)));
        if let Some((first, (Kind::Quantile(quantile), ty))) = first.map(|first| (first, aggregates[first])) {
            let (share, values_of) = (Share::new(75, 2).unwrap(), Some(first as u32));
            aggregates.push((Kind::Quantile(Quantile { share, values_of, ..quantile }), ty));
        }
        // Another aggregate of the sums, or of the spreads, of one of them.
        let is_sum = |kind| matches!(kind, Kind::Sum | Kind::Avg);
        let is_spread = |kind| matches!(kind, Kind::StddevSamp | Kind::StddevPop | Kind::VarSamp | Kind::VarPop);
        let is_added = |&(kind, ty): &(Kind, Typed)| (is_sum(kind) && ty.1 != 32) || is_spread(kind);
        if let Some(first) = aggregates.iter().position(is_added) {
            let (kind, ty) = aggregates[first];
            let code = if is_sum(kind) { [3, 6][random.below(2)] } else { 7 + random.below(4) as u32 };
            let by = Argument { ty: ty.0, shape: None, is_dictionary: false };
            let share = Share::new(0, 0).unwrap();
            aggregates.push((Kind::from_code(code, by, share, Some(first as u32)).unwrap(), ty));
        }
        let keys = (0..[0, 1, 1, 2, 3][random.below(5)]).map(|_| any(random)).collect();
        Query { keys, aggregates, is_dictionary: random.chance(4) }
    }

    pub fn table(&self, maximum: usize) -> Groups {
        let shape = |ty| Shape::of(&template(ty)).unwrap();
        let is_dictionary = self.is_dictionary;
        let keys: Vec<KeyType> =
            self.keys.iter().map(|&ty| KeyType { ty: ty.0, shape: shape(ty), is_dictionary }).collect();
        let argument = |ty: Typed| Argument { ty: ty.0, shape: Some(shape(ty)), is_dictionary };
        let aggregates: Vec<_> = self.aggregates.iter().map(|&(kind, ty)| (kind, argument(ty))).collect();
        Groups::new(&keys, &aggregates, 42, maximum).unwrap()
    }

    pub fn unit(&self, random: &mut Random, len: usize) -> Unit {
        let arguments = self.aggregates.iter().map(|aggregate| aggregate.1);
        let by = self.aggregates.iter().filter_map(|aggregate| by_of(aggregate.0));
        let columns = self.keys.iter().copied().chain(arguments).chain(by);
        let columns = columns.map(|ty| column(random, ty, len)).collect();
        let truth = random.chance(2).then(|| {
            let bits = random.bits(len);
            Bitmap::from_fn(len, |row| bits[row]).unwrap()
        });
        Unit { columns, truth, len }
    }

    pub fn add(&self, table: &mut Groups, unit: &Unit) {
        let place = |index: usize| {
            let aggregate = index.checked_sub(self.keys.len()).and_then(|index| self.aggregates.get(index));
            let argument = aggregate.map_or(index, |_| self.keys.len() + self.argument_of(index - self.keys.len()));
            (aggregate.is_none_or(|aggregate| aggregate.0 != Kind::CountRows)).then(|| &unit.columns[argument])
        };
        let columns: Vec<_> = (0..unit.columns.len()).map(place).collect();
        table.add_rows(&columns, unit.len, unit.truth.as_ref()).unwrap();
    }

    /// The number of the aggregate whose column is the argument of one.
    fn argument_of(&self, index: usize) -> usize {
        match self.aggregates[index].0 {
            Kind::Quantile(Quantile { values_of: Some(other), .. }) | Kind::OfSame(_, other) => other as usize,
            _ => index,
        }
    }

    pub fn answer(&self, table: &mut Groups) -> Vec<Vec<Value>> {
        let columns: Vec<Array> = (0..table.columns()).map(|index| table.column(index).unwrap()).collect();
        for (index, column) in columns.iter().enumerate() {
            assert_eq!(column.len, table.count());
            let is_own_type = index < self.keys.len()
                || matches!(
                    self.aggregates[index - self.keys.len()].0,
                    Kind::Min | Kind::Max | Kind::First | Kind::ArgMax(_) | Kind::ArgMin(_)
                );
            let is_null = matches!(column.data, Data::Null);
            assert!(!self.is_dictionary || !is_own_type || is_null || matches!(column.data, Data::Dictionary { .. }));
        }
        columns.iter().map(rows).collect()
    }

    /// Column by column, as `answer`, from the rows.
    pub fn expected(&self, units: &[Unit]) -> Vec<Vec<Value>> {
        let mut groups: Vec<(Vec<Value>, Vec<Vec<Value>>)> = Vec::new();
        if self.keys.is_empty() {
            groups.push((vec![], vec![]));
        }
        for row in units.iter().flat_map(Unit::rows) {
            let (keys, _) = row.split_at(self.keys.len());
            let key: Vec<Value> = keys.iter().zip(&self.keys).map(|(key, ty)| canonical(ty.0, key)).collect();
            match groups.iter_mut().find(|group| group.0 == key) {
                Some(group) => group.1.push(row),
                None => groups.push((key, vec![row])),
            }
        }
        let keys = (0..self.keys.len()).map(|i| groups.iter().map(|group| group.1[0][i].clone()).collect());
        let aggregates = self.aggregates.iter().enumerate().map(|(i, &(kind, ty))| {
            let argument = self.keys.len() + self.argument_of(i);
            let values = |rows: &[Vec<Value>]| rows.iter().map(|row| row[argument].clone()).collect();
            let by = self.aggregates[..i].iter().filter(|aggregate| by_of(aggregate.0).is_some()).count();
            let by = self.keys.len() + self.aggregates.len() + by;
            groups
                .iter()
                .map(|group| match by_of(kind) {
                    Some((by_ty, _)) => {
                        let rows = group.1.iter().map(|row| (&row[self.keys.len() + i], &row[by]));
                        arg_extreme(matches!(kind, Kind::ArgMax(_)), by_ty, rows)
                    }
                    None => aggregate(kind, ty.0, values(&group.1)),
                })
                .collect()
        });
        keys.chain(aggregates).collect()
    }
}

/// Rows that are added together: a column for each key and aggregate.
pub struct Unit {
    pub columns: Vec<Array>,
    pub truth: Option<Bitmap>,
    pub len: usize,
}

impl Unit {
    fn rows(&self) -> Vec<Vec<Value>> {
        let columns: Vec<Vec<Value>> = self.columns.iter().map(rows).collect();
        let is_true = |row: &usize| self.truth.as_ref().is_none_or(|truth| truth.get(*row));
        let row = |row: usize| columns.iter().map(|column| column[row].clone()).collect();
        (0..self.len).filter(is_true).map(row).collect()
    }
}

const SHARES: [(u32, u32); 10] = [(75, 2), (0, 0), (1, 0), (5, 1), (25, 2), (3, 1), (55, 2), (999, 3), (1, 9), (7, 2)];

fn any_kind(random: &mut Random) -> Kind {
    let at = random.below(KINDS.len() + 4);
    if at < KINDS.len() {
        return KINDS[at];
    }
    if at < KINDS.len() + 2 {
        let (digits, scale) = SHARES[random.below(SHARES.len())];
        let share = Share::new(digits, scale).unwrap();
        return Kind::Quantile(Quantile {
            is_continuous: random.chance(2),
            is_distinct: random.chance(3),
            share,
            values_of: None,
        });
    }
    let by = loop {
        let ty = TYPES[random.below(TYPES.len())];
        if is_ordered(ty.0) {
            break ty;
        }
    };
    let by = Argument { ty: by.0, shape: Some(Shape::of(&template(by)).unwrap()), is_dictionary: false };
    if random.chance(2) { Kind::ArgMax(by) } else { Kind::ArgMin(by) }
}

/// The type of a kind's key.
fn by_of(kind: Kind) -> Option<Typed> {
    let by = kind.by()?;
    let width = match by.shape {
        Some(Shape::Fixed(width)) => width,
        Some(Shape::Bool) => 1,
        _ => 0,
    };
    Some((by.ty, width))
}

/// The value beside the extreme key, of the first of equal ones.
fn arg_extreme<'a>(is_greatest: bool, by: Type, rows: impl Iterator<Item = (&'a Value, &'a Value)>) -> Value {
    let better = if is_greatest { Ordering::Greater } else { Ordering::Less };
    rows.filter(|(value, key)| **value != Value::Null && **key != Value::Null)
        .reduce(|a, b| if compare(by, b.1, a.1) == better { b } else { a })
        .map_or(Value::Null, |(value, _)| value.clone())
}

/// A quantile of values, of which there is one at least.
fn quantile(Quantile { is_continuous, is_distinct, share, .. }: Quantile, ty: Type, values: &[&Value]) -> Value {
    let (digits, scale) = *SHARES.iter().find(|(digits, scale)| Share::new(*digits, *scale).unwrap() == share).unwrap();
    let mut sorted = values.to_vec();
    // The sign of zero decides between equal ones.
    let sign = |value: &Value| matches!((ty, value), (Type::Float { .. }, Value::Bytes(bytes)) if float(ty, bytes).is_sign_positive());
    sorted.sort_by(|a, b| compare(ty, a, b).then(sign(a).cmp(&sign(b))));
    if is_distinct {
        sorted.dedup_by(|a, b| compare(ty, a, b) == Ordering::Equal);
    }
    let (len, power) = (sorted.len() as u64, 10u64.pow(scale));
    if !is_continuous {
        let place = (len * u64::from(digits)).div_ceil(power).max(1) - 1;
        return sorted[place as usize].clone();
    }
    let at = (len - 1) as f64 * (f64::from(digits) / power as f64);
    let (low, high) = (number(ty, sorted[at.floor() as usize]), number(ty, sorted[at.ceil() as usize]));
    let part = at - at.floor();
    let value = if part == 0.0 {
        low
    } else if ty == (Type::Float { bits: 32 }) {
        // The part of the difference is rounded before it is added.
        let distance = f64::from(high as f32 - low as f32);
        (low as f32 + (distance * part) as f32).into()
    } else {
        low * (1.0 - part) + high * part
    };
    Value::Bytes(if ty == (Type::Float { bits: 32 }) { le(&[value as f32]) } else { le(&[value]) })
}

fn aggregate(kind: Kind, ty: Type, rows: Vec<Value>) -> Value {
    let values: Vec<&Value> = rows.iter().filter(|value| **value != Value::Null).collect();
    let count = |count: usize| Value::Bytes(le(&[count as i64]));
    let count_f64 = values.len() as f64;
    let floats = || values.iter().map(|value| number(ty, value));
    let variance = |degrees: f64| {
        let mean = floats().sum::<f64>() / count_f64;
        floats().map(|value| (value - mean) * (value - mean)).sum::<f64>() / degrees
    };
    match kind {
        Kind::CountRows => count(rows.len()),
        Kind::Count => count(values.len()),
        Kind::CountDistinct => {
            let mut distinct: Vec<Value> = Vec::new();
            for value in values.iter().map(|value| canonical(ty, value)) {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            count(distinct.len())
        }
        Kind::First => rows.first().cloned().unwrap_or(Value::Null),
        _ if values.is_empty() => Value::Null,
        Kind::Quantile(of) => quantile(of, ty, &values),
        Kind::ArgMax(_) | Kind::ArgMin(_) => panic!("it has a key"),
        Kind::Min | Kind::Max => {
            let better = if kind == Kind::Min { Ordering::Less } else { Ordering::Greater };
            let best = |a, b| if compare(ty, b, a) == better { b } else { a };
            values.into_iter().reduce(best).unwrap().clone()
        }
        Kind::OfSame(added, _) => aggregate(added.kind(), ty, rows),
        Kind::Sum if matches!(ty, Type::Float { .. }) => Value::Bytes(le(&[floats().fold(0.0, |a, b| a + b)])),
        Kind::Sum => {
            let sum: i128 = values.iter().map(|value| integer(ty, value)).sum();
            Value::Bytes(if matches!(ty, Type::Int { .. }) { le(&[sum as i64]) } else { le(&[sum]) })
        }
        Kind::Avg if matches!(ty, Type::Float { .. }) => Value::Bytes(le(&[floats().sum::<f64>() / count_f64])),
        Kind::Avg => {
            let scale = if let Type::Decimal { scale, .. } = ty { scale } else { 0 };
            let sum: i128 = values.iter().map(|value| integer(ty, value)).sum();
            Value::Bytes(le(&[sum as f64 / (count_f64 * 10f64.powi(scale))]))
        }
        // Of one value, whatever it is: NaN and infinity too.
        Kind::VarPop | Kind::StddevPop if values.len() == 1 => Value::Bytes(le(&[0.0])),
        Kind::VarPop => Value::Bytes(le(&[variance(count_f64)])),
        Kind::StddevPop => Value::Bytes(le(&[variance(count_f64).sqrt()])),
        _ if values.len() == 1 => Value::Null,
        Kind::VarSamp => Value::Bytes(le(&[variance(count_f64 - 1.0)])),
        Kind::StddevSamp => Value::Bytes(le(&[variance(count_f64 - 1.0).sqrt()])),
    }
}

/// Exactly, but for NaNs, and for variances, which are near.
pub fn assert_same(query: &Query, actual: &[Vec<Value>], expected: &[Vec<Value>]) {
    assert_eq!(actual.len(), expected.len());
    for (i, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        let aggregate = i.checked_sub(query.keys.len()).map(|i| match query.aggregates[i] {
            (Kind::OfSame(added, _), ty) => (added.kind(), ty),
            aggregate => aggregate,
        });
        let ty = match aggregate {
            None => query.keys[i].0,
            Some((Kind::Min | Kind::Max | Kind::First | Kind::ArgMax(_) | Kind::ArgMin(_), ty)) => ty.0,
            Some((Kind::Quantile(of), ty)) if !of.is_continuous || matches!(ty.0, Type::Float { .. }) => ty.0,
            Some((Kind::Sum, (ty, _))) if !matches!(ty, Type::Float { .. }) => Type::Binary,
            Some((Kind::CountRows | Kind::Count | Kind::CountDistinct, _)) => Type::Binary,
            Some(_) => Type::Float { bits: 64 },
        };
        assert_eq!(actual.len(), expected.len());
        for (a, b) in actual.iter().zip(expected) {
            let is_near = match (a, b, ty) {
                (Value::Bytes(a), Value::Bytes(b), Type::Float { .. }) => {
                    let (a, b) = (float(ty, a), float(ty, b));
                    let slack =
                        if matches!(aggregate, Some((Kind::Avg, (Type::Decimal { .. }, _)))) { 1e-15 } else { 0.0 };
                    let slack =
                        if matches!(aggregate, Some((Kind::Min | Kind::Max | Kind::First | Kind::Sum, _)) | None) {
                            // The sign of zero counts.
                            assert_eq!(
                                a.is_sign_negative() && !a.is_nan(),
                                b.is_sign_negative() && !b.is_nan(),
                                "{aggregate:?}"
                            );
                            slack
                        } else {
                            f64::max(slack, 1e-12)
                        };
                    (a.is_nan() && b.is_nan()) || a == b || (a - b).abs() <= slack * (1.0 + b.abs())
                }
                _ => a == b,
            };
            assert!(is_near, "{aggregate:?} {:?}: {a:?} {b:?}", query.keys);
        }
    }
}
