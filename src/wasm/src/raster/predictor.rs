//! Undoing predictors: of the samples of a row, or of their bytes, each is stored as what it has more than the one before.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::scalar as vectors;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128 as vectors;
use crate::box_column::{Elements, Order, Source};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::vectors::filled;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predictor {
    /// Of samples as integers (2).
    Horizontal,
    /// Of bytes (3): the most significant ones of all samples of a row come first, in either byte order.
    Floating,
}

/// The rows of a tile, whose samples are little-endian then.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    pub row_bytes: usize,
    /// Samples of a pixel.
    pub samples: usize,
    pub sample_bytes: usize,
}

/// Undoes a predictor in place. Bytes behind the last whole row stay as they are.
pub fn undo(predictor: Predictor, bytes: &mut [u8], rows: Rows, is_big_endian: bool) -> Result<()> {
    let Rows { row_bytes, samples, sample_bytes } = rows;
    let pixel = samples.checked_mul(sample_bytes).filter(|&pixel| pixel > 0).ok_or(ROWS)?;
    if row_bytes == 0 || !row_bytes.is_multiple_of(pixel) {
        return Err(ROWS);
    }
    match (predictor, sample_bytes) {
        (Predictor::Horizontal, 1) => each_row(bytes, row_bytes, |row| add_bytes(row, samples)),
        (Predictor::Horizontal, 2) => {
            horizontal(bytes, rows, is_big_endian, u16_at, u16::wrapping_add, u16::to_le_bytes)
        }
        (Predictor::Horizontal, 4) => {
            horizontal(bytes, rows, is_big_endian, u32_at, u32::wrapping_add, u32::to_le_bytes)
        }
        (Predictor::Horizontal, 8) => {
            horizontal(bytes, rows, is_big_endian, u64_at, u64::wrapping_add, u64::to_le_bytes)
        }
        (Predictor::Floating, 2) => floating::<u16>(bytes, rows)?,
        (Predictor::Floating, 4) => floating::<u32>(bytes, rows)?,
        (Predictor::Floating, 8) => floating::<u64>(bytes, rows)?,
        _ => return Err(Error::Unsupported("a predictor of samples of this size")),
    }
    Ok(())
}

const ROWS: Error = Error::Misuse("rows that are no whole pixels");

fn each_row(bytes: &mut [u8], row_bytes: usize, undo: impl FnMut(&mut [u8])) {
    bytes.chunks_exact_mut(row_bytes).for_each(undo);
}

fn u16_at(bytes: [u8; 2], is_big_endian: bool) -> u16 {
    if is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
}

fn u32_at(bytes: [u8; 4], is_big_endian: bool) -> u32 {
    if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

fn u64_at(bytes: [u8; 8], is_big_endian: bool) -> u64 {
    if is_big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) }
}

#[inline(always)]
fn horizontal<T: Copy + Default, const N: usize>(
    bytes: &mut [u8],
    Rows { row_bytes, samples, .. }: Rows,
    is_big_endian: bool,
    value: impl Fn([u8; N], bool) -> T,
    add: impl Fn(T, T) -> T,
    stored: impl Fn(T) -> [u8; N],
) {
    each_row(bytes, row_bytes, |row| {
        let (values, _) = row.as_chunks_mut::<N>();
        if samples == 1 {
            let mut sum = T::default();
            for each in values {
                sum = add(sum, value(*each, is_big_endian));
                *each = stored(sum);
            }
            return;
        }
        for at in 0..values.len() {
            let before = if at < samples { T::default() } else { value(values[at - samples], false) };
            values[at] = stored(add(before, value(values[at], is_big_endian)));
        }
    });
}

/// Adds to each byte the one `distance` bytes before.
#[inline(always)]
fn add_bytes(row: &mut [u8], distance: usize) {
    match distance {
        1 => add_bytes_of::<1>(row),
        2 => add_bytes_of::<2>(row),
        3 => add_bytes_of::<3>(row),
        4 => add_bytes_of::<4>(row),
        _ => {
            for at in distance..row.len() {
                row[at] = row[at].wrapping_add(row[at - distance]);
            }
        }
    }
}

/// The same with sums that stay in registers: reading what was just written takes longer than adding.
fn add_bytes_of<const DISTANCE: usize>(row: &mut [u8]) {
    let mut sums = [0u8; DISTANCE];
    let (pixels, rest) = row.as_chunks_mut::<DISTANCE>();
    let add = |sum: &mut u8, byte: &mut u8| {
        *sum = sum.wrapping_add(*byte);
        *byte = *sum;
    };
    for pixel in pixels {
        for (sum, byte) in sums.iter_mut().zip(pixel) {
            add(sum, byte);
        }
    }
    for (sum, byte) in sums.iter_mut().zip(rest) {
        add(sum, byte);
    }
}

/// Undoes predictor 3 of values of the type `W`, which has the bytes of a sample.
fn floating<W: Number>(bytes: &mut [u8], Rows { row_bytes, samples, .. }: Rows) -> Result<()>
where
    for<'a> Elements<'a>: Source<W>,
{
    let mut sums = filled(row_bytes, 0)?;
    let mut values = Buffer::zeroed(row_bytes)?;
    for row in bytes.chunks_exact_mut(row_bytes) {
        if samples == 1 {
            vectors::running_sums(row, &mut sums);
        } else {
            sums.copy_from_slice(row);
            add_bytes(&mut sums, samples);
        }
        let width = size_of::<W>();
        // The most significant bytes come first.
        let elements = Elements::new(&sums, row_bytes / width, width, Order::Shuffled, true)?;
        elements.read(0, 1, values.numbers_mut::<W>());
        row.copy_from_slice(values.bytes());
    }
    Ok(())
}
