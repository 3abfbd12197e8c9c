//! Foreign arrays: the encodings that are normalised, and the faults that are found.

mod support;

use core_wasm::assemble::Layout;
use core_wasm::error::Error;
use core_wasm::types::{Physical, TimeUnit};
use support::{Random, Value, assemble, le, pack, random_array, rows};

const TEXT: Layout = Layout::Bytes { large: false, text: true };

fn texts(values: &[Option<&str>]) -> Vec<Value> {
    values.iter().map(|value| value.map_or(Value::Null, |text| Value::Bytes(text.as_bytes().to_vec()))).collect()
}

fn fault(outcome: core_wasm::error::Result<core_wasm::array::Array>) -> Error {
    match outcome {
        Ok(_) => panic!("taken for valid"),
        Err(error) => error,
    }
}

#[test]
fn bits_begin_anywhere_in_a_byte() {
    let mut random = Random::new(1);
    for _ in 0..500 {
        let (len, bit) = (random.below(300), random.below(8));
        let (validity, values) = (random.bits(len + bit), random.bits(len + bit));
        let array = assemble(Layout::Bool, len, bit, &[Some(&pack(&validity)), Some(&pack(&values))], vec![]).unwrap();
        let expected: Vec<Value> =
            (bit..len + bit).map(|row| if validity[row] { Value::Bool(values[row]) } else { Value::Null }).collect();
        assert_eq!(rows(&array), expected);
    }
}

#[test]
fn int96_becomes_timestamps_where_rows_and_their_parents_are_known() {
    let layout = Layout::Int96 { unit: TimeUnit::Nanosecond };
    let day = |julian: i32| [[0; 8].as_slice(), julian.to_le_bytes().as_slice()].concat();
    // 1970-01-01, day 0, 1970-01-02.
    let values = [day(2_440_588), day(0), day(2_440_589)].concat();
    let second = pack(&[true, false, true]);
    let times = |validity: Option<&[u8]>, parents: &[Option<&[u8]>]| {
        assemble(layout, 3, 0, &[&[validity, Some(&values)], parents].concat(), vec![])
    };
    let fixed = |value: i64| Value::Bytes(value.to_le_bytes().to_vec());
    let array = times(Some(&second), &[]).unwrap();
    assert_eq!(rows(&array), [fixed(0), Value::Null, fixed(86_400_000_000_000)]);
    let array = times(None, &[Some(&second)]).unwrap();
    assert_eq!(rows(&array)[2], fixed(86_400_000_000_000));
    for (validity, parents) in
        [(None, pack(&[true; 3])), (Some(pack(&[true, true, false])), pack(&[false, true, true]))]
    {
        let outcome = times(validity.as_deref(), &[Some(&parents)]);
        assert!(matches!(fault(outcome), Error::Invalid { what, .. } if what.contains("INT96")));
    }
    let short = assemble(layout, 4, 0, &[None, Some(&values)], vec![]);
    assert!(matches!(fault(short), Error::Invalid { .. }));
}

#[test]
fn large_text_and_views_become_text() {
    let long = "longer than twelve bytes";
    let expected = texts(&[Some("wört"), None, Some(""), Some(long), Some("exactly 12 b")]);
    let validity = pack(&[true, false, true, true, true]);

    let bytes = ["wört", "", "", long, "exactly 12 b"].concat();
    let offsets = le(&[7i64, 12, 12, 12, 36, 48]);
    let layout = Layout::Bytes { large: true, text: true };
    let large = assemble(layout, 5, 0, &[Some(&validity), Some(&offsets), Some(bytes.as_bytes())], vec![]);
    assert_eq!(rows(&large.unwrap()), expected);

    let inline = |text: &str| {
        let mut view = [0u8; 16];
        view[..4].copy_from_slice(&(text.len() as i32).to_le_bytes());
        view[4..4 + text.len()].copy_from_slice(text.as_bytes());
        view
    };
    let outside = |length: i32, buffer: i32, offset: i32| {
        let words = [length, i32::from_le_bytes(*b"long"), buffer, offset];
        le(&words).try_into().unwrap()
    };
    // The null row's view points nowhere.
    let null = outside(1000, 99, 99);
    let good = [inline("wört"), null, inline(""), outside(24, 1, 2), inline("exactly 12 b")].concat();
    let data = format!("..{long}");
    let views = |views: &[u8]| {
        let buffers = [Some(&validity[..]), Some(views), Some(b"unused"), Some(data.as_bytes())];
        assemble(Layout::View { text: true }, 5, 0, &buffers, vec![])
    };
    assert_eq!(rows(&views(&good).unwrap()), expected);
    for view in [outside(24, 2, 2), outside(24, 1, 3), outside(24, -1, 2), outside(24, 1, -1), outside(-1, 0, 0)] {
        let bad = [inline("wört"), null, inline(""), view, inline("")].concat();
        assert!(matches!(fault(views(&bad)), Error::Invalid { at: Some(3), .. }));
    }
}

