//! The loops over the chunks of a block.

use super::comparing::each_bit;
use crate::buffer::Number;
use crate::evaluate::frame::{Frame, both};
use crate::evaluate::kind::Chunk;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// Computes a value of one value. Null gives null.
#[inline(always)]
pub fn map<T: Number, U: Number>(instruction: &Instruction, frame: &Frame, out: &mut Register, f: impl Fn(T) -> U) {
    let [a, ..] = instruction.operands;
    let (values, active) = (frame.chunks_of::<T>(a), frame.active(instruction));
    *out.known_mut() = *frame.known(a);
    for (i, out) in out.chunks_mut::<U>()[..frame.chunks].iter_mut().enumerate() {
        if active[i] != 0 {
            let values = values.at(i);
            *out = std::array::from_fn(|row| f(values[row]));
        }
    }
}

/// Computes a value of two values. Null gives null.
#[inline(always)]
pub fn zip<T: Number, S: Number, U: Number>(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    f: impl Fn(T, S) -> U,
) {
    let [a, b, _] = instruction.operands;
    let active = frame.active(instruction);
    *out.known_mut() = both(frame.known(a), frame.known(b));
    let (a, b) = (frame.chunks_of::<T>(a), frame.chunks_of::<S>(b));
    for (i, out) in out.chunks_mut::<U>()[..frame.chunks].iter_mut().enumerate() {
        if active[i] != 0 {
            let (a, b) = (a.at(i), b.at(i));
            *out = std::array::from_fn(|row| f(a[row], b[row]));
        }
    }
}

/// Computes a value of two values that may have none. `compute` tells whether any of 64 rows fails, `fails` whether one does.
/// Returns the first row that matters, is not null, and fails.
#[inline(always)]
pub fn zip_checked<T: Number, U: Number>(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    compute: impl Fn(&Chunk<T>, &Chunk<T>, &mut Chunk<U>) -> bool,
    fails: impl Fn(T, T) -> bool,
) -> Option<usize> {
    let [a, b, _] = instruction.operands;
    run_checked(instruction, frame, out, [a, b], compute, fails)
}

/// The same for two given operands.
#[inline(always)]
pub fn run_checked<T: Number, U: Number>(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    [a, b]: [u32; 2],
    compute: impl Fn(&Chunk<T>, &Chunk<T>, &mut Chunk<U>) -> bool,
    fails: impl Fn(T, T) -> bool,
) -> Option<usize> {
    let active = frame.active(instruction);
    let known = both(frame.known(a), frame.known(b));
    *out.known_mut() = known;
    let (a, b) = (frame.chunks_of::<T>(a), frame.chunks_of::<T>(b));
    for (i, out) in out.chunks_mut::<U>()[..frame.chunks].iter_mut().enumerate() {
        if active[i] == 0 || !compute(a.at(i), b.at(i), out) {
            continue;
        }
        let failing = each_bit(active[i] & known[i], |row| fails(a.at(i)[row], b.at(i)[row]));
        if failing != 0 {
            return Some(i * 64 + failing.trailing_zeros() as usize);
        }
    }
    None
}
