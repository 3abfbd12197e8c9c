//! Inflating.

use super::call;
use super::encoders::KEPT_SCRATCH;
use crate::error::{Error, Result};
use crate::scratch::Scratch;
use crate::{lz4, zlib};

/// [`lz4::frame`] of the arguments, which hold `size` bytes; the first result is where, until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn lz4_frame(size: usize) -> i32 {
    inflated(|stored, output| {
        if !lz4::may_hold(stored.len(), size) {
            return Err(Error::invalid("compressed data claim more than they can hold"));
        }
        lz4::frame(stored, &mut output.space(size)?[..size])?;
        Ok(size)
    })
}

/// [`zlib::inflate`] of the arguments, which hold `most` bytes at most; the first result is where, until the next call, and the second
/// one how many.
#[unsafe(no_mangle)]
pub extern "C" fn zlib(most: usize) -> i32 {
    inflated(|stored, output| {
        let most = most.min(zlib::most_bytes(stored.len()));
        zlib::inflate(stored, &mut output.space(most)?[..most])
    })
}

/// Returns how many bytes of the room are inflated ones.
fn inflated(inflate: impl FnOnce(&[u8], &mut Scratch) -> Result<usize>) -> i32 {
    call(|state| {
        state.scratch.clear(KEPT_SCRATCH);
        let inflated = inflate(&state.arguments, &mut state.scratch);
        if state.arguments.capacity() > KEPT_SCRATCH {
            state.arguments = Vec::new();
        }
        let size = inflated?;
        state.scratch.commit(size);
        state.results[0] = state.scratch.written().as_ptr() as usize as u32;
        state.results[1] = size as u32;
        Ok(0)
    })
}
