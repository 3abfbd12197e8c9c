//! Columns on their way into DuckDB's vectors.

use super::{State, call};
use crate::array::{Array, Data};
use crate::duckdb::{Form, Rows, descend, long_text, physical, selection};
use crate::error::{Error, Result};
use crate::types::Type;
use crate::vectors::with_room;

/// [`physical`]: the arguments are the numbers of a [`Form`] for each array, three 32-bit integers. The column is gone, also
/// when a value does not fit.
#[unsafe(no_mangle)]
pub extern "C" fn duckdb_column(column: u32) -> i32 {
    call(|state| {
        let (numbers, _) = state.arguments.as_chunks::<4>();
        let (triples, _) = numbers.as_chunks::<3>();
        let mut forms = with_room(triples.len())?;
        for &[code, parameter, precision] in triples {
            let ty = Type::from_code(u32::from_le_bytes(code), i32::from_le_bytes(parameter))?;
            forms.push(Form { ty, precision: u32::from_le_bytes(precision) });
        }
        let array = physical(state.columns.remove(column)?, &mut forms.into_iter())?;
        state.columns.insert(array)
    })
}

/// [`long_text`] of a child, `depth` levels down by the indices in the arguments. Results: where it is, its length.
#[unsafe(no_mangle)]
pub extern "C" fn duckdb_text(column: u32, depth: usize, from: usize, rows: usize) -> i32 {
    call(|state| {
        let text = long_text(state.child(column, depth)?, from, rows)?.unwrap_or_default();
        let (address, len) = (text.as_ptr() as usize, text.len());
        state.results[..2].copy_from_slice(&[address as u32, len as u32]);
        Ok(0)
    })
}

/// [`Rows::of`] a child as in [`duckdb_text`]. Results: its four members.
#[unsafe(no_mangle)]
pub extern "C" fn duckdb_rows(column: u32, depth: usize, from: usize, rows: usize, base: u32) -> i32 {
    call(|state| {
        let mut scratch = std::mem::take(&mut state.scratch);
        scratch.truncate(0);
        let rows = state.child(column, depth).and_then(|array| Rows::of(array, from, rows, base, &mut scratch));
        state.scratch = scratch;
        let rows = rows?;
        state.results = [rows.values, rows.validity, rows.child_start, rows.child_len].map(|number| number as u32);
        Ok(0)
    })
}

/// Values in the dictionary of a column: the first result, 0 if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn duckdb_dictionary(column: u32) -> i32 {
    call(|state| {
        state.results[0] = match &state.columns.get(column)?.data {
            Data::Dictionary { values, .. } | Data::Repeat { values, .. } => values.len as u32,
            _ => 0,
        };
        Ok(0)
    })
}

/// [`selection`]: the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn duckdb_selection(column: u32, from: usize, rows: usize) -> i32 {
    call(|state| {
        state.scratch.truncate(0);
        let selection = selection(state.columns.get(column)?, from, rows, &mut state.scratch)?;
        state.results[0] = selection.as_ptr() as usize as u32;
        Ok(0)
    })
}

impl State {
    fn child(&self, column: u32, depth: usize) -> Result<&Array> {
        let (path, _) = self.arguments.as_chunks::<4>();
        let path = path.get(..depth).ok_or(Error::Misuse("a path shorter than its depth"))?;
        descend(self.columns.get(column)?, path.iter().map(|index| u32::from_le_bytes(*index)))
    }
}
