//! Comparisons of values with each other.

use crate::evaluate::frame::{Frame, both, words};
use crate::evaluate::kind::{CHUNK_ROWS, Chunk, Kind, Lane, View, with_number};
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::{Register, Words};

/// Computes a boolean of two values.
pub fn compare(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, _] = instruction.operands;
    let (known_a, known_b) = (frame.known(a), frame.known(b));
    let known = both(known_a, known_b);
    let is_less = instruction.operation == Operation::Less;
    let truth = with_number!(instruction.kind, T => {
        if is_less {
            compare_numbers(instruction, frame, T::less)
        } else {
            compare_numbers(instruction, frame, T::same)
        }
    }, _ => if instruction.kind == Kind::Bool {
        let (truth_a, truth_b) = (frame.truth(a), frame.truth(b));
        words(|i| if is_less { !truth_a[i] & truth_b[i] } else { !(truth_a[i] ^ truth_b[i]) })
    } else if is_less {
        compare_texts(instruction, frame, &known, |a, b| a < b)
    } else {
        compare_texts(instruction, frame, &known, are_equal)
    });
    if instruction.operation == Operation::Same {
        *out.truth_mut() = words(|i| (truth[i] & known[i]) | !(known_a[i] | known_b[i]));
        *out.known_mut() = [u64::MAX; _];
    } else {
        *out.truth_mut() = both(&truth, &known);
        *out.known_mut() = known;
    }
}

fn compare_numbers<T: Lane>(instruction: &Instruction, frame: &Frame, holds: impl Fn(T, T) -> bool) -> Words {
    let [a, b, _] = instruction.operands;
    let (a, b, active) = (frame.chunks_of::<T>(a), frame.chunks_of::<T>(b), frame.active(instruction));
    words(|i| {
        if i >= frame.chunks || active[i] == 0 {
            return 0;
        }
        let (a, b) = (a.at(i), b.at(i));
        pack(|row| holds(a[row], b[row]))
    })
}

/// A word of 64 bits. The compiler computes them as bytes in vectors, and a product moves one bit of each of eight bytes to the top.
#[inline(always)]
pub fn pack(holds: impl Fn(usize) -> bool) -> u64 {
    let mut bytes: Chunk<u8> = [0; CHUNK_ROWS];
    for (row, byte) in bytes.iter_mut().enumerate() {
        *byte = holds(row) as u8;
    }
    let (eights, _) = bytes.as_chunks::<8>();
    eights.iter().enumerate().fold(0, |word, (i, eight)| {
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word | bits << (8 * i)
    })
}

fn compare_texts(
    instruction: &Instruction,
    frame: &Frame,
    known: &Words,
    holds: impl Fn(&[u8], &[u8]) -> bool,
) -> Words {
    let [a, b, _] = instruction.operands;
    let (a, b, active) = (frame.chunks_of::<View>(a), frame.chunks_of::<View>(b), frame.active(instruction));
    words(|i| each_bit(active[i] & known[i], |row| holds(frame.text(a.at(i)[row]), frame.text(b.at(i)[row]))))
}

/// Whether texts are equal. Most that are not differ in eight bytes at an end, which need no call.
#[inline(always)]
fn are_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match (a.first_chunk::<8>(), b.first_chunk::<8>(), a.last_chunk::<8>(), b.last_chunk::<8>()) {
        (Some(a_start), Some(b_start), Some(a_end), Some(b_end)) => {
            a_start == b_start && a_end == b_end && (a.len() <= 16 || a == b)
        }
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

/// The bits of a word for which a test holds.
#[inline(always)]
pub fn each_bit(mut rows: u64, holds: impl Fn(usize) -> bool) -> u64 {
    let mut word = 0;
    while rows != 0 {
        let row = rows.trailing_zeros() as usize;
        word |= (holds(row) as u64) << row;
        rows &= rows - 1;
    }
    word
}

/// Whether values are among the constants of a set.
pub fn among(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, set, _] = instruction.operands;
    let (set, known, active) = (&frame.program.sets[set as usize], frame.known(a), frame.active(instruction));
    let truth = with_number!(instruction.kind, T => {
        let values = frame.chunks_of::<T>(a);
        words(|i| each_bit(active[i] & known[i], |row| set.has_number(values.at(i)[row])))
    }, _ => {
        let values = frame.chunks_of::<View>(a);
        words(|i| each_bit(active[i] & known[i], |row| set.has_text(frame.text(values.at(i)[row]))))
    });
    *out.truth_mut() = truth;
    *out.known_mut() = *known;
}
