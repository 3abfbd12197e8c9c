//! LZW as TIFF 6.0 has it (section 13), and as older programs wrote it.

use crate::error::{Error, Result};
use crate::repeat::copy_match;

const CLEAR: usize = 256;
const END: usize = 257;
const FIRST: usize = 258;
const CODES: usize = 4096;
const LEAST_BITS: u32 = 9;
const MOST_BITS: u32 = 12;

/// Codes that are read from 64 bits, of which 7 may belong to codes before.
const AT_ONCE: usize = 4;

/// Bytes of a string that are copied at once; what is copied too much is written over by what comes next.
const STEP: usize = 16;

/// What is needed behind the output: room for what is copied too much, and the strings of single bytes.
pub const SPARE: usize = 2 * STEP + CLEAR;

/// So many bytes are read, whose bits 32 bits can count.
const MOST_STORED: usize = 1 << 28;

const DAMAGED: Error = Error::invalid("damaged LZW data");

/// The most bytes that so many may hold: the longest string of a code has no more bytes than there are codes.
pub fn most_bytes(stored: usize) -> usize {
    stored.saturating_mul(CODES)
}

/// How far a stream has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Bytes that were written.
    pub len: usize,
    /// Whether the code that ends the stream was read.
    pub is_ended: bool,
    /// The bit behind the last CLEAR, and the bytes that were written before it. What follows does not depend on what comes before, so
    /// that reading can go on there.
    pub clear: (usize, usize),
}

/// Whether a stream is one of older programs, by its first bytes.
pub fn is_old(stream: &[u8]) -> bool {
    // The first code is CLEAR. Where its lowest bits come first, the first byte is zero, and the second one odd.
    matches!(stream, [0, second, ..] if second & 1 == 1)
}

/// Writes what the stream holds from the bit `at` on to the first `most` bytes of `output`, of which there are [`SPARE`] more, and ends when
/// they are full. What follows in `output` may be overwritten.
pub fn inflate(stream: &[u8], at: usize, is_old: bool, output: &mut [u8], most: usize) -> Result<Read> {
    let most = most.min(output.len().saturating_sub(SPARE));
    if is_old { strings::<false>(stream, at, output, most) } else { strings::<true>(stream, at, output, most) }
}

/// The string of a code: where it is in the output, and how many bytes it has. They are in one word, so that one access has both.
#[derive(Clone, Copy)]
struct Entry(u64);

impl Entry {
    /// Of a code that stands for no string: it is longer than any.
    const NONE: Entry = Entry(u32::MAX as u64);

    #[inline(always)]
    fn new(place: usize, len: usize) -> Self {
        Entry((place as u64) << 32 | len as u64)
    }

    #[inline(always)]
    fn place(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[inline(always)]
    fn len(self) -> usize {
        self.0 as u32 as usize
    }
}

/// The string that a code adds is that of the code before it and one byte more. Both follow each other in the output, where the byte is
/// the first one of the code's own string; so an entry is written with the code before, and needs no bytes.
///
/// `IS_NEW`: the highest bit of a code comes first, and codes get longer one code earlier.
fn strings<const IS_NEW: bool>(stream: &[u8], mut at: usize, output: &mut [u8], most: usize) -> Result<Read> {
    let bits = Bits::<IS_NEW> { stream: &stream[..stream.len().min(MOST_STORED)] };
    let mut entries = [Entry::NONE; CODES];
    let bytes = most + STEP;
    for byte in 0..CLEAR {
        output[bytes + byte] = byte as u8;
        entries[byte] = Entry::new(bytes + byte, 1);
    }
    let early = usize::from(IS_NEW);
    let mut to = 0;
    let mut read = Read::default();
    // The code of the entry that the next code writes. The one before it is that of the string which the next code completes.
    let mut next = FIRST;
    let mut width = LEAST_BITS;
    while to < most {
        // The width stays below this code.
        let last = ((1 << width) - early).min(CODES - 1);
        'some: while next + AT_ONCE <= last && to + AT_ONCE * STEP <= most {
            let Some(mut held) = bits.held(at) else { break };
            for _ in 0..AT_ONCE {
                let code = Bits::<IS_NEW>::take(&mut held, width);
                let entry = entries[code & (CODES - 1)];
                let len = entry.len();
                if code >= next - 1 || len > STEP {
                    break 'some;
                }
                copy_step(output, entry.place(), to)?;
                entries[next & (CODES - 1)] = Entry::new(to, len + 1);
                next += 1;
                to += len;
                at += width as usize;
            }
        }
        let Some(code) = bits.code(at, width) else { break };
        at += width as usize;
        if code == END {
            read.is_ended = true;
            break;
        }
        if code == CLEAR {
            (next, width) = (FIRST, LEAST_BITS);
            read.clear = (at, to);
            continue;
        }
        if code >= next.min(CODES) {
            return Err(DAMAGED);
        }
        let entry = entries[code & (CODES - 1)];
        let len = entry.len().min(most - to);
        // A single byte lies behind the output.
        match to.checked_sub(entry.place()) {
            Some(offset) => copy_match(output, to, offset, len),
            None => copy_step(output, entry.place(), to)?,
        }
        if next < CODES {
            entries[next] = Entry::new(to, entry.len() + 1);
        }
        if next + early >= 1 << width && width < MOST_BITS {
            width += 1;
        }
        // There is none behind the last code, but codes may go on.
        next = (next + 1).min(CODES + 1);
        to += len;
    }
    Ok(Read { len: to, ..read })
}

#[inline(always)]
fn copy_step(output: &mut [u8], from: usize, to: usize) -> Result<()> {
    let bytes = *output.get(from..).and_then(|rest| rest.first_chunk::<STEP>()).ok_or(DAMAGED)?;
    *output.get_mut(to..).and_then(|rest| rest.first_chunk_mut::<STEP>()).ok_or(DAMAGED)? = bytes;
    Ok(())
}

/// The codes of a stream by the bit at which they begin.
struct Bits<'a, const IS_NEW: bool> {
    stream: &'a [u8],
}

impl<const IS_NEW: bool> Bits<'_, IS_NEW> {
    /// At least 57 bits, for `take`. None: there are fewer.
    #[inline(always)]
    fn held(&self, at: usize) -> Option<u64> {
        let bytes = *self.stream.get(at / 8..)?.first_chunk::<8>()?;
        Some(if IS_NEW { u64::from_be_bytes(bytes) << (at % 8) } else { u64::from_le_bytes(bytes) >> (at % 8) })
    }

    #[inline(always)]
    fn take(held: &mut u64, width: u32) -> usize {
        if IS_NEW {
            let code = *held >> (64 - width);
            *held <<= width;
            code as usize
        } else {
            let code = *held & ((1 << width) - 1);
            *held >>= width;
            code as usize
        }
    }

    /// The code at a bit. None: there are too few bits.
    #[inline(always)]
    fn code(&self, at: usize, width: u32) -> Option<usize> {
        let mut held = match self.held(at) {
            Some(held) => held,
            None => self.last(at, width)?,
        };
        Some(Self::take(&mut held, width))
    }

    /// The last bits, and zeros behind them.
    #[cold]
    fn last(&self, at: usize, width: u32) -> Option<u64> {
        if at + width as usize > 8 * self.stream.len() {
            return None;
        }
        let rest = self.stream.get(at / 8..)?;
        let mut bytes = [0; 8];
        bytes[..rest.len()].copy_from_slice(rest);
        let padded = Bits::<IS_NEW> { stream: &bytes };
        padded.held(at % 8)
    }
}
