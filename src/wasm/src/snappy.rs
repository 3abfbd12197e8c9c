//! Snappy (format_description.txt of google/snappy), from untrusted input into an output of known length.

use crate::error::{Error, Result};
use crate::repeat::{copy_literals, copy_match};

/// Output bytes that one byte of input can stand for: 3 bytes copy 64.
const MAX_RATIO: usize = 22;

/// Whether so few bytes may hold so many: asked before room is made for them.
pub fn may_hold(input: usize, output: usize) -> bool {
    output / MAX_RATIO <= input
}

/// Decodes all of `input`, which must fill `output`.
pub fn decode(input: &[u8], output: &mut [u8]) -> Result<()> {
    let mut at = 0;
    if preamble(input, &mut at)? != output.len() as u64 {
        return Err(Error::invalid("Snappy data hold more or less than they should"));
    }
    let mut end = 0;
    loop {
        (at, end) = decode_short(input, at, output, end);
        let Some(&tag) = input.get(at) else { break };
        at += 1;
        let high = usize::from(tag >> 2);
        if tag & 3 == 0 {
            let mut len = high + 1;
            if high >= 60 {
                let bytes = high - 59;
                len = (little_endian(input, at, bytes)? as usize).checked_add(1).ok_or(LONG)?;
                at += bytes;
            }
            if len > input.len() - at {
                return Err(CUT);
            }
            if len > output.len() - end {
                return Err(LONG);
            }
            copy_literals(input, at, output, end, len);
            at += len;
            end += len;
            continue;
        }
        let Copy { len, offset_high } = COPIES[usize::from(tag)];
        let bytes = OFFSET_BYTES[usize::from(tag & 3)];
        let low = little_endian(input, at, bytes)? as usize;
        let (len, offset) = (usize::from(len), usize::from(offset_high) << 8 | low);
        at += bytes;
        if offset == 0 || offset > end {
            return Err(Error::invalid_at("Snappy data refer to what is not there", at));
        }
        if len > output.len() - end {
            return Err(LONG);
        }
        copy_match(output, end, offset, len);
        end += len;
    }
    if end == output.len() { Ok(()) } else { Err(CUT) }
}

/// The only literal that all of `input` is, of so many bytes: what cannot be compressed is stored so, and need not be copied.
pub fn only_literal(input: &[u8], len: usize) -> Option<&[u8]> {
    let mut at = 0;
    let size = preamble(input, &mut at).ok()?;
    let high = usize::from(input.get(at)? >> 2);
    let is_literal = input[at] & 3 == 0;
    at += 1;
    let claimed = if high < 60 { high } else { little_endian(input, at, high - 59).ok()? as usize };
    let literal = input.get(at + high.saturating_sub(59)..)?;
    (is_literal && size == len as u64 && claimed.checked_add(1) == Some(len) && literal.len() == len).then_some(literal)
}

/// The most bytes that [`decode_short`] decodes at once, a vector.
const STEP: usize = 16;
/// Literals that lie, between their tag and that of the next element with its offset, in eight bytes.
const TINY: usize = 4;
/// Behind a place of the input, so that all that is looked at is there: a tag and a vector.
const AHEAD: usize = 1 + STEP;
/// Behind a place of the output: a tiny literal and a vector.
const ROOM: usize = 8 + STEP;

/// Decodes elements from `at` on while they are short, refer to what is far enough, and both ends are further away than anything that is
/// touched. Returns up to where it has come; the next element may be anything.
///
/// What takes time is that each element has to be read before it is known where the next one begins. So a tiny literal and the copy behind
/// it are taken from one word, and their lengths from the bits of their tags, without a table.
#[inline(always)]
fn decode_short(input: &[u8], mut at: usize, output: &mut [u8], mut end: usize) -> (usize, usize) {
    while let Some(window) = input.get(at..).and_then(<[u8]>::first_chunk::<AHEAD>)
        && let Some(word) = window.first_chunk()
        && let Some(room) = output.get_mut(end..).and_then(<[u8]>::first_chunk_mut::<ROOM>)
    {
        // As a whole: of bytes that are taken apart, the compiler reads each where it is used.
        let mut word = u64::from_le_bytes(*word);
        // Where the copy is read and written, if there is one. To move `at` and `end` themselves takes longer.
        let (mut next, mut to) = (at, end);
        if word & 3 == 0 {
            let len = (word as usize >> 2 & 63) + 1;
            if len > TINY {
                if len > STEP {
                    break;
                }
                room[..STEP].copy_from_slice(&window[1..]);
                at += 1 + len;
                end += len;
                continue;
            }
            room[..8].copy_from_slice(&(word >> 8).to_le_bytes());
            word >>= 8 * (1 + len);
            next += 1 + len;
            to += len;
            if word & 3 == 0 {
                (at, end) = (next, to);
                continue;
            }
        }
        let kind = word as usize & 3;
        let Copy { len, offset_high } = COPIES[word as usize & 255];
        let (len, low) = (usize::from(len), (word >> 8) as usize & OFFSET_MASKS[kind]);
        let offset = usize::from(offset_high) << 8 | low;
        let from = to.wrapping_sub(offset);
        if len > STEP || offset < STEP / 2 || kind == 3 || from >= to {
            (at, end) = (next, to);
            break;
        }
        if to + STEP > output.len() {
            return (next, to);
        }
        if offset >= STEP {
            output.copy_within(from..from + STEP, to);
        } else {
            // The second half repeats what the first one has written.
            output.copy_within(from..from + STEP / 2, to);
            output.copy_within(from + STEP / 2..from + STEP, to + STEP / 2);
        }
        // Of an offset of 11 bits there is one more byte, of one of 16 bits there are two: the number of the kind.
        at = next + 1 + kind;
        end = to + len;
    }
    (at, end)
}

