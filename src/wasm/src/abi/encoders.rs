//! Rows on their way out.

use super::{State, call};
use crate::array::Array;
use crate::bitmap::Bitmap;
use crate::compression::{Codec, Compressor};
use crate::csv;
use crate::error::{Error, Result};
use crate::ipc;
use crate::json::{self, Form};
use crate::odv;
use crate::rows::{self, Outgoing, Selection};
use crate::scratch::Scratch;
use crate::types::{Physical, Type};
use crate::vectors::{try_collected, with_room};

/// [`rows::advance`]; `mask` 0: all rows. Results: the row, and how many were skipped.
#[unsafe(no_mangle)]
pub extern "C" fn advance(mask: u32, rows: usize, from: usize, skip: usize) -> i32 {
    call(|state| {
        let (row, skipped) = rows::advance(state.truth(mask, rows)?, rows, from, skip);
        state.results[..2].copy_from_slice(&[row as u32, skipped as u32]);
        Ok(0)
    })
}

/// [`ipc::encode`] of the columns whose handles are the arguments, each with the type of its indices ([`Physical::of_index`]) or
/// -1 where it leaves as plain values; `mask` 0: all rows. Results: where the message is, its
/// length, bytes before its body, the row to go on from. Returns the rows. The message lies there until the next call but
/// one, which is [`lent`]. `codec` is that of [`Codec::from_code`].
#[unsafe(no_mangle)]
pub extern "C" fn encode_batch(
    mask: u32,
    rows: usize,
    from: usize,
    max_rows: usize,
    max_bytes: usize,
    codec: u32,
) -> i32 {
    call(|state| {
        state.encode(|state, scratch, compressor, lent| {
            let packing = Codec::from_code(codec)?.map(|codec| (codec, compressor));
            let (numbers, _) = state.arguments.as_chunks::<4>();
            let (pairs, _) = numbers.as_chunks::<2>();
            let mut columns = with_room(pairs.len())?;
            for &[handle, index] in pairs {
                let array = state.column_of(u32::from_le_bytes(handle), rows)?;
                let index = usize::try_from(i32::from_le_bytes(index)).ok().map(Physical::of_index).transpose()?;
                columns.push(Outgoing { array, index });
            }
            let mut selection = rows::select(state.truth(mask, rows)?, rows, from, max_rows)?;
            selection.limit_bytes(&columns, max_bytes);
            let metadata = ipc::encode(&columns, &selection, packing, scratch, Some(lent))?;
            Ok((selection, metadata))
        })
    })
}

/// The parts of the last batch that lie in its columns until the next call, in the order of their places: the first result
/// is where they are told of, each by the three numbers of [`ipc::Lent`]. Returns how many.
#[unsafe(no_mangle)]
pub extern "C" fn lent() -> i32 {
    call(|state| {
        state.results[0] = state.lent.as_ptr() as usize as u32;
        Ok(state.lent.len() as u32)
    })
}

/// [`ipc::encode_dictionary`] of a column. Results as of [`encode_batch`]; the rows are none.
#[unsafe(no_mangle)]
pub extern "C" fn encode_dictionary(column: u32, id: u32, codec: u32) -> i32 {
    call(|state| {
        state.encode(|state, scratch, compressor, _| {
            let packing = Codec::from_code(codec)?.map(|codec| (codec, compressor));
            let metadata = ipc::encode_dictionary(state.columns.get(column)?, id, packing, scratch)?;
            Ok((Selection { runs: Vec::new(), rows: 0, next: 0 }, metadata))
        })
    })
}

/// [`csv::encode`] of the columns whose handles are the arguments, each with its type's two numbers; the rest is as in
/// [`encode_batch`].
#[unsafe(no_mangle)]
pub extern "C" fn encode_csv(mask: u32, rows: usize, from: usize, max_rows: usize, max_bytes: usize) -> i32 {
    call(|state| {
        state.encode(|state, scratch, _, _| {
            let columns = state.typed_columns(&state.arguments, rows)?;
            let mut selection = rows::select(state.truth(mask, rows)?, rows, from, max_rows)?;
            csv::encode(&columns, &mut selection, max_bytes, scratch)?;
            Ok((selection, 0))
        })
    })
}

