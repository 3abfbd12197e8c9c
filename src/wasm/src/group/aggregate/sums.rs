//! Sums by group, in a fixed order.

use crate::bitmap::{Bitmap, low_bits};
use crate::error::{Error, Result};
use crate::group::block::BLOCK_ROWS;
use crate::group::runs::{LANED_GROUPS, Runs, each_run, runs_of};
use crate::int256::Int256;
use std::ops::{Add, Range};

/// Sums of each of a few groups.
const LANES: usize = 4;
/// Sums of the only group there is, and of a run of one group.
const LONE_LANES: usize = 8;

/// Adds 1 for each row.
pub fn count(counts: &mut [u64], groups: &[u32]) {
    if let [count] = counts {
        *count += groups.len() as u64;
        return;
    }
    match runs_of(groups, counts.len()) {
        Runs::None if counts.len() <= LANED_GROUPS => {
            let mut lanes = [[0u32; LANES]; LANED_GROUPS];
            let (fours, rest) = groups.as_chunks::<LANES>();
            for four in fours {
                for lane in 0..LANES {
                    lanes[four[lane] as usize % LANED_GROUPS][lane] += 1;
                }
            }
            rest.iter().for_each(|&group| lanes[group as usize % LANED_GROUPS][0] += 1);
            for (count, lanes) in counts.iter_mut().zip(&lanes) {
                *count += lanes.iter().map(|&lane| u64::from(lane)).sum::<u64>();
            }
        }
        Runs::None => groups.iter().for_each(|&group| counts[group as usize] += 1),
        runs => each_run(groups, runs, |group, rows| counts[group] += rows.len() as u64),
    }
}

/// Counts of rows that are not made yet: few groups get theirs along with a sum, at no cost.
pub type Counts<'a> = Option<&'a mut [u64]>;

/// Adds floats. The order depends on nothing but the rows of the block, their groups, and whether there are many groups.
pub fn add_floats<T: Copy + Into<f64>>(sums: &mut [f64], counts: &mut Counts, groups: &[u32], values: &[T]) {
    if let [sum] = sums {
        *sum += lone_sum(values);
        return;
    }
    match runs_of(groups, sums.len()) {
        Runs::None if sums.len() <= LANED_GROUPS => {
            let totals = totals(groups, values, |value: T| Total { sum: value.into(), rows: 1.0 });
            add_rows(counts, totals.iter().map(|total| total.rows as u64));
            sums.iter_mut().zip(&totals).for_each(|(sum, total)| *sum += total.sum);
        }
        Runs::None => groups.iter().zip(values).for_each(|(&group, &value)| sums[group as usize] += value.into()),
        runs => {
            let mut add = |group: usize, rows: Range<usize>| {
                let values = &values[rows];
                sums[group] += match runs {
                    Runs::Long => lone_sum(values),
                    _ => values.iter().fold(0.0, |sum, &value| sum + value.into()),
                };
            };
            match counts.take() {
                Some(counts) => each_run(groups, runs, |group, rows| {
                    counts[group] += rows.len() as u64;
                    add(group, rows);
                }),
                None => each_run(groups, runs, add),
            }
        }
    }
}

/// The sum of floats of one group.
fn lone_sum<T: Copy + Into<f64>>(values: &[T]) -> f64 {
    let (blocks, rest) = values.as_chunks::<LONE_LANES>();
    let mut lanes = [0.0; LONE_LANES];
    for block in blocks {
        for lane in 0..LONE_LANES {
            lanes[lane] += block[lane].into();
        }
    }
    rest.iter().for_each(|&value| lanes[0] += value.into());
    total(lanes)
}

/// Adds the floats of neighbouring rows, from `first` on, whose bits are set, to the sum of the only group; how many are not set. What is
/// not added counts as 0.0 in its lane, so that the sum is that of [`add_floats`] over zeros.
pub fn add_valid_floats<T: Masked>(sum: &mut f64, values: &[T], first: usize, validity: &Bitmap) -> usize {
    let mut lanes = [0.0; LONE_LANES];
    let mut valid = 0;
    for (index, values) in values.chunks(64).enumerate() {
        let word = validity.bits(first + index * 64, values.len());
        valid += word.count_ones() as usize;
        if word == 0 {
            continue;
        }
        let (blocks, rest) = values.as_chunks::<LONE_LANES>();
        if word == low_bits(values.len()) {
            for block in blocks {
                for lane in 0..LONE_LANES {
                    lanes[lane] += block[lane].into();
                }
            }
        } else {
            for (block, values) in blocks.iter().enumerate() {
                let values = T::masked(values, word >> (block * LONE_LANES));
                for lane in 0..LONE_LANES {
                    lanes[lane] += values[lane].into();
                }
            }
        }
        let bits = word.checked_shr((blocks.len() * LONE_LANES) as u32).unwrap_or(0);
        for (at, &value) in rest.iter().enumerate() {
            lanes[0] += if bits >> at & 1 == 1 { value.into() } else { 0.0 };
        }
    }
    *sum += total(lanes);
    values.len() - valid
}

