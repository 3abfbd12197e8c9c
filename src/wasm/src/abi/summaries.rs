//! Inspecting small files of Parquet.

use super::call;
use crate::error::Error;
use crate::parquet::{Bounds, Summaries, SummaryColumn, Width};

/// Words of a column among the arguments: its physical type, whether it is optional, the bits of a value, and the index of its bounds in
/// [`BOUNDS`].
const COLUMN_WORDS: usize = 4;

/// In place of the bits of a value: it is a text.
const TEXT: u32 = u32::MAX;

const BOUNDS: [Option<Bounds>; 8] = [
    None,
    Some(Bounds::I32),
    Some(Bounds::U32),
    Some(Bounds::I64),
    Some(Bounds::U64),
    Some(Bounds::F32),
    Some(Bounds::F64),
    Some(Bounds::Days),
];

/// Begins to inspect files that are laid out as one. The arguments are the number of columns, the words of each, and the footer of that file.
/// 0: the file is of another form.
#[unsafe(no_mangle)]
pub extern "C" fn summary_new() -> i32 {
    call(|state| {
        let (count, rest) = state.arguments.split_first_chunk::<4>().ok_or(ARGUMENTS)?;
        let count = u32::from_le_bytes(*count) as usize;
        let bytes = count.checked_mul(COLUMN_WORDS * 4).ok_or(ARGUMENTS)?;
        let (words, footer) = rest.split_at_checked(bytes).ok_or(ARGUMENTS)?;
        let mut columns = Vec::new();
        columns.try_reserve_exact(count)?;
        for &[physical, is_optional, bits, bounds] in super::words(words)?.as_chunks::<COLUMN_WORDS>().0 {
            columns.push(SummaryColumn {
                physical,
                is_optional: is_optional != 0,
                width: if bits == TEXT { Width::Text } else { Width::Bits(bits) },
                bounds: *BOUNDS.get(bounds as usize).ok_or(ARGUMENTS)?,
            });
        }
        match Summaries::new(footer, columns)? {
            Some(summaries) => state.summaries.insert(summaries),
            None => Ok(0),
        }
    })
}

const ARGUMENTS: Error = Error::Misuse("summaries have other arguments");

/// Room for a footer; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn summary_room(summaries: u32, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.summaries.get_mut(summaries)?.room(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// What that footer says of a file of so many bytes: [`Summaries::read`]. The results are where, and how many bytes. 0: the file has to be
/// inspected by itself.
#[unsafe(no_mangle)]
pub extern "C" fn summary_read(summaries: u32, file_bytes: usize) -> i32 {
    call(|state| {
        let Some(told) = state.summaries.get_mut(summaries)?.read(file_bytes)? else { return Ok(0) };
        state.results[0] = told.as_ptr() as usize as u32;
        state.results[1] = told.len() as u32;
        Ok(1)
    })
}

/// Ends it.
#[unsafe(no_mangle)]
pub extern "C" fn summary_free(summaries: u32) -> i32 {
    call(|state| state.summaries.remove(summaries).map(|_| 0))
}
