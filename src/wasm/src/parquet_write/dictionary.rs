//! The distinct values of a chunk, and the numbers of its values among them.

use super::plain::LENGTH_BYTES;
use crate::array::{Array, Data};
use crate::error::Result;
use crate::flat::{Flat, Shape};
use crate::group::{BLOCK_ROWS, Numbering, Rows, Source};
use crate::scratch::Scratch;
use crate::types::Type;
use std::ops::Range;

/// Distinct values, in the order in which they come first.
pub struct Dictionary {
    numbering: Numbering,
    numbers: Vec<u32>,
    /// Of byte arrays, the bytes of each value.
    lengths: Vec<u32>,
    is_text: bool,
}

/// Bytes of a dictionary page at most, before compression.
const MOST_BYTES: usize = 1 << 20;
/// The values by which it is told whether a dictionary is of use: not if more than three in four of them differ.
const SAMPLE: usize = 16_384;

impl Dictionary {
    /// Of values without nulls. None: they are shorter as plain values, or too many of them differ.
    pub fn of(array: &Array, seed: u64) -> Result<Option<Self>> {
        let shape = Shape::of(array)?;
        // Bits are shorter than numbers.
        if array.len == 0 || matches!(shape, Shape::Bool | Shape::Null) {
            return Ok(None);
        }
        let is_text = shape == Shape::Bytes;
        // Values whose bits differ are different, floats among them: NaNs stay what they are.
        let ty = if is_text { Type::Binary } else { Type::Int { bits: 64, signed: false } };
        let numbering = Numbering::new(ty, shape, seed, false);
        let mut dictionary = Dictionary { numbering, numbers: Vec::new(), lengths: Vec::new(), is_text };
        dictionary.numbers.try_reserve_exact(array.len)?;
        dictionary.numbers.resize(array.len, 0);
        let mut source = Source::new(Flat::of(array)?, array.len)?;
        for (block, numbers) in dictionary.numbers.chunks_mut(BLOCK_ROWS).enumerate() {
            let (first, len) = (block * BLOCK_ROWS, numbers.len());
            dictionary.numbering.number(&mut source, Rows::Run { first, len }, numbers)?;
            let distinct = dictionary.numbering.len();
            let is_varied = first + len == SAMPLE && distinct > SAMPLE / 4 * 3;
            if is_varied || dictionary.numbering.values().bytes() + length_bytes(is_text, distinct) > MOST_BYTES {
                return Ok(None);
            }
        }
        if is_text {
            dictionary.lengths.try_reserve_exact(dictionary.len())?;
            let values = dictionary.numbering.values();
            dictionary.lengths.extend((0..values.len() as u32).map(|number| values.get(number).len() as u32));
        }
        Ok(dictionary.is_shorter(array, shape).then_some(dictionary))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.numbering.len()
    }

    /// Bits of a number.
    pub fn width(&self) -> usize {
        (usize::BITS - (self.len() - 1).leading_zeros()).max(1) as usize
    }

    /// The numbers of values of the chunk.
    pub fn numbers(&self, range: Range<usize>) -> &[u32] {
        &self.numbers[range]
    }

    /// One of its values.
    pub fn value(&self, number: u32) -> &[u8] {
        self.numbering.values().get(number)
    }

    /// Bytes of byte arrays of the chunk without their lengths.
    pub fn text_bytes(&self, range: Range<usize>) -> usize {
        self.numbers[range].iter().map(|&number| self.lengths[number as usize] as usize).sum()
    }

    /// Appends its values.
    pub fn write(&self, out: &mut Scratch) -> Result<()> {
        for number in 0..self.len() as u32 {
            let value = self.value(number);
            if self.is_text {
                out.extend(&(value.len() as u32).to_le_bytes())?;
            }
            out.extend(value)?;
        }
        Ok(())
    }

    fn is_shorter(&self, array: &Array, shape: Shape) -> bool {
        let own = self.numbering.values().bytes() + length_bytes(self.is_text, self.len());
        let plain = match (shape, &array.data) {
            (Shape::Fixed(width), _) => array.len * width,
            (_, Data::Bytes { values, .. }) => values.len() + length_bytes(true, array.len),
            _ => self.text_bytes(0..array.len) + length_bytes(true, array.len),
        };
        own + array.len * self.width() / 8 < plain
    }
}

const fn length_bytes(is_text: bool, values: usize) -> usize {
    if is_text { values * LENGTH_BYTES } else { 0 }
}
