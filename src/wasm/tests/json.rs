//! Rows as JSON.

mod support;

use core_wasm::array::Array;
use core_wasm::assemble::Layout;
use core_wasm::error::Result;
use core_wasm::json::{Form, encode};
use core_wasm::rows::select;
use core_wasm::scratch::Scratch;
use core_wasm::types::Physical;
use support::{assemble, le};

const INT64: u32 = 5;
const UINT64: u32 = 9;
const FLOAT32: u32 = 11;
const FLOAT64: u32 = 12;
const DECIMAL128: u32 = 15;
const UTF8: u32 = 17;
const BINARY: u32 = 18;
const NESTED: u32 = 36;
const UUID: u32 = 37;

/// The bytes of a form.
fn form(code: u32, parameter: i32, open: &str, close: &str, parts: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
    let mut bytes = [code.to_le_bytes(), parameter.to_le_bytes()].concat();
    bytes.extend([text(open), text(close), (parts.len() as u32).to_le_bytes().to_vec()].concat());
    for (before, form) in parts {
        bytes.extend(text(before));
        bytes.extend(form);
    }
    bytes
}

fn flat(code: u32) -> Vec<u8> {
    form(code, 0, "", "", &[])
}

fn row(parts: &[(&str, Vec<u8>)]) -> Form {
    let bytes = form(NESTED, 0, "[", "]\n", parts);
    Form::read(&mut &bytes[..]).unwrap()
}

fn encoded(columns: &[&Array], form: &Form, most: usize) -> Result<(String, usize)> {
    let rows = columns.first().map_or(0, |column| column.len);
    let mut selection = select(None, rows, 0, rows)?;
    let mut out = Scratch::new();
    encode(columns, form, &mut selection, most, &mut out)?;
    Ok((String::from_utf8(out.written().to_vec()).unwrap(), selection.next))
}

fn lines(column: &Array, code: u32) -> String {
    encoded(&[column], &row(&[("", flat(code))]), usize::MAX).unwrap().0
}

fn fixed(width: usize, validity: Option<&[u8]>, bytes: &[u8]) -> Array {
    assemble(Layout::Fixed { width }, bytes.len() / width, 0, &[validity, Some(bytes)], vec![]).unwrap()
}

fn bytes(values: &[&[u8]], text: bool) -> Array {
    let mut offsets = vec![0i32];
    values.iter().for_each(|value| offsets.push(offsets[offsets.len() - 1] + value.len() as i32));
    let layout = Layout::Bytes { large: false, text };
    assemble(layout, values.len(), 0, &[None, Some(&le(&offsets)), Some(&values.concat())], vec![]).unwrap()
}

#[test]
fn what_a_double_does_not_hold_is_text() {
    let exact = 1i64 << 53;
    let signed = fixed(8, None, &le(&[exact, exact + 1, -exact, -exact - 1, i64::MIN]));
    assert_eq!(
        lines(&signed, INT64),
        "[9007199254740992]\n[\"9007199254740993\"]\n[-9007199254740992]\n[\"-9007199254740993\"]\n\
         [\"-9223372036854775808\"]\n",
    );
    let unsigned = fixed(8, None, &le(&[exact as u64, u64::MAX]));
    assert_eq!(lines(&unsigned, UINT64), "[9007199254740992]\n[\"18446744073709551615\"]\n");
    let decimal = fixed(16, Some(&[0b01]), &le(&[12i128, 0]));
    let form = row(&[("", form(DECIMAL128, 1, "", "", &[]))]);
    assert_eq!(encoded(&[&decimal], &form, usize::MAX).unwrap().0, "[\"1.2\"]\n[null]\n");
}

#[test]
fn what_is_no_number_is_null() {
    let doubles = fixed(8, None, &le(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300]));
    assert_eq!(lines(&doubles, FLOAT64), "[null]\n[null]\n[null]\n[-0.0]\n[1e300]\n");
    assert_eq!(lines(&fixed(4, None, &le(&[f32::NAN, 0.1])), FLOAT32), "[null]\n[0.1]\n");
}

#[test]
fn text_is_escaped() {
    let texts: [&[u8]; 4] = [b"a\"b\\c", "\u{0}\n\r\t\u{1f}\u{7f}".as_bytes(), "é\u{2028}🌊".as_bytes(), b""];
    assert_eq!(
        lines(&bytes(&texts, true), UTF8),
        "[\"a\\\"b\\\\c\"]\n[\"\\u0000\\n\\r\\t\\u001f\u{7f}\"]\n[\"é\u{2028}🌊\"]\n[\"\"]\n",
    );
}

