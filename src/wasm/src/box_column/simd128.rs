//! Elements from planes of their bytes with 128-bit vectors, 16 at a time: what lies in two vectors is interleaved, byte by byte,
//! then pair by pair, and so on.
#![allow(unsafe_code)]

use core::arch::wasm32::*;

/// Elements of a block.
pub const BLOCK: usize = 16;

/// Bytes of 16 elements.
#[inline(always)]
fn load(plane: &[u8], block: usize) -> v128 {
    let bytes = &plane[block * BLOCK..block * BLOCK + BLOCK];
    // SAFETY: `bytes` is 16 initialised bytes; `v128_load` does not ask for alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Writes a vector at its place in a block.
#[inline(always)]
fn store<T>(out: &mut [T; BLOCK], index: usize, vector: v128) {
    let lanes = 16 / size_of::<T>();
    let out = &mut out[index * lanes..(index + 1) * lanes];
    // SAFETY: `out` is 16 bytes of integers (only the types below come here); `v128_store` does not ask for alignment.
    unsafe { v128_store(out.as_mut_ptr().cast(), vector) }
}

#[inline(always)]
fn bytes(a: v128, b: v128) -> [v128; 2] {
    [
        i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
        i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
    ]
}

#[inline(always)]
fn pairs(a: v128, b: v128) -> [v128; 2] {
    [i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b), i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)]
}

#[inline(always)]
fn fours(a: v128, b: v128) -> [v128; 2] {
    [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)]
}

/// 16 elements of 2 bytes.
#[inline(always)]
pub fn interleave_2(planes: &[&[u8]; 2], block: usize, out: &mut [u16; BLOCK]) {
    let [a, b] = planes.map(|plane| load(plane, block));
    for (index, vector) in bytes(a, b).into_iter().enumerate() {
        store(out, index, vector);
    }
}

/// 16 elements of 4 bytes.
#[inline(always)]
pub fn interleave_4(planes: &[&[u8]; 4], block: usize, out: &mut [u32; BLOCK]) {
    let [a, b, c, d] = planes.map(|plane| load(plane, block));
    let (low, high) = (bytes(a, b), bytes(c, d));
    for half in 0..2 {
        for (index, vector) in pairs(low[half], high[half]).into_iter().enumerate() {
            store(out, 2 * half + index, vector);
        }
    }
}

/// 16 elements of 8 bytes.
#[inline(always)]
pub fn interleave_8(planes: &[&[u8]; 8], block: usize, out: &mut [u64; BLOCK]) {
    let [a, b, c, d, e, f, g, h] = planes.map(|plane| load(plane, block));
    let (ab, cd, ef, gh) = (bytes(a, b), bytes(c, d), bytes(e, f), bytes(g, h));
    for half in 0..2 {
        let (low, high) = (pairs(ab[half], cd[half]), pairs(ef[half], gh[half]));
        for quarter in 0..2 {
            for (index, vector) in fours(low[quarter], high[quarter]).into_iter().enumerate() {
                store(out, 4 * half + 2 * quarter + index, vector);
            }
        }
    }
}
