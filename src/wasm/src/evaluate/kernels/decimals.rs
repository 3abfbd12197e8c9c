//! Decimals of up to 18 digits, unscaled in 64 bits.

use super::arithmetic::Integer;
use super::loops::{map, zip_checked};
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::Chunk;
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// The largest number of 18 digits.
const LARGEST: i64 = 999_999_999_999_999_999;

/// Computes a decimal of two. Returns a row whose result has more than 18 digits.
pub fn combine(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    match instruction.operation {
        Operation::AddDecimals => compute(instruction, frame, out, i64::add_chunk, i64::checked_add),
        Operation::SubtractDecimals => compute(instruction, frame, out, i64::subtract_chunk, i64::checked_sub),
        _ => compute(instruction, frame, out, i64::multiply_chunk, i64::checked_mul),
    }
}

#[inline(always)]
fn compute(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    of_chunks: impl Fn(&Chunk<i64>, &Chunk<i64>, &mut Chunk<i64>) -> bool,
    of_two: impl Fn(i64, i64) -> Option<i64>,
) -> Option<usize> {
    let of_chunks = |a: &Chunk<i64>, b: &Chunk<i64>, out: &mut Chunk<i64>| of_chunks(a, b, out) | is_any_larger(out);
    let fails = |a, b| of_two(a, b).is_none_or(|result| !(-LARGEST..=LARGEST).contains(&result));
    zip_checked(instruction, frame, out, &of_chunks, &fails)
}

/// Whether any number has more than 18 digits.
#[inline(always)]
fn is_any_larger(values: &Chunk<i64>) -> bool {
    let mut signs = 0;
    for &value in values {
        signs |= LARGEST.wrapping_sub(value) | LARGEST.wrapping_add(value);
    }
    signs < 0
}

/// The same numbers in 128 bits.
pub fn widen(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    map(instruction, frame, out, |value: i64| i128::from(value));
}
