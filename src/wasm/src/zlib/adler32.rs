//! The checksum of RFC 1950.

use super::vectors::sums;

/// The greatest prime below 2¹⁶.
const MODULUS: u32 = 65_521;

/// Bytes after which both sums are reduced: the most whole blocks for which they fit into 32 bits.
const PART: usize = 5552;

pub fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    for part in bytes.chunks(PART) {
        let (blocks, rest) = part.as_chunks();
        (a, b) = sums(blocks, a, b);
        for &byte in rest {
            a += u32::from(byte);
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    b << 16 | a
}
