//! The least and the greatest value by group. Of equal ones the first stays.

use super::slots::Slots;
use crate::array::Array;
use crate::error::Result;
use crate::flat::Shape;
use crate::int256::Int256;

/// Numbers in a total order: NaN is the greatest, −0.0 equals 0.0.
pub trait Ordered: Copy {
    /// No value is greater, or none is less: what a group without values holds.
    fn bound(is_greatest: bool) -> Self;
    /// Whether a value comes before another one.
    fn is_less(self, other: Self) -> bool;
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(impl Ordered for $type {
            fn bound(is_greatest: bool) -> Self {
                if is_greatest { Self::MIN } else { Self::MAX }
            }

            #[inline(always)]
            fn is_less(self, other: Self) -> bool {
                self < other
            }
        })*
    };
}
integers!(i64, u64, i128, Int256);

impl Ordered for f64 {
    fn bound(is_greatest: bool) -> Self {
        if is_greatest { f64::NEG_INFINITY } else { f64::NAN }
    }

    #[inline(always)]
    fn is_less(self, other: Self) -> bool {
        // The first comparison mostly decides.
        !(self >= other || self.is_nan())
    }
}

/// Takes values into the extremes of their groups.
pub fn add<T: Ordered>(extremes: &mut [T], is_greatest: bool, groups: &[u32], values: &[T]) {
    if is_greatest {
        replace(extremes, groups, values, |value, extreme| extreme.is_less(value));
    } else {
        replace(extremes, groups, values, |value, extreme| value.is_less(extreme));
    }
}

#[inline(always)]
fn replace<T: Copy>(extremes: &mut [T], groups: &[u32], values: &[T], is_better: impl Fn(T, T) -> bool) {
    if let [extreme] = extremes {
        *extreme =
            values.iter().fold(*extreme, |extreme, &value| if is_better(value, extreme) { value } else { extreme });
        return;
    }
    for (&group, &value) in groups.iter().zip(values) {
        let extreme = &mut extremes[group as usize];
        if is_better(value, *extreme) {
            *extreme = value;
        }
    }
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
