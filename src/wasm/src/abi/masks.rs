//! Making masks.

use super::{State, call};
use crate::compare::{Constants, Operator, compare};
use crate::error::Error;
use crate::mask::Mask;
use crate::types::Type;
use crate::vectors::collected;
use crate::within::{Coordinates, Geometry, within, within_index};

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
        state.masks.insert(mask)
    })
}

/// True where the column is null.
#[unsafe(no_mangle)]
pub extern "C" fn mask_is_null(column: u32) -> i32 {
    call(|state| {
        let mask = Mask::is_null(state.columns.get(column)?)?;
        state.masks.insert(mask)
    })
}

/// True where the column is not null.
#[unsafe(no_mangle)]
pub extern "C" fn mask_is_not_null(column: u32) -> i32 {
    call(|state| {
        let mask = Mask::is_not_null(state.columns.get(column)?)?;
        state.masks.insert(mask)
    })
}

/// `rows` times the same: 0 is false, 1 is true, anything else is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn mask_filled(rows: usize, value: u32) -> i32 {
    call(|state| {
        let mask = if value > 1 { Mask::unknown(rows)? } else { Mask::filled(rows, value == 1)? };
        state.masks.insert(mask)
    })
}

/// True in the runs of rows in the arguments, pairs of `u32`; see [`Mask::in_runs`].
#[unsafe(no_mangle)]
pub extern "C" fn mask_in_runs(rows: usize) -> i32 {
    call(|state| {
        let (numbers, _) = state.arguments.as_chunks::<4>();
        let mut rows_of_runs = numbers.iter().map(|bytes| u32::from_le_bytes(*bytes) as usize);
        let runs = std::iter::from_fn(|| Some((rows_of_runs.next()?, rows_of_runs.next()?)));
        state.masks.insert(Mask::in_runs(rows, runs)?)
    })
}

/// Kleene's AND.
#[unsafe(no_mangle)]
pub extern "C" fn mask_and(left: u32, right: u32) -> i32 {
    call(|state| {
        let mask = state.masks.get(left)?.and(state.masks.get(right)?)?;
        state.masks.insert(mask)
    })
}

/// Kleene's OR.
#[unsafe(no_mangle)]
pub extern "C" fn mask_or(left: u32, right: u32) -> i32 {
    call(|state| {
        let mask = state.masks.get(left)?.or(state.masks.get(right)?)?;
        state.masks.insert(mask)
    })
}

/// Kleene's NOT.
#[unsafe(no_mangle)]
pub extern "C" fn mask_not(mask: u32) -> i32 {
    call(|state| {
        let mask = state.masks.get(mask)?.not()?;
        state.masks.insert(mask)
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

/// Whether a row from `from` up to `to` is true.
#[unsafe(no_mangle)]
pub extern "C" fn mask_any_true(mask: u32, from: usize, to: usize) -> i32 {
    call(|state| Ok(u32::from(state.masks.get(mask)?.any_true(from, to)?)))
}

/// Frees a mask.
#[unsafe(no_mangle)]
pub extern "C" fn mask_free(mask: u32) -> i32 {
    call(|state| state.masks.remove(mask).map(|_| 0))
}

/// True where the geometry in the arguments contains the point of the two columns; see [`Geometry::parse`].
#[unsafe(no_mangle)]
pub extern "C" fn mask_within(x: u32, x_code: u32, x_parameter: i32, y: u32, y_code: u32, y_parameter: i32) -> i32 {
    call(|state| {
        let State { arguments, columns, masks, prepared, .. } = state;
        let (bytes, _) = arguments.as_chunks::<8>();
        let numbers = collected(bytes.len(), bytes.iter().map(|bytes| f64::from_le_bytes(*bytes)))?;
        let geometry = Geometry::parse(&numbers)?;
        let (x, y) = (columns.get(x)?, columns.get(y)?);
        let (plain_x, plain_y) = (x.decoded()?, y.decoded()?);
        let x = Coordinates::new(plain_x.as_ref().unwrap_or(x), Type::from_code(x_code, x_parameter)?)?;
        let y = Coordinates::new(plain_y.as_ref().unwrap_or(y), Type::from_code(y_code, y_parameter)?)?;
        let mask = match prepared.index(arguments, &geometry, x.rows())? {
            Some(index) => within_index(x, y, index)?,
            None => within(x, y, &geometry)?,
        };
        masks.insert(mask)
    })
}
