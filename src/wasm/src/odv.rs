//! Lines of the spreadsheet format of Ocean Data View (docs/reference/odv.md): fields of CSV between tabs. Timestamps have
//! milliseconds and no zone.

use crate::array::{Array, Data};
use crate::csv::{self, Column};
use crate::cycle::Cycle;
use crate::error::{Error, Result};
use crate::flat::value_bytes;
use crate::rows::Selection;
use crate::scratch::Scratch;
use crate::text;
use crate::types::{TimeUnit, Type};
use crate::vectors::filled;
use std::ops::Range;

/// Writes the selected rows as [`csv::encode`] does. `numbers`, of type UInt32, are put behind the first field as `[+7]`, where
/// they are not null.
pub fn encode(
    columns: &[Column],
    numbers: Option<&Array>,
    selection: &mut Selection,
    max_bytes: usize,
    out: &mut Scratch,
) -> Result<()> {
    columns.iter().try_for_each(Column::check)?;
    let numbers = numbers.map(Numbers::of).transpose()?;
    // Within a station most fields are those of the row before, so their text is copied.
    let mut fields: Vec<Range<usize>> = filled(columns.len(), 0..0)?;
    let mut last = None;
    text::rows(selection, max_bytes, out, |row, out| {
        for (i, (column, written)) in columns.iter().zip(&mut fields).enumerate() {
            if i > 0 {
                out.extend(b"\t")?;
            }
            let start = out.len();
            let number = numbers.as_ref().filter(|_| i == 0).and_then(|numbers| numbers.get(row));
            match last {
                // The number behind a first field may have moved its last quote.
                Some(last) if (i > 0 || numbers.is_none()) && is_same(column.array, last, row) => {
                    out.repeat(written.clone())?;
                }
                _ => {
                    field(column.array, column.ty, row, out)?;
                    if i == 0 {
                        escape(start, out)?;
                    }
                }
            }
            *written = start..out.len();
            if let Some(number) = number {
                append(number, start, out)?;
            }
        }
        last = Some(row);
        out.extend(b"\n")
    })
}

/// Whether two rows have the same bytes, or are both null.
fn is_same(array: &Array, a: usize, b: usize) -> bool {
    match (array.is_valid(a), array.is_valid(b)) {
        (true, true) => {}
        (false, false) => return true,
        _ => return false,
    }
    match &array.data {
        Data::Dictionary { indices, .. } => {
            let indices: &[u32] = indices.numbers();
            indices[a] == indices[b]
        }
        Data::Repeat { values, each, start, .. } => {
            let cycle = Cycle { each: *each, start: *start, count: values.len };
            cycle.place(a) == cycle.place(b)
        }
        Data::Fixed { width: 8, values } => {
            let values: &[u64] = values.numbers();
            values[a] == values[b]
        }
        _ => value_bytes(array, a) == value_bytes(array, b),
    }
}

fn field(array: &Array, ty: Type, row: usize, out: &mut Scratch) -> Result<()> {
    if !array.is_valid(row) {
        return Ok(());
    }
    let Type::Timestamp { unit, .. } = ty else { return csv::value(array, ty, b'\t', row, out) };
    instant(array, unit, row, out)
}

fn instant(array: &Array, unit: TimeUnit, row: usize, out: &mut Scratch) -> Result<()> {
    match &array.data {
        Data::Dictionary { indices, values } => instant(values, unit, indices.numbers::<u32>()[row] as usize, out),
        Data::Repeat { values, each, start, .. } => {
            instant(values, unit, Cycle { each: *each, start: *start, count: values.len }.place(row), out)
        }
        Data::Fixed { values, .. } => text::timestamp_milliseconds(values.numbers::<i64>()[row], unit, out),
        _ => Ok(()),
    }
}

struct Numbers<'a> {
    array: &'a Array,
    values: &'a [u32],
}

impl<'a> Numbers<'a> {
    fn of(array: &'a Array) -> Result<Self> {
        match &array.data {
            Data::Fixed { width: 4, values } => Ok(Numbers { array, values: values.numbers() }),
            _ => Err(Error::Misuse("the numbers behind a field are no UInt32")),
        }
    }

    fn get(&self, row: usize) -> Option<u32> {
        self.array.is_valid(row).then(|| self.values[row])
    }
}

/// Puts quotes around a first field that would make the line a comment.
fn escape(start: usize, out: &mut Scratch) -> Result<()> {
    if !out.written()[start..].starts_with(b"//") {
        return Ok(());
    }
    out.extend(b"\"\"")?;
    let field = &mut out.written_mut()[start..];
    let end = field.len() - 1;
    field.copy_within(..end - 1, 1);
    (field[0], field[end]) = (b'"', b'"');
    Ok(())
}

/// Appends to the field that begins at `start`: within its quotes, if it has them.
fn append(number: u32, start: usize, out: &mut Scratch) -> Result<()> {
    let is_quoted = out.written()[start..].first() == Some(&b'"');
    if is_quoted {
        out.truncate(out.len() - 1);
    }
    out.extend(b"[+")?;
    text::unsigned(number.into(), out)?;
    out.extend(if is_quoted { b"]\"" } else { b"]" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::written;

    #[test]
    fn a_first_field_that_begins_as_a_comment_is_quoted() {
        let escaped = |field: &str| {
            written(|out| {
                out.extend(b"x")?;
                out.extend(field.as_bytes())?;
                escape(1, out)
            })
        };
        assert_eq!(escaped("//a"), "x\"//a\"");
        assert_eq!(escaped("//"), "x\"//\"");
        assert_eq!(escaped("/a"), "x/a");
    }

    #[test]
    fn a_number_is_put_behind_a_field_and_within_its_quotes() {
        let appended = |field: &str| {
            written(|out| {
                out.extend(b"x")?;
                out.extend(field.as_bytes())?;
                append(12, 1, out)
            })
        };
        assert_eq!(appended("AB"), "xAB[+12]");
        assert_eq!(appended(""), "x[+12]");
        assert_eq!(appended("\"A\tB\""), "x\"A\tB[+12]\"");
    }
}
