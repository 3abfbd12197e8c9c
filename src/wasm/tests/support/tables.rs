//! Columns of every flat type with few values, so that rows share them, and what a value means.
#![allow(dead_code)] // Each test file uses its part.

use super::{Random, Value, assemble, le, pack, repeated};
use core_wasm::array::Array;
use core_wasm::assemble::Layout;
use core_wasm::half;
use core_wasm::int256::Int256;
use core_wasm::types::{Physical, TimeUnit, Type};
use std::cmp::Ordering;

/// Every flat type, with the bytes of a value (0: they vary).
pub const TYPES: [(Type, usize); 27] = [
    (Type::Bool, 1),
    (Type::Int { bits: 8, signed: true }, 1),
    (Type::Int { bits: 16, signed: true }, 2),
    (Type::Int { bits: 32, signed: true }, 4),
    (Type::Int { bits: 64, signed: true }, 8),
    (Type::Int { bits: 8, signed: false }, 1),
    (Type::Int { bits: 16, signed: false }, 2),
    (Type::Int { bits: 32, signed: false }, 4),
    (Type::Int { bits: 64, signed: false }, 8),
    (Type::Float { bits: 16 }, 2),
    (Type::Float { bits: 32 }, 4),
    (Type::Float { bits: 64 }, 8),
    (Type::Decimal { bits: 32, scale: 2 }, 4),
    (Type::Decimal { bits: 64, scale: 3 }, 8),
    (Type::Decimal { bits: 128, scale: 4 }, 16),
    (Type::Decimal { bits: 256, scale: 5 }, 32),
    (Type::Utf8, 0),
    (Type::Binary, 0),
    (Type::Binary, 3),
    (Type::DateDay, 4),
    (Type::DateMillisecond, 8),
    (Type::Time(TimeUnit::Second), 4),
    (Type::Time(TimeUnit::Nanosecond), 8),
    (Type::Timestamp { unit: TimeUnit::Microsecond, offset: None }, 8),
    (Type::Duration(TimeUnit::Second), 8),
    (Type::IntervalYearMonth, 4),
    (Type::IntervalMonthDayNano, 16),
];

/// The type of only nulls.
pub const NULL: (Type, usize) = (Type::Null, 0);

/// The bytes of a value; small numbers mostly, so that sums fit and are exact.
fn value(random: &mut Random, (ty, width): (Type, usize)) -> Vec<u8> {
    let small = random.below(7) as i64 - 3;
    match ty {
        Type::Bool => vec![random.below(2) as u8],
        Type::Utf8 | Type::Binary if width == 0 => {
            ["", "a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefgha"][random.below(7)].into()
        }
        Type::Float { bits } => {
            let value = [0.5, -0.0, 0.0, 2.25, f64::NAN, f64::INFINITY, -3.0][random.below(7)];
            match bits {
                16 => le(&[half::from_f64(value)]),
                32 => le(&[value as f32]),
                _ => le(&[value]),
            }
        }
        Type::Int { signed: false, .. } => small.unsigned_abs().to_le_bytes()[..width].to_vec(),
        _ => {
            let mut bytes = le(&[i128::from(small); 2]);
            bytes[16..].fill(if small < 0 { 0xff } else { 0 });
            bytes[..width].to_vec()
        }
    }
}

/// A column of `len` rows, perhaps a dictionary, perhaps of repeated values, perhaps with nulls.
pub fn column(random: &mut Random, ty: (Type, usize), len: usize) -> Array {
    if random.chance(4) {
        let count = random.below(9) + 1;
        let validity = random.chance(2).then(|| pack(&random.bits(count)));
        let values = plain(random, ty, count, validity.as_deref());
        return repeated(random, values, len);
    }
    let validity = (!random.chance(3)).then(|| pack(&random.bits(len)));
    if random.chance(3) && ty.0 != Type::Null {
        let entries = random.below(9) + 1;
        let values = plain(random, ty, entries, None);
        let indices: Vec<u8> = (0..len).map(|_| random.below(entries) as u8).collect();
        let layout = Layout::Dictionary { index: Physical::U8 };
        return assemble(layout, len, 0, &[validity.as_deref(), Some(&indices)], vec![values]).unwrap();
    }
    plain(random, ty, len, validity.as_deref())
}

