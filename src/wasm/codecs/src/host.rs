//! Compressed bytes, which the loader hands over when they are asked for.
#![allow(unsafe_code)]

use std::io::{self, BufRead, Read};

/// How many bytes the loader is asked for at a time.
const PIECE_BYTES: usize = 64 << 10;

/// Fills the front of `target`. Returns the number of bytes, 0 at the end, and -1 where the loader has failed.
#[cfg(target_arch = "wasm32")]
fn next_bytes(target: &mut [u8]) -> i32 {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn read(target: *mut u8, len: usize) -> i32;
    }
    // SAFETY: the loader writes at most `len` bytes (`instance.ts`); the slice lives for the call, which comes back to nothing
    // of the module.
    unsafe { read(target.as_mut_ptr(), target.len()) }
}

/// No loader outside of WebAssembly.
#[cfg(not(target_arch = "wasm32"))]
fn next_bytes(_target: &mut [u8]) -> i32 {
    -1
}

/// The bytes that the loader hands over, one after the other.
pub struct HostBytes {
    piece: Box<[u8]>,
    at: usize,
    end: usize,
}

impl HostBytes {
    /// Nothing has been asked for yet.
    pub fn new() -> Self {
        HostBytes { piece: vec![0; PIECE_BYTES].into_boxed_slice(), at: 0, end: 0 }
    }
}

impl Default for HostBytes {
    fn default() -> Self {
        Self::new()
    }
}

/// The error of a read that the loader could not do.
pub fn host_error() -> io::Error {
    io::Error::from(io::ErrorKind::BrokenPipe)
}

/// Whether an error is [`host_error`].
pub fn is_host_error(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

impl BufRead for HostBytes {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.end {
            let count = usize::try_from(next_bytes(&mut self.piece)).map_err(|_| host_error())?;
            (self.at, self.end) = (0, count.min(self.piece.len()));
        }
        Ok(&self.piece[self.at..self.end])
    }

    fn consume(&mut self, count: usize) {
        self.at = self.end.min(self.at + count);
    }
}

impl Read for HostBytes {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(target.len());
        target[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}
