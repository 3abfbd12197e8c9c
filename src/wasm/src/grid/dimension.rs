//! A dimension: the distinct values of a column.

use super::block;
use super::units::Units;
use crate::array::Data;
use crate::error::{Error, Result};
use crate::flat::{Flat, Shape};
use crate::group::{Numbering, Rows, Source};
use crate::order::{self, Direction, Key};
use crate::scratch::Scratch;
use crate::types::Type;

/// Rows that are numbered at once, so that their numbers stay in the nearest cache.
const BLOCK_ROWS: usize = 2048;

/// Values in the order in which they were met, and then sorted.
pub struct Dimension {
    ty: Type,
    shape: Shape,
    width: usize,
    values: Numbering,
    /// The numbers of the values, sorted by value.
    order: Vec<u32>,
    /// By number: the part in the upper 32 bits and the element of the part in the lower ones, to be added to those of the other
    /// dimensions.
    pub(super) places: Vec<u64>,
}

impl Dimension {
    /// Without values, of a type and shape of at most 64 bits.
    pub fn new(ty: Type, shape: Shape, seed: u64) -> Result<Self> {
        let width = check(shape)?;
        let values = Numbering::new(ty, shape, seed, true);
        Ok(Dimension { ty, shape, width, values, order: Vec::new(), places: Vec::new() })
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of a value.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The numbers in the order of their values.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Appends the numbers of rows, none of which is null.
    pub(super) fn spool(&mut self, flat: Flat, rows: usize, out: &mut Scratch) -> Result<()> {
        if flat.is_null() || flat.validity.is_some_and(|validity| validity.count() < rows) {
            return Err(Error::Misuse("a row without a place in the grid"));
        }
        let mut source = Source::new(flat.of_shape(self.shape)?, rows)?;
        let mut numbers = [0; BLOCK_ROWS];
        for first in (0..rows).step_by(BLOCK_ROWS) {
            let len = BLOCK_ROWS.min(rows - first);
            let numbers = &mut numbers[..len];
            self.values.number(&mut source, Rows::Run { first, len }, numbers)?;
            // Blocks are even but for the last one, so nothing is padded in between.
            block::write(out, numbers.iter().map(|number| number.to_le_bytes()))?;
        }
        Ok(())
    }

    /// Sorts the values, NaN last, and appends them: booleans as bytes, and times in the coarsest unit
    /// that is exact, whose number is returned ([`Units::unit`]); 0 for other values.
    pub fn sort(&mut self, out: &mut Scratch) -> Result<usize> {
        let values = self.values.values().array()?;
        let direction = Direction { is_descending: false, are_nulls_first: false };
        let key = Key::new(Flat::of(&values)?, self.ty, direction)?;
        self.order = order::sort(&[key], values.len, None, self.len())?;
        let order = self.order.iter().map(|&number| number as usize);
        match &values.data {
            Data::Bool(bits) => block::write(out, order.map(|number| [bits.get(number) as u8]))?,
            Data::Fixed { width, values } => {
                if let Some(mut units) = Units::of(self.ty) {
                    let values: &[i64] = values.numbers();
                    order.clone().for_each(|number| units.add(values[number]));
                    block::write(out, order.map(|number| (values[number] / units.divisor()).to_le_bytes()))?;
                    return Ok(units.unit());
                }
                block::by_width!(*width, W => {
                    let values = values.bytes().as_chunks::<W>().0;
                    block::write(out, order.map(|number| values[number]))?
                });
            }
            _ => {}
        }
        Ok(0)
    }

    /// Bytes taken from the allocator.
    pub(super) fn allocated(&self) -> usize {
        self.values.allocated() + self.order.capacity() * 4 + self.places.capacity() * 8
    }
}

/// That values of a shape have 1, 2, 4 or 8 bytes. Booleans have one.
pub(super) fn check(shape: Shape) -> Result<usize> {
    match shape {
        Shape::Bool => Ok(1),
        Shape::Fixed(width @ (1 | 2 | 4 | 8)) => Ok(width),
        _ => Err(Error::Unsupported("a grid has values of at most 64 bits")),
    }
}
