//! Orders against sorting the rows.

mod support;

use core_wasm::array::{Array, Data};
use core_wasm::bitmap::Bitmap;
use core_wasm::cycles::Cycles;
use core_wasm::flat::{Flat, Shape};
use core_wasm::group::KeyType;
use core_wasm::order::{Direction, Key, first_rows, sort};
use core_wasm::types::Type;
use std::cmp::Ordering;
use support::tables::*;
use support::{Random, Value, random_array, rows};

fn expected(columns: &[((Type, usize), Array, Direction)], selected: Vec<usize>, limit: usize) -> Vec<u32> {
    let cells: Vec<Vec<Value>> = columns.iter().map(|(_, array, _)| rows(array)).collect();
    let mut sorted = selected;
    sorted.sort_by(|&a, &b| {
        let by_key = columns.iter().zip(&cells).map(|((ty, _, direction), cells)| {
            let nulls = if direction.are_nulls_first { Ordering::Less } else { Ordering::Greater };
            match (&cells[a], &cells[b]) {
                (Value::Null, Value::Null) => Ordering::Equal,
                (Value::Null, _) => nulls,
                (_, Value::Null) => nulls.reverse(),
                (a, b) if direction.is_descending => compare(ty.0, b, a),
                (a, b) => compare(ty.0, a, b),
            }
        });
        by_key.fold(Ordering::Equal, Ordering::then)
    });
    sorted.truncate(limit);
    sorted.into_iter().map(|row| row as u32).collect()
}

#[test]
fn rows_come_in_the_order_of_the_keys() {
    let mut random = Random::new(21);
    for round in 0..1500 {
        let len = random.below(if round % 50 == 0 { 6000 } else { 200 });
        let columns: Vec<_> = (0..random.below(4))
            .map(|_| {
                let ty = loop {
                    let ty = if random.chance(20) { NULL } else { TYPES[random.below(TYPES.len())] };
                    if is_ordered(ty.0) {
                        break ty;
                    }
                };
                let direction = Direction { is_descending: random.chance(2), are_nulls_first: random.chance(2) };
                (ty, column(&mut random, ty, len), direction)
            })
            .collect();
        let truth = random.chance(2).then(|| {
            let bits = random.bits(len);
            Bitmap::from_fn(len, |row| bits[row]).unwrap()
        });
        let selected: Vec<usize> = (0..len).filter(|&row| truth.as_ref().is_none_or(|truth| truth.get(row))).collect();
        let limit = [0, 1, 10, len / 2, len, usize::MAX][random.below(6)];
        let arrays: Vec<_> = columns.iter().map(|(_, array, _)| Some(array)).collect();
        let cycles = Cycles::new(&arrays).unwrap();
        let keys: Vec<Key> = columns
            .iter()
            .enumerate()
            .map(|(at, (ty, array, direction))| Key::new(cycles.flat(at, array).unwrap(), ty.0, *direction).unwrap())
            .collect();
        assert_eq!(sort(&keys, len, truth.as_ref(), limit).unwrap(), expected(&columns, selected, limit));
    }
}

#[test]
fn a_few_of_many_rows_are_the_first() {
    let mut random = Random::new(22);
    let ty = (Type::Float { bits: 64 }, 8);
    for limit in [1, 3, 500, 3000] {
        let values: Vec<f64> = (0..20_000).map(|_| random.below(30_000) as f64 - 15_000.0).collect();
        let array = support::assemble(
            core_wasm::assemble::Layout::Fixed { width: 8 },
            values.len(),
            0,
            &[None, Some(&support::le(&values))],
            vec![],
        )
        .unwrap();
        let direction = Direction { is_descending: limit % 2 == 0, are_nulls_first: false };
        let found =
            sort(&[Key::new(Flat::of(&array).unwrap(), ty.0, direction).unwrap()], values.len(), None, limit).unwrap();
        assert_eq!(found, expected(&[(ty, array, direction)], (0..values.len()).collect(), limit));
    }
}

