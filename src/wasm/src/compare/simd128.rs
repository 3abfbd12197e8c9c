//! The same with 128-bit vectors: compare, narrow the lane masks to bytes, take one bit of each.
#![allow(unsafe_code)]

use super::lanes::Lanes;
use core::arch::wasm32::*;

/// The `index`-th vector of a block.
#[inline(always)]
fn load<T, const N: usize>(values: &[T; N], index: usize) -> v128 {
    let at = index * (16 / size_of::<T>());
    let lanes = &values[at..at + 16 / size_of::<T>()];
    // SAFETY: `lanes` is 16 bytes of initialised numbers (only the types below come here); `v128_load` does not ask for
    // alignment.
    unsafe { v128_load(lanes.as_ptr().cast()) }
}

/// 64 bits of four vectors of byte masks.
#[inline(always)]
fn gather_bits(bytes: impl Fn(usize) -> v128) -> u64 {
    (0..4).fold(0, |word, i| word | (i8x16_bitmask(bytes(i)) as u64) << (16 * i))
}

/// Two vectors of 64-bit lane masks to one of 32-bit lane masks.
#[inline(always)]
fn halve(a: v128, b: v128) -> v128 {
    i32x4_shuffle::<0, 2, 4, 6>(a, b)
}

macro_rules! lanes {
    // How many vectors of masks make one vector of byte masks, and how.
    (bytes 1, $mask:ident) => { gather_bits(|i| $mask(i)) };
    (bytes 2, $mask:ident) => { gather_bits(|i| i8x16_narrow_i16x8($mask(2 * i), $mask(2 * i + 1))) };
    (bytes 4, $mask:ident) => {
        gather_bits(|i| {
            i8x16_narrow_i16x8(
                i16x8_narrow_i32x4($mask(4 * i), $mask(4 * i + 1)),
                i16x8_narrow_i32x4($mask(4 * i + 2), $mask(4 * i + 3)),
            )
        })
    };
    (bytes 8, $mask:ident) => {{
        let pair = |i| halve($mask(i), $mask(i + 1));
        gather_bits(|i| {
            i8x16_narrow_i16x8(
                i16x8_narrow_i32x4(pair(8 * i), pair(8 * i + 2)),
                i16x8_narrow_i32x4(pair(8 * i + 4), pair(8 * i + 6)),
            )
        })
    }};
    ($type:ty, $splat:ident, $ge:ident, $le:ident, $width:tt) => {
        impl Lanes for $type {
            #[inline]
            fn between(block: &[Self; 64], low: Self, high: Self) -> u64 {
                let (low, high) = ($splat(low), $splat(high));
                let mask = |i| {
                    let values = load(block, i);
                    v128_and($ge(values, low), $le(values, high))
                };
                lanes!(bytes $width, mask)
            }
        }
    };
}

lanes!(i8, i8x16_splat, i8x16_ge, i8x16_le, 1);
lanes!(u8, u8x16_splat, u8x16_ge, u8x16_le, 1);
lanes!(i16, i16x8_splat, i16x8_ge, i16x8_le, 2);
lanes!(u16, u16x8_splat, u16x8_ge, u16x8_le, 2);
lanes!(i32, i32x4_splat, i32x4_ge, i32x4_le, 4);
lanes!(u32, u32x4_splat, u32x4_ge, u32x4_le, 4);
lanes!(f32, f32x4_splat, f32x4_ge, f32x4_le, 4);
lanes!(i64, i64x2_splat, i64x2_ge, i64x2_le, 8);
lanes!(f64, f64x2_splat, f64x2_ge, f64x2_le, 8);

impl Lanes for u64 {
    #[inline]
    fn between(block: &[Self; 64], low: Self, high: Self) -> u64 {
        // simd128 compares 64-bit lanes as signed only: moving zero to i64::MIN keeps the order.
        let zero = i64x2_splat(i64::MIN);
        let (low, high) = (v128_xor(u64x2_splat(low), zero), v128_xor(u64x2_splat(high), zero));
        let mask = |i| {
            let values = v128_xor(load(block, i), zero);
            v128_and(i64x2_ge(values, low), i64x2_le(values, high))
        };
        lanes!(bytes 8, mask)
    }
}
