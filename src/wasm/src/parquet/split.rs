//! BYTE_STREAM_SPLIT: the first bytes of all values, then the second ones, and so on.

use super::hybrid::ENDS;
use crate::error::Result;

/// Values from `before` on, of a page that holds nothing else.
pub fn unsplit(page: &[u8], width: usize, before: usize, out: &mut [u8]) -> Result<()> {
    let count = page.len() / width;
    let wanted = out.len() / width;
    if !page.len().is_multiple_of(width) || before > count || wanted > count - before {
        return Err(ENDS);
    }
    let stream = |byte: usize| &page[byte * count + before..][..wanted];
    match width {
        4 => {
            let streams = std::array::from_fn(stream);
            for (at, value) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                *value = word(&streams, at).to_le_bytes();
            }
        }
        8 => {
            // By halves, which are made as vectors.
            let (low, high) = (std::array::from_fn(stream), std::array::from_fn(|byte| stream(byte + 4)));
            let mut halves = [[0; BATCH]; 2];
            for (i, out) in out.as_chunks_mut::<8>().0.chunks_mut(BATCH).enumerate() {
                for (streams, half) in [&low, &high].into_iter().zip(&mut halves) {
                    let streams = streams.map(|stream| &stream[i * BATCH..][..out.len()]);
                    half[..out.len()].iter_mut().enumerate().for_each(|(at, half)| *half = word(&streams, at));
                }
                for ((value, low), high) in out.iter_mut().zip(halves[0]).zip(halves[1]) {
                    *value = (u64::from(high) << 32 | u64::from(low)).to_le_bytes();
                }
            }
        }
        _ => {
            for byte in 0..width {
                for (value, &part) in out.chunks_exact_mut(width).zip(stream(byte)) {
                    value[byte] = part;
                }
            }
        }
    }
    Ok(())
}

/// Values of 8 bytes at a time.
const BATCH: usize = 128;

#[inline(always)]
fn word(streams: &[&[u8]; 4], at: usize) -> u32 {
    u32::from_le_bytes(streams.map(|stream| stream[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_together_at_every_width_and_from_anywhere() {
        for width in [1, 2, 3, 4, 5, 8, 12, 16] {
            for count in [0, 1, 7, 130, 300] {
                let values: Vec<u8> = (0..width * count).map(|i| (i * 31 + i / 256) as u8).collect();
                let page: Vec<u8> =
                    (0..width * count).map(|i| values[i % count.max(1) * width + i / count.max(1)]).collect();
                for before in [0, 1, 5, 129].into_iter().filter(|&before| before <= count) {
                    let mut out = vec![0; (count - before) * width];
                    unsplit(&page, width, before, &mut out).unwrap();
                    assert_eq!(out, values[before * width..], "{width}, {count} from {before}");
                }
                assert!(unsplit(&page, width, 1, &mut vec![0; count * width]).is_err());
            }
        }
        assert!(unsplit(&[0; 7], 4, 0, &mut []).is_err());
    }
}
