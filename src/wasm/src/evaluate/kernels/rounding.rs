//! Whole numbers and roots of floats.

use super::loops::{map, zip, zip_checked};
use super::math::power;
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::{Chunk, Kind, Lane};
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;
use std::cell::Cell;

/// Rounds each value to a whole number.
pub fn round(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    match instruction.kind {
        Kind::F32 => round_floats::<f32>(instruction, frame, out),
        _ => round_floats::<f64>(instruction, frame, out),
    }
}

fn round_floats<T: Float>(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    match instruction.operation {
        Operation::Floor => map(instruction, frame, out, T::floor),
        Operation::Ceil => map(instruction, frame, out, T::ceil),
        Operation::Round => map(instruction, frame, out, T::round),
        _ => map(instruction, frame, out, T::trunc),
    }
}

/// Rounds each value to so many digits behind the point.
pub fn round_digits(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let digits = frame.chunks_of::<i32>(instruction.operands[1]);
    let is_round = instruction.operation == Operation::RoundDigits;
    if digits.is_constant() && digits.at(0)[0] >= 0 {
        let factor = power_of_ten(digits.at(0)[0] as u32);
        if is_round {
            zip(instruction, frame, out, |value: f64, _: i32| scale(value, factor, Float::round));
        } else {
            zip(instruction, frame, out, |value: f64, _: i32| scale(value, factor, Float::trunc));
        }
        return;
    }
    // The digits of rows are often the same.
    let last = Cell::new((0, 1.0));
    zip(instruction, frame, out, |value: f64, digits: i32| {
        if last.get().0 != digits {
            last.set((digits, power_of_ten(digits.unsigned_abs())));
        }
        let factor = last.get().1;
        let whole = |value: f64| if is_round { Float::round(value) } else { value.trunc() };
        if digits >= 0 {
            return scale(value, factor, whole);
        }
        let rounded = whole(value / factor) * factor;
        let otherwise = if is_round { 0.0 } else { value };
        if rounded.is_finite() { rounded } else { otherwise }
    });
}

/// `whole` of the value times a factor, by that factor. The value itself where that is no finite number.
#[inline(always)]
fn scale(value: f64, factor: f64, whole: impl Fn(f64) -> f64) -> f64 {
    let rounded = whole(value * factor) / factor;
    if rounded.is_finite() { rounded } else { value }
}

/// A power of ten as DuckDB has it: not always the float next to it.
fn power_of_ten(exponent: u32) -> f64 {
    power(10.0, f64::from(exponent))
}

/// The square root. Returns a row that is below 0.
pub fn square_root(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    let compute = |values: &Chunk<f64>, _: &Chunk<f64>, out: &mut Chunk<f64>| {
        let mut fails = false;
        for i in 0..out.len() {
            out[i] = values[i].sqrt();
            fails |= values[i] < 0.0;
        }
        fails
    };
    zip_checked(instruction, frame, out, &compute, &|value, _| value < 0.0)
}

/// Floats, with the functions of theirs that are instructions or become a few of them.
trait Float: Lane {
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    /// The nearest whole number, of two the one away from 0.
    fn round(self) -> Self;
}

macro_rules! float {
    ($type:ty, $below_half:literal) => {
        impl Float for $type {
            #[inline(always)]
            fn floor(self) -> Self {
                self.floor()
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                self.ceil()
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                self.trunc()
            }

            #[inline(always)]
            fn round(self) -> Self {
                // The greatest number below one half: half itself would round up the greatest number below one half.
                const BELOW_HALF: $type = $below_half;
                (self + BELOW_HALF.copysign(self)).trunc()
            }
        }
    };
}
float!(f32, 0.499_999_97);
float!(f64, 0.499_999_999_999_999_94);
