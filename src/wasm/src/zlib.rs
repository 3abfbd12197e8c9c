//! Inflating zlib streams (RFC 1950, RFC 1951).

mod adler32;
mod bits;
mod block;
mod code;
mod header;
mod pairs;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use crate::error::{Error, Result};
use adler32::adler32;
use bits::Bits;
use block::Codes;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use scalar as vectors;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128 as vectors;
use std::cell::RefCell;

thread_local! {
    /// The codes of the last block. They are kept, because making room for them and the codes that are fixed takes longer than
    /// inflating a small stream.
    static CODES: RefCell<Codes> = const { RefCell::new(Codes::new()) };
}

/// Writes to `output` what the stream holds, and checks its checksum. Returns the number of bytes. An error if there are more than
/// `output` has. What follows the stream is ignored.
pub fn inflate(stream: &[u8], output: &mut [u8]) -> Result<usize> {
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
    let len = CODES.with_borrow_mut(|codes| blocks(codes, &mut bits, output))?;
    let checksum = bits.rest()?.first_chunk().ok_or(SHORT)?;
    if adler32(&output[..len]) != u32::from_be_bytes(*checksum) {
        return Err(Error::invalid("a wrong checksum of zlib data"));
    }
    Ok(len)
}

/// The most bytes that so many may hold: a symbol of two bits stands for 258 bytes at most.
pub fn most_bytes(stored: usize) -> usize {
    stored.saturating_mul(1032)
}

const SHORT: Error = Error::invalid("zlib data that are cut off");
const DAMAGED: Error = Error::invalid("damaged zlib data");
const MORE: Error = Error::invalid("zlib data hold more than they claim");

#[inline(always)]
fn blocks(codes: &mut Codes, bits: &mut Bits, output: &mut [u8]) -> Result<usize> {
    let mut to = 0;
    loop {
        let is_last = bits.take(1) == 1;
        match bits.take(2) {
            0 => to = stored(bits, output, to)?,
            kind @ (1 | 2) => {
                if kind == 1 {
                    codes.fixed()?;
                } else {
                    codes.dynamic(bits)?;
                }
                to = codes.block(bits, output, to)?;
            }
            _ => return Err(DAMAGED),
        }
        if is_last {
            return Ok(to);
        }
    }
}

/// A block that is not compressed. Returns where it ends.
fn stored(bits: &mut Bits, output: &mut [u8], to: usize) -> Result<usize> {
    let (&[a, b, c, d], rest) = bits.rest()?.split_first_chunk().ok_or(SHORT)?;
    let len = u16::from_le_bytes([a, b]);
    if len != !u16::from_le_bytes([c, d]) {
        return Err(DAMAGED);
    }
    let (block, rest) = rest.split_at_checked(len.into()).ok_or(SHORT)?;
    output[to..].get_mut(..block.len()).ok_or(MORE)?.copy_from_slice(block);
    *bits = Bits::new(rest);
    Ok(to + block.len())
}
