//! Copying the rows of runs, buffer by buffer. The same loops fill an IPC message and a new array.

use crate::array::{Array, Data, Offset};
use crate::bitmap::{BitWriter, Bitmap};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::rows::{Run, fixed_item_runs, item_runs, total};

/// Bytes past the end of a destination that may be overwritten: short runs are copied as two vectors.
pub const SLACK: usize = 32;

/// Copies `len` bytes. With `SLACK` bytes to spare on both sides a short copy is two vector moves: a call of `memory.copy`
/// costs ten times as much, and scattered rows are nearly all short.
#[inline(always)]
fn copy(source: &[u8], from: usize, out: &mut [u8], to: usize, len: usize) {
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

/// The values of `runs`, `width` bytes each, to the front of `out`, which has [`SLACK`] bytes more.
pub fn fixed(source: &[u8], width: usize, runs: &[Run], out: &mut [u8]) {
    let mut to = 0;
    for run in runs {
        let len = run.len * width;
        copy(source, run.start * width, out, to, len);
        to += len;
    }
}

/// Offsets of the rows of `runs`, beginning at 0, to the front of `out`; returns where the last row ends.
pub fn offsets<O: Offset>(source: &[O], runs: &[Run], out: &mut [u8]) -> Result<usize> {
    O::shift(&[O::at(0)?], 0, out);
    let (mut to, mut end) = (O::WIDTH, 0usize);
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

/// The bytes that the offsets of `runs` span, to the front of `out`, which has [`SLACK`] bytes more.
pub fn bytes(offsets: &[i32], source: &[u8], runs: &[Run], out: &mut [u8]) {
    let mut to = 0;
    for run in runs {
        let start = offsets[run.start].position();
        let len = offsets[run.end()].position() - start;
        copy(source, start, out, to, len);
        to += len;
    }
}

/// The bits of `runs`, `rows` in all.
pub fn bits(source: &Bitmap, runs: &[Run], rows: usize) -> Result<BitWriter> {
    let mut writer = BitWriter::with_capacity(rows)?;
    for run in runs {
        writer.push_range(source, run.start, run.len);
    }
    Ok(writer)
}

impl Array {
    /// A new array of the rows of `runs`, which may repeat rows and go back.
    pub fn take(&self, runs: &[Run]) -> Result<Array> {
        let len = total(runs)?;
        let validity = match &self.validity {
            None => None,
            Some(validity) => {
                let writer = bits(validity, runs, len)?;
                (writer.set() < len).then(|| writer.finish())
            }
        };
        let data = match &self.data {
            Data::Null => Data::Null,
            Data::Bool(values) => Data::Bool(bits(values, runs, len)?.finish()),
            Data::Fixed { width, values } => {
                let mut out = with_slack(len.checked_mul(*width).ok_or(Error::Memory)?)?;
                fixed(values.bytes(), *width, runs, out.bytes_mut());
                out.truncate(len * width);
                Data::Fixed { width: *width, values: out }
            }
            Data::Bytes { offsets: source, values } => {
                let (new, end) = take_offsets::<i32>(source, runs, len)?;
                let mut out = with_slack(end)?;
                bytes(source.numbers(), values.bytes(), runs, out.bytes_mut());
                out.truncate(end);
                Data::Bytes { offsets: new, values: out }
            }
            Data::List { offsets, items } => Data::List {
                offsets: take_offsets::<i32>(offsets, runs, len)?.0,
                items: Box::new(items.take(&item_runs::<i32>(offsets.numbers(), runs)?)?),
            },
            Data::LargeList { offsets, items } => Data::LargeList {
                offsets: take_offsets::<i64>(offsets, runs, len)?.0,
                items: Box::new(items.take(&item_runs::<i64>(offsets.numbers(), runs)?)?),
            },
            Data::FixedList { size, items } => {
                len.checked_mul(*size).ok_or(Error::Memory)?;
                Data::FixedList { size: *size, items: Box::new(items.take(&fixed_item_runs(*size, runs)?)?) }
            }
            Data::Struct(fields) => {
                let mut taken = Vec::new();
                taken.try_reserve_exact(fields.len())?;
                for field in fields {
                    taken.push(field.take(runs)?);
                }
                Data::Struct(taken)
            }
        };
        Ok(Array { len, validity, data })
    }
}

impl Array {
    /// `len` nulls, laid out as this array.
    pub fn nulls(&self, len: usize) -> Result<Array> {
        let zeroed = |count: usize, width: usize| Buffer::zeroed(count.checked_mul(width).ok_or(Error::Memory)?);
        let data = match &self.data {
            Data::Null => Data::Null,
            Data::Bool(_) => Data::Bool(Bitmap::filled(len, false)?),
            Data::Fixed { width, .. } => Data::Fixed { width: *width, values: zeroed(len, *width)? },
            Data::Bytes { .. } => Data::Bytes { offsets: zeroed(len + 1, 4)?, values: Buffer::empty() },
            Data::List { items, .. } => Data::List { offsets: zeroed(len + 1, 4)?, items: Box::new(items.take(&[])?) },
            Data::LargeList { items, .. } => {
                Data::LargeList { offsets: zeroed(len + 1, 8)?, items: Box::new(items.take(&[])?) }
            }
            Data::FixedList { size, items } => {
                let items = items.nulls(len.checked_mul(*size).ok_or(Error::Memory)?)?;
                Data::FixedList { size: *size, items: Box::new(items) }
            }
            Data::Struct(fields) => {
                let mut nulls = Vec::new();
                nulls.try_reserve_exact(fields.len())?;
                for field in fields {
                    nulls.push(field.nulls(len)?);
                }
                Data::Struct(nulls)
            }
        };
        Ok(Array { len, validity: Some(Bitmap::filled(len, false)?), data })
    }
}

fn with_slack(len: usize) -> Result<Buffer> {
    Buffer::zeroed(len.checked_add(SLACK).ok_or(Error::Memory)?)
}

fn take_offsets<O: Offset>(source: &Buffer, runs: &[Run], rows: usize) -> Result<(Buffer, usize)> {
    let mut out = Buffer::zeroed((rows + 1).checked_mul(O::WIDTH).ok_or(Error::Memory)?)?;
    let end = offsets::<O>(source.numbers(), runs, out.bytes_mut())?;
    Ok((out, end))
}
