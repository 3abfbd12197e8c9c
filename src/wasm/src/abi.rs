//! The functions that the loader calls (`instance.ts`). Each returns a number that is not negative, or the negative code of
//! an error whose text is then in [`message`]. Everything that needs more than that is left in [`results`]. No function
//! takes an address: the loader writes only where it was told to, and between two calls.
#![allow(unsafe_code)] // `no_mangle` counts as unsafe: the names below are used nowhere else.

use crate::array::{Array, MAX_ROWS};
use crate::assemble::{Assembly, Layout};
use crate::bitmap::Bitmap;
use crate::cast::cast;
use crate::compare::{Constants, Operator, compare};
use crate::csv;
use crate::error::{Error, Result};
use crate::gather::{Piece, gather};
use crate::ipc;
use crate::mask::Mask;
use crate::rows::{self, Run, Selection};
use crate::scratch::Scratch;
use crate::slab::Slab;
use crate::types::Type;
use crate::within::{Coordinates, Geometry, within};
use std::cell::RefCell;
use std::fmt::Write;

struct State {
    columns: Slab<Array>,
    assemblies: Slab<Assembly>,
    masks: Slab<Mask>,
    /// Constants, geometries and handles on their way in.
    arguments: Vec<u8>,
    scratch: Scratch,
    results: [u32; RESULTS],
    message: Message,
}

const RESULTS: usize = 4;

thread_local! {
    static STATE: RefCell<State> = const {
        RefCell::new(State {
            columns: Slab::new(),
            assemblies: Slab::new(),
            masks: Slab::new(),
            arguments: Vec::new(),
            scratch: Scratch::new(),
            results: [0; RESULTS],
            message: Message { text: [0; 256], len: 0 },
        })
    };
}

/// Text of bounded length: an error must not need memory.
struct Message {
    text: [u8; 256],
    len: usize,
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let count = text.len().min(self.text.len() - self.len);
        self.text[self.len..self.len + count].copy_from_slice(&text.as_bytes()[..count]);
        self.len += count;
        Ok(())
    }
}

fn call(f: impl FnOnce(&mut State) -> Result<u32>) -> i32 {
    STATE.with_borrow_mut(|state| match f(state) {
        Ok(value) => value as i32,
        Err(error) => {
            state.message.len = 0;
            // Cannot fail: what does not fit is cut off.
            let _ = write!(state.message, "{error}");
            state.results[0] = state.message.len as u32;
            error.code()
        }
    })
}

impl State {
    fn add_column(&mut self, array: Array) -> Result<u32> {
        self.columns.insert(array)
    }

    fn add_mask(&mut self, mask: Mask) -> Result<u32> {
        self.masks.insert(mask)
    }
}

/// Address of four `u32`.
#[unsafe(no_mangle)]
pub extern "C" fn results() -> *const u32 {
    STATE.with_borrow(|state| state.results.as_ptr())
}

/// Address of the text of the last error; its length is the first result.
#[unsafe(no_mangle)]
pub extern "C" fn message() -> *const u8 {
    STATE.with_borrow(|state| state.message.text.as_ptr())
}

/// Bytes in live columns, masks, unfinished arrays and kept memory: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn used_bytes() -> i32 {
    call(|state| {
        let columns: usize = state.columns.iter().map(Array::allocated).sum();
        let masks: usize = state.masks.iter().map(Mask::allocated).sum();
        state.results[0] = (columns + masks) as u32;
        Ok(0)
    })
}

