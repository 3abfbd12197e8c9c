//! Times divided by spans of one length.

use super::comparing::pack;
use super::loops::map_chunk;
use super::wholes::{float_of, nearest_float, whole_of};
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::{CHUNK_ROWS, Chunk, Kind};
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// The least span for which the quotient of any time has less than 51 bits.
const LONG: i64 = 1 << 13;

/// The number of spans `b` from 1970 to each time `a`, rounded down, or what is left of the time. Infinite times have none,
/// but infinite days.
pub fn divide(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, _] = instruction.operands;
    let (times, spans, active) = (frame.chunks_of::<i64>(a), frame.chunks_of::<i64>(b), frame.active(instruction));
    *out.known_mut() = *frame.known(a);
    for i in (0..frame.chunks).filter(|i| active[*i] != 0) {
        let (times, span) = (times.at(i), spans.at(i)[0].max(1));
        if are_near(times) {
            write(instruction, times, out, i, |time| divide_near(time, span));
            continue;
        }
        let finite = pack::<i64>(|row| (times[row] != i64::MAX) & (times[row] != -i64::MAX));
        if span >= LONG {
            write(instruction, times, out, i, |time| divide_far(time, span));
        } else {
            write(instruction, times, out, i, |time| (time.div_euclid(span), time.rem_euclid(span)));
        }
        if instruction.to != Kind::I32 {
            out.known_mut()[i] &= finite;
            continue;
        }
        for row in (0..CHUNK_ROWS).filter(|row| finite >> row & 1 == 0) {
            out.chunks_mut::<i32>()[i][row] = if times[row] < 0 { -i32::MAX } else { i32::MAX };
        }
    }
}

/// Writes the quotients or the remainders of a chunk.
#[inline(always)]
fn write(
    instruction: &Instruction,
    times: &Chunk<i64>,
    out: &mut Register,
    chunk: usize,
    divide: impl Fn(i64) -> (i64, i64),
) {
    match (instruction.operation, instruction.to) {
        (Operation::TimeDivide, Kind::I32) => {
            map_chunk(times, &mut out.chunks_mut::<i32>()[chunk], |time| divide(time).0 as i32);
        }
        (Operation::TimeDivide, _) => map_chunk(times, &mut out.chunks_mut::<i64>()[chunk], |time| divide(time).0),
        _ => map_chunk(times, &mut out.chunks_mut::<i64>()[chunk], |time| divide(time).1),
    }
}

/// Whether all times are below 2⁵¹ and not below −2⁵¹, as those in microseconds from 1899 to 2041.
fn are_near(times: &Chunk<i64>) -> bool {
    times.iter().fold(0, |bits, time| bits | (time ^ (time >> 63))) >> 51 == 0
}

/// Of a near time. Products of quotient and span are exact.
#[inline(always)]
fn divide_near(time: i64, span: i64) -> (i64, i64) {
    let (time, span, reciprocal) = (float_of(time), span as f64, 1.0 / span as f64);
    let quotient = (time * reciprocal).floor();
    let rest = time - quotient * span;
    // The quotient is wrong by 1 at most.
    let (below, above) = (rest < 0.0, rest >= span);
    let change = if below { -1.0 } else { 0.0 } + if above { 1.0 } else { 0.0 };
    (whole_of(quotient + change), whole_of(rest - change * span))
}

/// Of any time by a long span.
#[inline(always)]
fn divide_far(time: i64, span: i64) -> (i64, i64) {
    let quotient = whole_of((nearest_float(time) * (1.0 / span as f64)).floor());
    let rest = time.wrapping_sub(quotient.wrapping_mul(span));
    // It is wrong by 1 at most, too.
    let change = (rest >= span) as i64 - (rest < 0) as i64;
    (quotient + change, rest.wrapping_sub(change.wrapping_mul(span)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_down() {
        let (second, day) = (1_000_000, 86_400_000_000);
        let edges = [0, 1, -1, second, day, -day, (1 << 51) - 1, -(1 << 51), 1_767_225_600_000_000];
        for span in [1, 7, 1000, 86_400, second, day, day * 1000] {
            for near in edges.into_iter().flat_map(|edge| {
                let multiple = edge / span * span;
                [edge, multiple, multiple - 1, multiple + 1]
            }) {
                if are_near(&[near; 64]) {
                    assert_eq!(
                        divide_near(near, span),
                        (near.div_euclid(span), near.rem_euclid(span)),
                        "{near} / {span}"
                    );
                }
            }
        }
        let edges = [0, -1, i64::MAX - 1, 1 - i64::MAX, 1 << 62, -(1 << 62), 1_767_225_600_000_000_000];
        for span in [LONG, second, day, 1000 * day, 3_600_000_000_000] {
            for time in edges.into_iter().flat_map(|edge| {
                let multiple = edge / span * span;
                [edge, multiple, multiple - 1, multiple + 1]
            }) {
                let expected = (time.div_euclid(span), time.rem_euclid(span));
                assert_eq!(divide_far(time, span), expected, "{time} / {span}");
            }
        }
    }

    #[test]
    fn times_of_today_are_near() {
        // 2005-09-05 is 2⁵⁰ microseconds after 1970, 2041-05-10 2⁵¹.
        assert!(are_near(&[1_767_225_600_000_000; 64]));
        assert!(are_near(&[-(1 << 51); 64]));
        assert!(!are_near(&[1 << 51; 64]));
    }
}
