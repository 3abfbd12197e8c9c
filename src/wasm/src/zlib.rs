//! Inflating zlib streams (RFC 1950, RFC 1951) whose size is known.

mod bits;
mod codes;

use crate::error::{Error, Result};
use crate::repeat::copy_match;
use bits::Bits;
use codes::{Code, END, EXCEPTION, LITERAL, Lengths};

/// Fills `output`, exactly, with what the stream holds, and checks its checksum. What follows the stream is ignored.
pub fn inflate(stream: &[u8], output: &mut [u8]) -> Result<()> {
    let Some((&[method, flags], deflated)) = stream.split_first_chunk() else { return Err(SHORT) };
    // Deflate with a window of up to 32 KiB, without a preset dictionary.
    if method & 0x0f != 8
        || method >> 4 > 7
        || !u16::from_be_bytes([method, flags]).is_multiple_of(31)
        || flags & 0x20 != 0
    {
        return Err(Error::invalid("no zlib stream"));
    }
    let mut bits = Bits::new(deflated);
    let mut codes = Codes::new()?;
    let mut to = 0;
    loop {
        let is_last = bits.take(1) == 1;
        match bits.take(2) {
            0 => to = stored(&mut bits, output, to)?,
            1 => {
                codes.fixed()?;
                to = codes.block(&mut bits, output, to)?;
            }
            2 => {
                codes.dynamic(&mut bits)?;
                to = codes.block(&mut bits, output, to)?;
            }
            _ => return Err(DAMAGED),
        }
        if is_last {
            break;
        }
    }
    let checksum = bits.rest()?.first_chunk().ok_or(SHORT)?;
    if to < output.len() {
        return Err(LESS);
    }
    if adler32(output) != u32::from_be_bytes(*checksum) {
        return Err(Error::invalid("a wrong checksum of zlib data"));
    }
    Ok(())
}

/// Whether so few bytes may hold so many: a symbol of one bit or two stands for 258 bytes at most.
pub fn may_hold(stored: usize, size: usize) -> bool {
    size / 1032 <= stored
}

const SHORT: Error = Error::invalid("zlib data that are cut off");
const DAMAGED: Error = Error::invalid("damaged zlib data");
const LESS: Error = Error::invalid("zlib data hold less than they claim");
const MORE: Error = Error::invalid("zlib data hold more than they claim");

/// A block that is not compressed.
fn stored(bits: &mut Bits, output: &mut [u8], to: usize) -> Result<usize> {
    let rest = bits.rest()?;
    let (&[a, b, c, d], rest) = rest.split_first_chunk().ok_or(SHORT)?;
    let len = u16::from_le_bytes([a, b]);
    if len != !u16::from_le_bytes([c, d]) {
        return Err(DAMAGED);
    }
    let (block, rest) = rest.split_at_checked(len.into()).ok_or(SHORT)?;
    output[to..].get_mut(..block.len()).ok_or(MORE)?.copy_from_slice(block);
    *bits = Bits::new(rest);
    Ok(to + block.len())
}

/// The codes of a block.
struct Codes {
    literals: Code,
    distances: Code,
    lengths: Code,
}

/// Bits of the codes that are looked up at once.
const LITERAL_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 8;

/// In which order the lengths of the code of lengths come.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

impl Codes {
    fn new() -> Result<Self> {
        Ok(Codes { literals: Code::new(LITERAL_BITS)?, distances: Code::new(DISTANCE_BITS)?, lengths: Code::new(7)? })
    }

    fn fixed(&mut self) -> Result<()> {
        let mut lengths = [8; 288];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        self.literals.read(&lengths, Lengths::Literals)?;
        self.distances.read(&[5; 32], Lengths::Distances)
    }

