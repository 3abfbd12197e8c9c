//! Values of a few bits each, one after the other, the first in the lowest bits of the first byte.

/// Values that are unpacked at once.
pub const BLOCK: usize = 32;

/// Bytes behind values that are looked at, if they are there: without them a block takes longer.
pub const SLACK: usize = 4;

/// Values that take less time one by one than a block of them does.
const FEW: usize = 6;

/// Unpacks values of `width` bits, at most 32, from value `from` on. Values that the bytes do not reach are 0.
pub fn unpack(bytes: &[u8], width: usize, from: usize, out: &mut [u32]) {
    debug_assert!(width <= 32);
    let mut at = from;
    let (mut blocks, mut rest) = out.as_chunks_mut::<BLOCK>();
    if !from.is_multiple_of(8) {
        (blocks, rest) = (&mut [], out);
    }
    for block in blocks {
        let source = bytes.get(at / 8 * width..).unwrap_or_default();
        if source.len() < BLOCK / 8 * width + SLACK {
            one_by_one(bytes, width, at, block);
        } else {
            unpack_block(source, width, block);
        }
        at += BLOCK;
    }
    // Writers end a run after 504 values, of which 24 are no block.
    let source = bytes.get(at / 8 * width..).unwrap_or_default();
    if rest.len() < FEW || !at.is_multiple_of(8) || source.len() < BLOCK / 8 * width + SLACK {
        one_by_one(bytes, width, at, rest);
    } else {
        let mut block = [0; BLOCK];
        unpack_block(source, width, &mut block);
        rest.copy_from_slice(&block[..rest.len()]);
    }
}

fn one_by_one(bytes: &[u8], width: usize, from: usize, out: &mut [u32]) {
    let mask = ((1u64 << width) - 1) as u32;
    for (i, out) in out.iter_mut().enumerate() {
        let bit = (from + i) * width;
        *out = (word_at(bytes, bit / 8) >> (bit % 8)) as u32 & mask;
    }
}

/// The 8 bytes from a position on, little endian; those that are missing are 0.
#[inline(always)]
pub fn word_at(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..).unwrap_or_default();
    match bytes.first_chunk::<8>() {
        Some(whole) => u64::from_le_bytes(*whole),
        None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

fn unpack_block(bytes: &[u8], width: usize, out: &mut [u32; BLOCK]) {
    macro_rules! by_width {
        ($($width:literal)*) => {
            match width {
                0 => out.fill(0),
                8 => out.iter_mut().zip(bytes).for_each(|(out, &byte)| *out = u32::from(byte)),
                16 => {
                    for (out, &pair) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
                        *out = u32::from(u16::from_le_bytes(pair));
                    }
                }
                $($width => block_of::<$width>(bytes, out),)*
                _ => one_by_one(bytes, width, 0, out),
            }
        };
    }
    by_width!(1 2 3 4 5 6 7 9 10 11 12 13 14 15 17 18 19 20 21 22 23 24);
}

/// Written out, so that the width makes every position and shift a constant: a loop is not unrolled so far.
fn block_of<const WIDTH: usize>(bytes: &[u8], out: &mut [u32; BLOCK]) {
    // Checked once for all of them.
    let bytes = &bytes[..BLOCK / 8 * WIDTH + SLACK];
    macro_rules! values {
        ($($i:literal)*) => { $(out[$i] = value_of::<WIDTH, $i>(bytes);)* };
    }
    values!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
}

/// A value of up to 25 bits, which 4 bytes always hold.
#[inline(always)]
fn value_of<const WIDTH: usize, const I: usize>(bytes: &[u8]) -> u32 {
    let (at, shift) = (I * WIDTH / 8, I * WIDTH % 8);
    let word = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    word >> shift & ((1 << WIDTH) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_come_back_at_every_width_from_everywhere() {
        for width in 0..=32 {
            let values: Vec<u32> =
                (0..128u64).map(|i| (i * 0x9e37_79b9) as u32 & ((1u64 << width) - 1) as u32).collect();
            let mut bytes = vec![0u8; 16 * width];
            for (i, value) in values.iter().enumerate() {
                for bit in 0..width {
                    let at = i * width + bit;
                    bytes[at / 8] |= ((value >> bit & 1) as u8) << (at % 8);
                }
            }
            for from in [0, 1, 7, 8, 31, 40] {
                let mut out = vec![0; 128 - from];
                unpack(&bytes, width, from, &mut out);
                assert_eq!(out, values[from..], "width {width} from {from}");
            }
            let mut beyond = vec![1; 200];
            unpack(&bytes, width, 0, &mut beyond);
            assert_eq!(beyond[..128], values);
            assert!(beyond[128..].iter().all(|&value| value == 0));
        }
    }
}
