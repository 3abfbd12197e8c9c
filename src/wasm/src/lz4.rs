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
}
