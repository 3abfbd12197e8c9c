//! Elements out of planes of their bytes, where they lie one after the other.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::scalar as vectors;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128 as vectors;
use crate::buffer::bytes_of;

/// Puts the bytes of elements of `width` bytes together: `shuffled` has the first bytes of all elements, then the second ones, and so
/// on. Bytes behind the last whole element stay where they are. `out` is as long.
pub fn unshuffle(shuffled: &[u8], width: usize, out: &mut [u8]) {
    let count = shuffled.len().checked_div(width).unwrap_or(0);
    let (planes, rest) = shuffled.split_at(count * width);
    let (elements, end) = out.split_at_mut(count * width);
    match width {
        2 => pairs(planes_of(planes, count), elements),
        4 => fours(planes_of(planes, count), elements),
        8 => eights(planes_of(planes, count), elements),
        _ if count > 0 => others(planes.chunks_exact(count), width, elements),
        _ => {}
    }
    end[..rest.len()].copy_from_slice(rest);
}

/// The same of planes wherever they are, which are as long as each other and together as long as `out`.
pub fn put_planes_together(planes: &[&[u8]], out: &mut [u8]) {
    match planes {
        &[a, b] => pairs([a, b], out),
        &[a, b, c, d] => fours([a, b, c, d], out),
        &[a, b, c, d, e, f, g, h] => eights([a, b, c, d, e, f, g, h], out),
        _ => others(planes.iter().copied(), planes.len(), out),
    }
}

fn others<'a>(planes: impl Iterator<Item = &'a [u8]>, width: usize, out: &mut [u8]) {
    for (byte, plane) in planes.enumerate() {
        out.iter_mut().skip(byte).step_by(width).zip(plane).for_each(|(out, &byte)| *out = byte);
    }
}

fn planes_of<const WIDTH: usize>(planes: &[u8], count: usize) -> [&[u8]; WIDTH] {
    std::array::from_fn(|byte| &planes[byte * count..(byte + 1) * count])
}

macro_rules! by_width {
    ($name:ident, $word:ty, $width:literal, $interleave:ident) => {
        fn $name(planes: [&[u8]; $width], out: &mut [u8]) {
            let (blocks, rest) = out.as_chunks_mut::<{ $width * vectors::BLOCK }>();
            let done = blocks.len() * vectors::BLOCK;
            for (block, out) in blocks.iter_mut().enumerate() {
                let mut words: [$word; vectors::BLOCK] = [0; vectors::BLOCK];
                vectors::$interleave(&planes, block, &mut words);
                out.copy_from_slice(bytes_of(&words));
            }
            for (i, out) in rest.as_chunks_mut::<$width>().0.iter_mut().enumerate() {
                *out = planes.map(|plane| plane[done + i]);
            }
        }
    };
}

by_width!(pairs, u16, 2, interleave_2);
by_width!(fours, u32, 4, interleave_4);
by_width!(eights, u64, 8, interleave_8);

/// The same of bits: `shuffled` has the first bits of all elements, then the second ones, and so on. Blosc leaves data as they are if
/// the number of elements is no multiple of 8.
pub fn unshuffle_bits(shuffled: &[u8], width: usize, out: &mut [u8]) {
    let count = shuffled.len().checked_div(width).unwrap_or(0);
    if !count.is_multiple_of(8) {
        out.copy_from_slice(shuffled);
        return;
    }
    let plane = count / 8;
    for byte in 0..width {
        let planes = &shuffled[byte * 8 * plane..][..8 * plane];
        for group in 0..plane {
            // A byte of each of eight planes becomes a byte of each of eight elements.
            let bits = std::array::from_fn(|bit| planes[bit * plane + group]);
            let bytes = transposed(u64::from_le_bytes(bits)).to_le_bytes();
            for (element, value) in bytes.into_iter().enumerate() {
                out[(group * 8 + element) * width + byte] = value;
            }
        }
    }
    let rest = count * width;
    out[rest..].copy_from_slice(&shuffled[rest..]);
}

/// A matrix of 8 x 8 bits, whose rows are bytes, with rows and columns exchanged: blocks of one, two and four bits change places
/// (Hacker's Delight, 7-3).
const fn transposed(rows: u64) -> u64 {
    let mut bits = rows;
    let mut swap = (bits ^ (bits >> 7)) & 0x00aa_00aa_00aa_00aa;
    bits ^= swap ^ (swap << 7);
    swap = (bits ^ (bits >> 14)) & 0x0000_cccc_0000_cccc;
    bits ^= swap ^ (swap << 14);
    swap = (bits ^ (bits >> 28)) & 0x0000_0000_f0f0_f0f0;
    bits ^ swap ^ (swap << 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_to_their_elements() {
        for width in 0..=17usize {
            for len in [0, 1, width, 16 * width, 37 * width + 3] {
                let plain: Vec<u8> = (0..len).map(|i| (i * 7 + i / 256) as u8).collect();
                let count = len.checked_div(width).unwrap_or(0);
                let mut shuffled = plain.clone();
                for byte in 0..width {
                    for element in 0..count {
                        shuffled[byte * count + element] = plain[element * width + byte];
                    }
                }
                let mut out = vec![0; len];
                unshuffle(&shuffled, width, &mut out);
                assert_eq!(out, plain, "{width} {len}");
            }
        }
    }

    #[test]
    fn bits_come_back_to_their_elements() {
        for width in [1usize, 2, 3, 4, 8, 16] {
            for count in [0, 8, 64, 9] {
                let plain: Vec<u8> = (0..count * width + 2).map(|i| (i * 37 + i / 7) as u8).collect();
                let plain = &plain[..count * width];
                let mut shuffled = if count % 8 == 0 { vec![0; plain.len()] } else { plain.to_vec() };
                if count % 8 == 0 {
                    for bit in 0..width * 8 {
                        for element in 0..count {
                            let value = plain[element * width + bit / 8] >> (bit % 8) & 1;
                            shuffled[bit * count / 8 + element / 8] |= value << (element % 8);
                        }
                    }
                }
                let mut out = vec![0; plain.len()];
                unshuffle_bits(&shuffled, width, &mut out);
                assert_eq!(out, plain, "{width} {count}");
            }
        }
    }
}
