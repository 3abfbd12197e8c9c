//! The core: columns as Arrow arrays in one linear memory, three-valued row masks over them, and the bytes that leave.
//!
//! Layers, each using only those above it:
//! * [`error`], [`buffer`], [`bitmap`]: memory whose allocation can fail without a trap;
//! * [`array`], [`assemble`]: an Arrow array, and how one is checked and made from foreign buffers;
//! * [`rows`], [`gather`]: which rows, and copying them;
//! * [`mask`], [`compare`]: selection;
//! * [`ipc`]: encoding;
//! * [`abi`]: the functions that the loader calls.
//!
//! `unsafe` occurs in [`buffer`] (bytes seen as numbers) and `compare::simd128` (vector loads) only.

pub mod abi;
pub mod array;
pub mod assemble;
pub mod bitmap;
pub mod buffer;
pub mod compare;
pub mod error;
pub mod gather;
pub mod half;
pub mod int256;
pub mod ipc;
pub mod mask;
pub mod rows;
pub mod scratch;
pub mod slab;
pub mod types;
