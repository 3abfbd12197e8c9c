//! Stored values that are null.

use crate::bitmap::{Bitmap, word_count};
use crate::compare::Lanes;
use crate::error::{Error, Result};
use crate::half;
use crate::vectors::{collected, try_collected, with_room};

/// The values of a column that are not null: not equal to any of `fills`, and not NaN if one of them is. None: all are not null. `bounds` are
/// the least and the greatest number of a type that has NaN.
pub fn without<T: Lanes>(values: &[T], fills: &[T], bounds: Option<(T, T)>) -> Result<Option<Bitmap>> {
    // NaN is not equal to itself.
    let is_nan = |fill: &T| fill.partial_cmp(fill).is_none();
    let bounds = bounds.filter(|_| fills.iter().any(is_nan));
    let numbers = collected(fills.len(), fills.iter().filter(|fill| !is_nan(fill)).copied())?;
    match (&numbers[..], bounds) {
        ([], None) => Ok(None),
        ([], Some((low, high))) => unless_nan(values, low, high),
        (fills, bounds) => known(values, 0, |block| {
            let nulls = fills.iter().fold(0, |nulls, &fill| nulls | T::between(block, fill, fill));
            bounds.map_or(u64::MAX, |(low, high)| T::between(block, low, high)) & !nulls
        })
        .map(unless_all),
    }
}

/// The values that are no NaN. None: none is one, and then no bitmap is made. `low` and `high` are the least and the greatest number.
fn unless_nan<T: Lanes>(values: &[T], low: T, high: T) -> Result<Option<Bitmap>> {
    // One loop without branches, so that it is one of vectors.
    let has_nan = |block: &[T]| block.iter().fold(false, |any, value| any | value.partial_cmp(value).is_none());
    match values.chunks(64).position(has_nan) {
        None => Ok(None),
        Some(first) => known(values, first, |block| T::between(block, low, high)).map(Some),
    }
}

/// The words of `block` for each 64 values from the block number `first` on. Those before are known.
fn known<T: Lanes>(values: &[T], first: usize, word: impl Fn(&[T; 64]) -> u64) -> Result<Bitmap> {
    let mut words = with_room(word_count(values.len()))?;
    words.resize(first, u64::MAX);
    let (blocks, rest) = values.as_chunks::<64>();
    words.extend(blocks.iter().skip(first).map(&word));
    if let Some(&any) = rest.first() {
        let mut block = [any; 64];
        block[..rest.len()].copy_from_slice(rest);
        words.push(word(&block));
    }
    Ok(Bitmap::from_words(words, values.len()))
}

/// The same of binary16.
pub fn without_halves(values: &[u16], fills: &[u16]) -> Result<Option<Bitmap>> {
    let is_fill = |value: f32| fills.iter().any(|&fill| same(value, half::to_f32(fill)));
    if fills.is_empty() {
        return Ok(None);
    }
    Ok(unless_all(Bitmap::from_fn(values.len(), |row| !is_fill(half::to_f32(values[row])))?))
}

fn same(a: f32, b: f32) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// None where every bit is set.
pub fn unless_all(known: Bitmap) -> Option<Bitmap> {
    (known.count() < known.len()).then_some(known)
}

/// Fills of `N` bytes.
pub fn words<T, const N: usize>(fills: &[Vec<u8>], from: fn([u8; N]) -> T) -> Result<Vec<T>> {
    try_collected(fills.iter().map(|fill| {
        let bytes = <[u8; N]>::try_from(&fill[..]);
        bytes.map(from).map_err(|_| Error::Misuse("a fill of another width than the elements"))
    }))
}
