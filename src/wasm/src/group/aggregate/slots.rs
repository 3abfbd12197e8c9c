//! A value for each group, which later ones replace.

use crate::array::Array;
use crate::error::{Error, Result};
use crate::flat::Shape;
use crate::group::numbering::values::Values;
use crate::vectors::with_room;

/// The bytes of one value a group, or none.
pub struct Slots {
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

impl Slots {
    /// Of no groups.
    pub const fn new() -> Self {
        Slots { spans: Vec::new(), bytes: Vec::new(), waste: 0 }
    }

    /// Room for groups.
    pub fn resize(&mut self, groups: usize) -> Result<()> {
        self.spans.try_reserve(groups - self.spans.len())?;
        self.spans.resize(groups, NONE);
        Ok(())
    }

    /// Replaces the value of a group.
    pub fn set(&mut self, group: u32, value: &[u8]) -> Result<()> {
        let Span { start, len } = self.spans[group as usize];
        if start != u32::MAX && len as usize == value.len() {
            self.bytes[start as usize..(start + len) as usize].copy_from_slice(value);
            return Ok(());
        }
        self.waste += len as usize;
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

    /// Whether a group has a value.
    #[inline(always)]
    pub fn has(&self, group: usize) -> bool {
        self.spans[group].start != u32::MAX
    }

    /// The value of a group, if it has one.
    pub fn get(&self, group: usize) -> Option<&[u8]> {
        let Span { start, len } = self.spans[group];
        self.has(group).then(|| &self.bytes[start as usize..(start + len) as usize])
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
        let mut slots = Slots::new();
        slots.resize(3).unwrap();
        for i in 0..20_000u32 {
            slots.set(i % 2, &[i.to_be_bytes(), [7; 4]].concat()).unwrap();
            slots.set(i % 2, &vec![8; (i % 5) as usize]).unwrap();
            slots.set(i % 2, &i.to_be_bytes()).unwrap();
        }
        assert_eq!(
            (slots.get(0), slots.get(1)),
            (Some(&19_998u32.to_be_bytes()[..]), Some(&19_999u32.to_be_bytes()[..]))
        );
        assert!(slots.allocated() < 40_000);
        assert_eq!((slots.get(2), slots.has(2)), (None, false));
        slots.set(2, b"").unwrap();
        assert_eq!((slots.get(2), slots.has(2)), (Some(&b""[..]), true));
    }
}