fn total([a, b, c, d, e, f, g, h]: [f64; LONE_LANES]) -> f64 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Floats that become 0.0 without a branch.
pub trait Masked: Copy + Into<f64> {
    /// The same numbers, 0.0 where a bit of the lowest eight is not set.
    fn masked(values: &[Self; LONE_LANES], bits: u64) -> [Self; LONE_LANES];
}

macro_rules! masked {
    ($type:ty, $bits:ty) => {
        impl Masked for $type {
            #[inline(always)]
            fn masked(values: &[Self; LONE_LANES], bits: u64) -> [Self; LONE_LANES] {
                // Looked up four at a time: vectors have no shift by another count for each lane.
                static MASKS: [[$bits; 4]; 16] = {
                    let mut masks = [[0; 4]; 16];
                    let mut at = 0;
                    while at < 64 {
                        masks[at / 4][at % 4] = if at / 4 >> (at % 4) & 1 == 1 { <$bits>::MAX } else { 0 };
                        at += 1;
                    }
                    masks
                };
                let masks = [&MASKS[bits as usize & 15], &MASKS[bits as usize >> 4 & 15]];
                std::array::from_fn(|i| <$type>::from_bits(values[i].to_bits() & masks[i / 4][i % 4]))
            }
        }
    };
}
masked!(f32, u32);
masked!(f64, u64);

/// A sum and the rows in it, which are one vector.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct Total<T> {
    sum: T,
    rows: T,
}

impl<T: Add<Output = T>> Add for Total<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Total { sum: self.sum + other.sum, rows: self.rows + other.rows }
    }
}

/// The totals of each of a few groups, that of every fourth row for itself.
#[inline(always)]
fn totals<S: Copy, T: Copy + Default + Add<Output = T>>(
    groups: &[u32],
    values: &[S],
    row: impl Fn(S) -> Total<T>,
) -> [Total<T>; LANED_GROUPS] {
    let mut lanes = [[Total::default(); LANES]; LANED_GROUPS];
    let ((fours, rest), (value_fours, value_rest)) = (groups.as_chunks::<LANES>(), values.as_chunks::<LANES>());
    for (four, values) in fours.iter().zip(value_fours) {
        for lane in 0..LANES {
            let total = &mut lanes[four[lane] as usize % LANED_GROUPS][lane];
            *total = *total + row(values[lane]);
        }
    }
    for (&group, &value) in rest.iter().zip(value_rest) {
        let total = &mut lanes[group as usize % LANED_GROUPS][0];
        *total = *total + row(value);
    }
    lanes.map(|[a, b, c, d]| (a + b) + (c + d))
}

fn add_rows(counts: &mut Counts, rows: impl Iterator<Item = u64>) {
    if let Some(counts) = counts.take() {
        counts.iter_mut().zip(rows).for_each(|(count, rows)| *count += rows);
    }
}

/// Adds integers of at most 64 bits, 2048 at a time: 2^63 of them fit.
pub fn add_integers<T: Integer>(sums: &mut [i128], counts: &mut Counts, groups: &[u32], values: &[T]) {
    if !add_small(sums, counts, groups, values, |sum, small| *sum += i128::from(small)) {
        for (&group, &value) in groups.iter().zip(values) {
            sums[group as usize] += value.into();
        }
    }
}

/// Adds integers of a block by sums of 64 bits, if these have room, to few groups, or to many in runs. Returns whether it has.
#[inline(always)]
fn add_small<S, T: Integer>(
    sums: &mut [S],
    counts: &mut Counts,
    groups: &[u32],
    values: &[T],
    add: impl Fn(&mut S, i64),
) -> bool {
    let bits = values.iter().fold(0, |bits, value| bits | value.magnitude());
    if bits >= SMALL {
        return false;
    }
    if let [sum] = sums {
        add(sum, values.iter().map(|value| value.narrow()).sum());
        return true;
    }
    match runs_of(groups, sums.len()) {
        Runs::None if sums.len() > LANED_GROUPS => return false,
        Runs::None => {
            let totals = totals(groups, values, |value| Total { sum: value.narrow(), rows: 1 });
            add_rows(counts, totals.iter().map(|total| total.rows as u64));
            sums.iter_mut().zip(&totals).for_each(|(sum, total)| add(sum, total.sum));
        }
        runs => each_run(groups, runs, |group, rows| {
            add(&mut sums[group], values[rows].iter().map(|value: &T| value.narrow()).sum());
        }),
    }
    true
}

