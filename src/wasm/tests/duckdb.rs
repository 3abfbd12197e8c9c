//! DuckDB's forms, value by value, and rows of them at any place.
#![allow(unsafe_code)] // Addresses are read back as the loader does.

mod support;

use core_wasm::array::{Array, Data};
use core_wasm::assemble::Layout;
use core_wasm::duckdb::{Form, Rows, descend, long_text, physical, selection};
use core_wasm::error::Error;
use core_wasm::scratch::Scratch;
use core_wasm::types::TimeUnit::{self, *};
use core_wasm::types::Type;
use support::{Random, Value, assemble, le, pack, random_array, rows};

fn form(ty: Type) -> Form {
    Form { ty, precision: 0 }
}

fn fixed(width: usize, validity: Option<&[u8]>, values: &[u8]) -> Array {
    assemble(Layout::Fixed { width }, values.len() / width, 0, &[validity, Some(values)], vec![]).unwrap()
}

fn converted(array: Array, form: Form) -> Vec<Value> {
    rows(&physical(array, &mut std::iter::once(form)).unwrap())
}

fn expected(width: usize, values: &[u8]) -> Vec<Value> {
    values.chunks(width).map(|bytes| Value::Bytes(bytes.to_vec())).collect()
}

#[test]
fn types_become_those_of_duckdb() {
    let check = |ty, width, values: Vec<u8>, to, out: Vec<u8>| {
        assert_eq!(converted(fixed(width, None, &values), form(ty)), expected(to, &out), "{ty:?}");
    };
    check(Type::Float { bits: 16 }, 2, le(&[0x3e00u16, 0xc000]), 4, le(&[1.5f32, -2.0]));
    check(Type::DateMillisecond, 8, le(&[86_399_999i64, -1]), 4, le(&[0i32, -1]));
    check(Type::Time(Second), 4, le(&[86_400i32, 1]), 8, le(&[86_400_000_000i64, 1_000_000]));
    check(Type::Time(Nanosecond), 8, le(&[1_999i64]), 8, le(&[1_999i64]));
    let zoned = |unit| Type::Timestamp { unit, offset: Some(0) };
    check(zoned(Second), 8, le(&[-2i64]), 8, le(&[-2_000_000i64]));
    check(zoned(Nanosecond), 8, le(&[-1i64, 1_999]), 8, le(&[-1i64, 1_999]));
    check(Type::Timestamp { unit: Nanosecond, offset: None }, 8, le(&[-1i64]), 8, le(&[-1i64]));
    let interval = |months: i32, days: i32, micros: i64| [le(&[months, days]), le(&[micros])].concat();
    check(Type::Duration(Nanosecond), 8, le(&[-1_000i64]), 16, interval(0, 0, -1));
    check(Type::Duration(Millisecond), 8, le(&[7i64]), 16, interval(0, 0, 7_000));
    check(Type::IntervalYearMonth, 4, le(&[-13i32]), 16, interval(-13, 0, 0));
    check(Type::IntervalDayTime, 8, le(&[-3i32, -5]), 16, interval(0, -3, -5_000));
    check(Type::IntervalMonthDayNano, 16, [le(&[1i32, -2]), le(&[-2_000i64])].concat(), 16, interval(1, -2, -2));
    let bits = assemble(Layout::Bool, 70, 0, &[None, Some(&pack(&[true, false, true].repeat(24)))], vec![]).unwrap();
    assert_eq!(converted(bits, form(Type::Bool)), expected(1, &[1u8, 0, 1].repeat(24)[..70]));
    let nothing = assemble(Layout::Null, 3, 0, &[], vec![]).unwrap();
    assert_eq!(converted(nothing, form(Type::Null)), vec![Value::Null; 3]);
    assert_eq!(converted(fixed(3, None, b"abcdef"), form(Type::Binary)), expected(3, b"abcdef"));
}

