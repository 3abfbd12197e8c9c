//! Stored values as those of the array's type.

use super::kind::Read;
use crate::array::{Array, Data, Offset};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::{int96, interval};

const DAY_MILLISECONDS: i64 = 86_400_000;
/// The values of a column that is not [`Read::Same`]. Null rows of fixed width may hold anything.
pub fn convert(array: &Array, read: Read) -> Result<Data> {
    let (width, bytes) = match &array.data {
        Data::Fixed { width, values } => (*width, values.bytes()),
        _ => return convert_bytes(array, read),
    };
    match (read, width) {
        (Read::Resized { width: to }, 4) => resize::<4>(bytes, to),
        (Read::Resized { width: to }, 8) => resize::<8>(bytes, to),
        (Read::Reversed { width: to }, _) if width <= to => {
            let mut out = zeroed(array.len, to)?;
            let rows = out.bytes_mut();
            match to {
                8 => reverse_each::<8>(bytes, width, rows),
                16 => reverse_each::<16>(bytes, width, rows),
                _ => rows
                    .chunks_exact_mut(to)
                    .zip(bytes.chunks_exact(width))
                    .for_each(|(out, value)| reverse(value, out)),
            }
            Ok(Data::Fixed { width: to, values: out })
        }
        (Read::Part { from, width: to }, 12) => {
            let mut out = zeroed(array.len, to)?;
            for (out, value) in out.bytes_mut().chunks_exact_mut(to).zip(bytes.as_chunks::<12>().0) {
                out.copy_from_slice(&value[from..from + to]);
            }
            Ok(Data::Fixed { width: to, values: out })
        }
        (Read::Milliseconds, 4) => each(bytes, |days: [u8; 4]| i64::from(i32::from_le_bytes(days)) * DAY_MILLISECONDS),
        (Read::Instant { unit }, int96::WIDTH) => int96::timestamps(bytes, unit, |row| array.is_valid(row)),
        (Read::Interval, interval::WIDTH) => interval::intervals(bytes, |row| array.is_valid(row)),
        _ => Err(Error::Misuse("values of another width")),
    }
}

fn convert_bytes(array: &Array, read: Read) -> Result<Data> {
    let decoded = array.decoded()?;
    let array = decoded.as_ref().unwrap_or(array);
    let (Read::Reversed { width }, Data::Bytes { offsets, values }) = (read, &array.data) else {
        return Err(Error::Misuse("values of another kind"));
    };
    let offsets = offsets.numbers::<i32>();
    let mut out = zeroed(array.len, width)?;
    for (row, out) in out.bytes_mut().chunks_exact_mut(width).enumerate().filter(|(row, _)| array.is_valid(*row)) {
        let value = &values.bytes()[offsets[row].position()..offsets[row + 1].position()];
        if value.len() > width {
            return Err(Error::invalid_at("a decimal of too many bytes, namely", value.len()));
        }
        // Rows that nobody looks at have none.
        if !value.is_empty() {
            reverse(value, out);
        }
    }
    Ok(Data::Fixed { width, values: out })
}

fn zeroed(rows: usize, width: usize) -> Result<Buffer> {
    Buffer::zeroed(rows.checked_mul(width).ok_or(Error::Memory)?)
}

/// Each value of `WIDTH` bytes by `f`.
fn each<const WIDTH: usize, T: Number>(bytes: &[u8], f: impl Fn([u8; WIDTH]) -> T) -> Result<Data> {
    let values = bytes.as_chunks::<WIDTH>().0;
    let mut out = zeroed(values.len(), size_of::<T>())?;
    for (out, value) in out.numbers_mut().iter_mut().zip(values) {
        *out = f(*value);
    }
    Ok(Data::Fixed { width: size_of::<T>(), values: out })
}

/// Integers in `to` bytes.
fn resize<const WIDTH: usize>(bytes: &[u8], to: usize) -> Result<Data> {
    match to {
        1 => resize_to::<WIDTH, 1>(bytes),
        2 => resize_to::<WIDTH, 2>(bytes),
        4 => resize_to::<WIDTH, 4>(bytes),
        8 => resize_to::<WIDTH, 8>(bytes),
        16 => resize_to::<WIDTH, 16>(bytes),
        _ => resize_to::<WIDTH, 32>(bytes),
    }
}

fn resize_to<const WIDTH: usize, const TO: usize>(bytes: &[u8]) -> Result<Data> {
    let values = bytes.as_chunks::<WIDTH>().0;
    let mut out = zeroed(values.len(), TO)?;
    for (out, value) in out.bytes_mut().as_chunks_mut::<TO>().0.iter_mut().zip(values) {
        let mut resized = [sign(value[WIDTH - 1]); TO];
        let kept = const { if WIDTH < TO { WIDTH } else { TO } };
        resized[..kept].copy_from_slice(&value[..kept]);
        *out = resized;
    }
    Ok(Data::Fixed { width: TO, values: out })
}

/// Values of `width` bytes, at most `TO`, which is 8 or 16, by whole words while there are bytes behind them.
fn reverse_each<const TO: usize>(bytes: &[u8], width: usize, rows: &mut [u8]) {
    let word = |at: usize| bytes.get(at..).and_then(<[u8]>::first_chunk).map(|word| i64::from_be_bytes(*word));
    let shift = 8 * (8 - (width - 1) % 8 - 1);
    for (row, out) in rows.as_chunks_mut::<TO>().0.iter_mut().enumerate() {
        let at = row * width;
        let words = (word(at), if width > 8 { word(at + width - 8) } else { Some(0) });
        let (Some(first), Some(last)) = words else {
            reverse(&bytes[at..at + width], out);
            continue;
        };
        let high = first >> shift;
        let whole = if width > 8 { [last, high] } else { [high, high >> 63] };
        for (out, word) in out.as_chunks_mut::<8>().0.iter_mut().zip(whole) {
            *out = word.to_le_bytes();
        }
    }
}

/// An integer whose highest byte comes first, to as many bytes or more.
fn reverse(value: &[u8], out: &mut [u8]) {
    let (low, high) = out.split_at_mut(value.len());
    for (out, byte) in low.iter_mut().zip(value.iter().rev()) {
        *out = *byte;
    }
    high.fill(sign(value[0]));
}

/// What an integer is filled up with, by its highest byte.
fn sign(byte: u8) -> u8 {
    (byte as i8 >> 7) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_width_are_reversed_as_byte_by_byte() {
        for width in 1..=16 {
            let bytes: Vec<u8> = (0..width * 40).map(|i| (i as u8).wrapping_mul(157) ^ (i >> 3) as u8).collect();
            for to in [8, 16, 32].into_iter().filter(|&to| to >= width) {
                let values = Buffer::of(&bytes).unwrap();
                let array = Array { len: 40, validity: None, data: Data::Fixed { width, values } };
                let Data::Fixed { values, .. } = convert(&array, Read::Reversed { width: to }).unwrap() else {
                    panic!("not of fixed width");
                };
                for (value, out) in bytes.chunks(width).zip(values.bytes().chunks(to)) {
                    let mut expected = vec![sign(value[0]); to];
                    reverse(value, &mut expected);
                    assert_eq!(out, expected, "{width} to {to}");
                }
            }
        }
    }
}
