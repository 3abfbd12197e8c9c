//! Comparisons against comparing one value after the other.

mod support;

use core_wasm::assemble::Layout;
use core_wasm::buffer::Number;
use core_wasm::compare::{Constants, Operator, compare};
use core_wasm::half::to_f32;
use core_wasm::int256::Int256;
use core_wasm::mask::Mask;
use core_wasm::types::{Physical, Type};
use std::cmp::Ordering;
use support::{Random, assemble, le, pack};

const OPERATORS: [Operator; 8] = [
    Operator::Eq,
    Operator::Neq,
    Operator::Gt,
    Operator::GtEq,
    Operator::Lt,
    Operator::LtEq,
    Operator::Between,
    Operator::In,
];

fn count(random: &mut Random, operator: Operator) -> usize {
    match operator {
        Operator::Between => 2,
        Operator::In => random.below(6),
        _ => 1,
    }
}

/// By the order of the value with each constant.
fn expected(operator: Operator, orders: &[Ordering]) -> bool {
    match operator {
        Operator::Eq => orders[0].is_eq(),
        Operator::Neq => orders[0].is_ne(),
        Operator::Gt => orders[0].is_gt(),
        Operator::GtEq => orders[0].is_ge(),
        Operator::Lt => orders[0].is_lt(),
        Operator::LtEq => orders[0].is_le(),
        Operator::Between => orders[0].is_ge() && orders[1].is_le(),
        Operator::In => orders.iter().any(|order| order.is_eq()),
    }
}

/// Checks a column of `len` values under every operator; `order` compares value `row` with a constant.
#[allow(clippy::too_many_arguments)]
fn check<C: Clone>(
    random: &mut Random,
    ty: Type,
    layout: Layout,
    buffers: &[&[u8]],
    len: usize,
    constant: impl Fn(&mut Random) -> C,
    encode: impl Fn(&C) -> Vec<u8>,
    sort: impl Fn(&C, &C) -> Ordering,
    order: impl Fn(usize, &C) -> Ordering,
) {
    let valid = random.bits(len);
    let validity = (!random.chance(3)).then(|| pack(&valid));
    let mut all = vec![validity.as_deref()];
    all.extend(buffers.iter().map(|bytes| Some(*bytes)));
    let array = assemble(layout, len, 0, &all, vec![]).unwrap();
    let named: Vec<u32> = (0..50).map(|_| random.below(len) as u32).take(if len > 0 { 50 } else { 0 }).collect();
    let indices = Layout::Dictionary { index: Physical::U32 };
    let values = assemble(layout, len, 0, &all, vec![]).unwrap();
    let dictionary = assemble(indices, named.len(), 0, &[None, Some(&le(&named))], vec![values]).unwrap();
    for operator in OPERATORS {
        let mut constants: Vec<C> = (0..count(random, operator)).map(|_| constant(random)).collect();
        if operator == Operator::In {
            constants.sort_by(&sort);
        }
        let arguments: Vec<u8> = constants.iter().flat_map(&encode).collect();
        let parsed = Constants::parse(ty, operator, constants.len(), &arguments).unwrap();
        let mask = compare(&array, ty, operator, &parsed).unwrap();
        let by_index = compare(&dictionary, ty, operator, &parsed).unwrap();
        for (i, &row) in named.iter().enumerate() {
            let known = |mask: &Mask, row| mask.known().is_none_or(|bits| bits.get(row));
            assert_eq!(known(&by_index, i), known(&mask, row as usize));
            assert_eq!(by_index.truth().get(i), mask.truth().get(row as usize));
        }
        for (row, &valid) in valid.iter().enumerate() {
            let known = validity.is_none() || valid;
            let orders: Vec<Ordering> = constants.iter().map(|constant| order(row, constant)).collect();
            assert_eq!(mask.known().is_none_or(|bits| bits.get(row)), known);
            assert_eq!(mask.truth().get(row), known && expected(operator, &orders), "{ty:?} {operator:?} row {row}");
        }
    }
}

fn wide(value: i128) -> Vec<u8> {
    let mut bytes = value.to_le_bytes().to_vec();
    bytes.extend([if value < 0 { 0xff } else { 0 }; 16]);
    bytes
}

