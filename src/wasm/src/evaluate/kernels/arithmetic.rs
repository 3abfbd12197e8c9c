//! Sums, differences, products, quotients and remainders.
#![allow(clippy::unnecessary_cast)] // Of one of the types that a macro puts in.

use super::comparing::pack;
use super::convert::write_low_bits;
use super::loops::{map, zip, zip_checked};
use crate::evaluate::frame::{Frame, both};
use crate::evaluate::kind::{CHUNK_ROWS, Chunk, Kind, Lane, with_integer};
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// Computes a number of two numbers of the same kind. Returns a row that fails.
pub fn combine(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    match instruction.kind {
        Kind::F32 => combine_floats::<f32>(instruction, frame, out),
        Kind::F64 => combine_floats::<f64>(instruction, frame, out),
        Kind::I32 => combine_integers::<i32>(instruction, frame, out),
        Kind::I64 => combine_integers::<i64>(instruction, frame, out),
        Kind::U64 => combine_integers::<u64>(instruction, frame, out),
        _ => combine_narrow(instruction, frame, out),
    }
}

fn combine_integers<T: Integer>(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    match instruction.operation {
        Operation::Add => zip_checked(instruction, frame, out, &T::add_chunk, &|a, b| T::plus(a, b).1),
        Operation::Subtract => zip_checked(instruction, frame, out, &T::subtract_chunk, &|a, b| T::minus(a, b).1),
        Operation::Multiply => zip_checked(instruction, frame, out, &T::multiply_chunk, &|a, b| T::times(a, b).1),
        operation => {
            let is_quotient = operation == Operation::Divide;
            let divide = move |a: &Chunk<T>, b: &Chunk<T>, out: &mut Chunk<T>| {
                let mut fails = false;
                for i in 0..out.len() {
                    let divisor = if b[i] == T::default() { T::ONE } else { b[i] };
                    let (quotient, remainder, overflows) = T::divide(a[i], divisor);
                    out[i] = if is_quotient { quotient } else { remainder };
                    fails |= overflows;
                }
                fails
            };
            let fails = |a, b| b != T::default() && T::divide(a, b).2;
            let failed = zip_checked(instruction, frame, out, &divide, &fails);
            nullify_zeros::<T>(instruction, frame, out);
            failed
        }
    }
}

fn combine_floats<T: Float>(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    match instruction.operation {
        Operation::Add => zip(instruction, frame, out, |a: T, b: T| a + b),
        Operation::Subtract => zip(instruction, frame, out, |a: T, b: T| a - b),
        Operation::Multiply => zip(instruction, frame, out, |a: T, b: T| a * b),
        Operation::Divide => zip(instruction, frame, out, |a: T, b: T| a / b),
        _ => zip(instruction, frame, out, |a: T, b: T| a % b),
    }
    if instruction.operation == Operation::Divide {
        nullify_zeros::<T>(instruction, frame, out);
    }
    None
}

/// Makes rows null whose divisor is 0.
fn nullify_zeros<T: Lane + PartialEq>(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let divisors = frame.chunks_of::<T>(instruction.operands[1]);
    let is_not_zero = |i: usize| {
        let chunk = divisors.at(i);
        pack::<T>(|row| chunk[row] != T::default())
    };
    if divisors.is_constant() {
        let word = is_not_zero(0);
        out.known_mut().iter_mut().for_each(|known| *known &= word);
        return;
    }
    for (i, known) in out.known_mut()[..frame.chunks].iter_mut().enumerate() {
        *known &= is_not_zero(i);
    }
}