/// The length of the output.
fn preamble(input: &[u8], at: &mut usize) -> Result<u64> {
    let mut len = 0;
    for shift in (0..35).step_by(7) {
        let byte = *input.get(*at).ok_or(CUT)?;
        *at += 1;
        len |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(len);
        }
    }
    Err(LONG)
}

/// What a tag says of a copy.
#[derive(Clone, Copy)]
struct Copy {
    len: u8,
    /// Of an offset of 11 bits, the upper 3.
    offset_high: u8,
}

/// Of every tag: which of the three forms comes next cannot be guessed, so it is looked up. Those of literals are not used.
const COPIES: [Copy; 256] = {
    let mut copies = [Copy { len: 0, offset_high: 0 }; 256];
    let mut tag = 0;
    while tag < 256 {
        let high = (tag >> 2) as u8;
        copies[tag] = match tag & 3 {
            1 => Copy { len: 4 + (high & 7), offset_high: high >> 3 },
            _ => Copy { len: high + 1, offset_high: 0 },
        };
        tag += 1;
    }
    copies
};

/// What else there is of an offset, in the bytes behind the tag, by the tag's kind.
const OFFSET_BYTES: [usize; 4] = [0, 1, 2, 4];
/// The same of the two kinds that [`decode_short`] takes, as a mask.
const OFFSET_MASKS: [usize; 4] = [0, 0xff, 0xffff, 0];

/// `count` bytes, at most 4.
#[inline(always)]
fn little_endian(input: &[u8], at: usize, count: usize) -> Result<u32> {
    match input.get(at..).and_then(<[u8]>::first_chunk) {
        Some(bytes) => Ok((u64::from(u32::from_le_bytes(*bytes)) & ((1 << (8 * count)) - 1)) as u32),
        None => {
            let bytes = input.get(at..at + count).ok_or(CUT)?;
            Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
        }
    }
}

