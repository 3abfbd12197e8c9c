//! Functions of 64-bit floats, row by row.

use super::loops::{map, zip, zip_checked};
use super::math::{cbrt, exp, log, log2, power};
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::Chunk;
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// Of each operation that has several functions, how many.
const FUNCTIONS: u32 = 2;
const LOGARITHMS: u32 = 3;

/// Whether there is a function of a number.
pub fn is_number(operation: Operation, number: u32) -> bool {
    number < if operation == Operation::Logarithm { LOGARITHMS } else { FUNCTIONS }
}

/// Computes a function that has a value for each number, in the order of the loader's numbers (`evaluate/functions.ts`).
pub fn compute(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    match instruction.operands[1] {
        0 => map(instruction, frame, out, exp),
        _ => map(instruction, frame, out, cbrt),
    }
}

/// Raises `a` to the power of `b`.
pub fn raise(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    zip(instruction, frame, out, power);
}

/// Computes a logarithm. Returns a row that is not above 0.
pub fn take_logarithm(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    let [_, base, _] = instruction.operands;
    let function: fn(f64) -> f64 = match base {
        0 => log,
        1 => log2,
        _ => f64::log10,
    };
    let compute = |values: &Chunk<f64>, _: &Chunk<f64>, out: &mut Chunk<f64>| {
        let mut fails = false;
        for (out, value) in out.iter_mut().zip(values) {
            *out = function(*value);
            fails |= *value <= 0.0;
        }
        fails
    };
    zip_checked(instruction, frame, out, &compute, &|value, _| value <= 0.0)
}
