//! Tables of groups against grouping row by row.

mod support;

use core_wasm::array::Array;
use core_wasm::assemble::Layout;
use core_wasm::error::Error;
use core_wasm::group::Kind;
use core_wasm::scratch::Scratch;
use core_wasm::types::Type;
use support::grouping::*;
use support::tables::*;
use support::{Random, Value, assemble, le, rows};

#[test]
fn groups_are_as_row_by_row() {
    let mut random = Random::new(11);
    for _ in 0..1500 {
        let query = Query::random(&mut random);
        let mut table = query.table(ENOUGH);
        let most = if random.chance(20) { 5000 } else { 60 };
        let units: Vec<Unit> = (0..random.below(4))
            .map(|_| {
                let len = random.below(most);
                query.unit(&mut random, len)
            })
            .collect();
        units.iter().for_each(|unit| query.add(&mut table, unit));
        assert_same(&query, &query.answer(&mut table), &query.expected(&units));
    }
}

#[test]
fn partial_tables_added_in_order_are_one_table() {
    let mut random = Random::new(12);
    let mut scratch = Scratch::new();
    for _ in 0..800 {
        let query = Query::random(&mut random);
        let units: Vec<Unit> = (0..random.below(6))
            .map(|_| {
                let len = random.below(80);
                query.unit(&mut random, len)
            })
            .collect();
        let mut merged = query.table(ENOUGH);
        let (mut rest, mut again) = (&units[..], Vec::new());
        while !rest.is_empty() {
            let (part, others) = rest.split_at(random.below(rest.len()) + 1);
            rest = others;
            let mut table = query.table(ENOUGH);
            part.iter().for_each(|unit| query.add(&mut table, unit));
            scratch.clear(1 << 20);
            table.write(&mut scratch).unwrap();
            merged.add_groups(scratch.written()).unwrap();
            again.push(scratch.written().to_vec());
        }
        let answer = query.answer(&mut merged);
        assert_same(&query, &answer, &query.expected(&units));
        // The same parts, the same bits.
        let mut twice = query.table(ENOUGH);
        again.iter().for_each(|part| twice.add_groups(part).unwrap());
        assert_eq!(query.answer(&mut twice), answer);
    }
}

#[test]
fn damaged_tables_are_errors_or_other_tables() {
    let mut random = Random::new(13);
    let mut scratch = Scratch::new();
    for _ in 0..600 {
        let query = Query::random(&mut random);
        let unit = query.unit(&mut random, 30);
        let mut table = query.table(ENOUGH);
        query.add(&mut table, &unit);
        scratch.clear(1 << 20);
        table.write(&mut scratch).unwrap();
        let whole = scratch.written().to_vec();
        for _ in 0..20 {
            let mut bytes = whole.clone();
            if random.chance(3) {
                bytes.truncate(random.below(bytes.len()));
            } else {
                for _ in 0..random.below(3) + 1 {
                    let at = random.below(bytes.len());
                    bytes[at] = if random.chance(2) { random.next() as u8 } else { 0xff };
                }
            }
            let mut into = query.table(ENOUGH);
            if into.add_groups(&bytes).is_ok() {
                for index in 0..into.columns() {
                    let _ = into.column(index);
                }
            } else {
                assert!(matches!(into.add_groups(&whole), Err(Error::Misuse(_))));
            }
        }
    }
}

#[test]
fn many_groups_are_found_again() {
    let mut random = Random::new(14);
    let ty = (Type::Int { bits: 64, signed: true }, 8);
    for keys in [vec![ty], vec![ty, ty]] {
        let query = Query { keys, aggregates: vec![(Kind::Sum, ty), (Kind::CountDistinct, ty)], is_dictionary: false };
        let count = query.keys.len();
        let mut table = query.table(ENOUGH);
        let mut sums = std::collections::HashMap::new();
        for _ in 0..4 {
            let values: Vec<Vec<i64>> = (0..=count)
                .map(|_| (0..20_000).map(|_| random.below(if count == 1 { 9_000 } else { 90 }) as i64).collect())
                .collect();
            for row in 0..20_000 {
                let key: Vec<i64> = values[..count].iter().map(|values| values[row]).collect();
                *sums.entry(key).or_insert(0) += values[count][row];
            }
            let array = |values: &Vec<i64>| {
                assemble(Layout::Fixed { width: 8 }, 20_000, 0, &[None, Some(&le(values))], vec![]).unwrap()
            };
            let mut columns: Vec<Array> = values.iter().map(array).collect();
            columns.push(array(&values[count]));
            query.add(&mut table, &Unit { columns, truth: None, len: 20_000 });
        }
        assert_eq!(table.count(), sums.len());
        let answer = query.answer(&mut table);
        (0..table.count()).for_each(|group| {
            let number = |column: usize| integer(ty.0, &answer[column][group]) as i64;
            let key: Vec<i64> = (0..count).map(number).collect();
            assert_eq!(number(count), sums[&key]);
        });
    }
}

#[test]
fn too_many_groups_are_an_error_that_says_so() {
    let ty = (Type::Int { bits: 64, signed: true }, 8);
    let query = Query { keys: vec![ty], aggregates: vec![(Kind::CountRows, NULL)], is_dictionary: false };
    let mut table = query.table(100_000);
    let values: Vec<i64> = (0..50_000).collect();
    let column = assemble(Layout::Fixed { width: 8 }, 50_000, 0, &[None, Some(&le(&values))], vec![]).unwrap();
    let outcome = table.add_rows(&[Some(&column), None], 50_000, None);
    assert_eq!(outcome, Err(Error::TooManyGroups { maximum: 100_000 }));
    assert!(outcome.unwrap_err().to_string().contains("too many groups"));
    assert!(table.add_rows(&[Some(&column), None], 50_000, None).is_err());
}

#[test]
fn sums_beyond_their_type_are_errors() {
    let ty = (Type::Int { bits: 64, signed: true }, 8);
    let query = Query { keys: vec![], aggregates: vec![(Kind::Sum, ty), (Kind::Avg, ty)], is_dictionary: false };
    let values = le(&[i64::MAX, i64::MAX, -5]);
    let column = || assemble(Layout::Fixed { width: 8 }, 3, 0, &[None, Some(&values)], vec![]).unwrap();
    let mut table = query.table(ENOUGH);
    query.add(&mut table, &Unit { columns: vec![column(), column()], truth: None, len: 3 });
    assert_eq!(table.column(0).err(), Some(Error::SumOverflow { bits: 64 }));
    let average = rows(&table.column(1).unwrap());
    assert_eq!(average, [Value::Bytes(le(&[6148914691236517203.0f64]))]);
}
