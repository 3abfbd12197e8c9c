//! Making columns of many small files of Parquet.

use super::call;
use crate::error::Error;
use crate::parquet::{Kind, Pack, PackColumn};

/// Words of a column among the arguments: its leaf, its physical type, and what [`Kind::from_code`] takes.
const COLUMN_WORDS: usize = 6;

/// Begins a pack of files that are laid out as one. The arguments are the number of columns, six words for each, and the bytes of that
/// file. 0: the file is of another form.
#[unsafe(no_mangle)]
pub extern "C" fn pack_new() -> i32 {
    call(|state| {
        let (count, rest) = state.arguments.split_first_chunk::<4>().ok_or(ARGUMENTS)?;
        let columns = u32::from_le_bytes(*count) as usize;
        let bytes = columns.checked_mul(COLUMN_WORDS * 4).ok_or(ARGUMENTS)?;
        let (words, file) = rest.split_at_checked(bytes).ok_or(ARGUMENTS)?;
        let mut pack_columns = Vec::new();
        pack_columns.try_reserve_exact(columns)?;
        for words in super::words(words)?.as_chunks::<COLUMN_WORDS>().0 {
            let [leaf, physical, is_optional, stored, read, parameter] = *words;
            let kind = Kind::from_code(is_optional != 0, stored as i32, read, parameter as usize)?;
            pack_columns.push(PackColumn { leaf: leaf as usize, physical, kind });
        }
        match Pack::new(file, pack_columns)? {
            Some(pack) => state.packs.insert(pack),
            None => Ok(0),
        }
    })
}

const ARGUMENTS: Error = Error::Misuse("a pack has other arguments");

/// Room for a file; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn pack_file(pack: u32, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.packs.get_mut(pack)?.room(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// Appends the rows of that file. 0: it has to be read by itself.
#[unsafe(no_mangle)]
pub extern "C" fn pack_add(pack: u32, rows: usize) -> i32 {
    call(|state| state.packs.get_mut(pack)?.add(rows).map(u32::from))
}

/// The rows of all files that were added since the last call, as a column.
#[unsafe(no_mangle)]
pub extern "C" fn pack_column(pack: u32, index: usize) -> i32 {
    call(|state| {
        let column = state.packs.get_mut(pack)?.column(index)?;
        state.columns.insert(column)
    })
}

/// Gives up a pack.
#[unsafe(no_mangle)]
pub extern "C" fn pack_free(pack: u32) -> i32 {
    call(|state| state.packs.remove(pack).map(|_| 0))
}
