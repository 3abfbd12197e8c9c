//! The codecs of pages that Node's zlib does not know.

use crate::error::{Error, Result};
use crate::{lz4, snappy};

/// How a page is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// Not at all, or no more.
    None,
    /// SNAPPY.
    Snappy,
    /// LZ4, which writers have understood in three ways.
    Lz4,
    /// LZ4_RAW: one block.
    Lz4Raw,
}

impl Codec {
    /// From Parquet's number.
    pub fn from_code(code: u32) -> Result<Self> {
        Ok(match code {
            0 => Codec::None,
            1 => Codec::Snappy,
            5 => Codec::Lz4,
            7 => Codec::Lz4Raw,
            _ => return Err(Error::Misuse("a codec that is not known")),
        })
    }

    /// Asked before room is made: whether so few bytes may hold so many.
    pub fn check(self, stored: usize, size: usize) -> Result<()> {
        let may_hold = match self {
            Codec::None => stored == size,
            Codec::Snappy => snappy::may_hold(stored, size),
            Codec::Lz4 | Codec::Lz4Raw => lz4::may_hold(stored, size),
        };
        if may_hold { Ok(()) } else { Err(Error::invalid("a page claims more than its bytes can hold")) }
    }
}

/// Fills `output`, exactly. Of nothing there need be nothing stored.
pub fn inflate(codec: Codec, stored: &[u8], output: &mut [u8]) -> Result<()> {
    if output.is_empty() {
        return Ok(());
    }
    match codec {
        Codec::None => Err(Error::Misuse("a page that is not compressed")),
        Codec::Snappy => snappy::decode(stored, output),
        Codec::Lz4Raw => raw(stored, output),
        // As in the parquet crate: Hadoop's blocks, else a frame, else one block.
        Codec::Lz4 => hadoop(stored, output).or_else(|_| lz4::frame(stored, output)).or_else(|_| raw(stored, output)),
    }
}

fn raw(stored: &[u8], output: &mut [u8]) -> Result<()> {
    if lz4::block(stored, output, 0, 0)? != output.len() {
        return Err(LESS);
    }
    Ok(())
}

/// Blocks, each after the bytes that it holds and has, both in 4 bytes, the highest first.
fn hadoop(mut stored: &[u8], output: &mut [u8]) -> Result<()> {
    let mut written = 0;
    while written < output.len() {
        let (sizes, rest) = stored.split_first_chunk::<8>().ok_or(LESS)?;
        let [a, b, c, d, e, f, g, h] = *sizes;
        let [held, size] = [[a, b, c, d], [e, f, g, h]].map(|bytes| u32::from_be_bytes(bytes) as usize);
        let (block, rest) = rest.split_at_checked(size).ok_or(LESS)?;
        let out = output[written..].get_mut(..held).ok_or(LESS)?;
        raw(block, out)?;
        written += held;
        stored = rest;
    }
    if stored.is_empty() { Ok(()) } else { Err(Error::invalid("more follows an LZ4 page")) }
}

const LESS: Error = Error::invalid("LZ4 data hold less than they claim");