fn integers<T: Number + Into<i128> + TryFrom<i128>>(random: &mut Random, ty: Type, least: i128, most: i128)
where
    T::Error: std::fmt::Debug,
{
    let pick = |random: &mut Random| match random.below(6) {
        0 => least,
        1 => most,
        2 => ((random.next() as i128) << 40).rem_euclid(most - least) + least,
        _ => (random.below(7) as i128 - 3).clamp(least, most),
    };
    for _ in 0..40 {
        let len = random.below(200);
        let values: Vec<i128> = (0..len).map(|_| pick(random)).collect();
        let typed: Vec<T> = values.iter().map(|value| T::try_from(*value).unwrap()).collect();
        let constant = |random: &mut Random| match random.below(8) {
            0 => i128::from(u64::MAX) * 3,
            1 => i128::from(i64::MIN) * 3,
            2 => most + 1,
            3 => least - 1,
            _ => pick(random),
        };
        let layout = Layout::Fixed { width: size_of::<T>() };
        check(random, ty, layout, &[&le(&typed)], len, constant, |c| wide(*c), i128::cmp, |row, c| values[row].cmp(c));
    }
}

#[test]
fn integers_of_every_width() {
    let random = &mut Random::new(1);
    let int = |bits, signed| Type::Int { bits, signed };
    integers::<i8>(random, int(8, true), i8::MIN.into(), i8::MAX.into());
    integers::<i16>(random, int(16, true), i16::MIN.into(), i16::MAX.into());
    integers::<i32>(random, int(32, true), i32::MIN.into(), i32::MAX.into());
    integers::<i64>(random, int(64, true), i64::MIN.into(), i64::MAX.into());
    integers::<u8>(random, int(8, false), 0, u8::MAX.into());
    integers::<u16>(random, int(16, false), 0, u16::MAX.into());
    integers::<u32>(random, int(32, false), 0, u32::MAX.into());
    integers::<u64>(random, int(64, false), 0, u64::MAX.into());
    integers::<i32>(random, Type::DateDay, i32::MIN.into(), i32::MAX.into());
    integers::<i64>(random, Type::DateMillisecond, i64::MIN.into(), i64::MAX.into());
    integers::<i32>(random, Type::Decimal { bits: 32, scale: 2 }, i32::MIN.into(), i32::MAX.into());
    integers::<i128>(random, Type::Decimal { bits: 128, scale: 2 }, -(1 << 100), 1 << 100);
}

#[test]
fn decimals_of_256_bits() {
    let random = &mut Random::new(2);
    let value = |random: &mut Random| {
        let mut bytes = [0; 32];
        bytes[random.below(32)] = random.below(3) as u8;
        bytes[31] = [0, 0, 0x7f, 0x80, 0xff][random.below(5)];
        Int256::from_le_bytes(bytes)
    };
    let raw = |value: &Int256| le(&[*value]);
    for _ in 0..60 {
        let len = random.below(200);
        let values: Vec<Int256> = (0..len).map(|_| value(random)).collect();
        let ty = Type::Decimal { bits: 256, scale: 0 };
        // The sign first, then the bytes from the greatest on.
        let naive = |a: &Int256, b: &Int256| {
            let key = |value: &Int256| {
                let mut bytes = raw(value);
                bytes.reverse();
                bytes[0] ^= 0x80;
                bytes
            };
            key(a).cmp(&key(b))
        };
        let layout = Layout::Fixed { width: 32 };
        check(random, ty, layout, &[&le(&values)], len, value, raw, naive, |row, c| naive(&values[row], c));
    }
}

