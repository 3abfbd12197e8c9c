//! Making columns of Parquet pages.

use super::call;
use crate::error::Error;
use crate::parquet::{Encoding, FlatColumn, Kind, Page};

/// Begins a flat column; see [`Kind::from_code`].
#[unsafe(no_mangle)]
pub extern "C" fn flat_new(kind: u32, rows: usize) -> i32 {
    call(|state| state.flat.insert(FlatColumn::new(Kind::from_code(kind)?, rows)?))
}

/// Room for a page; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn flat_page(column: u32, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.flat.get_mut(column)?.page(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// Takes that page for the dictionary, of so many values.
#[unsafe(no_mangle)]
pub extern "C" fn flat_dictionary(column: u32, values: usize) -> i32 {
    call(|state| {
        state.flat.get_mut(column)?.dictionary(values)?;
        Ok(0)
    })
}

/// Room for the next rows, none of which is null; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn flat_plain(column: u32, rows: usize) -> i32 {
    call(|state| {
        state.results[0] = state.flat.get_mut(column)?.plain(rows)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// Appends rows of that page. `levels` is -1 where there are none; `encoding` is 0 for plain, 1 for a dictionary.
#[unsafe(no_mangle)]
pub extern "C" fn flat_append(column: u32, rows: usize, levels: i32, encoding: u32, skip: usize, take: usize) -> i32 {
    call(|state| {
        let encoding = match encoding {
            0 => Encoding::Plain,
            1 => Encoding::Dictionary,
            _ => return Err(Error::Misuse("an encoding that is not known")),
        };
        let page = Page { rows, levels: usize::try_from(levels).ok(), encoding, skip, take };
        state.flat.get_mut(column)?.append(&page)?;
        Ok(0)
    })
}

/// Leaves rows out that nobody looks at.
#[unsafe(no_mangle)]
pub extern "C" fn flat_skip(column: u32, rows: usize) -> i32 {
    call(|state| state.flat.get_mut(column)?.skip(rows).map(|()| 0))
}

/// Ends a flat column: a column. The flat column is gone, also when rows are missing.
#[unsafe(no_mangle)]
pub extern "C" fn flat_finish(column: u32) -> i32 {
    call(|state| {
        let column = state.flat.remove(column)?.finish()?;
        state.columns.insert(column)
    })
}

/// Gives up a flat column.
#[unsafe(no_mangle)]
pub extern "C" fn flat_free(column: u32) -> i32 {
    call(|state| state.flat.remove(column).map(|_| 0))
}
