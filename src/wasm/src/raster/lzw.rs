//! LZW as TIFF 6.0 has it (section 13), and as older programs wrote it.

use crate::error::{Error, Result};
use crate::repeat::copy_match;

const CLEAR: usize = 256;
const END: usize = 257;
const FIRST: usize = 258;
const CODES: usize = 4096;
const LEAST_BITS: u32 = 9;
const MOST_BITS: u32 = 12;

const DAMAGED: Error = Error::invalid("damaged LZW data");

/// The most bytes that so many may hold: the longest string of a code has no more bytes than there are codes.
pub fn most_bytes(stored: usize) -> usize {
    stored.saturating_mul(CODES)
}

/// Writes what the stream holds to the first `most` bytes of `output`, and ends when they are full. Returns the number of bytes. What
/// follows in `output` may be overwritten.
pub fn inflate(stream: &[u8], output: &mut [u8], most: usize) -> Result<usize> {
    // The first code is CLEAR. Where its lowest bits come first, the first byte is zero, and the second one odd.
    match stream {
        [0, second, ..] if second & 1 == 1 => strings::<false>(stream, output, most),
        _ => strings::<true>(stream, output, most),
    }
}

/// `IS_NEW`: the highest bit of a code comes first, and codes get longer one code earlier.
fn strings<const IS_NEW: bool>(stream: &[u8], output: &mut [u8], most: usize) -> Result<usize> {
    let most = most.min(output.len());
    let mut bits = Bits::<IS_NEW> { rest: stream, held: 0, count: 0 };
    // Where the string of each code is in the output: the bytes of the code before it, and the first one of the code behind that.
    let mut places = [(0u32, 0u32); CODES];
    let early = usize::from(IS_NEW);
    let mut next = FIRST;
    let mut width = LEAST_BITS;
    // The place and length of the string before. No length: there is none since the codes were cleared.
    let (mut before, mut before_len) = (0, 0);
    let mut to = 0;
    while to < most {
        let Some(code) = bits.take(width) else { break };
        if code == CLEAR {
            (next, width, before_len) = (FIRST, LEAST_BITS, 0);
            continue;
        }
        if code == END {
            break;
        }
        if before_len > 0 && next < CODES {
            places[next] = (before as u32, before_len as u32 + 1);
            next += 1;
            if next + early == 1 << width && width < MOST_BITS {
                width += 1;
            }
        }
        let len = if code < CLEAR {
            output[to] = code as u8;
            1
        } else {
            if code >= next {
                return Err(DAMAGED);
            }
            let (from, len) = places[code];
            let len = (len as usize).min(most - to);
            copy_match(output, to, to - from as usize, len);
            len
        };
        (before, before_len) = (to, len);
        to += len;
    }
    Ok(to)
}

/// The bits that were read and not used: the next ones are the highest of `held`, or the lowest.
struct Bits<'a, const IS_NEW: bool> {
    rest: &'a [u8],
    held: u64,
    count: u32,
}

impl<const IS_NEW: bool> Bits<'_, IS_NEW> {
    /// The next code. None: there are no more bits.
    #[inline(always)]
    fn take(&mut self, width: u32) -> Option<usize> {
        if self.count < width {
            self.fill(width)?;
        }
        self.count -= width;
        Some(if IS_NEW {
            let code = self.held >> (64 - width);
            self.held <<= width;
            code
        } else {
            let code = self.held & ((1 << width) - 1);
            self.held >>= width;
            code
        } as usize)
    }

    #[inline(always)]
    fn fill(&mut self, width: u32) -> Option<()> {
        if let Some((bytes, rest)) = self.rest.split_first_chunk::<4>() {
            self.add(u32::from_be_bytes(*bytes), u32::from_le_bytes(*bytes), 32);
            self.rest = rest;
            return Some(());
        }
        while self.count < width {
            let (&byte, rest) = self.rest.split_first()?;
            self.add(byte.into(), byte.into(), 8);
            self.rest = rest;
        }
        Some(())
    }

    #[inline(always)]
    fn add(&mut self, high_first: u32, low_first: u32, count: u32) {
        if IS_NEW {
            self.held |= u64::from(high_first) << (64 - self.count - count);
        } else {
            self.held |= u64::from(low_first) << self.count;
        }
        self.count += count;
    }
}