fn plain(random: &mut Random, ty: (Type, usize), len: usize, validity: Option<&[u8]>) -> Array {
    let values: Vec<Vec<u8>> = (0..len).map(|_| value(random, ty)).collect();
    match ty {
        (Type::Null, _) => assemble(Layout::Null, len, 0, &[], vec![]),
        (Type::Bool, _) => {
            let bits = pack(&values.iter().map(|value| value[0] != 0).collect::<Vec<_>>());
            assemble(Layout::Bool, len, 0, &[validity, Some(&bits)], vec![])
        }
        (Type::Utf8 | Type::Binary, 0) => {
            let mut offsets = vec![0i32];
            values.iter().for_each(|value| offsets.push(offsets[offsets.len() - 1] + value.len() as i32));
            let layout = Layout::Bytes { large: false, text: ty.0 == Type::Utf8 };
            assemble(layout, len, 0, &[validity, Some(&le(&offsets)), Some(&values.concat())], vec![])
        }
        (_, width) => assemble(Layout::Fixed { width }, len, 0, &[validity, Some(&values.concat())], vec![]),
    }
    .unwrap()
}

/// A column without rows: how values of a type lie.
pub fn template(ty: (Type, usize)) -> Array {
    plain(&mut Random::new(0), ty, 0, None)
}

/// The value that all equal values share.
pub fn canonical(ty: Type, value: &Value) -> Value {
    match (ty, value) {
        (Type::Float { .. }, Value::Bytes(bytes)) => {
            let value = float(ty, bytes);
            Value::Bytes(le(&[if value.is_nan() { f64::NAN } else { value + 0.0 }]))
        }
        _ => value.clone(),
    }
}

/// A number that is not a float, unscaled.
pub fn integer(ty: Type, value: &Value) -> i128 {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Bytes(bytes) => {
            let is_negative = !matches!(ty, Type::Int { signed: false, .. }) && bytes[bytes.len() - 1] >= 0x80;
            let mut wide = [if is_negative { 0xff } else { 0 }; 32];
            wide[..bytes.len()].copy_from_slice(bytes);
            Int256::from_le_bytes(wide).to_i128().unwrap()
        }
        _ => panic!("no number"),
    }
}

/// A float of any width.
pub fn float(ty: Type, bytes: &[u8]) -> f64 {
    match ty {
        Type::Float { bits: 16 } => half::to_f32(u16::from_le_bytes(bytes.try_into().unwrap())).into(),
        Type::Float { bits: 32 } => f32::from_le_bytes(bytes.try_into().unwrap()).into(),
        _ => f64::from_le_bytes(bytes.try_into().unwrap()),
    }
}

/// The value of a number, decimals scaled.
pub fn number(ty: Type, value: &Value) -> f64 {
    match (ty, value) {
        (Type::Float { .. }, Value::Bytes(bytes)) => float(ty, bytes),
        (Type::Decimal { scale, .. }, _) => integer(ty, value) as f64 / 10f64.powi(scale),
        _ => integer(ty, value) as f64,
    }
}

/// The order of two values that are not null.
pub fn compare(ty: Type, a: &Value, b: &Value) -> Ordering {
    match (ty, a, b) {
        (Type::Float { .. }, Value::Bytes(a), Value::Bytes(b)) => {
            let (a, b) = (float(ty, a), float(ty, b));
            a.partial_cmp(&b).unwrap_or(a.is_nan().cmp(&b.is_nan()))
        }
        (Type::Utf8 | Type::Binary, Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
        _ => integer(ty, a).cmp(&integer(ty, b)),
    }
}

/// Whether values of a type have an order.
pub fn is_ordered(ty: Type) -> bool {
    !matches!(ty, Type::IntervalYearMonth | Type::IntervalDayTime | Type::IntervalMonthDayNano)
}

/// Whether sums are made of values of a type.
pub fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Int { .. } | Type::Float { .. } | Type::Decimal { .. })
}
