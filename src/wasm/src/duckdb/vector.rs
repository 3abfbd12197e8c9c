//! Rows of a column, as the vectors of one data chunk take them.

use crate::array::{Array, Data, Offset};
use crate::bitmap::{Bitmap, low_bits};
use crate::error::{Error, Result};
use crate::repeated::Repeated;
use crate::run::Run;
use crate::scratch::Scratch;

/// Text of up to so many bytes lies inside its entry.
const INLINE_BYTES: usize = 12;
/// Bytes of a `duckdb_string_t` and of a `duckdb_list_entry`.
const ENTRY_BYTES: usize = 16;

/// Where rows of a column lie for a vector. Addresses are of this memory, valid until the next call.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Values of one width, `duckdb_string_t`, or `duckdb_list_entry` relative to the first item; 0: a vector of fields or
    /// items alone.
    pub values: usize,
    /// 64-bit words of validity, bit 0 the first row; 0: no row is null.
    pub validity: usize,
    /// Rows of the children that belong to the rows.
    pub child_start: usize,
    pub child_len: usize,
}

/// A child of a child …: `path` says at each level which. That of a dictionary are its values.
pub fn descend(array: &Array, path: impl Iterator<Item = u32>) -> Result<&Array> {
    let mut array = array;
    for index in path {
        array = match &array.data {
            Data::List { items, .. } | Data::LargeList { items, .. } | Data::FixedList { items, .. } if index == 0 => {
                items
            }
            Data::Struct(fields) => fields.get(index as usize).ok_or(NO_CHILD)?,
            Data::Dictionary { values, .. } | Data::Repeat { values, .. } if index == 0 => values,
            _ => return Err(NO_CHILD),
        };
    }
    Ok(array)
}

/// The bytes of text of rows, unless each row's fits into its entry.
pub fn long_text(array: &Array, start: usize, len: usize) -> Result<Option<&[u8]>> {
    check(array, start, len)?;
    let Data::Bytes { offsets, values } = &array.data else { return Ok(None) };
    let offsets = &offsets.numbers::<i32>()[start..=start + len];
    let is_long = offsets.windows(2).any(|pair| (pair[1] - pair[0]) as usize > INLINE_BYTES);
    Ok(is_long.then(|| &values.bytes()[offsets[0].position()..offsets[len].position()]))
}

impl Rows {
    /// Rows `start..start + len` of an array in DuckDB's form; `base` is where the caller has put the bytes of
    /// [`long_text`].
    pub fn of(array: &Array, start: usize, len: usize, base: u32, scratch: &mut Scratch) -> Result<Rows> {
        check(array, start, len)?;
        // Validity last: `space` may move what is written before it.
        let entries = match &array.data {
            Data::Bytes { .. } | Data::List { .. } | Data::LargeList { .. } => len * ENTRY_BYTES,
            _ => 0,
        };
        let validity = array.validity.as_ref().filter(|validity| !is_all_set(validity, start, len));
        let shifted = if start.is_multiple_of(64) { 0 } else { len.div_ceil(64) * 8 };
        let (out, words) = scratch.space(entries + shifted)?.split_at_mut(entries);
        let mut rows = Rows::default();
        match &array.data {
            Data::Fixed { width, values } => rows.values = values.bytes()[start * width..].as_ptr() as usize,
            Data::Bytes { offsets, values } => {
                strings(&offsets.numbers()[start..=start + len], values.bytes(), base, out);
            }
            Data::List { offsets, .. } => rows.lists::<i32>(&offsets.numbers()[start..=start + len], out),
            Data::LargeList { offsets, .. } => rows.lists::<i64>(&offsets.numbers()[start..=start + len], out),
            Data::FixedList { size, .. } => (rows.child_start, rows.child_len) = (start * size, len * size),
            Data::Struct(_) => (rows.child_start, rows.child_len) = (start, len),
            Data::Null | Data::Bool(_) | Data::Dictionary { .. } | Data::Repeat { .. } => {
                return Err(Error::Misuse("an array that is not in DuckDB's form"));
            }
        }
        if entries > 0 {
            rows.values = out.as_ptr() as usize;
        }
        if let Some(validity) = validity {
            rows.validity = if shifted == 0 {
                validity.words()[start / 64..].as_ptr() as usize
            } else {
                for (i, out) in words.as_chunks_mut::<8>().0.iter_mut().take(len.div_ceil(64)).enumerate() {
                    *out = validity.bits(start + 64 * i, (len - 64 * i).min(64)).to_le_bytes();
                }
                words.as_ptr() as usize
            };
        }
        Ok(rows)
    }

