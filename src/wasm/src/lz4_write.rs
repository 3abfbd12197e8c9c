//! Writing LZ4 frames (lz4_Block_format.md and lz4_Frame_format.md of lz4/lz4): fast rather than small.

use crate::error::Result;
use crate::lz4::{MAGIC, MIN_MATCH, UNCOMPRESSED, flag, xxh32};
use crate::vectors::filled;

/// Input of a block, the most that a frame may have in one.
const BLOCK_BYTES: usize = 4 << 20;
/// The code of that size in a frame's descriptor.
const BLOCK_SIZE: u8 = 7 << 4;

/// A match may not begin in so many bytes at a block's end, nor reach into the last of them.
const LAST_MATCH: usize = 12;
const LAST_LITERALS: usize = 5;

const FARTHEST: usize = u16::MAX as usize;

const HASH_BITS: u32 = 13;

/// After so many bytes without a match, as a power of two, each step is one byte longer.
const PATIENCE_BITS: usize = 6;

/// Where four bytes with some hash were last seen, in one block.
pub struct Table(Vec<u32>);

impl Table {
    /// A table; 32 KiB.
    pub fn new() -> Result<Self> {
        let places = filled(1 << HASH_BITS, 0)?;
        Ok(Table(places))
    }
}

/// Appends `input` as one frame to `output`.
pub fn frame(input: &[u8], table: &mut Table, output: &mut Vec<u8>) -> Result<()> {
    let blocks = input.len().div_ceil(BLOCK_BYTES);
    // A block that does not shrink is stored as it is, but that is known only when it has been written.
    output.try_reserve(input.len() + most_growth(input.len().min(BLOCK_BYTES)) + 24 + 4 * blocks)?;
    let mut descriptor = [flag::VERSION | flag::INDEPENDENT | flag::CONTENT_SIZE, BLOCK_SIZE, 0, 0, 0, 0, 0, 0, 0, 0];
    descriptor[2..].copy_from_slice(&(input.len() as u64).to_le_bytes());
    output.extend_from_slice(&MAGIC.to_le_bytes());
    output.extend_from_slice(&descriptor);
    output.push((xxh32(&descriptor) >> 8) as u8);
    for chunk in input.chunks(BLOCK_BYTES) {
        let head = output.len();
        output.extend_from_slice(&[0; 4]);
        block(chunk, table, output);
        let mut len = (output.len() - head - 4) as u32;
        if len as usize >= chunk.len() {
            output.truncate(head + 4);
            output.extend_from_slice(chunk);
            len = chunk.len() as u32 | UNCOMPRESSED;
        }
        output[head..head + 4].copy_from_slice(&len.to_le_bytes());
    }
    output.extend_from_slice(&[0; 4]);
    Ok(())
}

/// Bytes that a block may take more than its input.
fn most_growth(len: usize) -> usize {
    len / 255 + 16
}

/// Appends a block, of which there is room for the worst.
fn block(input: &[u8], table: &mut Table, output: &mut Vec<u8>) {
    table.0.fill(0);
    let mut literals = 0;
    let mut at = 0;
    let mut misses = 1 << PATIENCE_BITS;
    while at + LAST_MATCH < input.len() {
        let word = word_at(input, at);
        let place = &mut table.0[(word.wrapping_mul(0x9e37_79b1) >> (32 - HASH_BITS)) as usize];
        let seen = std::mem::replace(place, at as u32) as usize;
        // A place of 0 may mean that there was none: then the words differ, or it is as good as seen.
        if seen == at || at - seen > FARTHEST || word_at(input, seen) != word {
            at += misses >> PATIENCE_BITS;
            misses += 1;
            continue;
        }
        misses = 1 << PATIENCE_BITS;
        let most = input.len() - LAST_LITERALS - at;
        let len = MIN_MATCH + common(&input[seen + MIN_MATCH..], &input[at + MIN_MATCH..at + most]);
        sequence(&input[literals..at], Some((at - seen, len)), output);
        at += len;
        literals = at;
    }
    sequence(&input[literals..], None, output);
}

fn word_at(input: &[u8], at: usize) -> u32 {
    input.get(at..at + 4).and_then(<[u8]>::as_array).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// Bytes in which `right`, the shorter one, begins as `left`.
fn common(left: &[u8], right: &[u8]) -> usize {
    let mut len = 0;
    for (a, b) in left.as_chunks::<8>().0.iter().zip(right.as_chunks::<8>().0) {
        let differing = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differing != 0 {
            return len + differing.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    len + left[len..].iter().zip(&right[len..]).take_while(|(a, b)| a == b).count()
}

/// Literals, and a match: how far back, and how long.
fn sequence(literals: &[u8], found: Option<(usize, usize)>, output: &mut Vec<u8>) {
    let extra = found.map_or(0, |(_, len)| len - MIN_MATCH);
    output.push((literals.len().min(15) << 4 | extra.min(15)) as u8);
    long(literals.len(), output);
    output.extend_from_slice(literals);
    if let Some((offset, _)) = found {
        output.extend_from_slice(&(offset as u16).to_le_bytes());
        long(extra, output);
    }
}

/// What of a length four bits do not tell.
fn long(len: usize, output: &mut Vec<u8>) {
    if len < 15 {
        return;
    }
    let rest = len - 15;
    output.extend(std::iter::repeat_n(255, rest / 255));
    output.push((rest % 255) as u8);
}
