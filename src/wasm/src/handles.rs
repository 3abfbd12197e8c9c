//! Handles: small numbers that name objects of the module outside of it.

use crate::error::{Error, Result};

const INDEX_BITS: u32 = 20;
const INDEX_MASK: u32 = (1 << INDEX_BITS) - 1;
const GENERATIONS: u32 = 1 << (31 - INDEX_BITS);

struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// A table of `T`. A handle is the slot's index and its generation, positive as `i32` and never 0; a freed handle stays
/// invalid until its slot has been used 2047 times more.
pub struct Handles<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

impl<T> Handles<T> {
    /// An empty table.
    pub const fn new() -> Self {
        Handles { slots: Vec::new(), free: Vec::new() }
    }

    /// Takes the value in and names it.
    pub fn insert(&mut self, value: T) -> Result<u32> {
        if let Some(index) = self.free.pop() {
            let slot = &mut self.slots[index as usize];
            slot.value = Some(value);
            return Ok(slot.generation << INDEX_BITS | index);
        }
        let index = self.slots.len() as u32;
        if index > INDEX_MASK {
            return Err(Error::Memory);
        }
        self.slots.try_reserve(1)?;
        // So that `remove` never allocates.
        self.free.try_reserve(self.slots.len() + 1)?;
        self.slots.push(Slot { generation: 1, value: Some(value) });
        Ok(1 << INDEX_BITS | index)
    }

    /// The value of a live handle.
    pub fn get(&self, handle: u32) -> Result<&T> {
        match self.slots.get((handle & INDEX_MASK) as usize) {
            Some(Slot { generation, value: Some(value) }) if *generation == handle >> INDEX_BITS => Ok(value),
            _ => Err(UNKNOWN),
        }
    }

    /// The value of a live handle.
    pub fn get_mut(&mut self, handle: u32) -> Result<&mut T> {
        match self.slots.get_mut((handle & INDEX_MASK) as usize) {
            Some(Slot { generation, value: Some(value) }) if *generation == handle >> INDEX_BITS => Ok(value),
            _ => Err(UNKNOWN),
        }
    }

    /// Takes the value out; the handle is dead from here on.
    pub fn remove(&mut self, handle: u32) -> Result<T> {
        let index = handle & INDEX_MASK;
        let slot = self.slots.get_mut(index as usize).ok_or(UNKNOWN)?;
        if slot.generation != handle >> INDEX_BITS {
            return Err(UNKNOWN);
        }
        let value = slot.value.take().ok_or(UNKNOWN)?;
        slot.generation = if slot.generation + 1 == GENERATIONS { 1 } else { slot.generation + 1 };
        self.free.push(index);
        Ok(value)
    }

    /// The live values.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().filter_map(|slot| slot.value.as_ref())
    }
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Self::new()
    }
}

const UNKNOWN: Error = Error::Misuse("a handle was used after it was freed");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_handle_is_an_error_even_when_its_slot_is_used_again() {
        let mut handles = Handles::new();
        let first = handles.insert("first").unwrap();
        assert_eq!(handles.remove(first), Ok("first"));
        let second = handles.insert("second").unwrap();
        assert_ne!(first, second);
        assert_eq!(handles.get(first), Err(UNKNOWN));
        assert_eq!(handles.remove(first), Err(UNKNOWN));
        assert_eq!(handles.get(second), Ok(&"second"));
        assert_eq!(handles.get(0), Err(UNKNOWN));
    }

    #[test]
    fn generations_wrap_without_a_handle_of_zero() {
        let mut handles = Handles::new();
        for i in 0..5000 {
            let handle = handles.insert(i).unwrap();
            assert!(handle as i32 > 0);
            assert_eq!(handles.remove(handle), Ok(i));
        }
    }
}
