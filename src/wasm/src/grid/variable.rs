//! A variable: a column with a value in each cell.

use super::block;
use super::dimension::check;
use super::units::Units;
use crate::array::Data;
use crate::bitmap::{Bitmap, low_bits, word_count};
use crate::error::Result;
use crate::flat::{Flat, Shape};
use crate::scratch::Scratch;
use crate::types::Type;

/// What is known of the values of a column.
pub struct Variable {
    shape: Shape,
    /// Bytes of a value.
    pub(super) width: usize,
    /// What empty cells hold: the first `width` bytes.
    pub(super) fill: [u8; 8],
    /// Whether a value is equal to the fill value.
    pub(super) holds_fill: bool,
    pub(super) units: Option<Units>,
}

impl Variable {
    /// Without values, of a type and shape of at most 64 bits.
    pub fn new(ty: Type, shape: Shape, fill: [u8; 8]) -> Result<Self> {
        Ok(Variable { shape, width: check(shape)?, fill, holds_fill: false, units: Units::of(ty) })
    }

    /// The number of the unit of times ([`Units::unit`]); 0 of other values.
    pub fn unit(&self) -> usize {
        self.units.as_ref().map_or(0, Units::unit)
    }

    /// Whether a value is equal to the fill value.
    pub fn holds_fill(&self) -> bool {
        self.holds_fill
    }

    /// Appends the values of rows, and which are not null.
    pub(super) fn spool(&mut self, flat: Flat, rows: usize, out: &mut Scratch) -> Result<()> {
        let flat = flat.of_shape(self.shape)?;
        let start = out.len();
        match &flat.values.data {
            Data::Bool(bits) => block::write(out, (0..rows).map(|row| [bits.get(flat.place(row)) as u8]))?,
            Data::Fixed { values, .. } => block::by_width!(self.width, W => {
                let values = values.bytes().as_chunks::<W>().0;
                match flat.indices {
                    Some(indices) => block::write(out, indices[..rows].iter().map(|&place| values[place as usize]))?,
                    None => block::write(out, values[..rows].iter().copied())?,
                }
            }),
            // Only nulls.
            _ => block::by_width!(self.width, W => block::write(out, (0..rows).map(|_| [0; W]))?),
        }
        if !flat.is_null() {
            self.look_at(&out.written()[start..][..rows * self.width], flat.validity);
        }
        let word = |index: usize| match flat.validity {
            _ if flat.is_null() => 0,
            Some(validity) => validity.words()[index],
            None => low_bits(rows - index * 64),
        };
        block::write(out, (0..word_count(rows)).map(|index| word(index).to_le_bytes()))
    }

    /// Finds out whether there is the fill value, and in which units times are exact.
    fn look_at(&mut self, values: &[u8], validity: Option<&Bitmap>) {
        let is_valid = |row: usize| validity.is_none_or(|validity| validity.get(row));
        block::by_width!(self.width, W => {
            let (values, fill) = (values.as_chunks::<W>().0, self.fill.first_chunk::<W>());
            let Some(&fill) = fill else { return };
            // All of them are looked at together: mostly there is none.
            if !self.holds_fill && values.iter().fold(false, |any, &value| any | (value == fill)) {
                self.holds_fill = values.iter().enumerate().any(|(row, &value)| value == fill && is_valid(row));
            }
        });
        if let Some(units) = &mut self.units {
            for (row, &value) in values.as_chunks().0.iter().enumerate() {
                if is_valid(row) {
                    units.add(i64::from_le_bytes(value));
                }
            }
        }
    }
}