/// Magnitudes below it add up to 63 bits in a block.
const SMALL: u64 = 1 << 63 >> BLOCK_ROWS.trailing_zeros();

/// Integers that are often small.
pub trait Integer: Copy + Into<i128> {
    /// Its bits but those that repeat the sign. Of more than 64 bits, more than is small.
    fn magnitude(self) -> u64;
    /// The same number, if it is a small one.
    fn narrow(self) -> i64;
}

impl Integer for i64 {
    #[inline(always)]
    fn magnitude(self) -> u64 {
        (self ^ self >> 63) as u64
    }

    #[inline(always)]
    fn narrow(self) -> i64 {
        self
    }
}

impl Integer for u64 {
    #[inline(always)]
    fn magnitude(self) -> u64 {
        self
    }

    #[inline(always)]
    fn narrow(self) -> i64 {
        self as i64
    }
}

impl Integer for i128 {
    #[inline(always)]
    fn magnitude(self) -> u64 {
        let sign = (self >> 127) as u64;
        let (low, high) = (self as u64 ^ sign, (self >> 64) as u64 ^ sign);
        // Whatever is in the upper half makes it large.
        low | high | ((high != 0) as u64 * SMALL)
    }

    #[inline(always)]
    fn narrow(self) -> i64 {
        self as i64
    }
}

/// Adds integers of 128 bits: 2^127 of them fit.
pub fn add_wide(sums: &mut [Int256], counts: &mut Counts, groups: &[u32], values: &[i128]) {
    let add = |sum: &mut Int256, value: i128| *sum = sum.wrapping_add(Int256::from(value));
    if !add_small(sums, counts, groups, values, |sum, small| add(sum, i128::from(small))) {
        for (&group, &value) in groups.iter().zip(values) {
            add(&mut sums[group as usize], value);
        }
    }
}

/// `sum / (count × 10^scale)`, the nearest float; the sum is an integer.
pub fn average(sum: i128, count: u64, scale: i32) -> f64 {
    const EXACT: u128 = 1 << 53;
    let divisor = u32::try_from(scale)
        .ok()
        .and_then(|scale| 10u128.checked_pow(scale))
        .and_then(|power| power.checked_mul(u128::from(count)))
        // So that a remainder can be doubled.
        .filter(|divisor| divisor >> 127 == 0);
    let magnitude = sum.unsigned_abs();
    match divisor {
        Some(divisor) if magnitude > EXACT || divisor > EXACT => {
            let quotient = nearest_quotient(magnitude, divisor);
            if sum < 0 { -quotient } else { quotient }
        }
        Some(divisor) => sum as f64 / divisor as f64,
        None => sum as f64 / count as f64 / 10f64.powi(scale),
    }
}

/// By long division: 55 bits and whether anything is left are enough to round once.
fn nearest_quotient(dividend: u128, divisor: u128) -> f64 {
    if dividend == 0 {
        return 0.0;
    }
    let (mut quotient, mut rest) = (dividend / divisor, dividend % divisor);
    let mut exponent = 0;
    while quotient < 1 << 55 {
        rest <<= 1;
        quotient <<= 1;
        if rest >= divisor {
            rest -= divisor;
            quotient |= 1;
        }
        exponent -= 1;
    }
    (quotient | (rest != 0) as u128) as f64 * 2f64.powi(exponent)
}

/// The sum of signed integers, in 64 bits.
pub fn narrow(sum: i128) -> Result<i64> {
    i64::try_from(sum).map_err(|_| Error::SumOverflow { ty: "Int64" })
}

/// The sum of unsigned integers, in 64 bits.
pub fn narrow_unsigned(sum: i128) -> Result<u64> {
    u64::try_from(sum).map_err(|_| Error::SumOverflow { ty: "UInt64" })
}

