//! Items of the rows that are true in a mask, brought next to each other.

use crate::buffer::Number;

/// Writes those of the items whose bits are set to the front of `out`, and anything of the items' type behind them.
pub fn pack<T: Number>(items: &[T; 64], word: u64, out: &mut [T; 64]) {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    match size_of::<T>() {
        4 => return simd128::pack::<T, 4>(items, word, out, &simd128::OF_FOUR),
        8 => return simd128::pack::<T, 2>(items, word, out, &simd128::OF_TWO),
        _ => {}
    }
    let mut len = 0;
    for (i, &item) in items.iter().enumerate() {
        // Written in any case: the next one overwrites what is left out.
        out[len] = item;
        len += (word >> i & 1) as usize;
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod simd128 {
    use crate::buffer::Number;
    use core::arch::wasm32::*;

    /// For each set of lanes, where the bytes of the set ones come from.
    type Shuffles<const SETS: usize> = [[u8; 16]; SETS];

    pub const OF_FOUR: Shuffles<16> = shuffles(4);
    pub const OF_TWO: Shuffles<4> = shuffles(8);

    const fn shuffles<const SETS: usize>(width: usize) -> Shuffles<SETS> {
        let mut all = [[0; 16]; SETS];
        let mut set = 0;
        while set < SETS {
            let (mut from, mut to) = (0, 0);
            while from < 16 {
                if set >> (from / width) & 1 == 1 {
                    all[set][to] = from as u8;
                    to += 1;
                }
                from += 1;
            }
            set += 1;
        }
        all
    }

    #[inline(always)]
    pub fn pack<T: Number, const LANES: usize>(
        items: &[T; 64],
        mut word: u64,
        out: &mut [T; 64],
        shuffles: &[[u8; 16]],
    ) {
        assert!(LANES * size_of::<T>() == 16);
        let mut len = 0;
        for lanes in items.as_chunks::<LANES>().0 {
            let set = word as usize % (1 << LANES);
            let (shuffle, out) = (&shuffles[set], &mut out[len..len + LANES]);
            // SAFETY: `lanes`, `shuffle` and `out` are 16 bytes each (asserted), of which any are values of a `Number`, and the
            // two functions do not ask for alignment.
            unsafe {
                let packed = i8x16_swizzle(v128_load(lanes.as_ptr().cast()), v128_load(shuffle.as_ptr().cast()));
                v128_store(out.as_mut_ptr().cast(), packed);
            }
            len += set.count_ones() as usize;
            word >>= LANES;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_items_come_first_and_in_their_order() {
        for word in [0, 1, 1 << 63, u64::MAX, 0x9e37_79b9_7f4a_7c15, 0x5555_5555_5555_5555, 0xf0f0_ffff_0000_0001] {
            let items: [u32; 64] = std::array::from_fn(|i| i as u32 * 3);
            let wide = items.map(u64::from);
            let (mut out, mut wide_out) = ([0; 64], [0; 64]);
            pack(&items, word, &mut out);
            pack(&wide, word, &mut wide_out);
            let expected: Vec<u32> = (0..64).filter(|i| word >> i & 1 == 1).map(|i| i * 3).collect();
            assert_eq!(out[..expected.len()], expected);
            assert_eq!(wide_out[..expected.len()], expected.iter().map(|&item| item.into()).collect::<Vec<u64>>());
        }
    }
}
