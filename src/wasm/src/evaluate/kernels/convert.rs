//! Values in another kind of number. Integers pass through 64 bits, so that there is no loop for each pair of kinds.
#![allow(clippy::unnecessary_cast)] // Of one of the types that a macro puts in.

use super::comparing::pack;
use super::loops::{map, map_chunk};
use super::wholes::{NEAR, nearest_float, whole_of};
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::{CHUNK_ROWS, Chunk, Kind, with_integer};
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// Whether a value of the kind may have none in the other one.
pub fn can_fail(from: Kind, to: Kind) -> bool {
    match (range(from), range(to)) {
        (Some((low, high)), Some((least, greatest))) => low < least || high > greatest,
        (None, Some(_)) => matches!(from, Kind::F32 | Kind::F64),
        _ => from == Kind::F64 && to == Kind::F32,
    }
}

/// The range of integers.
fn range(kind: Kind) -> Option<(i128, i128)> {
    with_integer!(kind, T => Some((T::MIN as i128, T::MAX as i128)), _ => None)
}

/// Casts each value. Returns a row that has no value in the other kind.
pub fn cast(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    match (instruction.kind, instruction.to) {
        // The usual ones, in vectors.
        (Kind::I32, Kind::F64) => map(instruction, frame, out, |value: i32| value as f64),
        (Kind::I64, Kind::F64) => map(instruction, frame, out, nearest_float),
        (Kind::F32, Kind::F64) => map(instruction, frame, out, |value: f32| value as f64),
        (from, to) => return cast_numbers(from, to, instruction, frame, out),
    }
    None
}

fn cast_numbers(from: Kind, to: Kind, instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    let [a, ..] = instruction.operands;
    let active = frame.active(instruction);
    let can_fail = can_fail(from, to);
    *out.known_mut() = *frame.known(a);
    for i in (0..frame.chunks).filter(|i| active[*i] != 0) {
        let fitting = match from {
            Kind::F64 => cast_floats(to, frame.chunks_of::<f64>(a).at(i), i, out),
            Kind::F32 => {
                let mut values = [0.0; CHUNK_ROWS];
                map_chunk(frame.chunks_of::<f32>(a).at(i), &mut values, f64::from);
                cast_floats(to, &values, i, out)
            }
            _ => {
                let mut values = [0; CHUNK_ROWS];
                with_integer!(from, T => map_chunk(frame.chunks_of::<T>(a).at(i), &mut values, |value| value as i64), _ => {});
                cast_integers(from, to, &values, i, out)
            }
        };
        if !can_fail {
            continue;
        }
        let failing = active[i] & frame.known(a)[i] & !fitting;
        if failing != 0 && instruction.operation == Operation::Cast {
            return Some(i * CHUNK_ROWS + failing.trailing_zeros() as usize);
        }
        out.known_mut()[i] &= fitting;
    }
    None
}

/// Casts floats to integers or 32-bit floats. Returns which of them have a value there.
fn cast_floats(to: Kind, values: &Chunk<f64>, chunk: usize, out: &mut Register) -> u64 {
    if to == Kind::F32 {
        map_chunk(values, &mut out.chunks_mut::<f32>()[chunk], |value| value as f32);
        // What rounds to infinity has no value.
        return pack::<f64>(|row| (values[row] as f32).is_finite() | !values[row].is_finite());
    }
    if to == Kind::F64 {
        out.chunks_mut::<f64>()[chunk] = *values;
        return u64::MAX;
    }
    let (least, greatest) = range(to).unwrap_or_default();
    // DuckDB looks at the value before it rounds. One above the greatest value is a power of two.
    let (low, high) = (least as f64, (greatest + 1) as f64);
    let fitting = pack::<f64>(|row| (values[row] >= low) & (values[row] < high));
    let are_near = values.iter().fold(true, |are_near, value| are_near & (value.abs() < NEAR));
    if are_near && to == Kind::I32 {
        map_chunk(values, &mut out.chunks_mut::<i32>()[chunk], |value| whole_of(value) as i32);
        return fitting;
    }
    let mut whole: Chunk<i64> = [0; CHUNK_ROWS];
    match to {
        _ if are_near => map_chunk(values, &mut whole, whole_of),
        Kind::U64 => map_chunk(values, &mut whole, |value| value.round_ties_even() as u64 as i64),
        _ => map_chunk(values, &mut whole, |value| value.round_ties_even() as i64),
    }
    write_low_bits(to, &whole, chunk, out);
    fitting
}

/// Casts integers, of which those of `U64` are given by their bits. Returns which of them have a value there.
fn cast_integers(from: Kind, to: Kind, values: &Chunk<i64>, chunk: usize, out: &mut Register) -> u64 {
    let is_unsigned = from == Kind::U64;
    match to {
        Kind::F64 => {
            map_chunk(values, &mut out.chunks_mut::<f64>()[chunk], |value| {
                if is_unsigned { value as u64 as f64 } else { value as f64 }
            });
            return u64::MAX;
        }
        Kind::F32 => {
            map_chunk(values, &mut out.chunks_mut::<f32>()[chunk], |value| {
                if is_unsigned { value as u64 as f32 } else { value as f32 }
            });
            return u64::MAX;
        }
        _ => write_low_bits(to, values, chunk, out),
    }
    let (least, greatest) = range(to).unwrap_or_default();
    // The bounds in 64 bits. Those of `U64` are above all numbers with a sign.
    let low = least.max(if is_unsigned { 0 } else { i64::MIN as i128 }) as i64;
    let high = greatest.min(i64::MAX as i128) as i64;
    if from == to || (is_unsigned && to == Kind::U64) {
        return u64::MAX;
    }
    pack::<i64>(|row| (values[row] >= low) & (values[row] <= high))
}

/// Writes the low bits of numbers.
pub fn write_low_bits(to: Kind, values: &Chunk<i64>, chunk: usize, out: &mut Register) {
    match to.width() {
        1 => map_chunk(values, &mut out.chunks_mut::<u8>()[chunk], |value| value as u8),
        2 => map_chunk(values, &mut out.chunks_mut::<u16>()[chunk], |value| value as u16),
        4 => map_chunk(values, &mut out.chunks_mut::<u32>()[chunk], |value| value as u32),
        _ => out.chunks_mut::<i64>()[chunk] = *values,
    }
}