    fn lists<O: Offset>(&mut self, offsets: &[O], out: &mut [u8]) {
        let start = offsets[0].position();
        for (pair, out) in offsets.windows(2).zip(out.as_chunks_mut::<ENTRY_BYTES>().0) {
            let (from, to) = (pair[0].position(), pair[1].position());
            out[..8].copy_from_slice(&((from - start) as u64).to_le_bytes());
            out[8..].copy_from_slice(&((to - from) as u64).to_le_bytes());
        }
        (self.child_start, self.child_len) = (start, offsets[offsets.len() - 1].position() - start);
    }
}

/// Rows `start..start + len` of a dictionary, or of a column that repeats values, as a selection of its values, 32 bits each; a null row selects one past the
/// last value.
pub fn selection<'a>(array: &Array, start: usize, len: usize, scratch: &'a mut Scratch) -> Result<&'a [u8]> {
    check(array, start, len)?;
    if let Some(Repeated { known, cycle, .. }) = array.repeated() {
        let mut numbers = cycle.numbers(&[Run { start, len }])?;
        if let Some(known) = known {
            let nulls = numbers.numbers_mut::<u32>().iter_mut().filter(|number| !known.get(**number as usize));
            nulls.for_each(|number| *number = cycle.count as u32);
        }
        scratch.extend(&numbers.bytes()[..len * 4])?;
        return Ok(&scratch.written()[..len * 4]);
    }
    let Data::Dictionary { indices, values } = &array.data else {
        return Err(Error::Misuse("a selection of an array without a dictionary"));
    };
    let out = scratch.space(len * 4)?;
    out[..len * 4].copy_from_slice(&indices.bytes()[start * 4..(start + len) * 4]);
    if let Some(validity) = &array.validity {
        for (row, out) in out.as_chunks_mut::<4>().0.iter_mut().take(len).enumerate() {
            if !validity.get(start + row) {
                *out = (values.len as u32).to_le_bytes();
            }
        }
    }
    Ok(&out[..len * 4])
}

/// `duckdb_string_t`: the length, 32 bits; then up to 12 bytes, zeros behind them, or the first 4 bytes and a pointer,
/// which takes 8.
fn strings(offsets: &[i32], values: &[u8], base: u32, out: &mut [u8]) {
    let first = offsets[0].position();
    for (pair, out) in offsets.windows(2).zip(out.as_chunks_mut::<ENTRY_BYTES>().0) {
        let (from, to) = (pair[0].position(), pair[1].position());
        let len = to - from;
        let head = match values[from..].first_chunk::<16>() {
            Some(bytes) => u128::from_le_bytes(*bytes),
            None => values[from..].iter().rev().fold(0, |head, &byte| head << 8 | u128::from(byte)),
        };
        let tail = if len <= INLINE_BYTES {
            head & ((1 << (8 * len)) - 1)
        } else {
            let pointer = base.wrapping_add((from - first) as u32);
            head & 0xffff_ffff | u128::from(pointer) << 32
        };
        *out = (len as u128 | tail << 32).to_le_bytes();
    }
}

fn is_all_set(bits: &Bitmap, start: usize, len: usize) -> bool {
    (0..len).step_by(64).all(|i| {
        let count = (len - i).min(64);
        bits.bits(start + i, count) == low_bits(count)
    })
}

fn check(array: &Array, start: usize, len: usize) -> Result<()> {
    match start.checked_add(len) {
        Some(end) if end <= array.len => Ok(()),
        _ => Err(Error::Misuse("rows past the end of a column")),
    }
}

const NO_CHILD: Error = Error::Misuse("a column has no such child");
