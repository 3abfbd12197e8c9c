//! What is done with 128-bit vectors.
#![allow(unsafe_code)]

use core::arch::wasm32::*;

/// For each distance, the place of each byte in its period, and the bytes of whole periods.
static PERIODS: [([u8; 16], u8); 16] = periods();

const fn periods() -> [([u8; 16], u8); 16] {
    let mut periods = [([0; 16], 16); 16];
    let mut distance = 1;
    while distance < 16 {
        let mut at = 0;
        while at < 16 {
            periods[distance].0[at] = (at % distance) as u8;
            at += 1;
        }
        periods[distance].1 = (16 - 16 % distance) as u8;
        distance += 1;
    }
    periods
}

#[inline(always)]
fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: 16 initialised bytes; `v128_load` does not ask for alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Bytes that repeat every `distance` bytes as the first ones of `start` do, and how many of them are whole periods.
#[inline(always)]
pub fn repeated(start: &[u8; 16], distance: usize) -> ([u8; 16], usize) {
    let (places, len) = &PERIODS[distance & 15];
    let mut bytes = [0; 16];
    // SAFETY: 16 bytes; `v128_store` does not ask for alignment.
    unsafe { v128_store(bytes.as_mut_ptr().cast(), u8x16_swizzle(load(start), load(places))) };
    (bytes, usize::from(*len))
}

/// The sums of Adler-32 behind so many blocks, which must be few enough that 32 bits hold them.
#[inline(always)]
pub fn sums(blocks: &[[u8; 16]], a: u32, b: u32) -> (u32, u32) {
    let ones = i16x8_splat(1);
    let (high, low) = (i16x8(16, 15, 14, 13, 12, 11, 10, 9), i16x8(8, 7, 6, 5, 4, 3, 2, 1));
    // In four parts each: the bytes; for each block those of the blocks before it; and the bytes by their weights in their blocks.
    let (mut bytes, mut before, mut weighted) = (i32x4_splat(0), i32x4_splat(0), i32x4_splat(0));
    for block in blocks {
        let block = load(block);
        before = i32x4_add(before, bytes);
        bytes = i32x4_add(bytes, i32x4_dot_i16x8(u16x8_extadd_pairwise_u8x16(block), ones));
        weighted = i32x4_add(weighted, i32x4_dot_i16x8(u16x8_extend_low_u8x16(block), high));
        weighted = i32x4_add(weighted, i32x4_dot_i16x8(u16x8_extend_high_u8x16(block), low));
    }
    let total = |parts| {
        let parts = [0, 1, 2, 3].map(|lane| match lane {
            0 => u32x4_extract_lane::<0>(parts),
            1 => u32x4_extract_lane::<1>(parts),
            2 => u32x4_extract_lane::<2>(parts),
            _ => u32x4_extract_lane::<3>(parts),
        });
        parts.iter().sum::<u32>()
    };
    (a + total(bytes), b + 16 * (a * blocks.len() as u32 + total(before)) + total(weighted))
}