/// The sum as a decimal of 38 digits.
pub fn narrow_wide(sum: Int256) -> Result<i128> {
    sum.to_i128()
        .filter(|sum| sum.unsigned_abs() < 10u128.pow(38))
        .ok_or(Error::SumOverflow { ty: "a decimal of 38 digits" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_rounded_once() {
        assert_eq!(average(7, 2, 0), 3.5);
        assert_eq!(average(-7, 2, 1), -0.35);
        assert_eq!(average(0, 3, 2), 0.0);
        assert_eq!(average(123, 1, -2), 12300.0);
        // 2^53 + 1 lies between two floats and goes to the even one, a little more to the next.
        assert_eq!(average((1 << 53) + 1, 1, 0), 9_007_199_254_740_992.0);
        assert_eq!(average(((1 << 53) + 1) * 1000 + 1, 1000, 0), 9_007_199_254_740_994.0);
        assert_eq!(average(10i128.pow(38) - 1, 1, 38), 1.0);
        assert_eq!(average(i128::MAX, 1, 0), 2f64.powi(127));
        assert_eq!(average(1, 3, 20), 1.0 / 3e20);
        assert_eq!(average(5, 1, 60), 5e-60);
    }

    #[test]
    fn floats_that_are_not_valid_count_as_zeros() {
        for seed in 1..200u64 {
            let random = |row: usize, salt: u64| {
                let mixed = (row as u64 ^ salt << 32).wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
            };
            let (first, len) = (random(0, 1) as usize % 130, random(0, 2) as usize % 600);
            // None, all, every other one, runs, and any.
            let is_valid = |row: usize| match seed % 5 {
                0 => false,
                1 => true,
                2 => row % 2 == 0,
                3 => random(row / 100, 3) % 2 == 0,
                _ => random(row, 3) % 3 > 0,
            };
            let validity = Bitmap::from_fn(first + len, is_valid).unwrap();
            let values: Vec<f64> = (first..first + len)
                .map(|row| if is_valid(row) { random(row, 4) as f64 / 7.0 - 1e8 } else { f64::NAN })
                .collect();
            let zeros: Vec<f64> = values.iter().map(|value| if value.is_nan() { 0.0 } else { *value }).collect();
            let singles: Vec<f32> = values.iter().map(|&value| value as f32).collect();
            let single_zeros: Vec<f32> = zeros.iter().map(|&value| value as f32).collect();
            let groups = vec![0; len];
            let (mut expected, mut actual) = ([0.5], 0.5);
            add_floats(&mut expected, &mut None, &groups, &zeros);
            let nulls = add_valid_floats(&mut actual, &values, first, &validity);
            assert_eq!(nulls, values.iter().filter(|value| value.is_nan()).count());
            assert_eq!(actual.to_bits(), expected[0].to_bits(), "seed {seed}");
            add_floats(&mut expected, &mut None, &groups, &single_zeros);
            assert_eq!(add_valid_floats(&mut actual, &singles, first, &validity), nulls);
            assert_eq!(actual.to_bits(), expected[0].to_bits(), "seed {seed}");
        }
    }

    #[test]
    fn runs_of_many_groups_are_added_as_row_by_row() {
        for (len, run) in [(0, 1), (1, 1), (2048, 1), (2048, 3), (2000, 4), (2047, 10), (2048, 700), (5, 5)] {
            let groups: Vec<u32> = (0..len).map(|row| (row / run * 37 % 300) as u32).collect();
            // Whole, so that their order does not matter.
            let integers: Vec<i64> = (0..len as i64).map(|row| row * 7919 % 1000 - 500).collect();
            let floats: Vec<f64> = integers.iter().map(|&value| value as f64).collect();
            let mut expected = (vec![0i64; 300], vec![0u64; 300]);
            for (&group, &value) in groups.iter().zip(&integers) {
                expected.0[group as usize] += value;
                expected.1[group as usize] += 1;
            }
            let (mut sums, mut counts, mut alone) = (vec![0.0; 300], vec![0; 300], vec![0; 300]);
            add_floats(&mut sums, &mut Some(&mut counts), &groups, &floats);
            count(&mut alone, &groups);
            // There is a way that does not count.
            assert!(counts == expected.1 || counts.iter().all(|&count| count == 0));
            assert_eq!(alone, expected.1);
            assert!(sums.iter().zip(&expected.0).all(|(&sum, &expected)| sum == expected as f64));
            let (mut narrow, mut wide) = (vec![0i128; 300], vec![Int256::default(); 300]);
            add_integers(&mut narrow, &mut None, &groups, &integers);
            assert!(narrow.iter().zip(&expected.0).all(|(&sum, &expected)| sum == expected.into()));
            let values: Vec<i128> = integers.iter().map(|&value| value.into()).collect();
            add_wide(&mut wide, &mut None, &groups, &values);
            assert!(wide.iter().zip(&expected.0).all(|(sum, &expected)| sum.to_i128() == Some(expected.into())));
        }
    }

    #[test]
    fn sums_that_do_not_fit_are_errors() {
        assert_eq!(narrow(i64::MIN as i128), Ok(i64::MIN));
        assert!(narrow(i64::MAX as i128 + 1).is_err());
        assert_eq!(narrow_unsigned(u64::MAX as i128), Ok(u64::MAX));
        assert!(narrow_unsigned(u64::MAX as i128 + 1).is_err());
        let most = 10i128.pow(38) - 1;
        assert_eq!(narrow_wide(Int256::from(-most)), Ok(-most));
        assert!(narrow_wide(Int256::from(most).successor().unwrap()).is_err());
    }
}
