//! The functions that the loader calls (`instance.ts`). Each returns a number that is not negative, or the negative code of an
//! error whose text is then in [`message`]. No function takes an address: the loader writes only where it was told to.
#![allow(unsafe_code)] // `no_mangle` counts as unsafe: the names below are used nowhere else.

use crate::error::{Error, Result};
use crate::host::HostBytes;
use crate::jpeg;
use crate::stream::Stream;
use std::cell::RefCell;

struct State {
    stream: Option<Stream<HostBytes>>,
    /// An image that the loader has written.
    image: Vec<u8>,
    /// What was inflated last.
    output: Vec<u8>,
    message: String,
    results: [u32; 2],
}

thread_local! {
    static STATE: RefCell<State> = const {
        RefCell::new(State { stream: None, image: Vec::new(), output: Vec::new(), message: String::new(), results: [0; 2] })
    };
}

fn call(f: impl FnOnce(&mut State) -> Result<u32>) -> i32 {
    STATE.with_borrow_mut(|state| match f(state) {
        Ok(value) => value as i32,
        Err(error) => {
            state.message = error.to_string();
            state.results = [state.message.as_ptr() as usize as u32, state.message.len() as u32];
            error.code()
        }
    })
}

/// Address of two `u32`. After an error they are the address and the length of its text.
#[unsafe(no_mangle)]
pub extern "C" fn results() -> *const u32 {
    STATE.with_borrow(|state| state.results.as_ptr())
}

/// Begins to inflate what the loader hands over: 0 for xz, 1 for bzip2. The stream before is given up.
#[unsafe(no_mangle)]
pub extern "C" fn stream_open(codec: u32, memory_kib: u32) -> i32 {
    call(|state| {
        let source = HostBytes::new();
        state.stream = Some(match codec {
            0 => Stream::xz(source, memory_kib),
            1 => Stream::bzip2(source),
            _ => return Err(Error::Misuse("an unknown codec")),
        });
        Ok(0)
    })
}

/// Inflates the next `wanted` bytes, fewer at the end of the stream only. Returns their number; the first result is where they are.
#[unsafe(no_mangle)]
pub extern "C" fn stream_next(wanted: usize) -> i32 {
    call(|state| {
        let stream = state.stream.as_mut().ok_or(Error::Misuse("no stream is open"))?;
        let missing = wanted.saturating_sub(state.output.len());
        state.output.try_reserve_exact(missing).map_err(|_| Error::Memory)?;
        state.output.resize(wanted, 0);
        let count = stream.fill(&mut state.output)?;
        state.results[0] = state.output.as_ptr() as usize as u32;
        Ok(count as u32)
    })
}

/// Room for an image of so many bytes; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn jpeg_room(bytes: usize) -> i32 {
    call(|state| {
        state.image.clear();
        state.image.try_reserve_exact(bytes).map_err(|_| Error::Memory)?;
        state.image.resize(bytes, 0);
        state.results[0] = state.image.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// [`jpeg::decode`] of the image in the room. The results are where its samples are, and how many.
#[unsafe(no_mangle)]
pub extern "C" fn jpeg_decode(
    width: usize,
    least_height: usize,
    most_height: usize,
    samples: usize,
    is_ycc: u32,
) -> i32 {
    call(|state| {
        state.output = Vec::new();
        let shape = jpeg::Shape { width, least_height, most_height, samples, is_ycc: is_ycc != 0 };
        state.output = jpeg::decode(&state.image, shape)?;
        state.results = [state.output.as_ptr() as usize as u32, state.output.len() as u32];
        Ok(0)
    })
}
