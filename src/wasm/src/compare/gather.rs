//! The bits of a dictionary's values as bits of the rows that have them.

use super::lanes::Lanes;
use crate::bitmap::{Bitmap, bits, word_count};
use crate::error::Result;
use crate::vectors::with_room;

/// So many runs of set bits are compared with places, one after the other. More take longer than reading the bit of each place.
const MOST_RUNS: u32 = 4;

/// Bit `i` is bit `places[i]` of `values`, or any where there is no such bit.
pub fn gather_truth(values: &Bitmap, places: &[u32]) -> Result<Bitmap> {
    match *values.words() {
        [word] if runs_in(word) <= MOST_RUNS => gather(
            places,
            |block| runs(word).fold(0, |truth, (first, last)| truth | u32::between(block, first, last)),
            |place| word >> (place % 64) & 1 == 1,
        ),
        [word] => {
            let bit = |place: u32| word >> (place % 64) & 1 == 1;
            gather(places, |block| bits(64, |i| bit(block[i])), bit)
        }
        ref words => {
            let bit = |place: u32| words.get(place as usize / 64).is_some_and(|word| word >> (place % 64) & 1 == 1);
            gather(places, |block| bits(64, |i| bit(block[i])), bit)
        }
    }
}

fn gather(places: &[u32], of_block: impl Fn(&[u32; 64]) -> u64, of_place: impl Fn(u32) -> bool) -> Result<Bitmap> {
    let mut words = with_room(word_count(places.len()))?;
    let (blocks, rest) = places.as_chunks::<64>();
    words.extend(blocks.iter().map(of_block));
    if !rest.is_empty() {
        words.push(bits(rest.len(), |i| of_place(rest[i])));
    }
    Ok(Bitmap::from_words(words, places.len()))
}

/// How many runs of set bits a word has.
fn runs_in(word: u64) -> u32 {
    (word & !(word << 1)).count_ones()
}

/// The runs of set bits, each by its first and its last bit.
fn runs(mut word: u64) -> impl Iterator<Item = (u32, u32)> {
    std::iter::from_fn(move || {
        let first = (word != 0).then(|| word.trailing_zeros())?;
        let len = (word >> first).trailing_ones();
        word &= u64::MAX.checked_shl(first + len).unwrap_or(0);
        Some((first, first + len - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_has_the_bit_of_its_value() {
        let patterns: [fn(usize) -> bool; 5] =
            [|_| false, |_| true, |i| i == 1, |i| i % 3 == 1, |i| i.wrapping_mul(0x9e37_79b9) >> 7 & 1 == 1];
        for pattern in patterns {
            for (len, count) in [(1, 0), (1, 70), (6, 64), (63, 500), (64, 500), (65, 500), (300, 1000)] {
                let values = Bitmap::from_fn(len, pattern).unwrap();
                let places: Vec<u32> = (0..count).map(|i| (i * 31 + 7) % len as u32).collect();
                let expected = Bitmap::from_fn(places.len(), |i| values.get(places[i] as usize)).unwrap();
                assert_eq!(gather_truth(&values, &places).unwrap(), expected, "{len} {count}");
            }
        }
    }
}
