//! Values one after the other (Parquet format, "Plain").

use super::Values;
use super::levels::extend_bits;
use crate::array::{Array, Data, Offset};
use crate::copy::copy;
use crate::error::Result;
use crate::run::Run;
use crate::scratch::Scratch;
use std::ops::Range;

/// Bytes of the length of a byte array.
pub const LENGTH_BYTES: usize = 4;

/// Bytes of values of an array, which is no dictionary.
pub fn len(array: &Array, range: Range<usize>) -> usize {
    match &array.data {
        Data::Bool(_) => range.len().div_ceil(8),
        Data::Fixed { width, .. } => range.len() * width,
        Data::Bytes { offsets, .. } => range.len() * LENGTH_BYTES + spanned(offsets.numbers(), range),
        _ => 0,
    }
}

/// Bytes of byte arrays without their lengths; 0 for other values.
pub fn text_bytes(values: &Values, range: Range<usize>) -> usize {
    match (&values.array.data, values.dictionary) {
        (Data::Bytes { offsets, .. }, _) => spanned(offsets.numbers(), range),
        (Data::Dictionary { .. }, Some(dictionary)) => dictionary.text_bytes(range),
        _ => 0,
    }
}

fn spanned(offsets: &[i32], range: Range<usize>) -> usize {
    offsets[range.end].position() - offsets[range.start].position()
}

/// Appends values of an array, which is no dictionary.
pub fn write(array: &Array, range: Range<usize>, out: &mut Scratch) -> Result<()> {
    match &array.data {
        Data::Bool(bits) => extend_bits(bits, Run { start: range.start, len: range.len() }, out),
        Data::Fixed { width, values } => out.extend(&values.bytes()[range.start * width..range.end * width]),
        Data::Bytes { offsets, values } => {
            let (offsets, bytes) = (offsets.numbers::<i32>(), values.bytes());
            let len = len(array, range.clone());
            let room = out.space(len)?;
            let mut to = 0;
            for ends in offsets[range.start..=range.end].windows(2) {
                let (start, end) = (ends[0].position(), ends[1].position());
                room[to..to + LENGTH_BYTES].copy_from_slice(&((end - start) as u32).to_le_bytes());
                copy(bytes, start, room, to + LENGTH_BYTES, end - start);
                to += LENGTH_BYTES + end - start;
            }
            out.commit(len);
            Ok(())
        }
        _ => Ok(()),
    }
}
