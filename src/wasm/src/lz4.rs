//! LZ4 (lz4_Block_format.md and lz4_Frame_format.md of lz4/lz4), from untrusted input into an output of known length.

use crate::error::{Error, Result};
use crate::repeat::{copy_literals, copy_match};

/// Output bytes that one byte of input can stand for: each byte of 255 in a match's length.
const MAX_RATIO: usize = 255;

/// Whether so few bytes may hold so many: asked before room is made for them.
pub fn may_hold(input: usize, output: usize) -> bool {
    output / MAX_RATIO <= input
}

/// Decodes one block behind the first `written` bytes of `output`; matches reach back to `floor` at most. Returns the
/// bytes written then.
pub fn block(input: &[u8], output: &mut [u8], floor: usize, written: usize) -> Result<usize> {
    let (mut at, mut end) = (0, written);
    loop {
        (at, end) = bare_matches(input, at, output, floor, end);
        let token = *input.get(at).ok_or(CUT)?;
        at += 1;
        let literals = length(input, &mut at, token >> 4)?;
        if literals > input.len() - at {
            return Err(CUT);
        }
        if literals > output.len() - end {
            return Err(LONG);
        }
        copy_literals(input, at, output, end, literals);
        at += literals;
        end += literals;
        // The last sequence has no match.
        if at == input.len() {
            return Ok(end);
        }
        let &[low, high] = input.get(at..at + 2).and_then(<[u8]>::as_array).ok_or(CUT)?;
        at += 2;
        let offset = usize::from(u16::from_le_bytes([low, high]));
        if offset == 0 || offset > end - floor {
            return Err(Error::invalid_at("LZ4 data refer to what is not there", at));
        }
        let size = length(input, &mut at, token & 15)?.saturating_add(MIN_MATCH);
        if size > output.len() - end {
            return Err(LONG);
        }
        copy_match(output, end, offset, size);
        end += size;
    }
}

/// Decodes sequences as long as each has no literals, a match of up to 18 bytes that begins 16 bytes before it at least, and ends far enough
/// from the end of the output. Shuffled noise has thousands of them in a row, which take 0.6 of their time here: where the next one is does not
/// depend on what is read of this one. Returns where others begin, and where they are written.
#[inline(always)]
fn bare_matches(input: &[u8], from: usize, output: &mut [u8], floor: usize, written: usize) -> (usize, usize) {
    let (mut at, mut end) = (from, written);
    while let Some(&[token, low, high]) = input.get(at..).and_then(<[u8]>::first_chunk) {
        let offset = usize::from(u16::from_le_bytes([low, high]));
        if token >= 15 || offset < 16 || offset > end - floor {
            break;
        }
        let Some(window) = output.get_mut(end - offset..end + 32) else {
            break;
        };
        let size = usize::from(token) + MIN_MATCH;
        window.copy_within(..16, offset);
        if size > 16 {
            window.copy_within(16..32, offset + 16);
        }
        at += 3;
        end += size;
    }
    (at, end)
}

pub(crate) const MIN_MATCH: usize = 4;

/// A length of four bits, and of the bytes that follow where four are not enough.
#[inline(always)]
fn length(input: &[u8], at: &mut usize, nibble: u8) -> Result<usize> {
    let mut length = usize::from(nibble);
    if nibble < 15 {
        return Ok(length);
    }
    loop {
        let byte = *input.get(*at).ok_or(CUT)?;
        *at += 1;
        length = length.saturating_add(usize::from(byte));
        if byte < 255 {
            return Ok(length);
        }
    }
}

const CUT: Error = Error::invalid("LZ4 data end in the middle");
const LONG: Error = Error::invalid("LZ4 data hold more than they claim");

pub(crate) const MAGIC: u32 = 0x184d_2204;

/// Bits of the frame's first byte of flags.
pub(crate) mod flag {
    pub const DICTIONARY: u8 = 1;
    pub const CONTENT_CHECKSUM: u8 = 1 << 2;
    pub const CONTENT_SIZE: u8 = 1 << 3;
    pub const BLOCK_CHECKSUM: u8 = 1 << 4;
    pub const INDEPENDENT: u8 = 1 << 5;
    pub const VERSION: u8 = 1 << 6;
    pub const UNKNOWN: u8 = 0b1000_0010;
}

