//! PackBits (TIFF 6.0, section 9).

use crate::error::{Error, Result};

/// The most bytes that so many may hold: two stand for 128.
pub fn most_bytes(stored: usize) -> usize {
    stored.saturating_mul(64)
}

/// Writes what the stream holds to `output`, and ends when it is full. Returns the number of bytes.
pub fn inflate(stream: &[u8], output: &mut [u8]) -> Result<usize> {
    let (mut rest, mut to) = (stream, 0);
    while let Some((&head, behind)) = rest.split_first() {
        let room = output.len() - to;
        if room == 0 {
            break;
        }
        rest = match head {
            0..=127 => {
                let (bytes, behind) = behind.split_at_checked(usize::from(head) + 1).ok_or(CUT)?;
                let len = bytes.len().min(room);
                output[to..to + len].copy_from_slice(&bytes[..len]);
                to += len;
                behind
            }
            128 => behind,
            129..=255 => {
                let (&byte, behind) = behind.split_first().ok_or(CUT)?;
                let len = (257 - usize::from(head)).min(room);
                output[to..to + len].fill(byte);
                to += len;
                behind
            }
        };
    }
    Ok(to)
}

const CUT: Error = Error::invalid("PackBits data that are cut off");
