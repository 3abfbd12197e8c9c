//! Rows as JSON (RFC 8259; docs/guides/output-formats.md). What a double cannot hold is text: integers beyond 2^53 and decimals.
//! NaN and infinity are null, times are ISO 8601, and bytes are base64.

use crate::array::{Array, Data, MAX_DEPTH, Offset};
use crate::buffer::Buffer;
use crate::cycle::Cycle;
use crate::error::{Error, Result};
use crate::half;
use crate::rows::Selection;
use crate::scratch::Scratch;
use crate::text;
use crate::types::Type;
use crate::vectors::copied;

/// How values are written: what they mean, and for nested ones the text around their parts.
pub struct Form {
    ty: Type,
    /// The text before the first part, and behind the last.
    open: Vec<u8>,
    close: Vec<u8>,
    /// The fields of a struct. Of a list there is one, for its items, and its text goes before each but the first.
    parts: Vec<Part>,
}

struct Part {
    before: Vec<u8>,
    form: Form,
}

/// Writes the selected rows as the form says, whose parts are those of the columns. Stops as [`text::rows`] does.
pub fn encode(
    columns: &[&Array],
    form: &Form,
    selection: &mut Selection,
    max_bytes: usize,
    out: &mut Scratch,
) -> Result<()> {
    check_fields(columns.iter().copied(), form)?;
    text::rows(selection, max_bytes, out, |row, out| fields(columns.iter().copied(), form, row, out))
}

impl Form {
    /// From the loader's bytes (`json-form.ts`): the type's two numbers, the texts `open` and `close`, and the number of parts,
    /// each a text and a form. A text is its length and its bytes, and all numbers have 32 bits, little endian.
    pub fn read(bytes: &mut &[u8]) -> Result<Self> {
        Self::read_at(bytes, 0)
    }

    fn read_at(bytes: &mut &[u8], depth: usize) -> Result<Self> {
        if depth > MAX_DEPTH {
            return Err(BAD_FORM);
        }
        let code = read_number(bytes)?;
        let ty = Type::from_code(code, read_number(bytes)?.cast_signed())?;
        let (open, close) = (read_text(bytes)?, read_text(bytes)?);
        let count = read_number(bytes)? as usize;
        let mut parts = Vec::new();
        for _ in 0..count {
            parts.try_reserve(1)?;
            let before = read_text(bytes)?;
            parts.push(Part { before, form: Self::read_at(bytes, depth + 1)? });
        }
        Ok(Form { ty, open, close, parts })
    }
}

const BAD_FORM: Error = Error::Misuse("the form of JSON is not well formed");

/// The next 32 bits, little endian.
pub fn read_number(bytes: &mut &[u8]) -> Result<u32> {
    let (number, rest) = bytes.split_first_chunk::<4>().ok_or(BAD_FORM)?;
    *bytes = rest;
    Ok(u32::from_le_bytes(*number))
}

fn read_text(bytes: &mut &[u8]) -> Result<Vec<u8>> {
    let length = read_number(bytes)? as usize;
    let (text, rest) = bytes.split_at_checked(length).ok_or(BAD_FORM)?;
    *bytes = rest;
    copied(text)
}

/// The layout is the form's, so that `value` finds what it expects.
fn check(array: &Array, form: &Form) -> Result<()> {
    match &array.data {
        Data::List { items, .. } | Data::LargeList { items, .. } | Data::FixedList { items, .. } => {
            match form.parts.as_slice() {
                [item] => check(items, &item.form),
                _ => Err(ANOTHER_TYPE),
            }
        }
        Data::Struct(fields) => check_fields(fields.iter(), form),
        _ => text::check(array, form.ty),
    }
}

fn check_fields<'a>(arrays: impl ExactSizeIterator<Item = &'a Array>, form: &Form) -> Result<()> {
    if arrays.len() != form.parts.len() {
        return Err(ANOTHER_TYPE);
    }
    arrays.zip(&form.parts).try_for_each(|(array, part)| check(array, &part.form))
}

const ANOTHER_TYPE: Error = Error::Misuse("a column is encoded as another type");

fn fields<'a>(arrays: impl Iterator<Item = &'a Array>, form: &Form, row: usize, out: &mut Scratch) -> Result<()> {
    out.extend(&form.open)?;
    for (array, part) in arrays.zip(&form.parts) {
        out.extend(&part.before)?;
        value(array, &part.form, row, out)?;
    }
    out.extend(&form.close)
}

