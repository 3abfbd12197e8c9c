//! The values of a block.

use super::kind::{BLOCK_CHUNKS, BLOCK_ROWS, CHUNK_ROWS, Chunk, Kind, Lane, View};
use crate::bitmap::filled_word;
use crate::buffer::{Buffer, Number};
use crate::error::Result;
use crate::vectors::filled;

/// A bit for each row of a block.
pub type Words = [u64; BLOCK_CHUNKS];

/// Values of a block. A value that is not known is null, and its number is any.
#[derive(Default)]
pub struct Register {
    values: Buffer,
    /// Bytes before the block, where the values are those of a result.
    start: usize,
    /// Bits of booleans, set only where they are known; then those that say which values are known.
    words: Vec<[u64; BLOCK_CHUNKS]>,
}

impl Register {
    /// Room for a block of a kind.
    pub fn new(kind: Kind) -> Result<Self> {
        Register::with_rows(kind, BLOCK_ROWS)
    }

    /// A value that each row has. Its chunk is the same for all chunks of a block.
    pub fn constant<T: Lane>(kind: Kind, value: Option<T>) -> Result<Self> {
        let mut register = Register::with_rows(kind, CHUNK_ROWS)?;
        register.values.numbers_mut::<T>().fill(value.unwrap_or_default());
        register.known_mut().fill(filled_word(value.is_some()));
        Ok(register)
    }

    /// The same for text.
    pub fn constant_text(view: Option<View>) -> Result<Self> {
        let mut register = Register::with_rows(Kind::Text, CHUNK_ROWS)?;
        register.values.numbers_mut::<View>().fill(view.unwrap_or_default());
        register.known_mut().fill(filled_word(view.is_some()));
        Ok(register)
    }

    /// The same for a boolean.
    pub fn constant_bool(value: Option<bool>) -> Result<Self> {
        let mut register = Register::with_rows(Kind::Bool, 0)?;
        register.truth_mut().fill(filled_word(value == Some(true)));
        register.known_mut().fill(filled_word(value.is_some()));
        Ok(register)
    }

    fn with_rows(kind: Kind, rows: usize) -> Result<Self> {
        Ok(Register { values: Buffer::zeroed(rows * kind.width())?, start: 0, words: filled(2, [0; BLOCK_CHUNKS])? })
    }

    pub fn chunks<T: Number>(&self) -> &[Chunk<T>] {
        self.values().as_chunks().0
    }

    pub fn chunks_mut<T: Number>(&mut self) -> &mut [Chunk<T>] {
        self.values_mut().as_chunks_mut().0
    }

    pub fn values<T: Number>(&self) -> &[T] {
        &self.values.numbers()[self.start / size_of::<T>()..]
    }

    pub fn values_mut<T: Number>(&mut self) -> &mut [T] {
        &mut self.values.numbers_mut()[self.start / size_of::<T>()..]
    }

    /// Exchanges the values for those of a result, in which `start` bytes are before the block, or back again.
    pub fn exchange(&mut self, values: &mut Buffer, start: usize) {
        std::mem::swap(&mut self.values, values);
        self.start = start;
    }

    pub fn truth(&self) -> &Words {
        &self.words[0]
    }

    pub fn truth_mut(&mut self) -> &mut Words {
        &mut self.words[0]
    }

    pub fn known(&self) -> &Words {
        &self.words[1]
    }

    pub fn known_mut(&mut self) -> &mut Words {
        &mut self.words[1]
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.values.allocated() + self.words.capacity() * size_of::<Words>()
    }
}

/// The chunks of an operand. A constant has one for all.
#[derive(Clone, Copy)]
pub struct Chunks<'a, T> {
    chunks: &'a [Chunk<T>],
    step: usize,
}

impl<'a, T> Chunks<'a, T> {
    pub fn of_block(chunks: &'a [Chunk<T>]) -> Self {
        Chunks { chunks, step: 1 }
    }

    pub fn of_constant(chunks: &'a [Chunk<T>]) -> Self {
        Chunks { chunks, step: 0 }
    }

    /// The chunk at `index`.
    #[inline(always)]
    pub fn at(self, index: usize) -> &'a Chunk<T> {
        &self.chunks[index * self.step]
    }

    /// Whether all chunks are the same.
    pub fn is_constant(&self) -> bool {
        self.step == 0
    }

    /// The values of the rows. Those of a constant are one chunk's.
    pub fn rows(&self) -> &'a [T] {
        self.chunks.as_flattened()
    }
}

impl<T: Copy> Chunks<'_, T> {
    /// The value that all rows have.
    pub fn constant(&self) -> Option<T> {
        self.is_constant().then(|| self.chunks[0][0])
    }
}
