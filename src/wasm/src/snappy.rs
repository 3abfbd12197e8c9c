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
        let (len, offset) = match tag & 3 {
            1 => (4 + (high & 7), high >> 3 << 8 | little_endian(input, at, 1)? as usize),
            2 => (high + 1, little_endian(input, at, 2)? as usize),
            _ => (high + 1, little_endian(input, at, 4)? as usize),
        };
        at += [0, 1, 2, 4][usize::from(tag & 3)];
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

/// `count` bytes, at most 4.
#[inline(always)]
fn little_endian(input: &[u8], at: usize, count: usize) -> Result<u32> {
    let bytes = input.get(at..at + count).ok_or(CUT)?;
    Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
}

const CUT: Error = Error::invalid("Snappy data end in the middle");
const LONG: Error = Error::invalid("Snappy data hold more than they claim");