fn value(array: &Array, form: &Form, row: usize, out: &mut Scratch) -> Result<()> {
    if !array.is_valid(row) {
        return out.extend(b"null");
    }
    match &array.data {
        Data::Null => out.extend(b"null"),
        Data::Dictionary { indices, values } => value(values, form, indices.numbers::<u32>()[row] as usize, out),
        Data::Repeat { values, each, start, .. } => {
            value(values, form, Cycle { each: *each, start: *start, count: values.len }.place(row), out)
        }
        Data::Bool(bits) => text::boolean(bits.get(row), out),
        Data::Bytes { offsets, values } => {
            let offsets: &[i32] = offsets.numbers();
            let bytes = &values.bytes()[offsets[row].position()..offsets[row + 1].position()];
            if form.ty == Type::Utf8 { string(bytes, out) } else { binary(bytes, out) }
        }
        Data::Fixed { width, values } if form.ty == Type::Binary => {
            binary(&values.bytes()[row * width..(row + 1) * width], out)
        }
        Data::Fixed { values, .. } => fixed(values, form.ty, row, out),
        Data::List { offsets, items } => {
            let offsets: &[i32] = offsets.numbers();
            list(items, form, offsets[row].position()..offsets[row + 1].position(), out)
        }
        Data::LargeList { offsets, items } => {
            let offsets: &[i64] = offsets.numbers();
            list(items, form, offsets[row].position()..offsets[row + 1].position(), out)
        }
        Data::FixedList { size, items } => list(items, form, row * size..(row + 1) * size, out),
        Data::Struct(arrays) => fields(arrays.iter(), form, row, out),
    }
}

fn list(items: &Array, form: &Form, rows: std::ops::Range<usize>, out: &mut Scratch) -> Result<()> {
    out.extend(&form.open)?;
    let first = rows.start;
    for part in &form.parts {
        for row in rows.clone() {
            if row > first {
                out.extend(&part.before)?;
            }
            value(items, &part.form, row, out)?;
        }
    }
    out.extend(&form.close)
}

fn fixed(values: &Buffer, ty: Type, row: usize, out: &mut Scratch) -> Result<()> {
    let is_number = match ty {
        Type::Int { bits: 64, signed: true } => is_exact(values.numbers::<i64>()[row].unsigned_abs()),
        Type::Int { bits: 64, .. } => is_exact(values.numbers::<u64>()[row]),
        Type::Int { .. } => true,
        Type::Float { bits } => {
            let is_finite = match bits {
                16 => half::to_f32(values.numbers::<u16>()[row]).is_finite(),
                32 => values.numbers::<f32>()[row].is_finite(),
                _ => values.numbers::<f64>()[row].is_finite(),
            };
            if !is_finite {
                return out.extend(b"null");
            }
            true
        }
        _ => false,
    };
    if is_number {
        return text::fixed(values, ty, row, out);
    }
    out.extend(b"\"")?;
    text::fixed(values, ty, row, out)?;
    out.extend(b"\"")
}

/// Whether a double holds every integer up to this one.
fn is_exact(magnitude: u64) -> bool {
    magnitude <= 1 << f64::MANTISSA_DIGITS
}

fn binary(bytes: &[u8], out: &mut Scratch) -> Result<()> {
    out.extend(b"\"")?;
    text::base64(bytes, out)?;
    out.extend(b"\"")
}

fn string(bytes: &[u8], out: &mut Scratch) -> Result<()> {
    out.extend(b"\"")?;
    match std::str::from_utf8(bytes) {
        Ok(_) => escaped(bytes, out)?,
        // Text is checked where it comes in. What was not text even so must not make the document invalid.
        Err(_) => {
            for chunk in bytes.utf8_chunks() {
                escaped(chunk.valid().as_bytes(), out)?;
                if !chunk.invalid().is_empty() {
                    out.extend("\u{fffd}".as_bytes())?;
                }
            }
        }
    }
    out.extend(b"\"")
}

/// Escapes quotes, backslashes and control characters, as RFC 8259 §7 requires.
fn escaped(text: &[u8], out: &mut Scratch) -> Result<()> {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)) {
        out.extend(&rest[..at])?;
        escape(rest[at], out)?;
        rest = &rest[at + 1..];
    }
    out.extend(rest)
}

fn escape(byte: u8, out: &mut Scratch) -> Result<()> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    match byte {
        b'"' => out.extend(b"\\\""),
        b'\\' => out.extend(b"\\\\"),
        b'\n' => out.extend(b"\\n"),
        b'\r' => out.extend(b"\\r"),
        b'\t' => out.extend(b"\\t"),
        _ => {
            out.extend(b"\\u00")?;
            out.extend(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]])
        }
    }
}
