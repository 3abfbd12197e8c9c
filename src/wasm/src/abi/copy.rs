//! Reading rows of databases.

use super::{call, words};
use crate::copy_reader::{CopyRows, Form, Progress, field_types};
use crate::error::{Error, Result};
use crate::vectors::collected;

/// Begins a stretch. The arguments are 32-bit integers: the number of the form, the number of fields, four for each field
/// ([`field_types`]), and the fields that columns are made of, ascending.
#[unsafe(no_mangle)]
pub extern "C" fn copy_new() -> i32 {
    call(|state| {
        let words = words(&state.arguments)?;
        let (form, types, wanted) = split(&words)?;
        let form = Form::from_code(form)?;
        let wanted = collected(wanted.len(), wanted.iter().map(|field| *field as usize))?;
        state.copies.insert(CopyRows::new(form, field_types(form, types)?, wanted)?)
    })
}

/// The form, the numbers of the types, and the wanted fields.
fn split(words: &[u32]) -> Result<(u32, &[u32], &[u32])> {
    words
        .split_first_chunk::<2>()
        .and_then(|([form, fields], rest)| {
            let (types, wanted) = rest.split_at_checked((*fields as usize).checked_mul(4)?)?;
            Some((*form, types, wanted))
        })
        .ok_or(Error::Misuse("too few numbers about fields"))
}

/// Room for the next bytes; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn copy_room(rows: u32, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.copies.get_mut(rows)?.room(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// [`CopyRows::find`]. Returns 0 where more bytes are needed, 1 at the end of the data, 2 where a field is at fault. Results: rows;
/// where the next one begins; the field; what is wrong with it.
#[unsafe(no_mangle)]
pub extern "C" fn copy_find(rows: u32) -> i32 {
    call(|state| {
        let rows = state.copies.get_mut(rows)?;
        let progress = rows.find()?;
        state.results[..2].copy_from_slice(&[rows.rows() as u32, rows.next() as u32]);
        Ok(match progress {
            Progress::More => 0,
            Progress::Done => 1,
            Progress::Misfit { field, fault } => {
                state.results[2..].copy_from_slice(&[field as u32, fault as u32]);
                2
            }
        })
    })
}

/// [`CopyRows::column`].
#[unsafe(no_mangle)]
pub extern "C" fn copy_column(rows: u32, slot: usize, from: usize, to: usize) -> i32 {
    call(|state| {
        let column = state.copies.get(rows)?.column(slot, from, to)?;
        state.columns.insert(column)
    })
}

/// Gives up a stretch.
#[unsafe(no_mangle)]
pub extern "C" fn copy_free(rows: u32) -> i32 {
    call(|state| state.copies.remove(rows).map(|_| 0))
}
