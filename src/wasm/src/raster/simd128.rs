//! Sums of bytes with 128-bit vectors.
#![allow(unsafe_code)]

use core::arch::wasm32::*;

const LANES: usize = 16;

/// Writes to `out` the sum of each byte and all before it. Both have as many bytes.
pub fn running_sums(bytes: &[u8], out: &mut [u8]) {
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    let (out_blocks, out_rest) = out.as_chunks_mut::<LANES>();
    // The sum of all bytes before, in each lane.
    let mut before = u8x16_splat(0);
    for (block, out) in blocks.iter().zip(out_blocks) {
        // SAFETY: `block` is 16 initialised bytes; `v128_load` does not ask for alignment.
        let sums = u8x16_add(before, sums_within(unsafe { v128_load(block.as_ptr().cast()) }));
        // SAFETY: `out` is 16 bytes; `v128_store` does not ask for alignment.
        unsafe { v128_store(out.as_mut_ptr().cast(), sums) };
        before = u8x16_swizzle(sums, u8x16_splat(LANES as u8 - 1));
    }
    let mut sum = u8x16_extract_lane::<0>(before);
    for (out, byte) in out_rest.iter_mut().zip(rest) {
        sum = sum.wrapping_add(*byte);
        *out = sum;
    }
}

/// The sum of each byte and those before it in the vector: of two bytes, then of four, and so on.
#[inline(always)]
fn sums_within(bytes: v128) -> v128 {
    let none = u8x16_splat(0);
    let twos = i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(none, bytes);
    let twos = u8x16_add(bytes, twos);
    let fours = i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(none, twos);
    let fours = u8x16_add(twos, fours);
    let eights = i32x4_shuffle::<3, 4, 5, 6>(none, fours);
    let eights = u8x16_add(fours, eights);
    u8x16_add(eights, i64x2_shuffle::<1, 2>(none, eights))
}
