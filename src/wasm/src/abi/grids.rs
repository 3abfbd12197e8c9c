//! Grids.

use super::encoders::KEPT_SCRATCH;
use super::{State, call, words};
use crate::error::Error;
use crate::flat::Shape;
use crate::grid::{Dimension, Grid, Variable};
use crate::types::Type;

/// A grid without rows. The arguments are 32-bit integers: for each of `dimensions` dimensions a column of its type (its rows do not
/// matter) and the type's two numbers; then the same for each variable, and its fill value as two integers.
#[unsafe(no_mangle)]
pub extern "C" fn grid_new(dimensions: usize, seed: u32) -> i32 {
    call(|state| {
        let words = words(&state.arguments)?;
        let (of_dimensions, of_variables) =
            dimensions.checked_mul(3).and_then(|len| words.split_at_checked(len)).ok_or(MALFORMED)?;
        let (mut dimensions, mut variables) = (Vec::new(), Vec::new());
        // Spread over 64 bits: the hash of a word is a mixture with all of it.
        let seed = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for &[column, code, parameter] in of_dimensions.as_chunks::<3>().0 {
            let (ty, shape) = (Type::from_code(code, parameter as i32)?, Shape::of(state.columns.get(column)?)?);
            dimensions.try_reserve(1)?;
            dimensions.push(Dimension::new(ty, shape, seed)?);
        }
        for &[column, code, parameter, low, high] in of_variables.as_chunks::<5>().0 {
            let (ty, shape) = (Type::from_code(code, parameter as i32)?, Shape::of(state.columns.get(column)?)?);
            let fill = (u64::from(high) << 32 | u64::from(low)).to_le_bytes();
            variables.try_reserve(1)?;
            variables.push(Variable::new(ty, shape, fill)?);
        }
        state.grids.insert(Grid::new(dimensions, variables))
    })
}

/// [`Grid::spool`] of the columns whose handles are the arguments. Results: where the block is, until the next call, and its length.
#[unsafe(no_mangle)]
pub extern "C" fn grid_spool(grid: u32, rows: usize) -> i32 {
    call(|state| {
        let State { grids, columns, arguments, scratch, results, .. } = state;
        let mut all = Vec::new();
        for handle in words(arguments)? {
            all.try_reserve(1)?;
            all.push(Some(columns.get(handle)?));
        }
        scratch.clear(KEPT_SCRATCH);
        grids.get_mut(grid)?.spool(&all, rows, scratch)?;
        results[..2].copy_from_slice(&[scratch.written().as_ptr() as usize as u32, scratch.len() as u32]);
        Ok(0)
    })
}

/// The values of a dimension so far: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn grid_size(grid: u32, dimension: usize) -> i32 {
    call(|state| {
        state.results[0] = state.grids.get_mut(grid)?.dimension(dimension)?.len() as u32;
        Ok(0)
    })
}

/// [`Dimension::sort`]. Results: where the values are, until the next call, and their length. Returns the number of their unit.
#[unsafe(no_mangle)]
pub extern "C" fn grid_sort(grid: u32, dimension: usize) -> i32 {
    call(|state| {
        let State { grids, scratch, results, .. } = state;
        scratch.clear(KEPT_SCRATCH);
        let dimension = grids.get_mut(grid)?.dimension(dimension)?;
        let unit = dimension.sort(scratch)?;
        let bytes = dimension.len() * dimension.width();
        results[..2].copy_from_slice(&[scratch.written().as_ptr() as usize as u32, bytes as u32]);
        Ok(unit as u32)
    })
}

/// The number of the unit of a variable's times.
#[unsafe(no_mangle)]
pub extern "C" fn grid_unit(grid: u32, variable: usize) -> i32 {
    call(|state| Ok(state.grids.get(grid)?.variable(variable)?.unit() as u32))
}

/// [`Grid::arrange`]. Returns the parts.
#[unsafe(no_mangle)]
pub extern "C" fn grid_arrange(grid: u32, split: usize, rows: usize) -> i32 {
    call(|state| Ok(state.grids.get_mut(grid)?.arrange(split, rows)? as u32))
}

/// [`Grid::distribute`] of the block in the arguments. Results, until the next call: where the blocks are, their length, where the
/// rows of each part are counted, and how many parts there are.
#[unsafe(no_mangle)]
pub extern "C" fn grid_distribute(grid: u32, rows: usize) -> i32 {
    call(|state| {
        let State { grids, arguments, scratch, results, .. } = state;
        scratch.clear(KEPT_SCRATCH);
        let grid = grids.get_mut(grid)?;
        grid.distribute(arguments, rows, scratch)?;
        let counts = grid.counts();
        let (blocks, length) = (scratch.written().as_ptr() as usize, scratch.len());
        *results = [blocks, length, counts.as_ptr() as usize, counts.len()].map(|number| number as u32);
        Ok(0)
    })
}

/// [`Grid::begin`].
#[unsafe(no_mangle)]
pub extern "C" fn grid_begin(grid: u32, cells: usize) -> i32 {
    call(|state| state.grids.get_mut(grid)?.begin(cells).map(|()| 0))
}

/// [`Grid::put`] of the block in the arguments.
#[unsafe(no_mangle)]
pub extern "C" fn grid_put(grid: u32, rows: usize, is_distributed: u32) -> i32 {
    call(|state| state.grids.get_mut(grid)?.put(&state.arguments, rows, is_distributed != 0).map(|()| 0))
}

/// [`Grid::values`]. Results: where the values are, until the next call, their length, how many elements are empty, and
/// whether a row of the variable holds the fill value.
#[unsafe(no_mangle)]
pub extern "C" fn grid_values(grid: u32, variable: usize) -> i32 {
    call(|state| {
        let grid = state.grids.get(grid)?;
        let (values, empty) = grid.values(variable)?;
        let holds_fill = grid.variable(variable)?.holds_fill() as usize;
        state.results = [values.as_ptr() as usize, values.len(), empty, holds_fill].map(|number| number as u32);
        Ok(0)
    })
}

/// Frees a grid.
#[unsafe(no_mangle)]
pub extern "C" fn grid_free(grid: u32) -> i32 {
    call(|state| state.grids.remove(grid).map(|_| 0))
}

const MALFORMED: Error = Error::Misuse("malformed types of a grid");
