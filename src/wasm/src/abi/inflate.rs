//! Inflating.

use super::call;
use super::encoders::KEPT_SCRATCH;
use crate::error::{Error, Result};
use crate::{lz4, zlib};

/// [`lz4::frame`] of the arguments, which hold `size` bytes; the first result is where, until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn lz4_frame(size: usize) -> i32 {
    inflated(size, lz4::may_hold, lz4::frame)
}

/// The same with [`zlib::inflate`].
#[unsafe(no_mangle)]
pub extern "C" fn zlib(size: usize) -> i32 {
    inflated(size, zlib::may_hold, zlib::inflate)
}

fn inflated(size: usize, may_hold: fn(usize, usize) -> bool, inflate: fn(&[u8], &mut [u8]) -> Result<()>) -> i32 {
    call(|state| {
        if !may_hold(state.arguments.len(), size) {
            return Err(Error::invalid("compressed data claim more than they can hold"));
        }
        state.scratch.clear(KEPT_SCRATCH);
        let inflated = inflate(&state.arguments, &mut state.scratch.space(size)?[..size]);
        if state.arguments.capacity() > KEPT_SCRATCH {
            state.arguments = Vec::new();
        }
        inflated?;
        state.scratch.commit(size);
        state.results[0] = state.scratch.written().as_ptr() as usize as u32;
        Ok(0)
    })
}