/// The same for integers of fewer bits, in 64 bits: their columns are rare, and each loop takes room in the module.
fn combine_narrow(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    let [a, b, _] = instruction.operands;
    let active = frame.active(instruction);
    let (least, greatest) = range(instruction.kind);
    *out.known_mut() = both(frame.known(a), frame.known(b));
    for i in (0..frame.chunks).filter(|i| active[*i] != 0) {
        let (a, b) = (widen(instruction.kind, frame, a, i), widen(instruction.kind, frame, b, i));
        let divisor = |row: usize| if b[row] == 0 { 1 } else { b[row] };
        // What does not fit into 64 bits is a product of two numbers without a sign, and below 0 then.
        let values: Chunk<i64> = match instruction.operation {
            Operation::Add => std::array::from_fn(|row| a[row] + b[row]),
            Operation::Subtract => std::array::from_fn(|row| a[row] - b[row]),
            Operation::Multiply => std::array::from_fn(|row| a[row].wrapping_mul(b[row])),
            Operation::Divide => std::array::from_fn(|row| a[row] / divisor(row)),
            _ => std::array::from_fn(|row| match (a[row], divisor(row)) {
                // Fails as the quotient does.
                (a, -1) if a == least && least < 0 => i64::MAX,
                (a, divisor) => a % divisor,
            }),
        };
        if matches!(instruction.operation, Operation::Divide | Operation::Remainder) {
            out.known_mut()[i] &= pack::<i64>(|row| b[row] != 0);
        }
        let fitting = pack::<i64>(|row| (values[row] >= least) & (values[row] <= greatest));
        let failing = !fitting & active[i] & out.known()[i];
        if failing != 0 {
            return Some(i * CHUNK_ROWS + failing.trailing_zeros() as usize);
        }
        write_low_bits(instruction.kind, &values, i, out);
    }
    None
}

/// The range of integers of at most 32 bits.
fn range(kind: Kind) -> (i64, i64) {
    with_integer!(kind, T => (T::MIN as i64, T::MAX as i64), _ => (0, 0))
}

fn widen(kind: Kind, frame: &Frame, value: u32, chunk: usize) -> Chunk<i64> {
    with_integer!(kind, T => {
        let values = frame.chunks_of::<T>(value).at(chunk);
        std::array::from_fn(|row| values[row] as i64)
    }, _ => [0; CHUNK_ROWS])
}

/// The value with the other sign, or without one.
pub fn set_sign(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    match (instruction.operation, instruction.kind) {
        (Operation::Negate, Kind::F32) => map(instruction, frame, out, |a: f32| -a),
        (Operation::Negate, _) => map(instruction, frame, out, |a: f64| -a),
        (_, Kind::F32) => map(instruction, frame, out, f32::abs),
        _ => map(instruction, frame, out, f64::abs),
    }
}

/// Combines the bits of two integers, whatever their width is.
pub fn combine_bits(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, _] = instruction.operands;
    let is_unary = instruction.operation == Operation::BitNot;
    *out.known_mut() = if is_unary { *frame.known(a) } else { both(frame.known(a), frame.known(b)) };
    let width = instruction.kind.width();
    let a = frame.eights_of(a, width);
    let b = if is_unary { a } else { frame.eights_of(b, width) };
    let out = &mut out.values_mut::<u64>()[..frame.chunks * 8 * width];
    let rows = out.len();
    // A constant has fewer eight bytes, and all are the same.
    let eight = |of: &[u64], i: usize| if of.len() < rows { of[0] } else { of[i] };
    for (i, out) in out.iter_mut().enumerate() {
        let (a, b) = (eight(a, i), eight(b, i));
        *out = match instruction.operation {
            Operation::BitAnd => a & b,
            Operation::BitOr => a | b,
            Operation::BitXor => a ^ b,
            _ => !a,
        };
    }
}

trait Float:
    Lane
    + PartialEq
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Rem<Output = Self>
{
}
impl Float for f32 {}
impl Float for f64 {}

/// Integers whose results may not fit. The functions for chunks return whether one of the 64 does not.
pub trait Integer: Lane + PartialEq + PartialOrd {
    const ONE: Self;
    fn plus(a: Self, b: Self) -> (Self, bool);
    fn minus(a: Self, b: Self) -> (Self, bool);
    fn times(a: Self, b: Self) -> (Self, bool);
    /// The quotient and the remainder, and whether the quotient does not fit. The divisor is not 0.
    fn divide(a: Self, b: Self) -> (Self, Self, bool);
    fn add_chunk(a: &Chunk<Self>, b: &Chunk<Self>, out: &mut Chunk<Self>) -> bool;
    fn subtract_chunk(a: &Chunk<Self>, b: &Chunk<Self>, out: &mut Chunk<Self>) -> bool;
    fn multiply_chunk(a: &Chunk<Self>, b: &Chunk<Self>, out: &mut Chunk<Self>) -> bool;
}