#[test]
fn dictionaries_name_their_values() {
    let values = || {
        let offsets = le(&[0i32, 1, 3, 3]);
        let validity = pack(&[true, true, false]);
        assemble(TEXT, 3, 0, &[Some(&validity), Some(&offsets), Some(b"abb")], vec![]).unwrap()
    };
    let layout = |index| Layout::Dictionary { index };
    let validity = pack(&[true, true, true, false]);
    let expected = texts(&[Some("bb"), Some("a"), None, None]);
    for (index, indices) in [
        (Physical::I8, le(&[1i8, 0, 2, -7])),
        (Physical::I16, le(&[1i16, 0, 2, -7])),
        (Physical::I32, le(&[1i32, 0, 2, -7])),
        (Physical::I64, le(&[1i64, 0, 2, i64::MIN])),
        (Physical::U8, le(&[1u8, 0, 2, 255])),
        (Physical::U16, le(&[1u16, 0, 2, 255])),
        (Physical::U32, le(&[1u32, 0, 2, u32::MAX])),
        (Physical::U64, le(&[1u64, 0, 2, u64::MAX])),
    ] {
        let array = assemble(layout(index), 4, 0, &[Some(&validity), Some(&indices)], vec![values()]);
        assert_eq!(rows(&array.unwrap()), expected);
        let error = fault(assemble(layout(index), 4, 0, &[None, Some(&indices)], vec![values()]));
        assert_eq!(error, Error::invalid_at("a dictionary index out of range", 3));
    }
    let none = || assemble(TEXT, 0, 0, &[None, Some(&[]), Some(&[])], vec![]).unwrap();
    let nulls = assemble(layout(Physical::I8), 2, 0, &[Some(&[0]), Some(&[5, 6])], vec![none()]);
    assert_eq!(rows(&nulls.unwrap()), texts(&[None, None]));
    assert!(assemble(layout(Physical::I8), 2, 0, &[Some(&[1]), Some(&[0, 0])], vec![none()]).is_err());
}

#[test]
fn a_nested_dictionary_keeps_its_rows() {
    let mut random = Random::new(5);
    for _ in 0..300 {
        let count = random.below(20) + 1;
        let values = random_array(&mut random, count, 2);
        let all = rows(&values);
        let indices: Vec<u16> = (0..50).map(|_| random.below(count) as u16).collect();
        let expected: Vec<Value> = indices.iter().map(|&index| all[index as usize].clone()).collect();
        let layout = Layout::Dictionary { index: Physical::U16 };
        assert_eq!(rows(&assemble(layout, 50, 0, &[None, Some(&le(&indices))], vec![values]).unwrap()), expected);
    }
}

