//! What an instruction sees of the block that it computes.

use super::input::Input;
use super::kind::{BLOCK_CHUNKS, Chunk, Kind, View, with_number};
use super::program::{Instruction, Place, Program};
use super::register::{Chunks, Register, Words};
use crate::buffer::Number;

/// A block of rows, and the values that were computed of it.
pub struct Frame<'a> {
    pub program: &'a Program,
    pub inputs: &'a [Input<'a>],
    /// The first row of the block.
    pub start: usize,
    /// The rows that are asked for.
    pub selection: &'a Words,
    /// Chunks of the block that have rows.
    pub chunks: usize,
}

impl<'a> Frame<'a> {
    /// The chunks of a value that is a number or text.
    pub fn chunks_of<T: Number>(&self, value: u32) -> Chunks<'a, T> {
        match self.program.place(value) {
            Place::Constant(index) => Chunks::of_constant(self.program.constants[index].chunks()),
            Place::Instruction(index) => {
                let register = self.program.instructions[index].register;
                Chunks::of_block(self.program.registers[register].chunks())
            }
            Place::Column(index) => Chunks::of_block(match self.inputs[index].chunks(self.start) {
                Some(chunks) => chunks,
                None => self.program.staged[index].chunks(),
            }),
        }
    }

    /// The bytes of integers, eight at a time.
    pub fn eights_of(&self, value: u32, width: usize) -> &'a [u64] {
        match self.program.place(value) {
            Place::Constant(index) => self.program.constants[index].values(),
            Place::Instruction(index) => self.program.registers[self.program.instructions[index].register].values(),
            Place::Column(index) => match self.inputs[index].eights(self.start, width) {
                Some(eights) => eights,
                None => self.program.staged[index].values(),
            },
        }
    }

    /// Which rows of a value are known.
    pub fn known(&self, value: u32) -> &'a Words {
        self.register(value).known()
    }

    /// Which rows of a boolean are true.
    pub fn truth(&self, value: u32) -> &'a Words {
        self.register(value).truth()
    }

    /// The rows that matter to an instruction.
    pub fn active(&self, instruction: &Instruction) -> &'a Words {
        instruction.active.map_or(self.selection, |value| self.truth(value))
    }

    /// The bytes of a text. A row that does not matter may have a view of what is not there.
    pub fn text(&self, view: View) -> &'a [u8] {
        let (source, place) = ((view >> 32) as usize, view as u32 as usize);
        match self.inputs.get(source) {
            Some(input) => input.text(place),
            None => self.program.text(source, place),
        }
    }

    /// The bits of a number in a row, for a message.
    pub fn bits_of(&self, value: u32, kind: Kind, row: usize) -> u64 {
        with_number!(kind, T => {
            use super::kind::Lane;
            let chunk: &Chunk<T> = self.chunks_of(value).at(row / 64);
            chunk[row % 64].bits()
        }, _ => 0)
    }

    fn register(&self, value: u32) -> &'a Register {
        match self.program.place(value) {
            Place::Constant(index) => &self.program.constants[index],
            Place::Instruction(index) => &self.program.registers[self.program.instructions[index].register],
            Place::Column(index) => &self.program.staged[index],
        }
    }
}

/// Rows in which both operands are known.
pub fn both(a: &Words, b: &Words) -> Words {
    std::array::from_fn(|chunk| a[chunk] & b[chunk])
}

/// A word of each chunk.
pub fn words(f: impl Fn(usize) -> u64) -> Words {
    let mut words = [0; BLOCK_CHUNKS];
    for (chunk, word) in words.iter_mut().enumerate() {
        *word = f(chunk);
    }
    words
}