/// Room for `bytes` bytes of arguments; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn arguments(bytes: usize) -> i32 {
    call(|state| {
        state.arguments.clear();
        state.arguments.try_reserve_exact(bytes)?;
        state.arguments.resize(bytes, 0);
        state.results[0] = state.arguments.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

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
        state.add_column(column)
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

/// Frees a column.
#[unsafe(no_mangle)]
pub extern "C" fn column_free(column: u32) -> i32 {
    call(|state| state.columns.remove(column).map(|_| 0))
}

/// `rows` times the one row of a column.
#[unsafe(no_mangle)]
pub extern "C" fn column_repeat(column: u32, rows: usize) -> i32 {
    call(|state| {
        let array = state.columns.get(column)?;
        if array.len != 1 {
            return Err(Error::Misuse("only a single row can be repeated"));
        }
        let mut runs = Vec::new();
        runs.try_reserve_exact(rows)?;
        runs.resize(rows, Run { start: 0, len: 1 });
        let repeated = array.take(&runs)?;
        state.add_column(repeated)
    })
}

/// `rows` nulls, laid out as a column.
#[unsafe(no_mangle)]
pub extern "C" fn column_nulls(column: u32, rows: usize) -> i32 {
    call(|state| {
        if rows > MAX_ROWS {
            return Err(Error::Memory);
        }
        let nulls = state.columns.get(column)?.nulls(rows)?;
        state.add_column(nulls)
    })
}

/// The columns whose handles are the arguments, one after the other.
#[unsafe(no_mangle)]
pub extern "C" fn column_concat() -> i32 {
    call(|state| {
        let array = {
            let (handles, _) = state.arguments.as_chunks::<4>();
            let mut runs = Vec::new();
            runs.try_reserve_exact(handles.len())?;
            for handle in handles {
                let array = state.columns.get(u32::from_le_bytes(*handle))?;
                runs.push((array, [Run { start: 0, len: array.len }]));
            }
            let mut pieces = Vec::new();
            pieces.try_reserve_exact(runs.len())?;
            pieces.extend(runs.iter().map(|(array, runs)| Piece { array, runs }));
            gather(&pieces)?
        };
        state.add_column(array)
    })
}

/// The same rows in a wider type.
#[unsafe(no_mangle)]
pub extern "C" fn column_cast(column: u32, code: u32, parameter: i32, to_code: u32, to_parameter: i32) -> i32 {
    call(|state| {
        let (from, to) = (Type::from_code(code, parameter)?, Type::from_code(to_code, to_parameter)?);
        let array = cast(state.columns.get(column)?, from, to)?;
        state.add_column(array)
    })
}

/// True where the geometry in the arguments contains the point of the two columns; see [`Geometry::parse`].
#[unsafe(no_mangle)]
pub extern "C" fn mask_within(x: u32, x_code: u32, x_parameter: i32, y: u32, y_code: u32, y_parameter: i32) -> i32 {
    call(|state| {
        let (bytes, _) = state.arguments.as_chunks::<8>();
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(bytes.len())?;
        numbers.extend(bytes.iter().map(|bytes| f64::from_le_bytes(*bytes)));
        let x = Coordinates::new(state.columns.get(x)?, Type::from_code(x_code, x_parameter)?)?;
        let y = Coordinates::new(state.columns.get(y)?, Type::from_code(y_code, y_parameter)?)?;
        let mask = within(x, y, &Geometry::parse(&numbers)?)?;
        state.add_mask(mask)
    })
}

/// Compares a column with `count` constants in the arguments; see [`Constants::parse`].
#[unsafe(no_mangle)]
pub extern "C" fn mask_compare(column: u32, code: u32, parameter: i32, operator: u32, count: usize) -> i32 {
    call(|state| {
        let operator = match operator {
            0 => Operator::Eq,
            1 => Operator::Neq,
            2 => Operator::Gt,
            3 => Operator::GtEq,
            4 => Operator::Lt,
            5 => Operator::LtEq,
            6 => Operator::Between,
            7 => Operator::In,
            _ => return Err(Error::Misuse("unknown operator")),
        };
        let ty = Type::from_code(code, parameter)?;
        let constants = Constants::parse(ty, operator, count, &state.arguments)?;
        let mask = compare(state.columns.get(column)?, ty, operator, &constants)?;
        state.add_mask(mask)
    })
}

/// True where the column is null.
#[unsafe(no_mangle)]
pub extern "C" fn mask_is_null(column: u32) -> i32 {
    call(|state| {
        let mask = Mask::is_null(state.columns.get(column)?)?;
        state.add_mask(mask)
    })
}

/// True where the column is not null.
#[unsafe(no_mangle)]
pub extern "C" fn mask_is_not_null(column: u32) -> i32 {
    call(|state| {
        let mask = Mask::is_not_null(state.columns.get(column)?)?;
        state.add_mask(mask)
    })
}

/// `value` where the column is not null, else unknown.
#[unsafe(no_mangle)]
pub extern "C" fn mask_where_known(column: u32, value: u32) -> i32 {
    call(|state| {
        let mask = Mask::where_known(state.columns.get(column)?, value != 0)?;
        state.add_mask(mask)
    })
}

/// `rows` times `value`.
#[unsafe(no_mangle)]
pub extern "C" fn mask_filled(rows: usize, value: u32) -> i32 {
    call(|state| state.add_mask(Mask::filled(rows, value != 0)?))
}

/// Kleene's AND.
#[unsafe(no_mangle)]
pub extern "C" fn mask_and(left: u32, right: u32) -> i32 {
    call(|state| {
        let mask = state.masks.get(left)?.and(state.masks.get(right)?)?;
        state.add_mask(mask)
    })
}

/// Kleene's OR.
#[unsafe(no_mangle)]
pub extern "C" fn mask_or(left: u32, right: u32) -> i32 {
    call(|state| {
        let mask = state.masks.get(left)?.or(state.masks.get(right)?)?;
        state.add_mask(mask)
    })
}

/// Kleene's NOT.
#[unsafe(no_mangle)]
pub extern "C" fn mask_not(mask: u32) -> i32 {
    call(|state| {
        let mask = state.masks.get(mask)?.not()?;
        state.add_mask(mask)
    })
}

/// Rows that are true: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn mask_count(mask: u32) -> i32 {
    call(|state| {
        state.results[0] = state.masks.get(mask)?.truth().count() as u32;
        Ok(0)
    })
}

/// Frees a mask.
#[unsafe(no_mangle)]
pub extern "C" fn mask_free(mask: u32) -> i32 {
    call(|state| state.masks.remove(mask).map(|_| 0))
}

/// [`rows::advance`]; `mask` 0: all rows. Results: the row, and how many were skipped.
#[unsafe(no_mangle)]
pub extern "C" fn advance(mask: u32, rows: usize, from: usize, skip: usize) -> i32 {
    call(|state| {
        let (row, skipped) = rows::advance(state.truth(mask, rows)?, rows, from, skip);
        state.results[..2].copy_from_slice(&[row as u32, skipped as u32]);
        Ok(0)
    })
}

/// [`ipc::encode`] of the columns whose handles are the arguments; `mask` 0: all rows. Results: where the message is, its
/// length, bytes before its body, the row to go on from. Returns the rows. The message lies there until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn encode_batch(mask: u32, rows: usize, from: usize, max_rows: usize, max_bytes: usize) -> i32 {
    call(|state| {
        state.encode(|state, scratch| {
            let (handles, _) = state.arguments.as_chunks::<4>();
            let mut columns = Vec::new();
            columns.try_reserve_exact(handles.len())?;
            for handle in handles {
                columns.push(state.column_of(u32::from_le_bytes(*handle), rows)?);
            }
            let mut selection = rows::select(state.truth(mask, rows)?, rows, from, max_rows)?;
            selection.limit_bytes(&columns, max_bytes);
            let metadata = ipc::encode(&columns, &selection, scratch)?;
            Ok((selection, metadata))
        })
    })
}