/// Decodes one frame, which must fill `output`. Checksums are checked where there are any; zeros may follow.
pub fn frame(input: &[u8], output: &mut [u8]) -> Result<()> {
    let mut input = Input(input);
    if input.number()? != MAGIC {
        return Err(Error::invalid("no LZ4 frame"));
    }
    let descriptor = input.0;
    let [flags, sizes] = input.array()?;
    if flags & (flag::VERSION | flag::UNKNOWN) != flag::VERSION || sizes & 0b1000_1111 != 0 || sizes < 4 << 4 {
        return Err(Error::invalid("an LZ4 frame of an unknown version"));
    }
    if flags & flag::CONTENT_SIZE != 0 && u64::from_le_bytes(input.array()?) != output.len() as u64 {
        return Err(Error::invalid("an LZ4 frame of another size than it should have"));
    }
    if flags & flag::DICTIONARY != 0 {
        return Err(Error::invalid("an LZ4 frame that needs a dictionary"));
    }
    let [check] = input.array()?;
    if check != (xxh32(&descriptor[..descriptor.len() - input.0.len() - 1]) >> 8) as u8 {
        return Err(CHECKSUM);
    }
    // 4: 64 KiB, and four times as much with each.
    let largest = 1usize << (8 + 2 * (sizes >> 4));
    let mut written = 0;
    loop {
        let head = input.number()?;
        if head == 0 {
            break;
        }
        let stored = input.take((head & !UNCOMPRESSED) as usize)?;
        let end = output.len().min(written + largest);
        let floor = if flags & flag::INDEPENDENT != 0 { written } else { 0 };
        if head & UNCOMPRESSED == 0 {
            written = block(stored, &mut output[..end], floor, written)?;
        } else {
            output[..end].get_mut(written..written + stored.len()).ok_or(LONG)?.copy_from_slice(stored);
            written += stored.len();
        }
        if flags & flag::BLOCK_CHECKSUM != 0 && input.number()? != xxh32(stored) {
            return Err(CHECKSUM);
        }
    }
    if written != output.len() {
        return Err(Error::invalid("LZ4 data hold less than they claim"));
    }
    if flags & flag::CONTENT_CHECKSUM != 0 && input.number()? != xxh32(output) {
        return Err(CHECKSUM);
    }
    if input.0.iter().any(|&byte| byte != 0) {
        return Err(Error::invalid("more follows an LZ4 frame"));
    }
    Ok(())
}

/// The bit of a block's length that says that it is stored as it is.
pub(crate) const UNCOMPRESSED: u32 = 1 << 31;

const CHECKSUM: Error = Error::invalid("an LZ4 checksum does not match");

/// What is left to read.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(CUT)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(CUT)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }
}

const PRIMES: [u32; 5] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];

/// The bytes that data in the blocks of HDF5's filter 32004 hold, as they say: the size of all data in 64 bits and that of a block are in
/// front of the blocks, all numbers big-endian.
pub fn size_of_blocks(input: &[u8]) -> Result<usize> {
    let &[a, b, c, d, e, f, g, h] = input.first_chunk().ok_or(CUT)?;
    usize::try_from(u64::from_be_bytes([a, b, c, d, e, f, g, h])).map_err(|_| LONG)
}

/// Decodes such data, which must fill `output`. Each block is behind its stored size; one that compression would not make smaller is stored
/// as it is. What follows the last block is ignored.
pub fn blocks(input: &[u8], output: &mut [u8]) -> Result<()> {
    let mut input = Input(input);
    let size = u64::from_be_bytes(input.array()?);
    let block_bytes = u32::from_be_bytes(input.array()?) as usize;
    if size != output.len() as u64 || (block_bytes == 0 && size > 0) {
        return Err(Error::invalid("LZ4 data hold more or less than they should"));
    }
    for output in output.chunks_mut(block_bytes.max(1)) {
        let stored = u32::from_be_bytes(input.array()?) as usize;
        let stored = input.take(stored)?;
        if stored.len() == output.len() {
            output.copy_from_slice(stored);
        } else if block(stored, output, 0, 0)? != output.len() {
            return Err(Error::invalid("LZ4 data hold less than they claim"));
        }
    }
    Ok(())
}

