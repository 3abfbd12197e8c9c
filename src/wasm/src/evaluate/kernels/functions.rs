//! Functions of 64-bit floats, row by row.

use super::loops::{map, zip, zip_checked};
use super::math::{cbrt, cosh, exp, log, log2, power, sinh, tanh};
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::Chunk;
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// Functions that have a value for each number, in the order of the loader's numbers (`evaluate/functions.ts`).
const FUNCTIONS: &[fn(f64) -> f64] = &[exp, cbrt, f64::atan, sinh, cosh, tanh];

/// Functions, and the numbers for which they have no value, in the same order.
const PARTIAL: &[(fn(f64) -> f64, fn(f64) -> bool)] = &[
    (log, is_not_positive),
    (log2, is_not_positive),
    (f64::log10, is_not_positive),
    (f64::sin, f64::is_infinite),
    (f64::cos, f64::is_infinite),
    (f64::tan, f64::is_infinite),
    (f64::asin, is_beyond_one),
    (f64::acos, is_beyond_one),
];

fn is_not_positive(value: f64) -> bool {
    value <= 0.0
}

fn is_beyond_one(value: f64) -> bool {
    value.abs() > 1.0
}

/// Whether there is a function of a number.
pub fn is_number(operation: Operation, number: u32) -> bool {
    (number as usize) < if operation == Operation::PartialFunction { PARTIAL.len() } else { FUNCTIONS.len() }
}

/// Computes a function that has a value for each number.
pub fn compute(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    map(instruction, frame, out, FUNCTIONS[instruction.operands[1] as usize]);
}

/// Computes a function that has none for some. Returns a row that has such a number.
pub fn compute_partial(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    let (function, fails) = PARTIAL[instruction.operands[1] as usize];
    let compute = |values: &Chunk<f64>, _: &Chunk<f64>, out: &mut Chunk<f64>| {
        let mut any_fails = false;
        for (out, value) in out.iter_mut().zip(values) {
            *out = function(*value);
            any_fails |= fails(*value);
        }
        any_fails
    };
    zip_checked(instruction, frame, out, &compute, &|value, _| fails(value))
}

/// The angle of the point `b`, `a`.
pub fn measure_angle(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    zip(instruction, frame, out, f64::atan2);
}

/// Raises `a` to the power of `b`.
pub fn raise(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    zip(instruction, frame, out, power);
}
