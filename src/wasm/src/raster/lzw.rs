//! LZW as TIFF 6.0 has it (section 13), and as older programs wrote it.

use crate::error::{Error, Result};
use crate::repeat::copy_match;

const CLEAR: usize = 256;
const END: usize = 257;
const FIRST: usize = 258;
const CODES: usize = 4096;
const LEAST_BITS: u32 = 9;
const MOST_BITS: u32 = 12;

/// The most bytes of a string that is in its entry as a whole.
const SHORT: usize = 7;

/// Bytes that are written at once. Output has as many behind its end.
const WRITTEN: usize = 8;

/// The length in the entry of a longer string.
const LONG: u64 = 0xff;

/// So many bytes are read, whose bits 32 bits can count.
const MOST_STORED: usize = 1 << 28;

const DAMAGED: Error = Error::invalid("damaged LZW data");

/// The most bytes that so many may hold: the longest string of a code has no more bytes than there are codes.
pub fn most_bytes(stored: usize) -> usize {
    stored.saturating_mul(CODES)
}

/// Writes what the stream holds to the first `most` bytes of `output`, of which there are 8 more, and ends when they are full. Returns the
/// number of bytes. What follows in `output` may be overwritten.
pub fn inflate(stream: &[u8], output: &mut [u8], most: usize) -> Result<usize> {
    // The first code is CLEAR. Where its lowest bits come first, the first byte is zero, and the second one odd.
    match stream {
        [0, second, ..] if second & 1 == 1 => strings::<false>(stream, output, most),
        _ => strings::<true>(stream, output, most),
    }
}

/// The strings of codes. A string is that of the code before it, and the first byte of the one behind that.
struct Strings {
    /// The first bytes, the first one as the lowest, and the length as the highest byte.
    entries: [u64; CODES],
    /// Where strings of more than `SHORT` bytes are in the output, and how many they have.
    long: [(u32, u32); CODES],
}

const BYTES: u64 = (1 << (8 * SHORT)) - 1;

/// `IS_NEW`: the highest bit of a code comes first, and codes get longer one code earlier.
fn strings<const IS_NEW: bool>(stream: &[u8], output: &mut [u8], most: usize) -> Result<usize> {
    let most = most.min(output.len().saturating_sub(WRITTEN));
    let stream = &stream[..stream.len().min(MOST_STORED)];
    let mut bits = Bits::<IS_NEW> { stream, at: 0 };
    let mut strings = Strings { entries: [0; CODES], long: [(0, 0); CODES] };
    for (byte, entry) in strings.entries.iter_mut().enumerate().take(CLEAR) {
        *entry = byte as u64 | 1 << (8 * SHORT);
    }
    let early = usize::from(IS_NEW);
    let mut next = FIRST;
    let mut width = LEAST_BITS;
    // The string before. There is none if no string is added, as behind CLEAR, or if there is no code for another one.
    let (mut before, mut before_len, mut before_place) = (0u64, 0usize, 0usize);
    let mut adds = false;
    let mut to = 0;
    while to < most {
        let Some(code) = bits.take(width) else { break };
        let mut entry = strings.entries[code & (CODES - 1)];
        if code & !1 == CLEAR {
            if code == END {
                break;
            }
            (next, width, adds, before_len) = (FIRST, LEAST_BITS, false, 0);
            continue;
        }
        if code >= next {
            if code > next || !adds {
                return Err(DAMAGED);
            }
            // The string that is added here: its last byte is its first one.
            entry = before;
        }
        if adds {
            let added = if before_len < SHORT {
                before & BYTES | (entry & 0xff) << (8 * before_len) | (before_len as u64 + 1) << (8 * SHORT)
            } else {
                strings.long[next & (CODES - 1)] = (before_place as u32, before_len as u32 + 1);
                before & BYTES | LONG << (8 * SHORT)
            };
            strings.entries[next & (CODES - 1)] = added;
            if code == next {
                entry = added;
            }
            next += 1;
            if next + early >= 1 << width {
                if width < MOST_BITS {
                    width += 1;
                }
                adds = next < CODES;
            }
        } else {
            adds = before_len == 0 && next < CODES;
        }
        output[to..to + WRITTEN].copy_from_slice(&entry.to_le_bytes());
        let mut len = (entry >> (8 * SHORT)) as usize;
        if len > SHORT {
            let (place, all) = strings.long[code & (CODES - 1)];
            len = (all as usize).min(most - to);
            copy_match(output, to, to - place as usize, len);
        }
        (before, before_len, before_place) = (entry, len, to);
        to += len;
    }
    Ok(to.min(most))
}

/// The codes of a stream, from the bit `at` on.
struct Bits<'a, const IS_NEW: bool> {
    stream: &'a [u8],
    at: usize,
}

impl<const IS_NEW: bool> Bits<'_, IS_NEW> {
    /// The next code. None: there are no more bits.
    #[inline(always)]
    fn take(&mut self, width: u32) -> Option<usize> {
        let bytes = match self.stream.get(self.at / 8..).and_then(|rest| rest.first_chunk::<4>()) {
            Some(bytes) => *bytes,
            None => self.last(width)?,
        };
        let skipped = (self.at % 8) as u32;
        self.at += width as usize;
        Some(if IS_NEW {
            u32::from_be_bytes(bytes) << skipped >> (32 - width)
        } else {
            u32::from_le_bytes(bytes) >> skipped & ((1 << width) - 1)
        } as usize)
    }

    /// The last bytes, and zeros behind them. None: they have too few bits.
    #[cold]
    fn last(&self, width: u32) -> Option<[u8; 4]> {
        if self.at + width as usize > 8 * self.stream.len() {
            return None;
        }
        let rest = self.stream.get(self.at / 8..)?;
        let mut bytes = [0; 4];
        bytes[..rest.len()].copy_from_slice(rest);
        Some(bytes)
    }
}
