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
    while let Some(&tag) = input.get(at) {
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
        let Copy { len, offset_high, bytes } = COPIES[usize::from(tag)];
        let low = little_endian(input, at, usize::from(bytes))? as usize;
        let (len, offset) = (usize::from(len), usize::from(offset_high) << 8 | low);
        at += usize::from(bytes);
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
    /// What else there is of the offset, in the bytes behind the tag.
    bytes: u8,
}

/// Of every tag: which of the three forms comes next cannot be guessed, so it is looked up. Those of literals are not used.
const COPIES: [Copy; 256] = {
    let mut copies = [Copy { len: 0, offset_high: 0, bytes: 0 }; 256];
    let mut tag = 0;
    while tag < 256 {
        let high = (tag >> 2) as u8;
        copies[tag] = match tag & 3 {
            1 => Copy { len: 4 + (high & 7), offset_high: high >> 3, bytes: 1 },
            2 => Copy { len: high + 1, offset_high: 0, bytes: 2 },
            _ => Copy { len: high + 1, offset_high: 0, bytes: 4 },
        };
        tag += 1;
    }
    copies
};

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
