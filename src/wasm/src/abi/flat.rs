//! Making columns of Parquet pages.

use super::call;
use crate::parquet::{Codec, Encoding, FlatColumn, Kind, Levels, Page};

/// Begins a flat column; see [`Kind::from_code`].
#[unsafe(no_mangle)]
pub extern "C" fn flat_new(is_optional: u32, stored: i32, read: u32, parameter: usize, rows: usize) -> i32 {
    call(|state| {
        let kind = Kind::from_code(is_optional != 0, stored, read, parameter)?;
        state.flat.insert(FlatColumn::new(kind, rows)?)
    })
}

/// Of the rows only those that are true in a mask are looked at: a page that is appended may leave out the values of others.
#[unsafe(no_mangle)]
pub extern "C" fn flat_select(column: u32, mask: u32) -> i32 {
    call(|state| state.flat.get_mut(column)?.select(state.masks.get(mask)?.truth()).map(|()| 0))
}

/// Room for a page as it is stored; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn flat_page(column: u32, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.flat.get_mut(column)?.page(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// Takes that page for the dictionary, of so many values. `codec` is Parquet's number, `size` the bytes once inflated.
#[unsafe(no_mangle)]
pub extern "C" fn flat_dictionary(column: u32, values: usize, codec: u32, size: usize) -> i32 {
    call(|state| {
        state.flat.get_mut(column)?.dictionary(values, Codec::from_code(codec)?, size)?;
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

/// Appends rows of that page. `levels` is -1 in a V1 page, else the bytes of the levels; `encoding` and `codec` are
/// Parquet's numbers.
#[unsafe(no_mangle)]
pub extern "C" fn flat_append(
    column: u32,
    rows: usize,
    encoding: u32,
    levels: i32,
    skip: usize,
    take: usize,
    codec: u32,
    size: usize,
) -> i32 {
    call(|state| {
        let levels = usize::try_from(levels).map_or(Levels::Counted, |bytes| Levels::Apart { bytes });
        let page = Page { rows, encoding: Encoding::from_code(encoding)?, levels, skip, take };
        state.flat.get_mut(column)?.append(&page, Codec::from_code(codec)?, size)?;
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
