//! Making columns of sections.

use super::{call, words};
use crate::error::{Error, Result};
use crate::section_column::{Dimension, SectionColumn, Stored};
use crate::types::Type;

/// Begins a column of a type with so many rows.
#[unsafe(no_mangle)]
pub extern "C" fn section_new(code: u32, parameter: i32, rows: usize) -> i32 {
    call(|state| state.sections.insert(SectionColumn::new(Type::from_code(code, parameter)?, rows)?))
}

/// Room for the buffers of a section; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn section_room(column: u32, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.sections.get_mut(column)?.room(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// Where the next values belong that are rows as they are; the results are where, and how many bytes up to the last row.
#[unsafe(no_mangle)]
pub extern "C" fn section_space(column: u32) -> i32 {
    call(|state| {
        let space = state.sections.get_mut(column)?.space()?;
        let (address, len) = (space.as_mut_ptr() as usize, space.len());
        state.results[..2].copy_from_slice(&[address as u32, len as u32]);
        Ok(0)
    })
}

/// Takes values that were written there, see [`SectionColumn::plain`].
#[unsafe(no_mangle)]
pub extern "C" fn section_plain(column: u32, elements: usize, is_nullable: u32, bit: usize) -> i32 {
    call(|state| {
        state.sections.get_mut(column)?.plain(elements, is_nullable != 0, bit)?;
        Ok(0)
    })
}

/// Adds a section whose buffers are in the room. The arguments are 32-bit integers: the type and its parameter, the other members of
/// [`Stored`] in their order, the number of axes, the length of each axis, and three numbers for each [`Dimension`].
#[unsafe(no_mangle)]
pub extern "C" fn section_add(column: u32) -> i32 {
    call(|state| {
        let words = words(&state.arguments)?;
        let (head, rest) = words.split_first_chunk::<9>().ok_or(SHORT)?;
        let [code, parameter, elements, bit, first, validity, offsets, runs, axes] = *head;
        let stored = Stored {
            ty: Type::from_code(code, parameter as i32)?,
            elements: elements as usize,
            bit: bit as usize,
            first: first as usize,
            validity_bytes: validity as usize,
            offsets_bytes: offsets as usize,
            run_bytes: runs as usize,
        };
        let (shape, rest) = rest.split_at_checked(axes as usize).ok_or(SHORT)?;
        let shape = list(shape, |&length| length as usize)?;
        let dimensions = list(rest.as_chunks::<3>().0, |&[axis, extent, stride]| Dimension {
            axis: axis as usize,
            extent: extent as usize,
            stride: stride as usize,
        })?;
        if dimensions.iter().any(|dimension| shape.get(dimension.axis) != Some(&dimension.extent))
            || !dimensions.is_sorted_by(|a, b| a.axis < b.axis)
        {
            return Err(Error::Misuse("a dimension of another length than its axis, or axes out of order"));
        }
        state.sections.get_mut(column)?.add(&stored, &shape, &dimensions)?;
        Ok(0)
    })
}

/// Ends a column of sections: a column. The sections are gone, also when rows are missing.
#[unsafe(no_mangle)]
pub extern "C" fn section_finish(column: u32) -> i32 {
    call(|state| {
        let column = state.sections.remove(column)?.finish()?;
        state.columns.insert(column)
    })
}

/// Gives up a column of sections.
#[unsafe(no_mangle)]
pub extern "C" fn section_free(column: u32) -> i32 {
    call(|state| state.sections.remove(column).map(|_| 0))
}

fn list<S, T>(items: &[S], item: impl Fn(&S) -> T) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(items.len())?;
    list.extend(items.iter().map(item));
    Ok(list)
}

const SHORT: Error = Error::Misuse("fewer arguments than a section needs");