macro_rules! integer {
    // `add` and `subtract` give a number whose top bit tells that the result `r` of `a` and `b` does not fit.
    ($type:ty, |$a:ident, $b:ident, $r:ident| add $add:expr, subtract $subtract:expr, multiply $multiply:ident $($wide:ty)?) => {
        impl Integer for $type {
            const ONE: Self = 1;

            fn plus(a: Self, b: Self) -> (Self, bool) {
                a.overflowing_add(b)
            }

            fn minus(a: Self, b: Self) -> (Self, bool) {
                a.overflowing_sub(b)
            }

            fn times(a: Self, b: Self) -> (Self, bool) {
                a.overflowing_mul(b)
            }

            #[inline(always)]
            fn divide(a: Self, b: Self) -> (Self, Self, bool) {
                let (quotient, overflows) = a.overflowing_div(b);
                (quotient, a.wrapping_sub(quotient.wrapping_mul(b)), overflows)
            }

            #[inline(never)]
            fn add_chunk(a: &Chunk<Self>, b: &Chunk<Self>, out: &mut Chunk<Self>) -> bool {
                let mut over = 0;
                for i in 0..out.len() {
                    let ($a, $b, $r) = (a[i], b[i], a[i].wrapping_add(b[i]));
                    out[i] = $r;
                    over |= $add;
                }
                over >> (<$type>::BITS - 1) != 0
            }

            #[inline(never)]
            fn subtract_chunk(a: &Chunk<Self>, b: &Chunk<Self>, out: &mut Chunk<Self>) -> bool {
                let mut over = 0;
                for i in 0..out.len() {
                    let ($a, $b, $r) = (a[i], b[i], a[i].wrapping_sub(b[i]));
                    out[i] = $r;
                    over |= $subtract;
                }
                over >> (<$type>::BITS - 1) != 0
            }

            #[inline(never)]
            fn multiply_chunk(a: &Chunk<Self>, b: &Chunk<Self>, out: &mut Chunk<Self>) -> bool {
                $multiply!($type, a, b, out $(, $wide)?)
            }
        }
    };
}

/// The product of numbers in a type in which it always fits.
macro_rules! widely {
    ($type:ty, $a:ident, $b:ident, $out:ident, $wide:ty) => {{
        let mut lost = 0;
        for i in 0..$out.len() {
            let product = $a[i] as $wide * $b[i] as $wide;
            $out[i] = product as $type;
            lost |= product ^ (product as $type as $wide);
        }
        lost != 0
    }};
}

/// The product of numbers of 64 bits, for which there is no wider type with vectors. It fits if the factors have 62 bits together.
macro_rules! narrowly {
    ($type:ty, $a:ident, $b:ident, $out:ident) => {{
        let (mut bits_of_a, mut bits_of_b): ($type, $type) = (0, 0);
        for i in 0..$out.len() {
            // Of a negative number all bits are inverted.
            let (a, b) = ($a[i], $b[i]);
            let sign = |value: $type| if <$type>::MIN == 0 { 0 } else { value >> 63 };
            bits_of_a |= a ^ sign(a);
            bits_of_b |= b ^ sign(b);
            $out[i] = a.wrapping_mul(b);
        }
        let is_small = bits_of_a.leading_zeros() + bits_of_b.leading_zeros() > 65;
        !is_small && (0..$out.len()).any(|i| $a[i].checked_mul($b[i]).is_none())
    }};
}

macro_rules! signed {
    ($type:ty, $multiply:ident $($wide:ty)?) => {
        integer!($type, |a, b, r| add (a ^ r) & (b ^ r), subtract (a ^ b) & (a ^ r), multiply $multiply $($wide)?);
    };
}

macro_rules! unsigned {
    ($type:ty, $multiply:ident $($wide:ty)?) => {
        integer!($type, |a, b, r| add (a & b) | ((a | b) & !r), subtract (!a & b) | ((!a | b) & r), multiply $multiply $($wide)?);
    };
}

signed!(i32, widely i64);
signed!(i64, narrowly);
unsigned!(u64, narrowly);