#[test]
fn rows_taken_are_the_rows() {
    let mut random = Random::new(23);
    for _ in 0..500 {
        let len = random.below(50) + 1;
        let array = random_array(&mut random, len, 2);
        let order: Vec<u32> = (0..random.below(60)).map(|_| random.below(len) as u32).collect();
        let all = rows(&array);
        let expected: Vec<Value> = order.iter().map(|&row| all[row as usize].clone()).collect();
        assert_eq!(rows(&array.take_rows(&order).unwrap()), expected);
        assert!(array.take_rows(&[len as u32]).is_err());
    }
}

#[test]
fn values_without_an_order_are_no_keys() {
    let mut random = Random::new(24);
    let direction = Direction { is_descending: false, are_nulls_first: false };
    for ty in TYPES {
        let array = column(&mut random, ty, 5);
        let cycles = Cycles::new(&[Some(&array)]).unwrap();
        let flat = cycles.flat(0, &array).unwrap();
        assert_eq!(Key::new(flat, ty.0, direction).is_ok(), is_ordered(ty.0), "{ty:?}");
        assert!(Key::new(flat, Type::Nested, direction).is_err());
    }
}

#[test]
fn the_first_rows_of_groups_are_those_of_the_sorted_groups() {
    let mut random = Random::new(25);
    for round in 0..1500 {
        let len = random.below(if round % 50 == 0 { 6000 } else { 200 });
        let columns: Vec<_> = (0..random.below(4))
            .map(|_| {
                let ty = loop {
                    let ty = if random.chance(20) { NULL } else { TYPES[random.below(TYPES.len())] };
                    if is_ordered(ty.0) {
                        break ty;
                    }
                };
                let direction = Direction { is_descending: random.chance(2), are_nulls_first: random.chance(2) };
                (ty, column(&mut random, ty, len), direction)
            })
            .collect();
        let most = [1, 1, 2, 3, 10, 1000][random.below(6)];
        let groups = random.below(3) * random.below(9) + 1;
        let numbers: Vec<i32> = (0..len).map(|_| random.below(groups) as i32).collect();
        let key = support::assemble(
            core_wasm::assemble::Layout::Fixed { width: 4 },
            len,
            0,
            &[None, Some(&support::le(&numbers))],
            vec![],
        )
        .unwrap();
        let truth = random.chance(2).then(|| {
            let bits = random.bits(len);
            Bitmap::from_fn(len, |row| bits[row]).unwrap()
        });
        let arrays: Vec<_> = columns.iter().map(|(_, array, _)| Some(array)).collect();
        let cycles = Cycles::new(&arrays).unwrap();
        let order: Vec<Key> = columns
            .iter()
            .enumerate()
            .map(|(at, (ty, array, direction))| Key::new(cycles.flat(at, array).unwrap(), ty.0, *direction).unwrap())
            .collect();
        let ty = KeyType { ty: Type::Int { bits: 32, signed: true }, shape: Shape::Fixed(4), is_dictionary: false };
        let keys = [(ty, Flat::of(&key).unwrap())];
        let has_key = !random.chance(4);
        let by_key = if has_key { &keys[..] } else { &[] };
        let mut firsts = first_rows(by_key, &order, len, truth.as_ref(), most, 1).unwrap();
        firsts.cut(&order, most);
        let mut wanted = vec![0; len];
        for group in 0..groups as i32 {
            let is_in =
                |row: usize| truth.as_ref().is_none_or(|truth| truth.get(row)) && (!has_key || numbers[row] == group);
            let rows = expected(&columns, (0..len).filter(|&row| is_in(row)).collect(), most);
            (1..).zip(rows).for_each(|(number, row)| wanted[row as usize] = number);
        }
        let bits = firsts.truth().unwrap();
        assert_eq!(
            (0..len).map(|row| bits.get(row)).collect::<Vec<_>>(),
            wanted.iter().map(|&n| n > 0).collect::<Vec<_>>()
        );
        let numbers = firsts.numbers(&order).unwrap();
        let Data::Fixed { values, .. } = &numbers.data else { panic!() };
        assert_eq!(&values.numbers::<i64>()[..len], wanted);
    }
}
