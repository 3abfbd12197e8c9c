//! Lines of CSV.

mod support;

use core_wasm::array::Array;
use core_wasm::assemble::Layout;
use core_wasm::csv::{Column, encode};
use core_wasm::rows::select;
use core_wasm::scratch::Scratch;
use core_wasm::types::{Physical, TimeUnit, Type};
use support::{assemble, le, pack};

fn text(values: &[Option<&str>]) -> Array {
    let mut offsets = vec![0i32];
    for value in values {
        offsets.push(offsets[offsets.len() - 1] + value.unwrap_or("").len() as i32);
    }
    let bytes: String = values.iter().flatten().copied().collect();
    let validity = pack(&values.iter().map(Option::is_some).collect::<Vec<_>>());
    let layout = Layout::Bytes { large: false, text: true };
    assemble(layout, values.len(), 0, &[Some(&validity), Some(&le(&offsets)), Some(bytes.as_bytes())], vec![]).unwrap()
}

fn fixed(width: usize, bytes: &[u8]) -> Array {
    assemble(Layout::Fixed { width }, bytes.len() / width, 0, &[None, Some(bytes)], vec![]).unwrap()
}

fn lines(columns: &[(&Array, Type)]) -> String {
    let columns: Vec<Column> = columns.iter().map(|&(array, ty)| Column { array, ty }).collect();
    let rows = columns.first().map_or(0, |column| column.array.len);
    let mut selection = select(None, rows, 0, rows).unwrap();
    let mut out = Scratch::new();
    encode(&columns, &mut selection, usize::MAX, &mut out).unwrap();
    assert_eq!((selection.rows, selection.next), (rows, rows));
    String::from_utf8(out.written().to_vec()).unwrap()
}

#[test]
fn only_what_must_be_is_quoted() {
    let column =
        text(&[Some("plain"), Some("a,b"), Some("say \"x\""), Some("two\nlines"), Some("cr\r"), Some(" s "), None]);
    let other = text(&[Some(""), None, Some("x"), Some("x"), Some("x"), Some("'"), None]);
    assert_eq!(
        lines(&[(&column, Type::Utf8), (&other, Type::Utf8)]),
        "plain,\n\"a,b\",\n\"say \"\"x\"\"\",x\n\"two\nlines\",x\n\"cr\r\",x\n s ,'\n,\n",
    );
}

#[test]
fn a_dictionary_is_written_as_its_values() {
    let values = text(&[Some("a,b"), None, Some("c")]);
    let layout = Layout::Dictionary { index: Physical::I8 };
    let column = assemble(layout, 4, 0, &[Some(&[0b1011]), Some(&[2, 0, 0, 1])], vec![values]).unwrap();
    assert_eq!(lines(&[(&column, Type::Utf8), (&column, Type::Utf8)]), "c,c\n\"a,b\",\"a,b\"\n,\n,\n");
    let mut selection = select(None, 4, 0, 4).unwrap();
    assert!(encode(&[Column { array: &column, ty: Type::Bool }], &mut selection, 100, &mut Scratch::new()).is_err());
}

#[test]
fn a_line_is_never_empty() {
    assert_eq!(lines(&[(&text(&[Some(""), None, Some("x")]), Type::Utf8)]), "\"\"\n\"\"\nx\n");
}

#[test]
fn every_flat_type_has_a_text() {
    let interval = [le(&[1i32, 2]), le(&[3_000_000_000i64])].concat();
    let columns = [
        (assemble(Layout::Bool, 1, 0, &[None, Some(&[1])], vec![]).unwrap(), Type::Bool),
        (fixed(1, &[0xff]), Type::Int { bits: 8, signed: true }),
        (fixed(8, &[0xff; 8]), Type::Int { bits: 64, signed: false }),
        (fixed(2, &[0, 0x3c]), Type::Float { bits: 16 }),
        (fixed(4, &le(&[0.1f32])), Type::Float { bits: 32 }),
        (fixed(8, &le(&[1e16f64])), Type::Float { bits: 64 }),
        (fixed(4, &le(&[-5i32])), Type::Decimal { bits: 32, scale: 2 }),
        (fixed(16, &le(&[12345i128])), Type::Decimal { bits: 128, scale: 1 }),
        (fixed(32, &[0xff; 32]), Type::Decimal { bits: 256, scale: 0 }),
        (fixed(3, &[0, 0xab, 0x1f]), Type::Binary),
        (fixed(4, &le(&[1i32])), Type::DateDay),
        (fixed(8, &le(&[86_400_000i64])), Type::DateMillisecond),
        (fixed(4, &le(&[1i32])), Type::Time(TimeUnit::Second)),
        (fixed(8, &le(&[1i64])), Type::Timestamp { unit: TimeUnit::Millisecond, offset: Some(0) }),
        (fixed(8, &le(&[1i64])), Type::Duration(TimeUnit::Second)),
        (fixed(4, &le(&[13i32])), Type::IntervalYearMonth),
        (fixed(8, &le(&[1i32, 500])), Type::IntervalDayTime),
        (fixed(16, &interval), Type::IntervalMonthDayNano),
        (assemble(Layout::Null, 1, 0, &[], vec![]).unwrap(), Type::Null),
    ];
    let columns: Vec<(&Array, Type)> = columns.iter().map(|(array, ty)| (array, *ty)).collect();
    assert_eq!(
        lines(&columns),
        "true,-1,18446744073709551615,1.0,0.1,1e16,-0.05,1234.5,-1,00ab1f,1970-01-02,1970-01-02,00:00:01,\
         1970-01-01T00:00:00.001Z,PT1S,P1Y1M,P1DT0.500S,P1M2DT3S,\n",
    );
}

#[test]
fn bytes_are_bounded_but_the_first_row_goes() {
    let column = text(&[Some("aaaa"), Some("bbbb"), Some("cccc")]);
    let columns = [Column { array: &column, ty: Type::Utf8 }];
    let mut seen = String::new();
    let mut from = 0;
    for (most, rows) in [(3, 1), (10, 2)] {
        let mut selection = select(None, 3, from, 3).unwrap();
        let mut out = Scratch::new();
        encode(&columns, &mut selection, most, &mut out).unwrap();
        assert_eq!(selection.rows, rows);
        seen += std::str::from_utf8(out.written()).unwrap();
        from = selection.next;
    }
    assert_eq!((seen.as_str(), from), ("aaaa\nbbbb\ncccc\n", 3));
}

#[test]
fn what_has_no_text_is_an_error() {
    let nested = assemble(Layout::Struct, 0, 0, &[None], vec![]).unwrap();
    let wrong = fixed(4, &[0; 4]);
    for (array, ty) in [(&nested, Type::Nested), (&wrong, Type::Float { bits: 64 }), (&wrong, Type::Utf8)] {
        let mut selection = select(None, array.len, 0, 1).unwrap();
        assert!(encode(&[Column { array, ty }], &mut selection, 100, &mut Scratch::new()).is_err());
    }
}