/// [`odv::encode`]. The arguments are the column of the numbers (0: none) and those of [`encode_csv`]; the rest is as there.
#[unsafe(no_mangle)]
pub extern "C" fn encode_odv(mask: u32, rows: usize, from: usize, max_rows: usize, max_bytes: usize) -> i32 {
    call(|state| {
        state.encode(|state, scratch, _, _| {
            let mut bytes = &state.arguments[..];
            let numbers = json::read_number(&mut bytes)?;
            let numbers = if numbers == 0 { None } else { Some(state.column_of(numbers, rows)?) };
            let columns = state.typed_columns(bytes, rows)?;
            let mut selection = rows::select(state.truth(mask, rows)?, rows, from, max_rows)?;
            odv::encode(&columns, numbers, &mut selection, max_bytes, scratch)?;
            Ok((selection, 0))
        })
    })
}

/// [`json::encode`] of columns. The arguments are the number of columns, their handles, and the bytes of [`Form::read`]; the rest
/// is as in [`encode_batch`].
#[unsafe(no_mangle)]
pub extern "C" fn encode_json(mask: u32, rows: usize, from: usize, max_rows: usize, max_bytes: usize) -> i32 {
    call(|state| {
        state.encode(|state, scratch, _, _| {
            let mut bytes = &state.arguments[..];
            let count = json::read_number(&mut bytes)?;
            let mut columns = Vec::new();
            for _ in 0..count {
                columns.try_reserve(1)?;
                columns.push(state.column_of(json::read_number(&mut bytes)?, rows)?);
            }
            let form = Form::read(&mut bytes)?;
            let mut selection = rows::select(state.truth(mask, rows)?, rows, from, max_rows)?;
            json::encode(&columns, &form, &mut selection, max_bytes, scratch)?;
            Ok((selection, 0))
        })
    })
}

/// Scratch memory kept from one batch to the next, bytes: batches are at most 16 MiB unless a row is larger.
pub(super) const KEPT_SCRATCH: usize = 20 << 20;

impl State {
    /// Runs an encoder over the cleared scratch memory and leaves what it wrote as results.
    fn encode(
        &mut self,
        f: impl FnOnce(&Self, &mut Scratch, &mut Compressor, &mut Vec<ipc::Lent>) -> Result<(Selection, usize)>,
    ) -> Result<u32> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear(KEPT_SCRATCH);
        let mut compressor = std::mem::take(&mut self.compressor);
        let mut lent = std::mem::take(&mut self.lent);
        lent.clear();
        let outcome = f(self, &mut scratch, &mut compressor, &mut lent);
        self.lent = lent;
        compressor.clear(KEPT_SCRATCH);
        self.compressor = compressor;
        self.scratch = scratch;
        let (selection, metadata) = outcome?;
        let written = self.scratch.written();
        self.results = [written.as_ptr() as usize as u32, written.len() as u32, metadata as u32, selection.next as u32];
        Ok(selection.rows as u32)
    }

    /// Columns by their handles, each followed by its type's two numbers.
    fn typed_columns(&self, arguments: &[u8], rows: usize) -> Result<Vec<csv::Column<'_>>> {
        let (numbers, _) = arguments.as_chunks::<4>();
        let (triples, _) = numbers.as_chunks::<3>();
        try_collected(triples.iter().map(|&[handle, code, parameter]| {
            let array = self.column_of(u32::from_le_bytes(handle), rows)?;
            let ty = Type::from_code(u32::from_le_bytes(code), i32::from_le_bytes(parameter))?;
            Ok(csv::Column { array, ty })
        }))
    }

    /// The rows that are true; none for mask 0: all.
    pub(super) fn truth(&self, mask: u32, rows: usize) -> Result<Option<&Bitmap>> {
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

    pub(super) fn column_of(&self, handle: u32, rows: usize) -> Result<&Array> {
        let column = self.columns.get(handle)?;
        if column.len == rows { Ok(column) } else { Err(Error::Misuse("columns of different lengths")) }
    }
}
