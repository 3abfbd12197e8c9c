//! Texts that are made of others.

use super::case;
use super::finding::find;
use crate::error::Result;
use crate::evaluate::frame::{Frame, both};
use crate::evaluate::kind::{View, view};
use crate::evaluate::operation::{Operand, Operation};
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;
use crate::evaluate::texts::Texts;

/// Numbers of what `ChangeCase` and `Trim` do, in the order of the loader's (`evaluate/texts.ts`).
const UPPER: u32 = 1;
const LEFT: u32 = 1;
const RIGHT: u32 = 2;

/// Whether there is a variant of a number.
pub fn is_number(operation: Operation, number: u32) -> bool {
    number <= if operation == Operation::Trim { LEFT | RIGHT } else { UPPER }
}

/// Makes a text of one or of several. Null gives null. `source` is what the views of the texts name, and `texts` is where they lie.
pub fn make(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    source: usize,
    texts: &mut Texts,
) -> Result<()> {
    use Operation::*;
    let [a, b, c] = instruction.operands;
    texts.clear();
    let active = frame.active(instruction);
    let mut known = *frame.known(a);
    for value in instruction.values_of_operands().skip(1) {
        known = both(&known, frame.known(value));
    }
    *out.known_mut() = known;
    let operands = instruction.operation.signature(instruction.kind, instruction.to).map_or(&[][..], |(all, _)| all);
    let is = |index: usize, operand: Operand| operands.get(index) == Some(&operand);
    let views: [_; 3] = std::array::from_fn(|index| {
        is(index, Operand::Own).then(|| frame.chunks_of::<View>(instruction.operands[index]))
    });
    let longs: [_; 3] = std::array::from_fn(|index| {
        is(index, Operand::Long).then(|| frame.chunks_of::<i64>(instruction.operands[index]))
    });
    for i in 0..frame.chunks {
        let mut rows = active[i] & known[i];
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let text = |index: usize| views[index].map_or(&[][..], |views| frame.text(views.at(i)[row]));
            let long = |index: usize| longs[index].map_or(0, |longs| longs.at(i)[row]);
            match instruction.operation {
                ChangeCase => case::change(text(0), b == UPPER, texts)?,
                Slice => texts.push(slice(text(0), long(1), long(2)))?,
                Trim => texts.push(trim(text(0), text(1), c))?,
                Replace => replace(text(0), text(1), text(2), texts)?,
                SplitPart => texts.push(part(text(0), text(1), long(2)))?,
                _ => {
                    texts.push(text(0))?;
                    texts.push(text(1))?;
                }
            }
            out.chunks_mut::<View>()[i][row] = view(source, texts.end()?);
        }
    }
    Ok(())
}

/// The number of the character at which `b` begins in each text, 0 if it is not there.
pub fn position(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, _] = instruction.operands;
    let (known, active) = (both(frame.known(a), frame.known(b)), frame.active(instruction));
    let (texts, parts) = (frame.chunks_of::<View>(a), frame.chunks_of::<View>(b));
    *out.known_mut() = known;
    for (i, out) in out.chunks_mut::<i64>()[..frame.chunks].iter_mut().enumerate() {
        let rows = active[i] & known[i];
        for (row, out) in out.iter_mut().enumerate().filter(|(row, _)| rows >> row & 1 == 1) {
            let text = frame.text(texts.at(i)[row]);
            *out = find(text, frame.text(parts.at(i)[row])).map_or(0, |at| count(&text[..at]) as i64 + 1);
        }
    }
}

/// Whether a byte begins a character.
fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// The characters of a text.
fn count(text: &[u8]) -> usize {
    text.iter().filter(|byte| is_start(**byte)).count()
}

/// The byte at which a character begins, by its number from 0 on. Behind the last one is the end.
fn byte_of(text: &[u8], number: usize) -> usize {
    if text.is_ascii() {
        return number.min(text.len());
    }
    let mut starts = text.iter().enumerate().filter(|(_, byte)| is_start(**byte));
    starts.nth(number).map_or(text.len(), |(at, _)| at)
}

