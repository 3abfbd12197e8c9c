//! Inflating.

use super::call;
use super::encoders::KEPT_SCRATCH;
use crate::error::{Error, Result};
use crate::scratch::Scratch;
use crate::{lz4, zlib};

/// [`lz4::frame`] of the arguments, which hold `size` bytes. The results are as those of [`zlib`].
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

/// [`lz4::block`] of the arguments, which holds `size` bytes. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn lz4_block(size: usize) -> i32 {
    inflated(|stored, output| {
        if !lz4::may_hold(stored.len(), size) {
            return Err(Error::invalid("compressed data claim more than they can hold"));
        }
        match lz4::block(stored, &mut output.space(size)?[..size], 0, 0)? {
            written if written == size => Ok(size),
            _ => Err(Error::invalid("LZ4 data hold less than they claim")),
        }
    })
}

/// [`zlib::inflate`] of the arguments, which hold `most` bytes at most. The results are where, until something else is inflated, and how
/// many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn zlib(most: usize) -> i32 {
    inflated(|stored, output| {
        let most = most.min(zlib::most_bytes(stored.len()));
        zlib::inflate(stored, &mut output.space(most)?[..most])
    })
}

/// Keeps as many bytes of the room as `inflate` returns.
fn inflated(inflate: impl FnOnce(&[u8], &mut Scratch) -> Result<usize>) -> i32 {
    call(|state| {
        state.inflated.clear(KEPT_SCRATCH);
        let size = inflate(&state.arguments, &mut state.inflated);
        if state.arguments.capacity() > KEPT_SCRATCH {
            state.arguments = Vec::new();
        }
        state.inflated.commit(size?);
        state.results[0] = state.inflated.written().as_ptr() as usize as u32;
        state.results[1] = state.inflated.len() as u32;
        Ok(0)
    })
}
