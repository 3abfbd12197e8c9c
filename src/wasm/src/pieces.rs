//! Sorting and selecting that look at the cancel flag: large slices are partitioned until their pieces are sorted quickly.

use crate::cancel::{CHECKED_ROWS, check};
use crate::error::Result;
use std::cmp::Ordering;

/// Items of which the one in the middle is the pivot.
const SAMPLE: usize = 31;

/// Where less than this share of the items is less than the pivot, those equal to it are set apart.
const LEAST_SHARE: usize = 16;

/// Partitions in a row, after which what is left is sorted as a whole: the pivots are bad ones.
const MOST_PARTITIONS: usize = 64;

/// Sorts by the order of the type. Equal items may change places.
pub fn sort<T: Copy + Ord>(items: &mut [T]) -> Result<()> {
    in_pieces(items, T::lt, <[T]>::sort_unstable, MOST_PARTITIONS)
}

/// Sorts by `compare`. Equal items may change places.
pub fn sort_by<T: Copy>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Copy) -> Result<()> {
    let less = |a: &T, b: &T| compare(a, b) == Ordering::Less;
    in_pieces(items, less, |items| items.sort_unstable_by(compare), MOST_PARTITIONS)
}

/// Sorts by a key of each item. Items of equal keys may change places.
pub fn sort_by_key<T: Copy, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K + Copy) -> Result<()> {
    in_pieces(items, |a, b| key(a) < key(b), |items| items.sort_unstable_by_key(key), MOST_PARTITIONS)
}

/// Puts the item at `place` of the order there, those before it to its left and those after it to its right.
pub fn select<T: Copy + Ord>(items: &mut [T], mut place: usize) -> Result<()> {
    let (mut rest, mut partitions) = (items, MOST_PARTITIONS);
    while rest.len() > CHECKED_ROWS && partitions > 0 {
        check()?;
        partitions -= 1;
        let (equal, greater) = partition(rest, T::lt);
        if (equal..greater).contains(&place) {
            return Ok(());
        }
        if place < equal {
            rest = &mut rest[..equal];
        } else {
            rest = &mut rest[greater..];
            place -= greater;
        }
    }
    rest.select_nth_unstable(place);
    Ok(())
}

fn in_pieces<T: Copy>(
    items: &mut [T],
    less: impl Fn(&T, &T) -> bool + Copy,
    sort: impl Fn(&mut [T]) + Copy,
    mut partitions: usize,
) -> Result<()> {
    let mut rest = items;
    while rest.len() > CHECKED_ROWS && partitions > 0 {
        check()?;
        // As the sort of the standard library has it: rows often come in their order, or in the opposite one.
        if rest.is_sorted_by(|a, b| !less(b, a)) {
            return Ok(());
        }
        if rest.is_sorted_by(|a, b| less(b, a)) {
            rest.reverse();
            return Ok(());
        }
        partitions -= 1;
        let (equal, greater) = partition(rest, less);
        let (left, right) = rest.split_at_mut(greater);
        in_pieces(&mut left[..equal], less, sort, partitions)?;
        rest = right;
    }
    sort(rest);
    Ok(())
}

/// Puts items that are less than one of them first, then some that equal it, if there are any, and then the others. Returns where the
/// second and the third part begin. The last two parts are not both empty, and neither are the first two.
fn partition<T: Copy>(items: &mut [T], less: impl Fn(&T, &T) -> bool) -> (usize, usize) {
    let step = items.len() / SAMPLE;
    let mut sample: [T; SAMPLE] = std::array::from_fn(|index| items[index * step + step / 2]);
    for len in 1..SAMPLE {
        let mut at = len;
        while at > 0 && less(&sample[at], &sample[at - 1]) {
            sample.swap(at, at - 1);
            at -= 1;
        }
    }
    let pivot = sample[SAMPLE / 2];
    let equal = move_first(items, |item| less(item, &pivot));
    if equal >= items.len() / LEAST_SHARE {
        return (equal, equal);
    }
    (equal, equal + move_first(&mut items[equal..], |item| !less(&pivot, item)))
}

/// Moves the items for which `is_first` holds before the others, and returns how many those are.
fn move_first<T: Copy>(items: &mut [T], is_first: impl Fn(&T) -> bool) -> usize {
    let mut at = 0;
    // Without a branch that depends on the items.
    for index in 0..items.len() {
        let item = items[index];
        items[index] = items[at];
        items[at] = item;
        at += is_first(&item) as usize;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of 32 bits that look random (splitmix).
    fn numbers(len: usize, distinct: u64) -> Vec<u64> {
        let mix = |n: u64| (n ^ n >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (0..len as u64).map(|n| (mix(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32) % distinct).collect()
    }

    fn samples() -> Vec<Vec<u64>> {
        let len = 5 * CHECKED_ROWS + 17;
        let mut all: Vec<Vec<u64>> = [1, 2, 50, 1 << 32].map(|distinct| numbers(len, distinct)).into();
        all.push((0..len as u64).collect());
        all.push((0..len as u64).rev().collect());
        // Most are least, so that a sample has one value.
        all.push((0..len as u64).map(|n| if n % 1000 == 0 { n } else { 0 }).collect());
        all.push(numbers(10, 5));
        all.push(Vec::new());
        all
    }

    #[test]
    fn pieces_are_sorted_as_the_whole() {
        for items in samples() {
            let mut expected = items.clone();
            expected.sort_unstable();
            let mut sorted = items.clone();
            sort(&mut sorted).unwrap();
            assert_eq!(sorted, expected);
            let mut down = items.clone();
            sort_by(&mut down, |a, b| b.cmp(a)).unwrap();
            expected.reverse();
            assert_eq!(down, expected);
        }
    }

    #[test]
    fn the_selected_item_has_its_place() {
        for items in samples().into_iter().filter(|items| !items.is_empty()) {
            let mut expected = items.clone();
            expected.sort_unstable();
            for place in [0, items.len() / 3, items.len() - 1] {
                let mut selected = items.clone();
                select(&mut selected, place).unwrap();
                assert_eq!(selected[place], expected[place]);
                assert!(selected[..place].iter().all(|item| *item <= expected[place]));
                assert!(selected[place..].iter().all(|item| *item >= expected[place]));
            }
        }
    }
}
