//! Comparisons of values with each other.

use crate::bitmap::filled_word;
use crate::evaluate::frame::{Frame, both, words};
use crate::evaluate::kind::{CHUNK_ROWS, Chunk, Kind, Lane, View, with_number};
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::{Register, Words};
use crate::evaluate::set::Set;

/// Computes a boolean of two values.
pub fn compare(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, _] = instruction.operands;
    let (known_a, known_b) = (frame.known(a), frame.known(b));
    let known = both(known_a, known_b);
    let is_less = instruction.operation == Operation::Less;
    let truth = with_number!(instruction.kind, T => compare_numbers::<T>(instruction, frame), _ => if instruction.kind == Kind::Bool {
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

#[inline(never)]
fn compare_numbers<T: Lane>(instruction: &Instruction, frame: &Frame) -> Words {
    let [a, b, _] = instruction.operands;
    let is_less = instruction.operation == Operation::Less;
    let (a, b) = (frame.chunks_of::<T>(a), frame.chunks_of::<T>(b));
    let (values, test) = match (a.constant(), b.constant()) {
        (_, Some(constant)) => (a, if is_less { T::before(constant) } else { T::equal_to(constant) }),
        (Some(constant), _) => (b, if is_less { T::after(constant) } else { T::equal_to(constant) }),
        _ if is_less => return active_words(instruction, frame, &|i| pack_pairs(a.at(i), b.at(i), T::less)),
        _ => return active_words(instruction, frame, &|i| pack_pairs(a.at(i), b.at(i), T::same)),
    };
    let negated = filled_word(test.is_negated);
    active_words(instruction, frame, &|i| T::between(values.at(i), test.low, test.high) ^ negated)
}

/// A word of each chunk in which rows matter.
#[inline(never)]
fn active_words(instruction: &Instruction, frame: &Frame, word: &dyn Fn(usize) -> u64) -> Words {
    let active = frame.active(instruction);
    words(|i| if i < frame.chunks && active[i] != 0 { word(i) } else { 0 })
}

#[inline(never)]
fn pack_pairs<T: Lane>(a: &Chunk<T>, b: &Chunk<T>, holds: impl Fn(T, T) -> bool) -> u64 {
    pack::<T>(|row| holds(a[row], b[row]))
}

/// A word of 64 bits. `T` is the type of what is compared: the result of a comparison of vectors is as wide, and it is cheapest to
/// take a bit of it there.
#[inline(always)]
pub fn pack<T>(holds: impl Fn(usize) -> bool) -> u64 {
    match size_of::<T>() {
        8 => {
            let mut word = 0;
            for from in (0..CHUNK_ROWS).step_by(8) {
                let byte = (0..8).fold(0, |byte, row| byte | if holds(from + row) { 1u64 << row } else { 0 });
                word |= byte << from;
            }
            word
        }
        4 => {
            let mut word = 0;
            for from in (0..CHUNK_ROWS).step_by(16) {
                let bits = (0..16).fold(0, |bits, row| bits | if holds(from + row) { 1u32 << row } else { 0 });
                word |= u64::from(bits) << from;
            }
            word
        }
        _ => {
            let mut bytes: Chunk<u8> = [0; CHUNK_ROWS];
            for (row, byte) in bytes.iter_mut().enumerate() {
                *byte = holds(row) as u8;
            }
            // A product moves one bit of each of eight bytes to the top.
            let (eights, _) = bytes.as_chunks::<8>();
            eights.iter().enumerate().fold(0, |word, (i, eight)| {
                let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                word | bits << (8 * i)
            })
        }
    }
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

/// So many constants are compared one by one, in vectors. More are searched.
const MOST_COMPARED: usize = 16;

/// Whether values are among the constants of a set.
pub fn among(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, set, _] = instruction.operands;
    let (set, known, active) = (&frame.program.sets[set as usize], frame.known(a), frame.active(instruction));
    let is_short = set.len() <= MOST_COMPARED;
    let truth = match instruction.kind {
        Kind::I32 if is_short => compare_all::<i32>(instruction, frame, set),
        Kind::I64 if is_short => compare_all::<i64>(instruction, frame, set),
        Kind::F32 if is_short => compare_all::<f32>(instruction, frame, set),
        Kind::F64 if is_short => compare_all::<f64>(instruction, frame, set),
        kind => with_number!(kind, T => {
            let values = frame.chunks_of::<T>(a);
            words(|i| each_bit(active[i] & known[i], |row| set.has_number(values.at(i)[row])))
        }, _ => {
            let values = frame.chunks_of::<View>(a);
            words(|i| each_bit(active[i] & known[i], |row| set.has_text(frame.text(values.at(i)[row]))))
        }),
    };
    *out.truth_mut() = both(&truth, known);
    *out.known_mut() = *known;
}

#[inline(never)]
fn compare_all<T: Mask>(instruction: &Instruction, frame: &Frame, set: &Set) -> Words {
    let values = frame.chunks_of::<T>(instruction.operands[0]);
    let (mut numbers, mut count, mut has_nan) = ([T::default(); MOST_COMPARED], 0, false);
    for number in set.numbers::<T>() {
        if number.is_number() {
            numbers[count] = number;
            count += 1;
        } else {
            has_nan = true;
        }
    }
    // Of the last four, the last number stands for what is not there.
    let fours = numbers[..count].chunks(4).map(|some| std::array::from_fn(|i| some[i.min(some.len() - 1)]));
    active_words(instruction, frame, &|i| {
        let nan = if has_nan { pack::<T>(|row| !values.at(i)[row].is_number()) } else { 0 };
        let mut marks = [T::Mark::default(); CHUNK_ROWS];
        fours.clone().for_each(|four| T::mark_four(values.at(i), four, &mut marks));
        T::are_marked(&marks) | nan
    })
}

/// Numbers that are compared with several constants in one loop.
trait Mask: Lane {
    /// Whether a value is not NaN.
    fn is_number(self) -> bool;
    /// As many bits as a number has.
    type Mark: Copy + Default;
    /// Marks the values that are one of four numbers.
    fn mark_four(values: &Chunk<Self>, numbers: [Self; 4], marks: &mut Chunk<Self::Mark>);
    fn are_marked(marks: &Chunk<Self::Mark>) -> u64;
}

macro_rules! masks {
    ($($type:ty, $mask:ty);*) => {
        $(impl Mask for $type {
            type Mark = $mask;

            #[inline(always)]
            #[allow(clippy::eq_op)]
            fn is_number(self) -> bool {
                self == self
            }

            #[inline(never)]
            fn mark_four(values: &Chunk<Self>, [a, b, c, d]: [Self; 4], marks: &mut Chunk<Self::Mark>) {
                for (mark, value) in marks.iter_mut().zip(values) {
                    let is_any = (*value == a) | (*value == b) | (*value == c) | (*value == d);
                    *mark |= if is_any { <$mask>::MAX } else { 0 };
                }
            }

            #[inline(never)]
            fn are_marked(marks: &Chunk<Self::Mark>) -> u64 {
                pack::<$mask>(|row| marks[row] != 0)
            }
        })*
    };
}
masks!(i32, u32; i64, u64; f32, u32; f64, u64);
