//! The least and the greatest value by group. Of equal ones the first stays.

use super::values::Values;
use crate::array::Array;
use crate::error::{Error, Result};
use crate::flat::Shape;
use crate::int256::Int256;
use crate::vectors::with_room;

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

/// The least or the greatest byte string of each group.
pub struct ByteExtremes {
    is_greatest: bool,
    /// Where each one lies; none yet: beyond the end.
    spans: Vec<Span>,
    bytes: Vec<u8>,
    /// Bytes that no span covers any more.
    waste: usize,
}

#[derive(Clone, Copy)]
struct Span {
    start: u32,
    len: u32,
}

const NONE: Span = Span { start: u32::MAX, len: 0 };

/// Waste that is not worth a copy of the rest.
const SMALL_WASTE: usize = 4096;

impl ByteExtremes {
    /// Of no groups.
    pub const fn new(is_greatest: bool) -> Self {
        ByteExtremes { is_greatest, spans: Vec::new(), bytes: Vec::new(), waste: 0 }
    }

    /// Room for groups.
    pub fn resize(&mut self, groups: usize) -> Result<()> {
        self.spans.try_reserve(groups - self.spans.len())?;
        self.spans.resize(groups, NONE);
        Ok(())
    }

    /// Takes a value into its group.
    pub fn add(&mut self, group: u32, value: &[u8]) -> Result<()> {
        let span = self.spans[group as usize];
        if let Some(extreme) = self.get(group as usize) {
            let is_better = if self.is_greatest { extreme < value } else { value < extreme };
            if !is_better {
                return Ok(());
            }
        }
        self.waste += span.len as usize;
        self.spans[group as usize] = NONE;
        if self.waste > SMALL_WASTE && self.waste > self.bytes.len() / 2 {
            self.compact()?;
        }
        let start = self.bytes.len();
        if i32::try_from(start + value.len()).is_err() {
            return Err(Error::TooLong);
        }
        self.bytes.try_reserve(value.len())?;
        self.bytes.extend_from_slice(value);
        self.spans[group as usize] = Span { start: start as u32, len: value.len() as u32 };
        Ok(())
    }

    /// The value of a group, if it has one.
    pub fn get(&self, group: usize) -> Option<&[u8]> {
        let Span { start, len } = self.spans[group];
        (start != u32::MAX).then(|| &self.bytes[start as usize..(start + len) as usize])
    }

    /// The values as a column of a shape.
    pub fn array(&self, shape: Shape) -> Result<Array> {
        let mut values = Values::new(shape);
        (0..self.spans.len()).try_for_each(|group| values.push(self.get(group)))?;
        values.array()
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.spans.capacity() * size_of::<Span>() + self.bytes.capacity()
    }

    fn compact(&mut self) -> Result<()> {
        let mut bytes = with_room((self.bytes.len() - self.waste) * 2)?;
        for span in self.spans.iter_mut().filter(|span| span.start != u32::MAX) {
            let start = bytes.len() as u32;
            bytes.extend_from_slice(&self.bytes[span.start as usize..(span.start + span.len) as usize]);
            span.start = start;
        }
        (self.bytes, self.waste) = (bytes, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_replaced_leave_no_waste_behind() {
        let mut extremes = ByteExtremes::new(true);
        extremes.resize(2).unwrap();
        for i in 0..20_000u32 {
            extremes.add(i % 2, &[i.to_be_bytes(), [7; 4]].concat()).unwrap();
            extremes.add(i % 2, b"").unwrap();
        }
        assert_eq!(extremes.get(1), Some(&[19_999u32.to_be_bytes(), [7; 4]].concat()[..]));
        assert!(extremes.allocated() < 40_000);
        let mut least = ByteExtremes::new(false);
        least.resize(2).unwrap();
        least.add(1, b"b").unwrap();
        least.add(1, b"").unwrap();
        assert_eq!((least.get(0), least.get(1)), (None, Some(&b""[..])));
    }
}
