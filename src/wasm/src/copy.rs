//! Copying the rows of runs, buffer by buffer. The same loops fill an IPC message and a new array.

use crate::array::Offset;
use crate::bitmap::{BitWriter, Bitmap};
use crate::buffer::SLACK;
use crate::error::{Error, Result};
use crate::run::Run;

/// Copies `len` bytes. With `SLACK` bytes to spare on both sides a short copy is two vector moves: a call of
/// `memory.copy` costs several times as much, and scattered rows are nearly all short.
#[inline(always)]
pub fn copy(source: &[u8], from: usize, out: &mut [u8], to: usize, len: usize) {
    if len <= SLACK
        && let Some(source) = source.get(from..from + SLACK)
        && let Some(out) = out.get_mut(to..to + SLACK)
    {
        out[..16].copy_from_slice(&source[..16]);
        if len > 16 {
            out[16..].copy_from_slice(&source[16..]);
        }
    } else {
        out[to..to + len].copy_from_slice(&source[from..from + len]);
    }
}

/// The values of `runs`, `width` bytes each, to the front of `out`, which has [`SLACK`] bytes more; returns their bytes.
pub fn fixed(source: &[u8], width: usize, runs: &[Run], out: &mut [u8]) -> usize {
    let mut to = 0;
    for run in runs {
        let len = run.len * width;
        copy(source, run.start * width, out, to, len);
        to += len;
    }
    to
}

/// Where the rows of `runs` end, the first of them beginning at `end`, as offsets to the front of `out`; returns the last.
pub fn ends<O: Offset>(source: &[O], runs: &[Run], mut end: usize, out: &mut [u8]) -> Result<usize> {
    let mut to = 0;
    for run in runs {
        let start = source[run.start].position();
        let next = end.checked_add(source[run.end()].position() - start).ok_or(Error::TooLong)?;
        O::at(next)?;
        O::shift(&source[run.start + 1..=run.end()], end.wrapping_sub(start), &mut out[to..]);
        to += run.len * O::WIDTH;
        end = next;
    }
    Ok(end)
}

/// The bytes that the offsets of `runs` span, to the front of `out`, which has [`SLACK`] bytes more; returns their number.
pub fn bytes(offsets: &[i32], source: &[u8], runs: &[Run], out: &mut [u8]) -> usize {
    let mut to = 0;
    for run in runs {
        let start = offsets[run.start].position();
        let len = offsets[run.end()].position() - start;
        copy(source, start, out, to, len);
        to += len;
    }
    to
}

/// The bits of `runs`.
#[inline]
pub fn bits(source: &Bitmap, runs: &[Run], out: &mut BitWriter) {
    for run in runs {
        out.push_range(source, run.start, run.len);
    }
}