#[test]
fn faults_are_found() {
    let text =
        |offsets: &[i32], bytes: &[u8]| fault(assemble(TEXT, 2, 0, &[None, Some(&le(offsets)), Some(bytes)], vec![]));
    assert_eq!(text(&[0, 1], b"ab"), Error::invalid("fewer offsets than rows"));
    assert_eq!(text(&[0, 3, 2], b"abc"), Error::invalid_at("a decreasing offset", 1));
    assert_eq!(text(&[-1, 0, 1], b"abc"), Error::invalid_at("a negative offset", 0));
    assert_eq!(text(&[0, 1, 4], b"abc"), Error::invalid("an offset lies past the end of the values"));
    assert_eq!(text(&[0, 1, 2], b"a\xff"), Error::invalid_at("text that is not UTF-8", 1));
    assert_eq!(text(&[0, 1, 2], "ü".as_bytes()), Error::invalid_at("text that is not UTF-8", 1));

    let fixed = |len, bytes: &[u8]| assemble(Layout::Fixed { width: 4 }, len, 0, &[None, Some(bytes)], vec![]);
    assert_eq!(fault(fixed(2, &[0; 7])), Error::invalid("fewer values than rows"));
    assert_eq!(fault(fixed(2_000_000_000, &[0; 7])), Error::invalid("fewer values than rows"));
    assert!(fault(fixed(usize::MAX, &[])).to_string().contains("rows"));
    let short = assemble(Layout::Bool, 9, 0, &[None, Some(&[0])], vec![]);
    assert_eq!(fault(short), Error::invalid("a bitmap is shorter than the rows"));
    let short = assemble(Layout::Bool, 2, 7, &[None, Some(&[0])], vec![]);
    assert_eq!(fault(short), Error::invalid("a bitmap is shorter than the rows"));
    assert!(assemble(Layout::Fixed { width: 4 }, 1, 0, &[None], vec![]).is_err());

    let list = |offsets: &[i32], items| {
        assemble(
            Layout::List { large: false },
            2,
            0,
            &[None, Some(&le(offsets))],
            vec![fixed(items, &[0; 40]).unwrap()],
        )
    };
    assert!(list(&[5, 6, 8], 3).is_ok());
    assert_eq!(fault(list(&[0, 1, 4], 3)), Error::invalid("an offset lies past the end of the list items"));
    let wide = le(&[0, 1, i64::MAX]);
    let list = assemble(Layout::List { large: true }, 2, 0, &[None, Some(&wide)], vec![fixed(1, &[0; 4]).unwrap()]);
    assert!(list.is_err());
    let fields = vec![fixed(1, &[0; 4]).unwrap(), fixed(2, &[0; 8]).unwrap()];
    assert!(assemble(Layout::Struct, 2, 0, &[None], fields).is_err());
    let items = vec![fixed(3, &[0; 12]).unwrap()];
    assert!(assemble(Layout::FixedList { size: 2 }, 2, 0, &[None], items).is_err());
}

#[test]
fn nesting_is_bounded() {
    let mut array = assemble(Layout::Null, 0, 0, &[], vec![]).unwrap();
    for _ in 1..64 {
        array = assemble(Layout::FixedList { size: 1 }, 0, 0, &[None], vec![array]).unwrap();
    }
    assert!(assemble(Layout::FixedList { size: 1 }, 0, 0, &[None], vec![array]).is_err());
}

#[test]
fn garbage_is_an_error_or_rows() {
    let mut random = Random::new(9);
    for _ in 0..20_000 {
        let (code, parameter) = (random.below(14) as u32, random.below(8));
        let layout = Layout::from_code(code, parameter).unwrap();
        let len = random.below(6);
        let buffers: Vec<Vec<u8>> = (0..random.below(5))
            .map(|_| {
                let count = random.below(80);
                // Mostly small numbers, so that some are taken for valid.
                random.bytes(count).iter().map(|byte| if byte % 4 == 0 { byte >> 4 } else { 0 }).collect()
            })
            .collect();
        let buffers: Vec<Option<&[u8]>> = buffers.iter().map(|bytes| Some(&bytes[..])).collect();
        let children = (0..random.below(3)).map(|_| {
            let rows = random.below(6);
            random_array(&mut random, rows, 1)
        });
        let children = children.collect();
        if let Ok(array) = assemble(layout, len, random.below(8), &buffers, children) {
            assert_eq!(rows(&array).len(), len);
            let all = [core_wasm::run::Run { start: 0, len }];
            assert_eq!(rows(&array.take(&all).unwrap()), rows(&array));
        }
    }
}