/// [`csv::encode`] of the columns whose handles are the arguments, each with its type's two numbers; the rest is as in
/// [`encode_batch`].
#[unsafe(no_mangle)]
pub extern "C" fn encode_csv(mask: u32, rows: usize, from: usize, max_rows: usize, max_bytes: usize) -> i32 {
    call(|state| {
        state.encode(|state, scratch| {
            let (numbers, _) = state.arguments.as_chunks::<4>();
            let (triples, _) = numbers.as_chunks::<3>();
            let mut columns = Vec::new();
            columns.try_reserve_exact(triples.len())?;
            for &[handle, code, parameter] in triples {
                let array = state.column_of(u32::from_le_bytes(handle), rows)?;
                let ty = Type::from_code(u32::from_le_bytes(code), i32::from_le_bytes(parameter))?;
                columns.push(csv::Column { array, ty });
            }
            let mut selection = rows::select(state.truth(mask, rows)?, rows, from, max_rows)?;
            csv::encode(&columns, &mut selection, max_bytes, scratch)?;
            Ok((selection, 0))
        })
    })
}

/// Scratch memory kept from one batch to the next, bytes: batches are at most 16 MiB unless a row is larger.
const KEPT_SCRATCH: usize = 20 << 20;

impl State {
    /// Runs an encoder over the cleared scratch memory and leaves what it wrote as results.
    fn encode(&mut self, f: impl FnOnce(&Self, &mut Scratch) -> Result<(Selection, usize)>) -> Result<u32> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear(KEPT_SCRATCH);
        let outcome = f(self, &mut scratch);
        self.scratch = scratch;
        let (selection, metadata) = outcome?;
        let written = self.scratch.written();
        self.results = [written.as_ptr() as usize as u32, written.len() as u32, metadata as u32, selection.next as u32];
        Ok(selection.rows as u32)
    }

    /// The rows that are true; none for mask 0: all.
    fn truth(&self, mask: u32, rows: usize) -> Result<Option<&Bitmap>> {
        if mask == 0 {
            return Ok(None);
        }
        let truth = self.masks.get(mask)?.truth();
        if truth.len() == rows {
            Ok(Some(truth))
        } else {
            Err(Error::Misuse("a mask of another length than the columns"))
        }
    }

    fn column_of(&self, handle: u32, rows: usize) -> Result<&Array> {
        let column = self.columns.get(handle)?;
        if column.len == rows { Ok(column) } else { Err(Error::Misuse("columns of different lengths")) }
    }
}