#[test]
fn decimals_take_the_bytes_of_their_precision() {
    let check = |bits, precision, width, values: Vec<u8>, to, out: Vec<u8>| {
        let ty = Type::Decimal { bits, scale: 2 };
        assert_eq!(converted(fixed(width, None, &values), Form { ty, precision }), expected(to, &out));
    };
    check(32, 4, 4, le(&[-9999i32]), 2, le(&[-9999i16]));
    check(64, 9, 8, le(&[999_999_999i64]), 4, le(&[999_999_999i32]));
    check(128, 18, 16, le(&[-5i128]), 8, le(&[-5i64]));
    check(128, 38, 16, le(&[10i128.pow(38) - 1]), 16, le(&[10i128.pow(38) - 1]));
    check(256, 20, 32, le(&[-7i128, -1]), 16, le(&[-7i128]));
    check(256, 0, 32, le(&[12_345i128, 0, 0, 1]), 8, le(&[123.45f64, 2f64.powi(128) / 100.0]));
    let five = le(&[10_000i32]);
    let outcome = |validity: &[u8]| {
        let form = Form { ty: Type::Decimal { bits: 32, scale: 0 }, precision: 4 };
        physical(fixed(4, Some(validity), &five), &mut std::iter::once(form)).map(|array| rows(&array))
    };
    assert_eq!(outcome(&[1]), Err(Error::Overflow { row: 0 }));
    assert_eq!(outcome(&[0]), Ok(vec![Value::Null]));
}

#[test]
fn what_duckdb_cannot_hold_is_an_error() {
    for (ty, value) in [
        (Type::Timestamp { unit: Second, offset: Some(0) }, i64::MAX / 999_999),
        (Type::Duration(TimeUnit::Millisecond), i64::MIN),
        (Type::Time(Microsecond), 86_400_000_001),
        (Type::Time(Nanosecond), -1),
        (Type::Time(Nanosecond), 86_400_000_000_001),
        (Type::Duration(Nanosecond), -1),
        (Type::DateMillisecond, i64::MAX),
    ] {
        let outcome = physical(fixed(8, None, &le(&[0, value])), &mut std::iter::once(form(ty)));
        assert_eq!(outcome.err(), Some(Error::Overflow { row: 1 }), "{ty:?}");
    }
}

#[test]
fn a_field_is_null_where_its_struct_is() {
    let halves = fixed(2, Some(&[0b110]), &le(&[0u16, 0x3c00, 0x3c00]));
    let pairs = fixed(1, None, &[1, 2, 3, 4, 5, 6]);
    let pairs = assemble(Layout::FixedList { size: 2 }, 3, 0, &[None], vec![pairs]).unwrap();
    let array = assemble(Layout::Struct, 3, 0, &[Some(&[0b011])], vec![halves, pairs]).unwrap();
    let byte = Type::Int { bits: 8, signed: true };
    let mut forms = [Type::Nested, Type::Float { bits: 16 }, Type::Nested, byte].map(form).into_iter();
    let array = physical(array, &mut forms).unwrap();
    assert_eq!(rows(descend(&array, [0].into_iter()).unwrap()), {
        let one = Value::Bytes(le(&[1f32]));
        vec![Value::Null, one, Value::Null]
    });
    let items = rows(descend(&array, [1, 0].into_iter()).unwrap());
    assert_eq!(items[4..], [Value::Null, Value::Null]);
    assert_eq!(items[3], Value::Bytes(vec![4]));
    assert!(descend(&array, [2].into_iter()).is_err());
}

/// Reads what [`Rows`] points at.
fn bytes(address: usize, len: usize) -> &'static [u8] {
    assert_ne!(address, 0);
    // SAFETY: the array and the scratch memory that it may point into outlive the use, and nothing changes them.
    unsafe { std::slice::from_raw_parts(address as *const u8, len) }
}

fn u64_at(entry: &[u8], at: usize) -> usize {
    u64::from_le_bytes(entry[at..at + 8].try_into().unwrap()) as usize
}

