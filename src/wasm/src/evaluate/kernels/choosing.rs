//! One of two values, by a condition.

use crate::buffer::Number;
use crate::evaluate::frame::{Frame, words};
use crate::evaluate::kind::{Chunk, Kind};
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// `b` where the condition is true, else `a`.
pub fn choose(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, condition] = instruction.operands;
    let taken = frame.truth(condition);
    let (known_a, known_b) = (frame.known(a), frame.known(b));
    match instruction.kind {
        Kind::Bool => {
            let (truth_a, truth_b) = (frame.truth(a), frame.truth(b));
            *out.truth_mut() = words(|i| (truth_a[i] & !taken[i]) | (truth_b[i] & taken[i]));
        }
        kind => match kind.width() {
            1 => blend::<u8>(instruction, frame, out),
            2 => blend::<u16>(instruction, frame, out),
            4 => blend::<u32>(instruction, frame, out),
            _ => blend::<u64>(instruction, frame, out),
        },
    }
    *out.known_mut() = words(|i| (known_a[i] & !taken[i]) | (known_b[i] & taken[i]));
}

/// Bits that are all those of a number, or one of them.
trait Bits: Number {
    /// The bits of eight rows, each as an own number.
    const ROWS: [Self; 8];
    fn of_byte(byte: u8) -> Self;
    /// `b` where the row has its bit in `byte`, else `a`.
    fn pick(byte: Self, row: Self, a: Self, b: Self) -> Self;
}

macro_rules! bits {
    ($($type:ty),*) => {
        $(impl Bits for $type {
            const ROWS: [Self; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

            #[inline(always)]
            fn of_byte(byte: u8) -> Self {
                byte as $type
            }

            #[inline(always)]
            fn pick(byte: Self, row: Self, a: Self, b: Self) -> Self {
                if byte & row == row { b } else { a }
            }
        })*
    };
}
bits!(u8, u16, u32, u64);

fn blend<T: Bits>(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, condition] = instruction.operands;
    let (a, b, taken) = (frame.chunks_of::<T>(a), frame.chunks_of::<T>(b), frame.truth(condition));
    for (i, out) in out.chunks_mut::<T>()[..frame.chunks].iter_mut().enumerate() {
        blend_chunk(taken[i], a.at(i), b.at(i), out);
    }
}

#[inline(never)]
fn blend_chunk<T: Bits>(word: u64, a: &Chunk<T>, b: &Chunk<T>, out: &mut Chunk<T>) {
    let (a, b, out) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0, out.as_chunks_mut::<8>().0);
    for (eight, byte) in word.to_le_bytes().into_iter().enumerate() {
        let (byte, a, b) = (T::of_byte(byte), &a[eight], &b[eight]);
        for (row, out) in out[eight].iter_mut().enumerate() {
            *out = T::pick(byte, T::ROWS[row], a[row], b[row]);
        }
    }
}
