//! Bytes at addresses that every number type may be read from.
#![allow(unsafe_code)]

use crate::error::Result;
use crate::int256::Int256;
use crate::vectors::{filled, with_room};

/// Bytes past the end of a destination that may be overwritten: short runs are copied as two vectors.
pub const SLACK: usize = 32;

/// What a [`Buffer`] is made of, so that its start is aligned for every [`Number`].
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Block([u8; BLOCK]);

const BLOCK: usize = 16;

/// Types that any initialised bytes are a value of.
///
/// # Safety
/// The type has no padding and no invalid bit patterns, its size is its alignment or a multiple of it, and the
/// alignment is at most 16.
pub unsafe trait Number: Copy + 'static {}

macro_rules! numbers {
    ($($type:ty),*) => {
        // SAFETY: primitive integers and floats (and a `repr(C)` pair or an array of them) have neither padding nor
        // invalid values, and none is aligned to more than 16.
        $(unsafe impl Number for $type {})*
    };
}
numbers!(
    i8, i16, i32, i64, i128, u8, u16, u32, u64, u128, f32, f64, Int256, [i32; 4], [u64; 2], [u32; 2], [u32; 3],
    [f64; 3]
);

const _: () = assert!(align_of::<Int256>() <= BLOCK && size_of::<Int256>() == 32);

/// The bytes of numbers.
pub fn bytes_of<T: Number>(values: &[T]) -> &[u8] {
    // SAFETY: the bytes lie inside `values`, whose borrow keeps them alive and unchanged; a `Number` has no padding, so all
    // of them are initialised.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// A fixed number of bytes, aligned to 16; the values of an Arrow buffer.
#[derive(Default)]
pub struct Buffer {
    blocks: Vec<Block>,
    len: usize,
}

impl Buffer {
    /// No bytes.
    pub const fn empty() -> Self {
        Buffer { blocks: Vec::new(), len: 0 }
    }

    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> Result<Self> {
        let count = len.div_ceil(BLOCK);
        let blocks = filled(count, Block([0; BLOCK]))?;
        Ok(Buffer { blocks, len })
    }

    /// No bytes yet, and room for `len`.
    pub fn with_capacity(len: usize) -> Result<Self> {
        let blocks = with_room(len.div_ceil(BLOCK))?;
        Ok(Buffer { blocks, len: 0 })
    }

    /// A copy of numbers.
    pub fn of<T: Number>(values: &[T]) -> Result<Self> {
        let mut buffer = Buffer::zeroed(size_of_val(values))?;
        buffer.numbers_mut().copy_from_slice(values);
        Ok(buffer)
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.blocks.capacity() * BLOCK
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        self.numbers()
    }

    /// The bytes.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.numbers_mut()
    }

    /// The bytes as numbers; what is left over at the end is not shown.
    pub fn numbers<T: Number>(&self) -> &[T] {
        const { assert!(align_of::<T>() <= BLOCK) };
        // SAFETY: `blocks` owns at least `len` initialised bytes at an address aligned to 16, which suffices for `T`
        // (asserted); `len / size_of::<T>()` values lie inside them, and any bytes are values of a `Number`. The
        // borrow of `self` keeps them alive and unchanged.
        unsafe { std::slice::from_raw_parts(self.blocks.as_ptr().cast(), self.len / size_of::<T>()) }
    }

    /// The bytes as numbers; what is left over at the end is not shown.
    pub fn numbers_mut<T: Number>(&mut self) -> &mut [T] {
        const { assert!(align_of::<T>() <= BLOCK) };
        // SAFETY: as in `numbers`; the borrow is exclusive, and a `Number` has no padding, so writing values leaves the
        // bytes initialised.
        unsafe { std::slice::from_raw_parts_mut(self.blocks.as_mut_ptr().cast(), self.len / size_of::<T>()) }
    }

    /// `len` bytes, those that are new being zero; memory for twice as many at a time.
    pub fn resize(&mut self, len: usize) -> Result<()> {
        let count = len.div_ceil(BLOCK);
        self.blocks.try_reserve(count.saturating_sub(self.blocks.len()))?;
        self.blocks.resize(count, Block([0; BLOCK]));
        self.len = len;
        Ok(())
    }

    /// `len` bytes, of which those that are new hold anything: for the host to write all of them before they are read.
    pub fn resize_unwritten(&mut self, len: usize) -> Result<()> {
        let whole = len / BLOCK;
        if cfg!(target_arch = "wasm32") && whole > self.blocks.len() {
            // With the last block, which is not whole: it would take twice the memory, and have all of it copied there.
            self.blocks.try_reserve(len.div_ceil(BLOCK) - self.blocks.len())?;
            // SAFETY: there is capacity, any bytes are a `Block`, and in the linear memory of WebAssembly, which is where the
            // host writes, no byte is uninitialised.
            unsafe { self.blocks.set_len(whole) };
        }
        self.resize(len)
    }

    /// Keeps the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}