/// Rows of an array read as DuckDB would.
fn read(array: &Array, start: usize, len: usize) -> Vec<Value> {
    let mut scratch = Scratch::new();
    let text = long_text(array, start, len).unwrap().unwrap_or_default();
    let base = 0xffff_fff0; // Pointers wrap as the 32 bits of them do.
    let of = Rows::of(array, start, len, base, &mut scratch).unwrap();
    let validity = (of.validity > 0).then(|| bytes(of.validity, len.div_ceil(64) * 8));
    let is_valid = |row: usize| validity.is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1);
    let entries = |row: usize| bytes(of.values + 16 * row, 16);
    let value = |row: usize| match &array.data {
        Data::Fixed { width, .. } => Value::Bytes(bytes(of.values + row * width, *width).to_vec()),
        Data::Bytes { .. } => {
            let entry = entries(row);
            let len = u32::from_le_bytes(entry[..4].try_into().unwrap()) as usize;
            if len <= 12 {
                assert!(entry[4 + len..].iter().all(|&byte| byte == 0));
                return Value::Bytes(entry[4..4 + len].to_vec());
            }
            let at = u32::from_le_bytes(entry[8..12].try_into().unwrap()).wrapping_sub(base) as usize;
            assert_eq!(entry[4..8], text[at..at + 4]);
            assert_eq!(entry[12..], [0; 4]);
            Value::Bytes(text[at..at + len].to_vec())
        }
        Data::List { items, .. } | Data::LargeList { items, .. } => {
            let items = read(items, of.child_start, of.child_len);
            let (from, len) = (u64_at(entries(row), 0), u64_at(entries(row), 8));
            Value::List(items[from..from + len].to_vec())
        }
        Data::FixedList { size, items } => {
            Value::List(read(items, of.child_start, of.child_len)[row * size..(row + 1) * size].to_vec())
        }
        Data::Struct(fields) => {
            Value::List(fields.iter().map(|field| read(field, of.child_start, of.child_len)[row].clone()).collect())
        }
        Data::Null | Data::Bool(_) | Data::Dictionary { .. } | Data::Repeat { .. } => unreachable!(),
    };
    (0..len).map(|row| if is_valid(row) { value(row) } else { Value::Null }).collect()
}

#[test]
fn any_rows_of_any_array_are_read_as_they_are() {
    let mut random = Random::new(5);
    let mut tried = 0;
    while tried < 400 {
        let len = random.below(200);
        let array = random_array(&mut random, len, 2);
        if !is_physical(&array) {
            continue;
        }
        tried += 1;
        let start = if random.chance(3) { random.below(len / 64 + 1) * 64 } else { random.below(len + 1) };
        let count = random.below(len - start.min(len) + 1);
        let start = start.min(len);
        assert_eq!(read(&array, start, count), rows(&array)[start..start + count]);
        assert!(Rows::of(&array, start, len - start + 1, 0, &mut Scratch::new()).is_err());
    }
}

fn is_physical(array: &Array) -> bool {
    match &array.data {
        Data::Null | Data::Bool(_) | Data::Dictionary { .. } | Data::Repeat { .. } => false,
        Data::Fixed { .. } | Data::Bytes { .. } => true,
        Data::List { items, .. } | Data::LargeList { items, .. } | Data::FixedList { items, .. } => is_physical(items),
        Data::Struct(fields) => fields.iter().all(is_physical),
    }
}

#[test]
fn a_vector_without_nulls_has_no_validity() {
    let array = fixed(1, Some(&[0xff, 0xff, 0xfe, 0xff]), &[7; 32]);
    let of = |start, len| Rows::of(&array, start, len, 0, &mut Scratch::new()).unwrap().validity;
    assert_eq!(of(0, 16), 0);
    assert_eq!(of(17, 15), 0);
    assert_ne!(of(16, 1), 0);
}

