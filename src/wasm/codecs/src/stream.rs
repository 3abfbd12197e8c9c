//! Decoders of streams. All members of a file count: those of xz with padding between them, and those of bzip2.

use crate::error::{Error, Result};
use crate::host::is_host_error;
use bzip2::bufread::MultiBzDecoder;
use lzma_rust2::XzReader;
use std::io::{BufRead, ErrorKind, Read};

/// A stream that is being inflated.
pub enum Stream<R: BufRead> {
    /// Made by xz.
    Xz(Box<XzReader<R>>),
    /// Made by bzip2.
    Bzip2(MultiBzDecoder<R>),
}

impl<R: BufRead> Stream<R> {
    /// A stream of xz. `memory_kib` is what its dictionary may have; a file says how much it needs.
    pub fn xz(source: R, memory_kib: u32) -> Self {
        Stream::Xz(Box::new(XzReader::new_mem_limit(source, true, memory_kib)))
    }

    /// A stream of bzip2, which needs 4 MB at most.
    pub fn bzip2(source: R) -> Self {
        Stream::Bzip2(MultiBzDecoder::new(source))
    }

    /// Fills `target` with inflated bytes, unless the stream ends before. Returns their number.
    pub fn fill(&mut self, target: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < target.len() {
            let rest = &mut target[filled..];
            let count = match self {
                Stream::Xz(stream) => stream.read(rest),
                Stream::Bzip2(stream) => stream.read(rest),
            };
            match count {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(reason(&error)),
            }
        }
        Ok(filled)
    }
}

fn reason(error: &std::io::Error) -> Error {
    if is_host_error(error) {
        return Error::Host;
    }
    match error.kind() {
        ErrorKind::OutOfMemory => Error::Memory,
        ErrorKind::UnexpectedEof => Error::Damaged(String::from("the data end before the stream does")),
        ErrorKind::Unsupported => Error::Unsupported(error.to_string()),
        _ => Error::Damaged(error.to_string()),
    }
}
