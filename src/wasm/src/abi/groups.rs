//! Tables of groups.

use super::encoders::KEPT_SCRATCH;
use super::{State, call, words};
use crate::error::{Error, Result};
use crate::flat::Shape;
use crate::group::{Argument, Groups, KeyType, Kind, Share};
use crate::types::Type;
use crate::vectors::{try_collected, with_room};

/// An empty table of groups. The arguments are 32-bit integers: for each of `keys` keys a column of its type (its rows do
/// not matter) and the type's two numbers, whether the type is a dictionary's; then for each aggregate its kind
/// ([`Kind::from_code`]), the same four of its argument and of its key, zeros if it has none, and the digits and the scale of
/// its share ([`Share::new`]), and the number of an aggregate that keeps the same values, plus one.
#[unsafe(no_mangle)]
pub extern "C" fn groups_new(keys: usize, maximum: usize, seed: u32) -> i32 {
    call(|state| {
        let words = words(&state.arguments)?;
        let (of_keys, of_aggregates) =
            keys.checked_mul(4).and_then(|len| words.split_at_checked(len)).ok_or(MALFORMED)?;
        let (keys, aggregates) = (of_keys.as_chunks::<4>().0, of_aggregates.as_chunks::<12>().0);
        let mut key_types = with_room(keys.len())?;
        for &[column, code, parameter, is_dictionary] in keys {
            let (ty, shape) = (Type::from_code(code, parameter as i32)?, Shape::of(state.columns.get(column)?)?);
            key_types.push(KeyType { ty, shape, is_dictionary: is_dictionary != 0 });
        }
        let mut kinds = with_room(aggregates.len())?;
        let argument = |[column, code, parameter, is_dictionary]: [u32; 4]| -> Result<Argument> {
            let ty = Type::from_code(code, parameter as i32)?;
            let shape = match (column, ty) {
                (0, _) => Some(Shape::Null),
                (_, Type::Nested) => None,
                _ => Some(Shape::of(state.columns.get(column)?)?),
            };
            Ok(Argument { ty, shape, is_dictionary: is_dictionary != 0 })
        };
        for &[kind, a0, a1, a2, a3, b0, b1, b2, b3, digits, scale, values_of] in aggregates {
            let by = argument([b0, b1, b2, b3])?;
            let kind = Kind::from_code(kind, by, Share::new(digits, scale)?, values_of.checked_sub(1))?;
            kinds.push((kind, argument([a0, a1, a2, a3])?));
        }
        // Spread over 64 bits: the hash of a word is a mixture with all of it.
        let seed = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state.groups.insert(Groups::new(&key_types, &kinds, seed, maximum)?)
    })
}

/// [`Groups::add_rows`] of the columns whose handles are the arguments, 0 where an aggregate has none; `mask` 0: all rows.
#[unsafe(no_mangle)]
pub extern "C" fn groups_rows(groups: u32, rows: usize, mask: u32) -> i32 {
    call(|state| {
        let State { groups: tables, columns, masks, arguments, .. } = state;
        let handles = words(arguments)?;
        let all = try_collected(
            handles.into_iter().map(|handle| if handle == 0 { Ok(None) } else { columns.get(handle).map(Some) }),
        )?;
        let truth = if mask == 0 { None } else { Some(masks.get(mask)?.truth()) };
        tables.get_mut(groups)?.add_rows(&all, rows, truth)?;
        Ok(0)
    })
}

/// [`Groups::add_groups`] of the bytes in the arguments.
#[unsafe(no_mangle)]
pub extern "C" fn groups_merge(groups: u32) -> i32 {
    call(|state| {
        let bytes = std::mem::take(&mut state.arguments);
        let outcome = state.groups.get_mut(groups)?.add_groups(&bytes);
        outcome.map(|()| 0)
    })
}

/// [`Groups::write`]. Results: where the bytes are, until the next call, and how many.
#[unsafe(no_mangle)]
pub extern "C" fn groups_bytes(groups: u32) -> i32 {
    call(|state| {
        let State { groups: tables, scratch, results, .. } = state;
        scratch.clear(KEPT_SCRATCH);
        tables.get(groups)?.write(scratch)?;
        let written = scratch.written();
        results[..2].copy_from_slice(&[written.as_ptr() as usize as u32, written.len() as u32]);
        Ok(0)
    })
}

/// Groups so far: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn groups_count(groups: u32) -> i32 {
    call(|state| {
        state.results[0] = state.groups.get(groups)?.count() as u32;
        Ok(0)
    })
}

/// Keys and aggregates: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn groups_columns(groups: u32) -> i32 {
    call(|state| {
        state.results[0] = state.groups.get(groups)?.columns() as u32;
        Ok(0)
    })
}

/// A key or an aggregate as a column.
#[unsafe(no_mangle)]
pub extern "C" fn groups_column(groups: u32, index: usize) -> i32 {
    call(|state| {
        let column = state.groups.get_mut(groups)?.column(index)?;
        state.columns.insert(column)
    })
}

/// Frees a table of groups.
#[unsafe(no_mangle)]
pub extern "C" fn groups_free(groups: u32) -> i32 {
    call(|state| state.groups.remove(groups).map(|_| 0))
}

const MALFORMED: Error = Error::Misuse("malformed types of groups");
