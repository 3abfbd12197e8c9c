//! Lines of CSV (docs/guides/output-formats.md): a null is empty, a field is quoted only where it must be.

use crate::array::{Array, Data, Offset};
use crate::cycle::Cycle;
use crate::error::{Error, Result};
use crate::rows::Selection;
use crate::scratch::Scratch;
use crate::text;
use crate::types::Type;

/// A column and what its values mean.
pub struct Column<'a> {
    pub array: &'a Array,
    pub ty: Type,
}

impl Column<'_> {
    /// The layout is the type's, which is not nested, so that [`value`] finds what it expects.
    pub fn check(&self) -> Result<()> {
        if self.ty == Type::Nested {
            return Err(Error::Unsupported("nested columns cannot be written as CSV"));
        }
        text::check(self.array, self.ty)
    }
}

/// Writes the selected rows and stops before the bytes pass `max_bytes`, but not before the first row. The selection is
/// shortened to the rows written.
pub fn encode(columns: &[Column], selection: &mut Selection, max_bytes: usize, out: &mut Scratch) -> Result<()> {
    columns.iter().try_for_each(Column::check)?;
    text::rows(selection, max_bytes, out, |row, out| line(columns, row, out))
}

fn line(columns: &[Column], row: usize, out: &mut Scratch) -> Result<()> {
    let start = out.len();
    for (i, column) in columns.iter().enumerate() {
        if i > 0 {
            out.extend(b",")?;
        }
        if column.array.is_valid(row) {
            value(column.array, column.ty, b',', row, out)?;
        }
    }
    // A line of one empty field would be no line at all.
    if columns.len() == 1 && out.len() == start {
        out.extend(b"\"\"")?;
    }
    out.extend(b"\n")
}

/// A value that is not null, between delimiters.
pub fn value(array: &Array, ty: Type, delimiter: u8, row: usize, out: &mut Scratch) -> Result<()> {
    match &array.data {
        Data::Dictionary { indices, values } => {
            value(values, ty, delimiter, indices.numbers::<u32>()[row] as usize, out)
        }
        Data::Repeat { values, each, start, .. } => {
            value(values, ty, delimiter, Cycle { each: *each, start: *start, count: values.len }.place(row), out)
        }
        Data::Bool(bits) => text::boolean(bits.get(row), out),
        Data::Bytes { offsets, values } => {
            let offsets: &[i32] = offsets.numbers();
            let bytes = &values.bytes()[offsets[row].position()..offsets[row + 1].position()];
            if ty == Type::Utf8 { quoted(bytes, delimiter, out) } else { text::hex(bytes, out) }
        }
        Data::Fixed { width, values } if ty == Type::Binary => {
            text::hex(&values.bytes()[row * width..(row + 1) * width], out)
        }
        Data::Fixed { values, .. } => text::fixed(values, ty, row, out),
        _ => Ok(()),
    }
}

/// Quoted where it holds a delimiter, a quote or a line end; quotes are doubled.
fn quoted(text: &[u8], delimiter: u8, out: &mut Scratch) -> Result<()> {
    if !text.iter().any(|byte| *byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r')) {
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
