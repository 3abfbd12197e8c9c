//! Lines of CSV (docs/guides/output-formats.md): a null is empty, a field is quoted only where it must be.

use crate::array::{Array, Data, Offset};
use crate::error::{Error, Result};
use crate::rows::Selection;
use crate::scratch::Scratch;
use crate::text;
use crate::types::{Physical, Type};

/// A column and what its values mean.
pub struct Column<'a> {
    pub array: &'a Array,
    pub ty: Type,
}

/// Writes the selected rows and stops before the bytes pass `max_bytes`, but not before the first row. The selection is
/// shortened to the rows written.
pub fn encode(columns: &[Column], selection: &mut Selection, max_bytes: usize, out: &mut Scratch) -> Result<()> {
    for column in columns {
        check(column.array, column.ty)?;
    }
    let mut rows = 0;
    for run in &selection.runs {
        for row in run.start..run.end() {
            let start = out.len();
            line(columns, row, out)?;
            if out.len() > max_bytes && rows > 0 {
                out.truncate(start);
                selection.rows = rows;
                selection.next = row;
                return Ok(());
            }
            rows += 1;
        }
    }
    Ok(())
}

/// The layout is the type's, so that `value` finds what it expects.
fn check(array: &Array, ty: Type) -> Result<()> {
    let fits = match (&array.data, ty) {
        (Data::Dictionary { values, .. }, ty) => return check(values, ty),
        (_, Type::Nested) => return Err(Error::Unsupported("nested columns cannot be written as CSV")),
        (Data::Null, _) | (Data::Bool(_), Type::Bool) | (Data::Bytes { .. }, Type::Utf8 | Type::Binary) => true,
        (Data::Fixed { .. }, Type::Binary) | (Data::Fixed { width: 16, .. }, Type::Uuid) => true,
        (Data::Fixed { width, .. }, ty) => match ty {
            Type::IntervalYearMonth => *width == 4,
            Type::IntervalDayTime => *width == 8,
            Type::IntervalMonthDayNano => *width == 16,
            _ => ty.physical().is_some_and(|physical| physical.width() == *width),
        },
        _ => false,
    };
    if fits { Ok(()) } else { Err(Error::Misuse("a column is encoded as another type")) }
}

fn line(columns: &[Column], row: usize, out: &mut Scratch) -> Result<()> {
    let start = out.len();
    for (i, column) in columns.iter().enumerate() {
        if i > 0 {
            out.extend(b",")?;
        }
        if column.array.is_valid(row) {
            value(column.array, column.ty, row, out)?;
        }
    }
    // A line of one empty field would be no line at all.
    if columns.len() == 1 && out.len() == start {
        out.extend(b"\"\"")?;
    }
    out.extend(b"\n")
}

fn value(array: &Array, ty: Type, row: usize, out: &mut Scratch) -> Result<()> {
    match &array.data {
        Data::Dictionary { indices, values } => value(values, ty, indices.numbers::<u32>()[row] as usize, out),
        Data::Bool(bits) => out.extend(if bits.get(row) { b"true" } else { b"false" }),
        Data::Bytes { offsets, values } => {
            let offsets: &[i32] = offsets.numbers();
            let bytes = &values.bytes()[offsets[row].position()..offsets[row + 1].position()];
            if ty == Type::Utf8 { quoted(bytes, out) } else { text::hex(bytes, out) }
        }
        Data::Fixed { width, values } if ty == Type::Binary => {
            text::hex(&values.bytes()[row * width..(row + 1) * width], out)
        }
        Data::Fixed { values, .. } => match ty {
            Type::Uuid => text::uuid(&values.bytes()[row * 16..(row + 1) * 16], out),
            Type::IntervalYearMonth => text::interval_months(values.numbers::<i32>()[row], out),
            Type::IntervalDayTime => {
                let parts: &[i32] = values.numbers();
                text::interval(0, parts[2 * row], i64::from(parts[2 * row + 1]) * 1_000_000, out)
            }
            Type::IntervalMonthDayNano => {
                let parts: &[i32] = values.numbers();
                let nanoseconds = values.numbers::<i64>()[2 * row + 1];
                text::interval(parts[4 * row], parts[4 * row + 1], nanoseconds, out)
            }
            ty => match ty.physical() {
                Some(Physical::I8) => number(ty, values.numbers::<i8>()[row].into(), out),
                Some(Physical::I16) => number(ty, values.numbers::<i16>()[row].into(), out),
                Some(Physical::I32) => number(ty, values.numbers::<i32>()[row].into(), out),
                Some(Physical::I64) => number(ty, values.numbers::<i64>()[row], out),
                Some(Physical::U8) => text::unsigned(values.numbers::<u8>()[row].into(), out),
                Some(Physical::U16) => text::unsigned(values.numbers::<u16>()[row].into(), out),
                Some(Physical::U32) => text::unsigned(values.numbers::<u32>()[row].into(), out),
                Some(Physical::U64) => text::unsigned(values.numbers::<u64>()[row], out),
                Some(Physical::I128) => text::decimal(values.numbers::<i128>()[row].into(), scale(ty), out),
                Some(Physical::I256) => text::decimal(values.numbers()[row], scale(ty), out),
                Some(Physical::F16) => text::float32(crate::half::to_f32(values.numbers::<u16>()[row]), out),
                Some(Physical::F32) => text::float32(values.numbers::<f32>()[row], out),
                Some(Physical::F64) => text::float64(values.numbers::<f64>()[row], out),
                None => Ok(()),
            },
        },
        _ => Ok(()),
    }
}

fn number(ty: Type, value: i64, out: &mut Scratch) -> Result<()> {
    match ty {
        Type::Decimal { scale, .. } => text::decimal(i128::from(value).into(), scale, out),
        Type::DateDay => text::date(value, out),
        Type::DateMillisecond => text::date_or_timestamp(value, out),
        Type::Time(unit) => text::time(value, unit, out),
        Type::Timestamp { unit, offset } => text::timestamp(value, unit, offset, out),
        Type::Duration(unit) => text::duration(value, unit, out),
        _ => text::signed(value, out),
    }
}

fn scale(ty: Type) -> i32 {
    if let Type::Decimal { scale, .. } = ty { scale } else { 0 }
}

/// Quoted where it holds a delimiter, a quote or a line end; quotes are doubled.
fn quoted(text: &[u8], out: &mut Scratch) -> Result<()> {
    if !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return out.extend(text);
    }
    out.extend(b"\"")?;
    for (i, part) in text.split(|byte| *byte == b'"').enumerate() {
        if i > 0 {
            out.extend(b"\"\"")?;
        }
        out.extend(part)?;
    }
    out.extend(b"\"")
}
