//! Rows in order.

use super::encoders::KEPT_SCRATCH;
use super::{State, call, words};
use crate::array::Array;
use crate::bitmap::Bitmap;
use crate::cycles::Cycles;
use crate::error::{Error, Result};
use crate::flat::Shape;
use crate::group::KeyType;
use crate::mask::Mask;
use crate::order::{self, Direction, Key};
use crate::scratch::Scratch;
use crate::types::Type;

/// [`order::sort`]. The arguments are four 32-bit integers a key: its column, the type's two numbers, and 1 if it descends
/// plus 2 if nulls come first. `mask` 0: all rows.
#[unsafe(no_mangle)]
pub extern "C" fn order_new(rows: usize, mask: u32, limit: usize) -> i32 {
    call(|state| {
        let order = {
            let (mut columns, mut keys) = (Vec::new(), Vec::new());
            let words = words(&state.arguments)?;
            columns.try_reserve_exact(words.len() / 4)?;
            keys.try_reserve_exact(words.len() / 4)?;
            for &[column, ..] in words.as_chunks::<4>().0 {
                columns.push(Some(state.column_of(column, rows)?));
            }
            let cycles = Cycles::new(&columns)?;
            for (at, (&[_, code, parameter, flags], column)) in
                words.as_chunks::<4>().0.iter().zip(columns.iter().flatten()).enumerate()
            {
                let ty = Type::from_code(code, parameter as i32)?;
                let direction = Direction { is_descending: flags & 1 != 0, are_nulls_first: flags & 2 != 0 };
                keys.push(Key::new(cycles.flat(at, column)?, ty, direction)?);
            }
            order::sort(&keys, rows, state.truth(mask, rows)?, limit)?
        };
        state.orders.insert(order)
    })
}

/// [`order::changes`]. The arguments are four 32-bit integers a key: its column, the type's two numbers, and its bits. The first
/// result is where the bytes are until the next call, one for each row.
#[unsafe(no_mangle)]
pub extern "C" fn order_changes(rows: usize) -> i32 {
    call(|state| {
        let mut scratch = std::mem::take(&mut state.scratch);
        scratch.clear(KEPT_SCRATCH);
        let outcome = state.changes(rows, &mut scratch);
        state.scratch = scratch;
        outcome?;
        state.results[0] = state.scratch.written().as_ptr() as usize as u32;
        Ok(0)
    })
}

/// [`order::first_rows`] as a mask. The arguments are four 32-bit integers for each of `keys` keys, the last one 0, and then for each key of
/// the order, as in [`order_new`]. If `is_numbered`, the first result is a column of their numbers.
#[unsafe(no_mangle)]
pub extern "C" fn order_firsts(keys: usize, rows: usize, mask: u32, most: usize, seed: u32, is_numbered: u32) -> i32 {
    call(|state| {
        let (truth, numbers) = state.firsts(keys, rows, mask, most, seed, is_numbered != 0)?;
        if let Some(numbers) = numbers {
            state.results[0] = state.columns.insert(numbers)?;
        }
        state.masks.insert(Mask::new(truth, None))
    })
}

/// Rows of an order: the first result.
#[unsafe(no_mangle)]
pub extern "C" fn order_rows(order: u32) -> i32 {
    call(|state| {
        state.results[0] = state.orders.get(order)?.len() as u32;
        Ok(0)
    })
}

/// The rows `from..to` of an order, of a column.
#[unsafe(no_mangle)]
pub extern "C" fn order_take(order: u32, column: u32, from: usize, to: usize) -> i32 {
    call(|state| {
        let rows = state.orders.get(order)?.get(from..to).ok_or(Error::Misuse("rows past the end of an order"))?;
        let taken = state.columns.get(column)?.take_rows(rows)?;
        state.columns.insert(taken)
    })
}

/// Frees an order.
#[unsafe(no_mangle)]
pub extern "C" fn order_free(order: u32) -> i32 {
    call(|state| state.orders.remove(order).map(|_| 0))
}

impl State {
    fn firsts(
        &self,
        keys: usize,
        rows: usize,
        mask: u32,
        most: usize,
        seed: u32,
        is_numbered: bool,
    ) -> Result<(Bitmap, Option<Array>)> {
        let words = words(&self.arguments)?;
        let quads = words.as_chunks::<4>().0;
        let (mut columns, mut groups, mut order) = (Vec::new(), Vec::new(), Vec::new());
        columns.try_reserve_exact(quads.len())?;
        groups.try_reserve_exact(quads.len())?;
        order.try_reserve_exact(quads.len())?;
        for &[column, ..] in quads {
            columns.push(Some(self.column_of(column, rows)?));
        }
        let cycles = Cycles::new(&columns)?;
        for (at, (&[_, code, parameter, flags], column)) in quads.iter().zip(columns.iter().flatten()).enumerate() {
            let ty = Type::from_code(code, parameter as i32)?;
            let flat = cycles.flat(at, column)?;
            if at < keys {
                groups.push((KeyType { ty, shape: Shape::of(column)?, is_dictionary: false }, flat));
                continue;
            }
            let direction = Direction { is_descending: flags & 1 != 0, are_nulls_first: flags & 2 != 0 };
            order.push(Key::new(flat, ty, direction)?);
        }
        // Spread over 64 bits: the hash of a word is a mixture with all of it.
        let seed = u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut firsts = order::first_rows(&groups, &order, rows, self.truth(mask, rows)?, most, seed)?;
        firsts.cut(&order, most);
        let truth = firsts.truth()?;
        Ok((truth, if is_numbered { Some(firsts.numbers(&order)?) } else { None }))
    }

    fn changes(&self, rows: usize, out: &mut Scratch) -> Result<()> {
        let words = words(&self.arguments)?;
        let quads = words.as_chunks::<4>().0;
        let (mut columns, mut keys) = (Vec::new(), Vec::new());
        columns.try_reserve_exact(quads.len())?;
        keys.try_reserve_exact(quads.len())?;
        for &[column, ..] in quads {
            columns.push(Some(self.column_of(column, rows)?));
        }
        let cycles = Cycles::new(&columns)?;
        let direction = Direction { is_descending: false, are_nulls_first: false };
        for (at, (&[_, code, parameter, bits], column)) in quads.iter().zip(columns.iter().flatten()).enumerate() {
            let ty = Type::from_code(code, parameter as i32)?;
            keys.push((Key::new(cycles.flat(at, column)?, ty, direction)?, bits as u8));
        }
        order::changes(&keys, rows, out)
    }
}
