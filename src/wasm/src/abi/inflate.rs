//! Inflating.

use super::call;
use super::encoders::KEPT_SCRATCH;
use crate::error::Error;
use crate::lz4;

/// [`lz4::frame`] of the arguments, which hold `size` bytes; the first result is where, until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn lz4_frame(size: usize) -> i32 {
    call(|state| {
        if !lz4::may_hold(state.arguments.len(), size) {
            return Err(Error::invalid("LZ4 data claim more than they can hold"));
        }
        state.scratch.clear(KEPT_SCRATCH);
        let inflated = lz4::frame(&state.arguments, &mut state.scratch.space(size)?[..size]);
        if state.arguments.capacity() > KEPT_SCRATCH {
            state.arguments = Vec::new();
        }
        inflated?;
        state.scratch.commit(size);
        state.results[0] = state.scratch.written().as_ptr() as usize as u32;
        Ok(0)
    })
}
