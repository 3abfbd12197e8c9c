//! Texts that match patterns, and their lengths.

use super::comparing::each_bit;
use super::finding::find;
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
    find(text, part).is_some()
}

/// Whether a text matches a pattern, in which `%` stands for any text and `_` for one character.
fn is_like(text: &[u8], pattern: &[u8]) -> bool {
    let mut parts = pattern.split(|byte| *byte == b'%');
    let Some(mut at) = match_start(text, parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return at == text.len() };
    // Each part is taken as early as it is found, so that as much as can be is left for those behind it.
    for part in parts {
        let Some(end) = find_part(&text[at..], part) else { return false };
        at += end;
    }
    is_end(&text[at..], last)
}

/// Whether a byte begins a character.
fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// The byte behind what matches a part without `%` at the beginning of a text.
fn match_start(text: &[u8], part: &[u8]) -> Option<usize> {
    let mut at = 0;
    for byte in part {
        if text.get(at)? == byte {
            at += 1;
        } else if *byte == b'_' {
            at += 1 + text[at + 1..].iter().take_while(|byte| !is_start(**byte)).count();
        } else {
            return None;
        }
    }
    Some(at)
}

/// The byte behind the first place at which such a part matches.
fn find_part(text: &[u8], part: &[u8]) -> Option<usize> {
    if !part.contains(&b'_') {
        return find(text, part).map(|at| at + part.len());
    }
    let starts = (0..text.len()).filter(|at| is_start(text[*at]));
    starts.into_iter().find_map(|at| match_start(&text[at..], part).map(|length| at + length))
}

/// Whether such a part matches the end of a text.
fn is_end(text: &[u8], part: &[u8]) -> bool {
    let characters = part.iter().filter(|byte| is_start(**byte)).count();
    if characters == 0 {
        return true;
    }
    let start = (0..text.len()).rev().filter(|at| is_start(text[*at])).nth(characters - 1);
    start.is_some_and(|at| match_start(&text[at..], part) == Some(text.len() - at))
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