/// `length` characters from `start` on, which counts from 1, or from the end if it is negative. A negative length counts back.
fn slice(text: &[u8], start: i64, length: i64) -> &[u8] {
    let characters = if start < 0 { count(text) as i64 } else { 0 };
    let from = if start < 0 { characters.saturating_add(start) } else { start - 1 };
    let to = from.saturating_add(length);
    let (from, to) = (from.min(to).max(0), from.max(to).max(0));
    // What lies behind the last character is cut off.
    let at = |number: i64| byte_of(text, usize::try_from(number).unwrap_or(usize::MAX));
    &text[at(from)..at(to)]
}

/// A text without the characters at its ends that are among `set`.
fn trim<'a>(text: &'a [u8], set: &[u8], sides: u32) -> &'a [u8] {
    let is_in_set = |character: &[u8]| set.chunk_by(|_, byte| !is_start(*byte)).any(|each| each == character);
    let mut rest = text;
    while sides & LEFT != 0 && !rest.is_empty() {
        let width = byte_of(rest, 1);
        if !is_in_set(&rest[..width]) {
            break;
        }
        rest = &rest[width..];
    }
    while sides & RIGHT != 0 && !rest.is_empty() {
        let start = rest.iter().rposition(|byte| is_start(*byte)).unwrap_or(0);
        if !is_in_set(&rest[start..]) {
            break;
        }
        rest = &rest[..start];
    }
    rest
}

/// Adds a text in which each `part` has become `other`. An empty part is nowhere.
fn replace(text: &[u8], part: &[u8], other: &[u8], out: &mut Texts) -> Result<()> {
    let mut rest = text;
    while let Some(at) = find(rest, part).filter(|_| !part.is_empty()) {
        out.push(&rest[..at])?;
        out.push(other)?;
        rest = &rest[at + part.len()..];
    }
    out.push(rest)
}

/// A part between separators, by its number from 1 on or, if that is negative, from the end. Empty if there is none.
fn part<'a>(text: &'a [u8], separator: &[u8], number: i64) -> &'a [u8] {
    if separator.is_empty() {
        // Each character is a part.
        return if number == 0 { &[] } else { slice(text, number, 1) };
    }
    let parts = || {
        let mut rest = Some(text);
        std::iter::from_fn(move || {
            let whole = rest?;
            match find(whole, separator) {
                Some(at) => {
                    rest = Some(&whole[at + separator.len()..]);
                    Some(&whole[..at])
                }
                None => rest.take(),
            }
        })
    };
    let index = if number < 0 { parts().count() as i64 + number } else { number - 1 };
    usize::try_from(index).ok().and_then(|index| parts().nth(index)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_count_characters() {
        let text = "aä€𝄞z";
        let of = |start, length| std::str::from_utf8(slice(text.as_bytes(), start, length)).unwrap();
        assert_eq!(
            [of(1, 2), of(2, 3), of(0, 2), of(-2, 1), of(-2, 9), of(-9, 6)],
            ["aä", "ä€𝄞", "a", "𝄞", "𝄞z", "aä"]
        );
        assert_eq!(
            [of(3, -2), of(-1, -2), of(9, 1), of(2, 0), of(9, -6), of(i64::MIN, i64::MAX)],
            ["aä", "€𝄞", "", "", "€𝄞z", "aä€𝄞"]
        );
        assert_eq!(of(-3, i64::MIN), "aä");
    }

    #[test]
    fn parts_lie_between_separators() {
        let of = |text: &'static str, separator: &str, number| {
            std::str::from_utf8(part(text.as_bytes(), separator.as_bytes(), number)).unwrap()
        };
        assert_eq!(
            [of("a--b-", "-", 1), of("a--b-", "-", 2), of("a--b-", "-", 3), of("a--b-", "-", 4)],
            ["a", "", "b", ""]
        );
        assert_eq!(
            [of("a--b-", "--", 2), of("a--b", "-", -1), of("a--b", "-", -9), of("aä", "", 2)],
            ["b-", "b", "", "ä"]
        );
    }

    #[test]
    fn ends_are_trimmed_of_characters() {
        let of = |text: &'static str, set: &str, sides| {
            std::str::from_utf8(trim(text.as_bytes(), set.as_bytes(), sides)).unwrap()
        };
        assert_eq!(
            [of("  a ", " ", 3), of("  a ", " ", 1), of("  a ", " ", 2), of("   ", " ", 3)],
            ["a", "a ", "  a", ""]
        );
        assert_eq!([of("äaöä", "öä", 3), of("äa", "", 3), of("", "a", 3)], ["a", "äa", ""]);
    }
}
