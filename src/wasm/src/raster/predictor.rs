//! Undoing predictors: of the samples of a row, or of their bytes, each is stored as what it has more than the one before.

use crate::error::{Error, Result};

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
        (Predictor::Floating, 2) => floating::<2>(bytes, rows)?,
        (Predictor::Floating, 4) => floating::<4>(bytes, rows)?,
        (Predictor::Floating, 8) => floating::<8>(bytes, rows)?,
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
    if distance == 1 {
        let mut sum = 0u8;
        for byte in row {
            sum = sum.wrapping_add(*byte);
            *byte = sum;
        }
        return;
    }
    for at in distance..row.len() {
        row[at] = row[at].wrapping_add(row[at - distance]);
    }
}

fn floating<const N: usize>(bytes: &mut [u8], Rows { row_bytes, samples, .. }: Rows) -> Result<()> {
    let mut planes = Vec::new();
    planes.try_reserve_exact(row_bytes)?;
    planes.resize(row_bytes, 0);
    each_row(bytes, row_bytes, |row| {
        add_bytes(row, samples);
        planes.copy_from_slice(row);
        let (values, _) = row.as_chunks_mut::<N>();
        let count = values.len();
        let mut plane = planes.chunks_exact(count);
        let planes: [&[u8]; N] = std::array::from_fn(|_| plane.next().unwrap_or_default());
        for (at, value) in values.iter_mut().enumerate() {
            for byte in 0..N {
                value[N - 1 - byte] = planes[byte][at];
            }
        }
    });
    Ok(())
}