#[test]
fn a_small_dictionary_of_text_is_kept() {
    let values = || {
        let layout = Layout::Bytes { large: false, text: true };
        assemble(layout, 2, 0, &[None, Some(&le(&[0i32, 1, 3])), Some(b"abb")], vec![]).unwrap()
    };
    let dictionary = |indices: &[u8], validity: &[u8]| {
        let layout = Layout::Dictionary { index: core_wasm::types::Physical::U8 };
        assemble(layout, indices.len(), 0, &[Some(validity), Some(indices)], vec![values()]).unwrap()
    };
    let form = || std::iter::once(form(Type::Utf8));
    let kept = physical(dictionary(&[1, 0, 1], &[0b101]), &mut form()).unwrap();
    let mut scratch = Scratch::new();
    assert_eq!(selection(&kept, 1, 2, &mut scratch).unwrap(), le(&[2u32, 1]));
    assert_eq!(read(descend(&kept, [0].into_iter()).unwrap(), 0, 2), rows(&values()));
    let decoded = physical(dictionary(&[1, 0], &[0b01]), &mut form()).unwrap();
    assert_eq!(read(&decoded, 0, 2), vec![Value::Bytes(b"bb".to_vec()), Value::Null]);
    assert!(selection(&decoded, 0, 2, &mut Scratch::new()).is_err());
}

#[test]
fn few_numbers_of_many_rows_are_kept_once() {
    let micro = || std::iter::once(form(Type::Timestamp { unit: Millisecond, offset: Some(0) }));
    let repeated = |validity: &[u8], rows| {
        let values = fixed(8, Some(validity), &le(&[1_000i64, 2_999, 5_000]));
        Array::repeating(values, 2, 1, rows).unwrap()
    };
    // Rows 0, 1 1, 2 2, 0 0, 1 1, 2 2, 0 of the values.
    let kept = physical(repeated(&[0b101], 12), &mut micro()).unwrap();
    let mut scratch = Scratch::new();
    assert_eq!(selection(&kept, 0, 6, &mut scratch).unwrap(), le(&[0u32, 3, 3, 2, 2, 0]));
    let values = descend(&kept, [0].into_iter()).unwrap();
    assert_eq!(Rows::of(values, 0, 3, 0, &mut Scratch::new()).unwrap().validity, 0);
    let Data::Fixed { values, .. } = &values.data else { panic!("no numbers") };
    assert_eq!(&values.numbers::<i64>()[..3], &[1_000_000, 2_999_000, 5_000_000]);
    // Of fewer rows each has its own.
    let decoded = physical(repeated(&[0b111], 11), &mut micro()).unwrap();
    assert!(matches!(decoded.data, Data::Fixed { .. }));
    // A value that does not fit, which no row has.
    let day = || std::iter::once(form(Type::DateMillisecond));
    let values = || fixed(8, None, &le(&[86_400_000i64, i64::MAX]));
    let unused = Array::repeating(values(), 20, 0, 20).unwrap();
    assert!(matches!(physical(unused, &mut day()).unwrap().data, Data::Fixed { width: 4, .. }));
    assert!(physical(Array::repeating(values(), 20, 0, 21).unwrap(), &mut day()).is_err());
    // A dictionary of numbers, as rows that another worker has sent.
    let layout = Layout::Dictionary { index: core_wasm::types::Physical::U8 };
    let dictionary =
        assemble(layout, 8, 0, &[None, Some(&[1, 0, 0, 0, 1, 1, 0, 0])], vec![fixed(8, None, &le(&[7_000i64, 9_999]))]);
    let kept = physical(dictionary.unwrap(), &mut micro()).unwrap();
    assert_eq!(selection(&kept, 0, 3, &mut Scratch::new()).unwrap(), le(&[1u32, 0, 0]));
    let Data::Fixed { values, .. } = &descend(&kept, [0].into_iter()).unwrap().data else { panic!("no numbers") };
    assert_eq!(&values.numbers::<i64>()[..2], &[7_000_000, 9_999_000]);
}
