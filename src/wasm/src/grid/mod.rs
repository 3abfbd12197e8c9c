//! Grids of rows that come in any order. The values of some columns are the dimensions, and each row is one element.
//!
//! The size of a grid is known when all rows are. Until then rows are written as blocks (`block`) that the host keeps, with a number
//! for each value of a dimension ([`Grid::spool`]). Then the values of each dimension are sorted ([`Dimension::sort`]), and each number
//! gets its place ([`Grid::arrange`]). Blocks are split by parts of the grid that fit into memory
//! ([`Grid::distribute`]), and rows are put into the elements of one part after the other ([`Grid::begin`], [`Grid::put`]).

mod block;
mod dimension;
mod elements;
mod place;
mod units;
mod variable;

use crate::array::Array;
use crate::cycles::Cycles;
use crate::error::{Error, Result};
use crate::scratch::Scratch;
use elements::Elements;

pub use dimension::Dimension;
pub use variable::Variable;

/// A grid.
pub struct Grid {
    dimensions: Vec<Dimension>,
    variables: Vec<Variable>,
    /// Parts that the places refer to; 0: there are no places yet.
    parts: usize,
    /// Rows of each part in the block that was distributed last.
    counts: Vec<u32>,
    elements: Elements,
}

impl Grid {
    /// Without rows.
    pub fn new(dimensions: Vec<Dimension>, variables: Vec<Variable>) -> Self {
        Grid { dimensions, variables, parts: 0, counts: Vec::new(), elements: Elements::default() }
    }

    /// Appends a block of rows: the dimensions, then the variables, each of `rows` rows.
    pub fn spool(&mut self, columns: &[Option<&Array>], rows: usize, out: &mut Scratch) -> Result<()> {
        let count = self.dimensions.len() + self.variables.len();
        if columns.len() != count || columns.iter().any(|column| column.is_none_or(|column| column.len != rows)) {
            return Err(OTHER_COLUMNS);
        }
        let cycles = Cycles::new(columns)?;
        for (at, column) in columns.iter().flatten().enumerate() {
            let flat = cycles.flat(at, column)?;
            match self.dimensions.get_mut(at) {
                Some(dimension) => dimension.spool(flat, rows, out)?,
                None => self.variables[at - self.dimensions.len()].spool(flat, rows, out)?,
            }
        }
        Ok(())
    }

    /// A dimension.
    pub fn dimension(&mut self, index: usize) -> Result<&mut Dimension> {
        self.dimensions.get_mut(index).ok_or(OTHER_COLUMNS)
    }

    /// A variable.
    pub fn variable(&self, index: usize) -> Result<&Variable> {
        self.variables.get(index).ok_or(OTHER_COLUMNS)
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        let dimensions: usize = self.dimensions.iter().map(Dimension::allocated).sum();
        dimensions + self.counts.capacity() * 4 + self.elements.allocated()
    }
}

const OTHER_COLUMNS: Error = Error::Misuse("other columns than the grid's");
