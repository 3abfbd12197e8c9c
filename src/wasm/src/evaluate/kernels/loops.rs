//! The loops over the chunks of a block.

use super::comparing::each_bit;
use crate::buffer::Number;
use crate::evaluate::frame::{Frame, both};
use crate::evaluate::kind::Chunk;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// Writes each value of a chunk where it belongs. An array that is returned would be copied there, which takes a call for every chunk.
#[inline(always)]
pub fn fill<T>(out: &mut Chunk<T>, f: impl Fn(usize) -> T) {
    for (row, out) in out.iter_mut().enumerate() {
        *out = f(row);
    }
}

/// A value of each value of a chunk. The compiler knows of arguments, and of nothing else, that they lie apart. Without that it makes a
/// second loop without vectors.
#[inline(never)]
pub fn map_chunk<T: Number, U: Number>(values: &Chunk<T>, out: &mut Chunk<U>, f: impl Fn(T) -> U) {
    fill(out, |row| f(values[row]));
}

/// Computes a value of one value. Null gives null.
#[inline(always)]
pub fn map<T: Number, U: Number>(instruction: &Instruction, frame: &Frame, out: &mut Register, f: impl Fn(T) -> U) {
    map_chunks(instruction, frame, out, &|values: &Chunk<T>, out: &mut Chunk<U>| fill(out, |row| f(values[row])));
}

/// Computes a value of two values. Null gives null.
#[inline(always)]
pub fn zip<T: Number, S: Number, U: Number>(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    f: impl Fn(T, S) -> U,
) {
    let compute = |a: &Chunk<T>, b: &Chunk<S>, out: &mut Chunk<U>| fill(out, |row| f(a[row], b[row]));
    zip_chunks(instruction, frame, out, &compute);
}

/// What computes 64 rows of one value, and of two. It is called by its address: there is one loop over chunks for all.
type Map<'a, T, U> = &'a dyn Fn(&Chunk<T>, &mut Chunk<U>);
type Zip<'a, T, S, U> = &'a dyn Fn(&Chunk<T>, &Chunk<S>, &mut Chunk<U>);

#[inline(never)]
fn map_chunks<T: Number, U: Number>(instruction: &Instruction, frame: &Frame, out: &mut Register, compute: Map<T, U>) {
    let [a, ..] = instruction.operands;
    let (values, active) = (frame.chunks_of::<T>(a), frame.active(instruction));
    *out.known_mut() = *frame.known(a);
    for (i, out) in out.chunks_mut::<U>()[..frame.chunks].iter_mut().enumerate() {
        if active[i] != 0 {
            compute(values.at(i), out);
        }
    }
}

#[inline(never)]
fn zip_chunks<T: Number, S: Number, U: Number>(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    compute: Zip<T, S, U>,
) {
    let [a, b, _] = instruction.operands;
    let active = frame.active(instruction);
    *out.known_mut() = both(frame.known(a), frame.known(b));
    let (a, b) = (frame.chunks_of::<T>(a), frame.chunks_of::<S>(b));
    for (i, out) in out.chunks_mut::<U>()[..frame.chunks].iter_mut().enumerate() {
        if active[i] != 0 {
            compute(a.at(i), b.at(i), out);
        }
    }
}

/// Computes a value of two values that may have none. `compute` tells whether any of 64 rows fails, `fails` whether one does.
/// Returns the first row that matters, is not null, and fails.
#[inline(never)]
pub fn zip_checked<T: Number>(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    compute: &dyn Fn(&Chunk<T>, &Chunk<T>, &mut Chunk<T>) -> bool,
    fails: &dyn Fn(T, T) -> bool,
) -> Option<usize> {
    let [a, b, _] = instruction.operands;
    let b = if instruction.has_two_values() { b } else { a };
    let active = frame.active(instruction);
    let known = both(frame.known(a), frame.known(b));
    *out.known_mut() = known;
    let (a, b) = (frame.chunks_of::<T>(a), frame.chunks_of::<T>(b));
    for (i, out) in out.chunks_mut::<T>()[..frame.chunks].iter_mut().enumerate() {
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