    fn dynamic(&mut self, bits: &mut Bits) -> Result<()> {
        let literals = bits.take(5) as usize + 257;
        let distances = bits.take(5) as usize + 1;
        let count = bits.take(4) as usize + 4;
        if literals > 286 || distances > 30 {
            return Err(DAMAGED);
        }
        let mut of_lengths = [0; 19];
        for &symbol in &ORDER[..count] {
            of_lengths[symbol] = bits.take(3) as u8;
        }
        self.lengths.read(&of_lengths, Lengths::Lengths)?;
        let mut lengths = [0u8; 286 + 30];
        let mut known = 0;
        while known < literals + distances {
            let entry = self.lengths.entry(bits.peek());
            if entry & EXCEPTION != 0 {
                return Err(DAMAGED);
            }
            bits.skip(entry & 0xff);
            let (length, times) = match (entry >> 16 & 0xff, known) {
                (16, 0) => return Err(DAMAGED),
                (16, _) => (lengths[known - 1], 3 + bits.take(2)),
                (17, _) => (0, 3 + bits.take(3)),
                (18, _) => (0, 11 + bits.take(7)),
                (length, _) => (length as u8, 1),
            };
            lengths[..literals + distances].get_mut(known..known + times as usize).ok_or(DAMAGED)?.fill(length);
            known += times as usize;
        }
        let (literals, distances) = lengths[..known].split_at(literals);
        // The end of the block has no code.
        if literals[256] == 0 {
            return Err(DAMAGED);
        }
        self.literals.read(literals, Lengths::Literals)?;
        self.distances.read(distances, Lengths::Distances)
    }

    /// Writes the block from `to` on; returns where it ends.
    fn block(&self, bits: &mut Bits, output: &mut [u8], mut to: usize) -> Result<usize> {
        loop {
            let mut entry = self.literals.entry(bits.peek());
            // Each of two literals takes at most 11 bits of the 56 that were peeked at.
            for _ in 0..2 {
                if entry & LITERAL == 0 {
                    break;
                }
                bits.skip(entry & 0xff);
                *output.get_mut(to).ok_or(MORE)? = (entry >> 16) as u8;
                to += 1;
                entry = self.literals.entry(bits.held());
            }
            let held = bits.peek();
            if entry & EXCEPTION != 0 {
                entry = self.literals.second(entry, held, bits);
                if entry & EXCEPTION != 0 {
                    bits.skip(entry & 0xff);
                    return if entry & END != 0 { bits.check().map(|()| to) } else { Err(DAMAGED) };
                }
            }
            let extra = bits.extra(entry);
            if entry & LITERAL != 0 {
                *output.get_mut(to).ok_or(MORE)? = (entry >> 16) as u8;
                to += 1;
                continue;
            }
            let len = ((entry >> 16) + extra) as usize;
            let mut entry = self.distances.entry(bits.held());
            if entry & EXCEPTION != 0 {
                entry = self.distances.second(entry, bits.held(), bits);
                if entry & EXCEPTION != 0 {
                    return Err(DAMAGED);
                }
            }
            let distance = ((entry >> 16) + bits.extra(entry)) as usize;
            if distance > to {
                return Err(DAMAGED);
            }
            if len > output.len() - to {
                return Err(MORE);
            }
            copy_match(output, to, distance, len);
            to += len;
        }
    }
}

/// Bytes after which both sums are reduced: the most for which they fit into 32 bits.
const ADLER_BYTES: usize = 5552;

/// The checksum of RFC 1950.
fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (mut a, mut b) = (1u32, 0u32);
    for part in bytes.chunks(ADLER_BYTES) {
        let (blocks, rest) = part.as_chunks::<16>();
        for block in blocks {
            let (mut sum, mut weighted) = (0u32, 0u32);
            for (i, &byte) in block.iter().enumerate() {
                sum += u32::from(byte);
                weighted += u32::from(byte) * (16 - i as u32);
            }
            b += 16 * a + weighted;
            a += sum;
        }
        for &byte in rest {
            a += u32::from(byte);
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    b << 16 | a
}