const CUT: Error = Error::invalid("Snappy data end in the middle");
const LONG: Error = Error::invalid("Snappy data hold more than they claim");

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(input: &[u8], len: usize) -> Result<Vec<u8>> {
        let mut output = vec![0; len];
        decode(input, &mut output).map(|()| output)
    }

    #[test]
    fn literals_and_copies_of_every_form() {
        assert_eq!(decoded(&[0], 0), Ok(vec![]));
        assert_eq!(decoded(&[4, 12, 1, 2, 3, 4], 4), Ok(vec![1, 2, 3, 4]));
        // Of 11, 16 and 32 bits of offset; the last repeats what it writes.
        assert_eq!(decoded(&[8, 12, 1, 2, 3, 4, 1, 4], 8), Ok(vec![1, 2, 3, 4, 1, 2, 3, 4]));
        assert_eq!(decoded(&[6, 4, 1, 2, 14, 2, 0], 6), Ok(vec![1, 2, 1, 2, 1, 2]));
        assert_eq!(decoded(&[64, 0, 7, 251, 1, 0, 0, 0], 64), Ok(vec![7; 64]));
        // Lengths of literals in one to four bytes.
        for bytes in 1..=4 {
            let mut input = vec![200, 1, (59 + bytes) << 2, 199, 0, 0, 0];
            input.truncate(3 + usize::from(bytes));
            input.extend(0..200);
            assert_eq!(decoded(&input, 200), Ok((0..200).collect()));
        }
    }

    /// Byte by byte.
    fn naively(input: &[u8], len: usize) -> Option<Vec<u8>> {
        let (mut at, mut output) = (0, vec![]);
        (preamble(input, &mut at).ok()? == len as u64).then_some(())?;
        let number = |at: &mut usize, count: usize| {
            let bytes = input.get(*at..*at + count)?;
            *at += count;
            Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | usize::from(byte)))
        };
        while at < input.len() {
            let tag = number(&mut at, 1)?;
            let (len, offset) = match tag & 3 {
                0 => {
                    let len = if tag >> 2 < 60 { tag >> 2 } else { number(&mut at, (tag >> 2) - 59)? };
                    output.extend(input.get(at..at.checked_add(len + 1)?)?);
                    at += len + 1;
                    continue;
                }
                1 => (4 + (tag >> 2 & 7), (tag >> 5) << 8 | number(&mut at, 1)?),
                2 => ((tag >> 2) + 1, number(&mut at, 2)?),
                _ => ((tag >> 2) + 1, number(&mut at, 4)?),
            };
            (offset > 0).then_some(())?;
            for _ in 0..len {
                output.push(*output.get(output.len().checked_sub(offset)?)?);
            }
        }
        (output.len() == len).then_some(output)
    }

    #[test]
    fn any_elements_decode_as_byte_by_byte() {
        for seed in 1..3000u64 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut random = |below: u64| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state % below
            };
            // Mostly short elements, as those of numbers; of some seeds all lengths and offsets.
            let (longest, furthest) = if seed % 3 == 0 { (64, 3000) } else { (8, 40) };
            let (mut body, mut len) = (vec![], 0usize);
            for _ in 0..random(120) {
                let size = random(longest) as usize + 1;
                let offset = (random(furthest) as usize + 1).min(len);
                match random(5) {
                    1 if offset > 0 && offset < 2048 => {
                        let size = size.clamp(4, 11);
                        body.extend([(1 | (size - 4) << 2 | offset >> 8 << 5) as u8, offset as u8]);
                        len += size;
                    }
                    2 if offset > 0 => {
                        body.extend([(2 | (size - 1) << 2) as u8, offset as u8, (offset >> 8) as u8]);
                        len += size;
                    }
                    3 if offset > 0 && seed % 2 == 0 => {
                        body.extend([(3 | (size - 1) << 2) as u8, offset as u8, (offset >> 8) as u8, 0, 0]);
                        len += size;
                    }
                    _ => {
                        let size = if size > 60 { 60 } else { size };
                        body.push(((size - 1) << 2) as u8);
                        body.extend((0..size).map(|_| random(256) as u8));
                        len += size;
                    }
                }
            }
            let mut input = vec![len as u8 | 0x80, (len >> 7) as u8 | 0x80, (len >> 14) as u8];
            input.extend(&body);
            let expected = naively(&input, len);
            assert_eq!(expected.as_ref().map(Vec::len), Some(len));
            assert_eq!(decoded(&input, len).ok(), expected, "seed {seed}");
            // With bytes of any other value, and cut off.
            for _ in 0..4 {
                let mut damaged = input.clone();
                let place = 3 + random(body.len() as u64 + 1) as usize;
                if let Some(byte) = damaged.get_mut(place) {
                    *byte = random(256) as u8;
                }
                damaged.truncate(damaged.len() - random(3).min(body.len() as u64) as usize);
                assert_eq!(decoded(&damaged, len).ok(), naively(&damaged, len), "seed {seed}, damaged at {place}");
            }
        }
    }

    #[test]
    fn what_is_one_literal_is_found_without_a_copy() {
        for len in [1usize, 59, 60, 61, 256, 257, 70_000] {
            let bytes: Vec<u8> = (0..len).map(|i| (i * 7) as u8).collect();
            for size in 0..=4usize {
                if size < 4 && (len - 1) >> (8 * size) != 0 && size > 0 || size == 0 && len > 60 {
                    continue;
                }
                let mut input = vec![len as u8 | 0x80, (len >> 7) as u8 | 0x80, (len >> 14) as u8];
                input.push(if size == 0 { (len - 1) as u8 } else { 59 + size as u8 } << 2);
                input.extend(&((len - 1) as u32).to_le_bytes()[..size]);
                input.extend(&bytes);
                assert_eq!(only_literal(&input, len), Some(&bytes[..]), "{len} in {size}");
                assert_eq!(only_literal(&input, len + 1), None);
                assert_eq!(only_literal(&input[..input.len() - 1], len), None);
                input.push(0);
                assert_eq!(only_literal(&input, len), None);
            }
        }
        for cut in [&[][..], &[4], &[4, 252], &[4, 1, 1]] {
            assert_eq!(only_literal(cut, 4), None);
        }
    }

    #[test]
    fn whatever_is_cut_off_or_claimed_too_much_is_an_error() {
        let whole = [64, 0, 7, 251, 1, 0, 0, 0];
        for len in 0..whole.len() {
            assert!(decoded(&whole[..len], 64).is_err(), "{len}");
        }
        assert!(decoded(&whole, 63).is_err());
        assert!(decoded(&[4, 12, 1, 2, 3, 4, 0, 5], 4).is_err());
        assert!(decoded(&[4, 0, 7, 1, 2], 4).is_err());
        assert!(decoded(&[4, 0, 7, 1, 0], 4).is_err());
        assert!(decoded(&[4, 252, 255, 255, 255, 255], 4).is_err());
        assert!(decoded(&[0xff; 6], 4).is_err());
        assert!(!may_hold(2, 100) && may_hold(2, 60));
    }
}
