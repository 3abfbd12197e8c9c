//! Tables of groups against grouping row by row.

mod support;

use core_wasm::array::Array;
use core_wasm::assemble::Layout;
use core_wasm::bitmap::Bitmap;
use core_wasm::error::Error;
use core_wasm::group::Kind;
use core_wasm::scratch::Scratch;
use core_wasm::types::Type;
use support::grouping::*;
use support::tables::*;
use support::{Random, Value, assemble, le, pack, rows};

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
fn integer_keys_are_found_wherever_they_lie() {
    const LEN: usize = 9_000;
    let reaches: [fn(&mut Random, usize) -> i64; 7] = [
        |random, _| random.below(48) as i64 - 24,
        // Wider and wider, on both sides.
        |random, row| random.below(row * 16 + 1) as i64 - row as i64 * 8,
        |random, _| (random.below(100) as i64).wrapping_add(if random.chance(9) { i64::MAX - 50 } else { 0 }),
        |random, _| [i64::MIN, i64::MAX, -1, 0, 1, 1 << 16, -(1 << 16)][random.below(7)],
        |random, _| random.below(3_000) as i64 * 1_000_003,
        |random, _| random.next() as i64,
        |random, row| if row < LEN / 2 { row as i64 / 7 } else { random.next() as i64 },
    ];
    let mut random = Random::new(15);
    let ty = |bits, signed| (Type::Int { bits, signed }, bits as usize / 8);
    for (key, reach) in [8, 16, 32, 64].into_iter().flat_map(|bits| reaches.iter().map(move |reach| (bits, reach))) {
        let (key, number) = (ty(key, random.chance(2)), ty(64, random.chance(2)));
        let aggregates = vec![(Kind::CountRows, NULL), (Kind::Avg, number), (Kind::Max, number), (Kind::Avg, key)];
        let query = Query { keys: vec![key], aggregates, is_dictionary: false };
        let is_valid = random.bits(LEN);
        let keys: Vec<[u8; 8]> = (0..LEN).map(|row| reach(&mut random, row).to_le_bytes()).collect();
        // Small ones in the first blocks, then any.
        let values: Vec<u64> = (0..LEN).map(|row| random.next() >> if row < 5_000 { 40 } else { 0 }).collect();
        let key_bytes: Vec<u8> = keys.iter().flat_map(|word| word[..key.1].to_vec()).collect();
        let fixed = |width, validity: Option<&[u8]>, bytes: &[u8]| {
            assemble(Layout::Fixed { width }, LEN, 0, &[validity, Some(bytes)], vec![]).unwrap()
        };
        let validity = pack(&is_valid);
        let key_column = || fixed(key.1, Some(&validity), &key_bytes);
        let number_column = || fixed(8, None, &le(&values));
        let columns = vec![key_column(), number_column(), number_column(), number_column(), key_column()];
        let truth = random.chance(2).then(|| {
            let bits = random.bits(LEN);
            Bitmap::from_fn(LEN, |row| bits[row]).unwrap()
        });
        let (mut expected, mut places) = (Vec::new(), std::collections::HashMap::new());
        let (shown, numbers) = (rows(&columns[0]), rows(&columns[1]));
        for row in (0..LEN).filter(|&row| truth.as_ref().is_none_or(|truth| truth.get(row))) {
            let word = is_valid[row].then(|| keys[row][..key.1].to_vec());
            let place = *places.entry(word).or_insert_with(|| {
                expected.push((shown[row].clone(), 0, 0i128, i128::MIN));
                expected.len() - 1
            });
            let value = integer(number.0, &numbers[row]);
            let group = &mut expected[place];
            (group.1, group.2, group.3) = (group.1 + 1, group.2 + value, group.3.max(value));
        }
        let mut table = query.table(ENOUGH);
        query.add(&mut table, &Unit { columns, truth, len: LEN });
        let answer = query.answer(&mut table);
        assert_eq!(table.count(), expected.len());
        for (group, (shown, count, sum, most)) in expected.into_iter().enumerate() {
            assert_eq!(answer[0][group], shown);
            assert_eq!(integer(ty(64, true).0, &answer[1][group]), count);
            let near = |value: &Value, number: f64| {
                let mean = support::tables::number(Type::Float { bits: 64 }, value);
                assert!((mean - number).abs() <= number.abs() * 1e-15, "{mean} {number}");
            };
            near(&answer[2][group], sum as f64 / count as f64);
            assert_eq!(integer(number.0, &answer[3][group]), most);
            match &shown {
                Value::Null => assert_eq!(answer[4][group], Value::Null),
                key_value => near(&answer[4][group], integer(key.0, key_value) as f64),
            }
        }
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
    assert_eq!(table.column(0).err(), Some(Error::SumOverflow { ty: "Int64" }));
    let average = rows(&table.column(1).unwrap());
    assert_eq!(average, [Value::Bytes(le(&[6148914691236517203.0f64]))]);
}

#[test]
fn sums_of_unsigned_integers_are_unsigned() {
    let ty = |bits: u8| (Type::Int { bits, signed: false }, bits as usize / 8);
    // All 64 bits, and one more than they hold.
    for (more, is_held) in [(0u64, true), (1, false)] {
        let query =
            Query { keys: vec![], aggregates: vec![(Kind::Sum, ty(64)), (Kind::Sum, ty(32))], is_dictionary: false };
        let fixed =
            |width, bytes: &[u8]| assemble(Layout::Fixed { width }, 3, 0, &[None, Some(bytes)], vec![]).unwrap();
        let columns = vec![fixed(8, &le(&[1u64 << 63, (1 << 63) - 1, more])), fixed(4, &le(&[u32::MAX, u32::MAX, 2]))];
        let mut table = query.table(ENOUGH);
        query.add(&mut table, &Unit { columns, truth: None, len: 3 });
        let sum = table.column(0);
        assert_eq!(sum.is_ok(), is_held);
        match sum {
            Ok(sum) => assert_eq!(rows(&sum), [Value::Bytes(le(&[u64::MAX]))]),
            Err(error) => assert_eq!(error, Error::SumOverflow { ty: "UInt64" }),
        }
        assert_eq!(rows(&table.column(1).unwrap()), [Value::Bytes(le(&[1u64 << 33]))]);
    }
}
