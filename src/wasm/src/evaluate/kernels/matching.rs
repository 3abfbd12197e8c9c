//! Texts that match patterns, and their lengths.

use super::comparing::each_bit;
use crate::evaluate::frame::{Frame, both, words};
use crate::evaluate::kind::View;
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// Whether text `a` matches `b`, begins or ends with it, or has it inside.
pub fn compare(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, _] = instruction.operands;
    let known = both(frame.known(a), frame.known(b));
    let active = frame.active(instruction);
    let (texts, patterns) = (frame.chunks_of::<View>(a), frame.chunks_of::<View>(b));
    let test = |i: usize, holds: fn(&[u8], &[u8]) -> bool, pattern: Option<&[u8]>| {
        each_bit(active[i] & known[i], |row| {
            let pattern = pattern.unwrap_or_else(|| frame.text(patterns.at(i)[row]));
            holds(frame.text(texts.at(i)[row]), pattern)
        })
    };
    let constant = patterns.is_constant().then(|| frame.text(patterns.at(0)[0]));
    let truth = match (instruction.operation, constant) {
        (Operation::StartsWith, _) => words(|i| test(i, |text, start| text.starts_with(start), constant)),
        (Operation::EndsWith, _) => words(|i| test(i, |text, end| text.ends_with(end), constant)),
        (Operation::Contains, _) => words(|i| test(i, contains, constant)),
        (_, Some(pattern)) => match simple(pattern) {
            Some((holds, part)) => words(|i| test(i, holds, Some(part))),
            None => words(|i| test(i, is_like, constant)),
        },
        _ => words(|i| test(i, is_like, None)),
    };
    *out.truth_mut() = truth;
    *out.known_mut() = known;
}

/// The characters of each text.
pub fn measure(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, ..] = instruction.operands;
    let (texts, known, active) = (frame.chunks_of::<View>(a), frame.known(a), frame.active(instruction));
    *out.known_mut() = *known;
    for (i, out) in out.chunks_mut::<i64>()[..frame.chunks].iter_mut().enumerate() {
        let rows = active[i] & known[i];
        for (row, out) in out.iter_mut().enumerate().filter(|(row, _)| rows >> row & 1 == 1) {
            // The bytes that begin one.
            *out = frame.text(texts.at(i)[row]).iter().filter(|byte| **byte & 0xc0 != 0x80).count() as i64;
        }
    }
}

type Holds = fn(&[u8], &[u8]) -> bool;

/// The test that a pattern stands for which has its wildcards at its ends only, and the text between them.
fn simple(pattern: &[u8]) -> Option<(Holds, &[u8])> {
    let is_open_start = pattern.first() == Some(&b'%');
    let part = &pattern[usize::from(is_open_start)..];
    let is_open_end = part.last() == Some(&b'%');
    let part = &part[..part.len() - usize::from(is_open_end)];
    if part.iter().any(|byte| matches!(byte, b'%' | b'_')) {
        return None;
    }
    let holds: Holds = match (is_open_start, is_open_end) {
        (false, false) => |text, part| text == part,
        (false, true) => |text, part| text.starts_with(part),
        (true, false) => |text, part| text.ends_with(part),
        (true, true) => contains,
    };
    Some((holds, part))
}

/// Whether a text has another one inside.
fn contains(text: &[u8], part: &[u8]) -> bool {
    let Some((first, rest)) = part.split_first() else { return true };
    let Some(last) = text.len().checked_sub(part.len()) else { return false };
    // `canEvaluate` bounds the length of the part.
    (0..=last).any(|at| text[at] == *first && text[at + 1..].starts_with(rest))
}

/// Whether a text matches a pattern, in which `%` stands for any text and `_` for one character.
fn is_like(text: &[u8], pattern: &[u8]) -> bool {
    let width = |at: usize| match text[at] {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    };
    let (mut at, mut next) = (0, 0);
    // The place in the pattern behind the last `%`, and that in the text up to which it stands. An earlier one need not take more:
    // what follows it was found as early as it can be.
    let mut open = None;
    while at < text.len() {
        match pattern.get(next) {
            Some(b'%') => {
                next += 1;
                open = Some((next, at));
                continue;
            }
            Some(b'_') => {
                (at, next) = ((at + width(at)).min(text.len()), next + 1);
                continue;
            }
            Some(byte) if *byte == text[at] => {
                (at, next) = (at + 1, next + 1);
                continue;
            }
            _ => {}
        }
        let Some((behind, taken)) = open else { return false };
        let taken = taken + width(taken);
        if taken > text.len() {
            return false;
        }
        (at, next, open) = (taken, behind, Some((behind, taken)));
    }
    pattern[next..].iter().all(|byte| *byte == b'%')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By all ways to split.
    fn matches(text: &[char], pattern: &[char]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some(('%', rest)) => (0..=text.len()).any(|at| matches(&text[at..], rest)),
            Some((first, rest)) => {
                text.split_first().is_some_and(|(own, others)| (*first == '_' || first == own) && matches(others, rest))
            }
        }
    }

    #[test]
    fn patterns_match_as_by_all_ways_to_split() {
        let mut state = 1u32;
        let mut any = |of: &[char], most: u32| -> Vec<char> {
            let mut next = |below: u32| {
                state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                (state >> 16) % below
            };
            (0..next(most)).map(|_| of[next(of.len() as u32) as usize]).collect()
        };
        for _ in 0..50_000 {
            let (text, pattern) = (any(&['a', 'b', 'ä', '€', '%'], 9), any(&['a', 'b', 'ä', '%', '_', '€'], 7));
            let (text_bytes, pattern_bytes): (String, String) = (text.iter().collect(), pattern.iter().collect());
            let (bytes, by) = (text_bytes.as_bytes(), pattern_bytes.as_bytes());
            let expected = matches(&text, &pattern);
            assert_eq!(is_like(bytes, by), expected, "{text_bytes} LIKE {pattern_bytes}");
            if let Some((holds, part)) = simple(by) {
                assert_eq!(holds(bytes, part), expected, "{text_bytes} LIKE {pattern_bytes}");
            }
        }
        let long = "a".repeat(100_000);
        assert!(!is_like(long.as_bytes(), b"%a%a%a%b"));
    }
}