/// A surrogate, a sequence that is cut short, a byte that begins none.
#[test]
fn what_is_not_utf8_leaves_as_replacement_characters() {
    let texts: [&[u8]; 3] = [b"a\xed\xa0\x80", b"\"\xc3", b"\xffz"];
    let replaced = "[\"a\u{fffd}\u{fffd}\u{fffd}\"]\n[\"\\\"\u{fffd}\"]\n[\"\u{fffd}z\"]\n";
    assert_eq!(lines(&bytes(&texts, false), UTF8), replaced);
}

#[test]
fn bytes_are_base64_but_those_of_a_uuid() {
    assert_eq!(lines(&bytes(&[b"", b"fooba"], false), BINARY), "[\"\"]\n[\"Zm9vYmE=\"]\n");
    assert_eq!(lines(&fixed(3, None, &[0, 0xab, 0x1f]), BINARY), "[\"AKsf\"]\n");
    let uuid = fixed(16, None, &(0..16).collect::<Vec<u8>>());
    assert_eq!(lines(&uuid, UUID), "[\"00010203-0405-0607-0809-0a0b0c0d0e0f\"]\n");
}

#[test]
fn nested_values_are_arrays_and_objects() {
    let numbers = fixed(8, None, &le(&[1i64, 2, 3]));
    let names = bytes(&[b"a", b"b", b"c"], true);
    let pairs = assemble(Layout::Struct, 3, 0, &[Some(&[0b101])], vec![numbers, names]).unwrap();
    let offsets = le(&[0i32, 2, 2, 3]);
    let list = assemble(Layout::List { large: false }, 3, 0, &[Some(&[0b101]), Some(&offsets)], vec![pairs]).unwrap();
    let pair = form(NESTED, 0, "{", "}", &[("\"n\":", flat(INT64)), (",\"s\":", flat(UTF8))]);
    let form = row(&[("", form(NESTED, 0, "[", "]", &[(",", pair)]))]);
    let expected = "[[{\"n\":1,\"s\":\"a\"},null]]\n[null]\n[[{\"n\":3,\"s\":\"c\"}]]\n";
    assert_eq!(encoded(&[&list], &form, usize::MAX).unwrap().0, expected);
}

#[test]
fn a_dictionary_is_written_as_its_values() {
    let layout = Layout::Dictionary { index: Physical::I8 };
    let values = bytes(&[b"x", b"y"], true);
    let column = assemble(layout, 3, 0, &[Some(&[0b011]), Some(&[1, 0, 0])], vec![values]).unwrap();
    assert_eq!(lines(&column, UTF8), "[\"y\"]\n[\"x\"]\n[null]\n");
}

#[test]
fn bytes_are_bounded_but_the_first_row_goes() {
    let column = bytes(&[b"aaaa", b"bbbb", b"cccc"], true);
    let form = row(&[("", flat(UTF8))]);
    assert_eq!(encoded(&[&column], &form, 3).unwrap(), ("[\"aaaa\"]\n".into(), 1));
    assert_eq!(encoded(&[&column], &form, 18).unwrap().1, 2);
}

#[test]
fn a_form_of_another_type_is_refused() {
    let numbers = fixed(8, None, &le(&[1i64]));
    let list = assemble(Layout::FixedList { size: 1 }, 1, 0, &[None], vec![fixed(8, None, &le(&[1i64]))]).unwrap();
    let item = form(NESTED, 0, "[", "]", &[(",", flat(UTF8))]);
    for (column, form) in [
        (&numbers, flat(UTF8)),
        (&numbers, flat(NESTED)),
        (&numbers, form(NESTED, 0, "[", "]", &[(",", flat(INT64))])),
        (&list, flat(NESTED)),
        (&list, flat(INT64)),
        (&list, item),
    ] {
        assert!(encoded(&[column], &row(&[("", form)]), 100).is_err());
    }
    assert!(encoded(&[&numbers, &numbers], &row(&[("", flat(INT64))]), 100).is_err());
}

#[test]
fn a_form_that_is_cut_short_is_refused() {
    let whole = form(NESTED, 0, "[", "]", &[("", flat(INT64)), (",", form(NESTED, 0, "[", "]", &[(",", flat(UTF8))]))]);
    assert!(Form::read(&mut &whole[..]).is_ok());
    for end in 0..whole.len() {
        assert!(Form::read(&mut &whole[..end]).is_err(), "{end}");
    }
    let deep = (0..100).fold(flat(INT64), |inner, _| form(NESTED, 0, "[", "]", &[(",", inner)]));
    assert!(Form::read(&mut &deep[..]).is_err());
}
