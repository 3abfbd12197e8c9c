//! The least and the greatest value by group. Of equal ones the first stays.

use super::slots::Slots;
use crate::array::Array;
use crate::error::Result;
use crate::flat::Shape;
use crate::group::runs::{Runs, each_run, runs_of};
use crate::int256::Int256;

/// Numbers in a total order: NaN is the greatest, −0.0 equals 0.0.
pub trait Ordered: Copy + PartialEq {
    /// Whether several are compared at once, because they are as wide as a register or less.
    const IS_NARROW: bool;
    /// No value is greater, or none is less: what a group without values holds.
    fn bound(is_greatest: bool) -> Self;
    /// Whether a value comes before another one.
    fn is_less(self, other: Self) -> bool;
    /// Whether a value may equal another one that is not the same: 0.0 and −0.0.
    fn has_twin(self) -> bool;
}

macro_rules! integers {
    ($($type:ty: $is_narrow:expr),*) => {
        $(impl Ordered for $type {
            const IS_NARROW: bool = $is_narrow;

            fn bound(is_greatest: bool) -> Self {
                if is_greatest { Self::MIN } else { Self::MAX }
            }

            #[inline(always)]
            fn is_less(self, other: Self) -> bool {
                self < other
            }

            fn has_twin(self) -> bool {
                false
            }
        })*
    };
}
integers!(i64: true, u64: true, i128: false, Int256: false);

macro_rules! floats {
    ($($type:ty),*) => {
        $(impl Ordered for $type {
            const IS_NARROW: bool = true;

            fn bound(is_greatest: bool) -> Self {
                if is_greatest { Self::NEG_INFINITY } else { Self::NAN }
            }

            #[inline(always)]
            fn is_less(self, other: Self) -> bool {
                // The first comparison mostly decides.
                !(self >= other || self.is_nan())
            }

            fn has_twin(self) -> bool {
                self == 0.0
            }
        })*
    };
}
floats!(f32, f64);

/// Takes values into the extremes of their groups, which may be of a wider type.
pub fn add<S: Ordered + Into<T>, T: Ordered>(extremes: &mut [T], is_greatest: bool, groups: &[u32], values: &[S]) {
    if let [extreme] = extremes {
        improve(extreme, false, is_greatest, extreme_of(is_greatest, values).into());
    } else if runs_of(groups, extremes.len()) == Runs::Long {
        each_run(groups, Runs::Long, |group, rows| {
            improve(&mut extremes[group], false, is_greatest, extreme_of(is_greatest, &values[rows]).into());
        });
    } else if is_greatest {
        replace(extremes, groups, values, |value, extreme| extreme.is_less(value));
    } else {
        replace(extremes, groups, values, |value, extreme| value.is_less(extreme));
    }
}

#[inline(always)]
fn replace<S: Copy + Into<T>, T: Copy>(
    extremes: &mut [T],
    groups: &[u32],
    values: &[S],
    is_better: impl Fn(T, T) -> bool,
) {
    for (&group, &value) in groups.iter().zip(values) {
        let extreme = &mut extremes[group as usize];
        if is_better(value.into(), *extreme) {
            *extreme = value.into();
        }
    }
}

/// The least or the greatest of some values, of equal ones the first; none: the bound.
fn extreme_of<T: Ordered>(is_greatest: bool, values: &[T]) -> T {
    if is_greatest {
        best_of(T::bound(true), values, |value, extreme| extreme.is_less(value))
    } else {
        best_of(T::bound(false), values, |value, extreme| value.is_less(extreme))
    }
}

/// Values that are compared at once, so that none waits for the comparison before.
const LANES: usize = 8;

#[inline(always)]
fn best_of<T: Ordered>(bound: T, values: &[T], is_better: impl Fn(T, T) -> bool) -> T {
    let better = |extreme, value| if is_better(value, extreme) { value } else { extreme };
    if !T::IS_NARROW {
        return values.iter().copied().fold(bound, better);
    }
    let (some, rest) = values.as_chunks::<LANES>();
    let mut lanes = [bound; LANES];
    for values in some {
        for lane in 0..LANES {
            lanes[lane] = better(lanes[lane], values[lane]);
        }
    }
    let best = lanes.into_iter().chain(rest.iter().copied()).fold(bound, better);
    if !best.has_twin() {
        return best;
    }
    values.iter().copied().find(|&value| value == best).unwrap_or(best)
}