/// xxHash of 32 bits with seed 0 (xxhash_spec.md of Cyan4973/xxHash).
pub(crate) fn xxh32(bytes: &[u8]) -> u32 {
    let (stripes, rest) = bytes.as_chunks::<16>();
    let mut hash = PRIMES[4];
    if !stripes.is_empty() {
        let mut lanes = [PRIMES[0].wrapping_add(PRIMES[1]), PRIMES[1], 0, PRIMES[0].wrapping_neg()];
        for stripe in stripes {
            for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<4>().0) {
                let sum = lane.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(PRIMES[1]));
                *lane = sum.rotate_left(13).wrapping_mul(PRIMES[0]);
            }
        }
        let turns = [1, 7, 12, 18];
        hash = lanes.iter().zip(turns).fold(0, |sum, (lane, turn)| sum.wrapping_add(lane.rotate_left(turn)));
    }
    hash = hash.wrapping_add(bytes.len() as u32);
    let (words, tail) = rest.as_chunks::<4>();
    for word in words {
        hash = hash.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(PRIMES[2]));
        hash = hash.rotate_left(17).wrapping_mul(PRIMES[3]);
    }
    for byte in tail {
        hash = hash.wrapping_add(u32::from(*byte).wrapping_mul(PRIMES[4]));
        hash = hash.rotate_left(11).wrapping_mul(PRIMES[0]);
    }
    hash = (hash ^ hash >> 15).wrapping_mul(PRIMES[1]);
    hash = (hash ^ hash >> 13).wrapping_mul(PRIMES[2]);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_xxhash() {
        assert_eq!(xxh32(b""), 0x02cc_5d05);
        assert_eq!(xxh32(b"abc"), 0x32d1_53ff);
        assert_eq!(xxh32(b"Nobody inspects the spammish repetition"), 0xe229_3b2f);
    }

    /// What a block holds, byte by byte.
    fn plain(input: &[u8]) -> Vec<u8> {
        let (mut at, mut output) = (0, Vec::new());
        loop {
            let token = input[at];
            at += 1;
            let literals = length(input, &mut at, token >> 4).unwrap();
            output.extend_from_slice(&input[at..at + literals]);
            at += literals;
            if at == input.len() {
                return output;
            }
            let offset = usize::from(u16::from_le_bytes([input[at], input[at + 1]]));
            at += 2;
            for _ in 0..length(input, &mut at, token & 15).unwrap() + MIN_MATCH {
                output.push(output[output.len() - offset]);
            }
        }
    }

    #[test]
    fn matches_in_a_row_are_those_that_are_copied_byte_by_byte() {
        let mut state = 7u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..300 {
            let mut input = vec![0xf0, 25];
            input.extend((0..40u8).map(|byte| byte.wrapping_mul(7)));
            input.extend([1, 0]);
            let mut written = 40 + MIN_MATCH;
            for _ in 0..random(60) {
                let literals = if random(8) == 0 { random(15) } else { 0 };
                let matched = random(15);
                input.push((literals << 4 | matched) as u8);
                input.extend((0..literals).map(|byte| byte as u8 ^ 0x55));
                written += literals;
                let offset = if random(2) == 0 { 1 + random(40) } else { 1 + random(written) };
                input.extend((offset as u16).to_le_bytes());
                written += matched + MIN_MATCH;
            }
            let last = random(3);
            input.push((last << 4) as u8);
            input.extend(&[9, 8][..last]);
            let expected = plain(&input);
            let mut output = vec![0; expected.len()];
            assert_eq!(block(&input, &mut output, 0, 0), Ok(expected.len()));
            assert_eq!(output, expected);
            // Where the block may not reach, nothing is read or written.
            let mut behind = vec![3; expected.len() + 10];
            let end = 10 + expected.len();
            assert_eq!(block(&input, &mut behind[..end], 10, 10), Ok(end));
            assert_eq!(behind[..10], [3; 10]);
            assert_eq!(behind[10..], expected);
            assert!(block(&input, &mut output[..expected.len() - 1], 0, 0).is_err());
        }
    }
}
