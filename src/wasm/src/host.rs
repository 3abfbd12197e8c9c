//! What the module asks of its host.
#![allow(unsafe_code)]

/// Compresses with Zstandard to the front of `output`; returns the bytes written, 0 where they do not fit.
#[cfg(target_arch = "wasm32")]
pub fn zstd(input: &[u8], output: &mut [u8], level: u32) -> usize {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn zstd(input: *const u8, input_len: usize, output: *mut u8, output_len: usize, level: u32) -> usize;
    }
    // SAFETY: the host reads the first `input_len` bytes and writes at most `output_len` (`instance.ts`); both slices live
    // for the call, which comes back to nothing of the module.
    let written = unsafe { zstd(input.as_ptr(), input.len(), output.as_mut_ptr(), output.len(), level) };
    written.min(output.len())
}

/// No host outside of WebAssembly.
#[cfg(not(target_arch = "wasm32"))]
pub fn zstd(_input: &[u8], _output: &mut [u8], _level: u32) -> usize {
    0
}

/// Inflates a frame of Zstandard, which must fill `output`. Returns whether it does.
#[cfg(target_arch = "wasm32")]
pub fn unzstd(input: &[u8], output: &mut [u8]) -> bool {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn unzstd(input: *const u8, input_len: usize, output: *mut u8, output_len: usize) -> u32;
    }
    // SAFETY: the host reads the first `input_len` bytes and writes at most `output_len` (`instance.ts`); both slices live
    // for the call, which comes back to nothing of the module.
    unsafe { unzstd(input.as_ptr(), input.len(), output.as_mut_ptr(), output.len()) == 1 }
}

/// No host outside of WebAssembly.
#[cfg(not(target_arch = "wasm32"))]
pub fn unzstd(_input: &[u8], _output: &mut [u8]) -> bool {
    false
}

/// The CRC-32 of ISO 3309, which gzip has too.
#[cfg(target_arch = "wasm32")]
pub fn crc32(bytes: &[u8]) -> u32 {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn crc32(bytes: *const u8, len: usize) -> u32;
    }
    // SAFETY: the host reads `len` bytes and does nothing else.
    unsafe { crc32(bytes.as_ptr(), bytes.len()) }
}

/// No host outside of WebAssembly.
#[cfg(not(target_arch = "wasm32"))]
pub fn crc32(_bytes: &[u8]) -> u32 {
    0
}

/// Whether the query for which the module works was cancelled.
#[cfg(target_arch = "wasm32")]
pub fn is_cancelled() -> bool {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn cancelled() -> u32;
    }
    // SAFETY: the host reads a flag and does nothing else.
    unsafe { cancelled() != 0 }
}

/// No host outside of WebAssembly.
#[cfg(not(target_arch = "wasm32"))]
pub fn is_cancelled() -> bool {
    false
}