/// Takes a value in as that of its group if it is the first or a better one; whether it is.
#[inline(always)]
pub fn improve<T: Ordered>(extreme: &mut T, is_first: bool, is_greatest: bool, value: T) -> bool {
    let is_better = is_first || if is_greatest { extreme.is_less(value) } else { value.is_less(*extreme) };
    if is_better {
        *extreme = value;
    }
    is_better
}

/// The least or the greatest byte string of each group.
pub struct ByteExtremes {
    is_greatest: bool,
    slots: Slots,
}

impl ByteExtremes {
    /// Of no groups.
    pub const fn new(is_greatest: bool) -> Self {
        ByteExtremes { is_greatest, slots: Slots::new() }
    }

    /// Room for groups.
    pub fn resize(&mut self, groups: usize) -> Result<()> {
        self.slots.resize(groups)
    }

    /// Takes a value into its group; whether it is the extreme now, where it was not before.
    pub fn add(&mut self, group: u32, value: &[u8]) -> Result<bool> {
        let is_better = match self.slots.get(group as usize) {
            Some(extreme) if self.is_greatest => extreme < value,
            Some(extreme) => value < extreme,
            None => true,
        };
        if is_better {
            self.slots.set(group, value)?;
        }
        Ok(is_better)
    }

    /// The values as a column of a shape.
    pub fn array(&self, shape: Shape) -> Result<Array> {
        self.slots.array(shape)
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.slots.allocated()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_by_one(extremes: &mut [f64], is_greatest: bool, groups: &[u32], values: &[f64]) {
        for (&group, &value) in groups.iter().zip(values) {
            improve(&mut extremes[group as usize], false, is_greatest, value);
        }
    }

    #[test]
    fn extremes_are_those_of_values_one_by_one() {
        for seed in 1..400u64 {
            let random = |row: usize, salt: u64| {
                let mixed = (row as u64 ^ salt << 32).wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
            };
            let (len, run) = (random(0, 1) as usize % 600, 1 + random(0, 2) as usize % 200);
            let count = [1, 2, 70][seed as usize % 3];
            let groups: Vec<u32> = (0..len).map(|row| (row / run % count) as u32).collect();
            // Of few values the same ones come again, zeros of both signs among them, and of some seeds NaNs.
            let values: Vec<f32> = (0..len)
                .map(|row| match random(row, 3) % 16 {
                    0 => 0.0,
                    1 => -0.0,
                    2 if seed % 5 == 0 => f32::NAN,
                    other if seed % 2 == 0 => other as f32,
                    other => other as f32 - 8.0,
                })
                .collect();
            let wide: Vec<f64> = values.iter().map(|&value| value.into()).collect();
            let integers: Vec<i64> = wide.iter().map(|&value| value as i64).collect();
            for is_greatest in [false, true] {
                let bound = f64::bound(is_greatest);
                let (mut expected, mut single, mut double) =
                    (vec![bound; count], vec![bound; count], vec![bound; count]);
                one_by_one(&mut expected, is_greatest, &groups, &wide);
                add(&mut single, is_greatest, &groups, &values);
                add(&mut double, is_greatest, &groups, &wide);
                let is_same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
                assert!(expected.iter().zip(&single).all(is_same), "seed {seed}: {expected:?}, {single:?}");
                assert!(expected.iter().zip(&double).all(is_same), "seed {seed}: {expected:?}, {double:?}");
                let mut whole = vec![i64::bound(is_greatest); count];
                add(&mut whole, is_greatest, &groups, &integers);
                let has_nan = values.iter().any(|value| value.is_nan());
                let ends = expected.iter().zip(&whole).filter(|(end, _)| end.is_finite());
                assert!(has_nan || ends.into_iter().all(|(&end, &whole)| end as i64 == whole), "seed {seed}");
            }
        }
    }
}