/// NaN is equal to itself and above all else, −0.0 equals 0.0.
fn total(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

#[test]
fn floats_of_every_width() {
    let random = &mut Random::new(3);
    let special = [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0, 0.5];
    let pick = |random: &mut Random, tiny: f64| {
        if random.chance(8) { [tiny, -tiny][random.below(2)] } else { special[random.below(special.len())] }
    };
    let encode = |value: &f64| value.to_le_bytes().to_vec();
    let sort = |a: &f64, b: &f64| total(*a, *b);
    for _ in 0..60 {
        let len = random.below(200);
        let doubles: Vec<f64> = (0..len).map(|_| pick(random, 5e-324)).collect();
        let ty = Type::Float { bits: 64 };
        let layout = Layout::Fixed { width: 8 };
        check(
            random,
            ty,
            layout,
            &[&le(&doubles)],
            len,
            |r| pick(r, 5e-324),
            encode,
            sort,
            |row, c| total(doubles[row], *c),
        );
        let tiny = f32::from_bits(1) as f64;
        let singles: Vec<f32> = (0..len).map(|_| pick(random, tiny) as f32).collect();
        let ty = Type::Float { bits: 32 };
        let layout = Layout::Fixed { width: 4 };
        check(
            random,
            ty,
            layout,
            &[&le(&singles)],
            len,
            |r| pick(r, tiny),
            encode,
            sort,
            |row, c| total(singles[row] as f64, *c),
        );
        let halves: Vec<u16> =
            (0..len).map(|_| [0, 0x8000, 1, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe00][random.below(9)]).collect();
        let ty = Type::Float { bits: 16 };
        let layout = Layout::Fixed { width: 2 };
        let tiny = to_f32(1) as f64;
        check(
            random,
            ty,
            layout,
            &[&le(&halves)],
            len,
            |r| pick(r, tiny),
            encode,
            sort,
            |row, c| total(to_f32(halves[row]) as f64, *c),
        );
    }
}

#[test]
fn bytes_and_booleans() {
    let random = &mut Random::new(4);
    let pick = |random: &mut Random| {
        let count = random.below(4);
        random.bytes(count).iter().map(|byte| [0, b'a', 0xff][*byte as usize % 3]).collect::<Vec<u8>>()
    };
    let encode = |value: &Vec<u8>| [&(value.len() as u32).to_le_bytes()[..], value].concat();
    for _ in 0..100 {
        let len = random.below(150);
        let values: Vec<Vec<u8>> = (0..len).map(|_| pick(random)).collect();
        let mut offsets = vec![0i32];
        for value in &values {
            offsets.push(offsets[offsets.len() - 1] + value.len() as i32);
        }
        let layout = Layout::Bytes { large: false, text: false };
        let buffers = [&le(&offsets)[..], &values.concat()];
        check(random, Type::Binary, layout, &buffers, len, pick, encode, Vec::cmp, |row, c| values[row].cmp(c));

        let values: Vec<[u8; 3]> = (0..len).map(|_| [0, b'a', random.below(2) as u8]).collect();
        let layout = Layout::Fixed { width: 3 };
        let buffers = [values.as_flattened()];
        check(random, Type::Binary, layout, &buffers, len, pick, encode, Vec::cmp, |row, c| values[row][..].cmp(c));

        let values = random.bits(len);
        let bit = |random: &mut Random| i128::from(random.chance(2));
        check(
            random,
            Type::Bool,
            Layout::Bool,
            &[&pack(&values)],
            len,
            bit,
            |c| wide(*c),
            i128::cmp,
            |row, c| i128::from(values[row]).cmp(c),
        );
    }
}

#[test]
fn constants_that_do_not_parse_are_errors() {
    let int = Type::Int { bits: 32, signed: true };
    assert!(Constants::parse(int, Operator::Eq, 1, &[0; 31]).is_err());
    assert!(Constants::parse(int, Operator::Eq, 2, &[0; 64]).is_err());
    assert!(Constants::parse(int, Operator::Between, 1, &[0; 32]).is_err());
    assert!(Constants::parse(Type::Utf8, Operator::Eq, 1, &[5, 0, 0, 0, b'a']).is_err());
    assert!(Constants::parse(Type::Nested, Operator::Eq, 1, &[0; 32]).is_err());
    let descending: Vec<u8> = [2.0f64, 1.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert!(Constants::parse(Type::Float { bits: 64 }, Operator::In, 2, &descending).is_err());
    let array = assemble(Layout::Fixed { width: 8 }, 1, 0, &[None, Some(&[0; 8])], vec![]).unwrap();
    let constants = Constants::parse(int, Operator::Eq, 1, &[0; 32]).unwrap();
    assert!(compare(&array, int, Operator::Eq, &constants).is_err());
}
