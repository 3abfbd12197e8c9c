//! Making columns.

use super::encoders::KEPT_SCRATCH;
use super::{State, call, words};
use crate::array::Array;
use crate::assemble::{Assembly, Layout};
use crate::bounds::bounds_of_runs;
use crate::cast::cast;
use crate::error::Error;
use crate::flat::{Flat, Shape, value_bytes};
use crate::gather::{Source, gather};
use crate::rows::select;
use crate::run::{MAX_ROWS, Run};
use crate::types::Type;
use crate::vectors::{collected, with_room};

/// Begins an array; see [`Layout::from_code`].
#[unsafe(no_mangle)]
pub extern "C" fn array_new(layout: u32, parameter: usize, rows: usize, bit: usize) -> i32 {
    call(|state| state.assemblies.insert(Assembly::new(Layout::from_code(layout, parameter)?, rows, bit)?))
}

/// Room for a buffer of an array; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn array_buffer(array: u32, index: usize, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.assemblies.get_mut(array)?.buffer(index, bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// Moves a finished column into an array as its next child.
#[unsafe(no_mangle)]
pub extern "C" fn array_child(array: u32, child: u32) -> i32 {
    call(|state| {
        let assembly = state.assemblies.get_mut(array)?;
        assembly.child(state.columns.remove(child)?)?;
        Ok(0)
    })
}

/// Ends an array: a column. The array is gone, also when it is not valid.
#[unsafe(no_mangle)]
pub extern "C" fn array_finish(array: u32) -> i32 {
    call(|state| {
        let column = state.assemblies.remove(array)?.finish()?;
        state.columns.insert(column)
    })
}

/// Gives up an array.
#[unsafe(no_mangle)]
pub extern "C" fn array_free(array: u32) -> i32 {
    call(|state| state.assemblies.remove(array).map(|_| 0))
}

/// Rows of a column: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn column_rows(column: u32) -> i32 {
    call(|state| {
        state.results[0] = state.columns.get(column)?.len as u32;
        Ok(0)
    })
}

/// What is known of runs of rows of a column of numbers, one after the other; see [`bounds_of_runs`]. The arguments are their lengths. The
/// first result is where the entries of 40 bytes are until the next call: `WholeColumns` of `src/plan/source/whole.ts` without the field.
#[unsafe(no_mangle)]
pub extern "C" fn column_bounds(column: u32, code: u32, parameter: i32) -> i32 {
    call(|state| {
        let State { columns, arguments, scratch, .. } = state;
        let ty = Type::from_code(code, parameter)?;
        let lengths = words(arguments)?;
        scratch.clear(KEPT_SCRATCH);
        let mut runs = lengths.iter();
        bounds_of_runs(columns.get(column)?, ty, lengths.iter().map(|&rows| rows as usize), |bounds| {
            let values = runs.next().copied().unwrap_or_default();
            scratch.extend(&bounds.entry(ty, values))
        })?;
        state.results[0] = state.scratch.written().as_ptr() as usize as u32;
        Ok(0)
    })
}

/// Bytes that a column takes: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn column_bytes(column: u32) -> i32 {
    call(|state| {
        state.results[0] = state.columns.get(column)?.allocated() as u32;
        Ok(0)
    })
}

/// Another handle of the same column, to be freed on its own.
#[unsafe(no_mangle)]
pub extern "C" fn column_share(column: u32) -> i32 {
    call(|state| state.columns.share(column))
}

/// Frees a column, unless other handles hold it.
#[unsafe(no_mangle)]
pub extern "C" fn column_free(column: u32) -> i32 {
    call(|state| state.columns.free(column).map(|()| 0))
}

/// `rows` times the one row of a column.
#[unsafe(no_mangle)]
pub extern "C" fn column_repeat(column: u32, rows: usize) -> i32 {
    call(|state| {
        let array = state.columns.get(column)?;
        if array.len != 1 {
            return Err(Error::Misuse("only a single row can be repeated"));
        }
        if rows > 1 && Shape::of(array).is_ok() {
            let one = array.take(&[Run { start: 0, len: 1 }])?;
            return state.columns.insert(Array::repeating(one, rows, 0, rows)?);
        }
        let mut repeated = array.take(&[Run { start: 0, len: rows.min(1) }])?;
        // Twice as many each time: a run of one row costs as much as one of many.
        while repeated.len < rows {
            let len = repeated.len;
            repeated = repeated.take(&[Run { start: 0, len }, Run { start: 0, len: len.min(rows - len) }])?;
        }
        state.columns.insert(repeated)
    })
}

/// `rows` nulls, laid out as a column.
#[unsafe(no_mangle)]
pub extern "C" fn column_nulls(column: u32, rows: usize) -> i32 {
    call(|state| {
        if rows > MAX_ROWS {
            return Err(Error::Memory);
        }
        let array = state.columns.get(column)?;
        let nulls = match Shape::of(array) {
            Ok(Shape::Bool | Shape::Fixed(_) | Shape::Bytes) if rows > 1 => {
                Array::repeating(array.nulls(1)?, rows, 0, rows)?
            }
            _ => array.nulls(rows)?,
        };
        state.columns.insert(nulls)
    })
}

/// The rows of a column that are true in a mask.
#[unsafe(no_mangle)]
pub extern "C" fn column_filter(column: u32, mask: u32) -> i32 {
    call(|state| {
        let array = state.columns.get(column)?;
        let truth = state.masks.get(mask)?.truth();
        if truth.len() != array.len {
            return Err(Error::Misuse("a mask of another length than the column"));
        }
        let rows = array.take(&select(Some(truth), array.len, 0, array.len)?.runs)?;
        state.columns.insert(rows)
    })
}

/// The columns whose handles are the arguments, one after the other.
#[unsafe(no_mangle)]
pub extern "C" fn column_concat() -> i32 {
    call(|state| {
        let array = {
            let (handles, _) = state.arguments.as_chunks::<4>();
            let mut runs = with_room(handles.len())?;
            for handle in handles {
                let array = state.columns.get(u32::from_le_bytes(*handle))?;
                runs.push((array, [Run { start: 0, len: array.len }]));
            }
            let sources = collected(runs.len(), runs.iter().map(|(array, runs)| Source { array, runs }))?;
            gather(&sources)?
        };
        state.columns.insert(array)
    })
}

/// The same rows in a wider type.
#[unsafe(no_mangle)]
pub extern "C" fn column_cast(column: u32, code: u32, parameter: i32, to_code: u32, to_parameter: i32) -> i32 {
    call(|state| {
        let (from, to) = (Type::from_code(code, parameter)?, Type::from_code(to_code, to_parameter)?);
        let array = cast(state.columns.get(column)?, from, to)?;
        state.columns.insert(array)
    })
}

/// The bytes of one flat value; a boolean is one. Returns 0 where it is null. Results: where they are, until the next call,
/// and how many.
#[unsafe(no_mangle)]
pub extern "C" fn column_value(column: u32, row: usize) -> i32 {
    call(|state| {
        let array = state.columns.get(column)?;
        if row >= array.len {
            return Err(Error::Misuse("a row past the end of a column"));
        }
        if !array.is_valid(row) {
            return Ok(0);
        }
        let bytes = match array.repeated() {
            Some(repeated) => value_bytes(repeated.values, repeated.cycle.place(row)),
            None => {
                let flat = Flat::new(array, Shape::of(array)?)?;
                value_bytes(flat.values, flat.place(row))
            }
        };
        let (address, len) = (bytes.as_ptr() as usize, bytes.len());
        state.results[..2].copy_from_slice(&[address as u32, len as u32]);
        Ok(1)
    })
}
