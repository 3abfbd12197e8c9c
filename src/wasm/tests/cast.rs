//! The widening table, value by value.

mod support;

use core_wasm::assemble::Layout;
use core_wasm::cast::cast;
use core_wasm::error::Error;
use core_wasm::types::TimeUnit::{self, *};
use core_wasm::types::{Physical, Type};
use support::{Value, assemble, le, pack, rows};

const fn int(bits: u8, signed: bool) -> Type {
    Type::Int { bits, signed }
}

fn ty(name: &str) -> Type {
    let bits = name[1..].parse().unwrap();
    if name == "f64" { F64 } else { int(bits, name.starts_with('i')) }
}

const F16: Type = Type::Float { bits: 16 };
const F32: Type = Type::Float { bits: 32 };
const F64: Type = Type::Float { bits: 64 };

/// Casts the values, of which the second is null, and expects these bytes.
fn check(from: Type, values: &[u8], to: Type, expected: &[u8]) {
    let width = from.physical().unwrap().width();
    let len = values.len() / width;
    let valid: Vec<bool> = (0..len).map(|row| row != 1).collect();
    let array = assemble(Layout::Fixed { width }, len, 0, &[Some(&pack(&valid)), Some(values)], vec![]).unwrap();
    let expected: Vec<Value> = expected
        .chunks(to.physical().unwrap().width())
        .enumerate()
        .map(|(row, bytes)| if row == 1 { Value::Null } else { Value::Bytes(bytes.to_vec()) })
        .collect();
    assert_eq!(rows(&cast(&array, from, to).unwrap()), expected, "{from:?} to {to:?}");
    let indices: Vec<u8> = (0..len as u8).rev().collect();
    let layout = Layout::Dictionary { index: Physical::U8 };
    let dictionary = assemble(layout, len, 0, &[None, Some(&indices)], vec![array]).unwrap();
    let expected: Vec<Value> = expected.into_iter().rev().collect();
    assert_eq!(rows(&cast(&dictionary, from, to).unwrap()), expected, "{from:?} to {to:?}");
}

#[test]
fn integers_and_floats_widen() {
    macro_rules! widen {
        ($source:ident => $($target:ident)*) => {
            $(check(
                ty(stringify!($source)),
                &le(&[$source::MIN, 0 as $source, $source::MAX]),
                ty(stringify!($target)),
                &le(&[$source::MIN as $target, 0 as $target, $source::MAX as $target]),
            );)*
        };
    }
    widen!(i8 => i16 i32 i64 f64);
    widen!(i16 => i32 i64 f64);
    widen!(i32 => i64 f64);
    widen!(i64 => f64);
    widen!(u8 => i16 i32 i64 u16 u32 u64 f64);
    widen!(u16 => i32 i64 u32 u64 f64);
    widen!(u32 => i64 u64 f64);
    widen!(u64 => f64);
    check(F32, &le(&[0.1f32, 0.0, f32::NEG_INFINITY]), F64, &le(&[f64::from(0.1f32), 0.0, f64::NEG_INFINITY]));
    // 1.5, null, the least subnormal, −0.0
    let halves = le(&[0x3e00u16, 0, 1, 0x8000]);
    check(F16, &halves, F32, &le(&[1.5f32, 0.0, 2f32.powi(-24), -0.0]));
    check(F16, &halves, F64, &le(&[1.5f64, 0.0, 2f64.powi(-24), -0.0]));
}

#[test]
fn units_become_finer() {
    let timestamp = |unit: TimeUnit, offset| Type::Timestamp { unit, offset };
    let values = le(&[-5i64, 0, 7]);
    for (from, to, factor) in [
        (Second, Millisecond, 1_000i64),
        (Second, Nanosecond, 1_000_000_000),
        (Millisecond, Microsecond, 1_000),
        (Microsecond, Nanosecond, 1_000),
    ] {
        check(timestamp(from, None), &values, timestamp(to, Some(0)), &le(&[-5 * factor, 0, 7 * factor]));
    }
    check(timestamp(Second, Some(0)), &values, timestamp(Second, Some(3600)), &values);
    check(Type::Time(Microsecond), &values, Type::Time(Nanosecond), &le(&[-5_000i64, 0, 7_000]));
    let values = le(&[-5i32, 0, 7]);
    check(Type::Time(Second), &values, Type::Time(Millisecond), &le(&[-5_000i32, 0, 7_000]));
    check(Type::Time(Second), &values, Type::Time(Nanosecond), &le(&[-5_000_000_000i64, 0, 7_000_000_000]));
    check(Type::Time(Millisecond), &values, Type::Time(Microsecond), &le(&[-5_000i64, 0, 7_000]));
    check(Type::DateDay, &values, Type::DateMillisecond, &le(&[-432_000_000i64, 0, 604_800_000]));
}

#[test]
fn what_does_not_fit_is_an_error_unless_it_is_null() {
    let column = |validity: &[u8]| {
        let values = le(&[1i64, i64::MAX / 999]);
        assemble(Layout::Fixed { width: 8 }, 2, 0, &[Some(validity), Some(&values)], vec![]).unwrap()
    };
    let timestamp = |unit| Type::Timestamp { unit, offset: None };
    let outcome = |validity| cast(&column(validity), timestamp(Second), timestamp(Millisecond));
    assert_eq!(outcome(&[0b11]).err(), Some(Error::Overflow { row: 1 }));
    assert_eq!(rows(&outcome(&[0b01]).unwrap())[1], Value::Null);
}

#[test]
fn a_narrower_type_is_refused() {
    let array = assemble(Layout::Fixed { width: 8 }, 1, 0, &[None, Some(&[0; 8])], vec![]).unwrap();
    for (from, to) in [
        (int(64, true), int(32, true)),
        (int(64, true), int(64, false)),
        (F64, F32),
        (F64, int(64, true)),
        (Type::Duration(Second), Type::Duration(Millisecond)),
        (int(32, true), int(64, true)),
    ] {
        assert!(cast(&array, from, to).is_err(), "{from:?} to {to:?}");
    }
}
