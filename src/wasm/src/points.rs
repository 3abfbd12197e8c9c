//! Points as well-known binary, the form of geometries in GeoParquet.

use crate::array::{Array, Data, Offset};
use crate::bitmap::{Bitmap, word_count, zeroed_words};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::within::Coordinates;

/// Bytes of a point: the byte order (little endian), the kind of geometry (1), x and y.
const POINT_BYTES: usize = 21;

/// The bytes before the coordinates.
const HEAD: [u8; 5] = [1, 1, 0, 0, 0];

/// A column of points, and the box of all of them.
pub struct Points {
    /// Null where a coordinate is null or not finite.
    pub array: Array,
    /// Minima of x and y, then maxima. If there are no points, the minima are greater.
    pub bounds: [f64; 4],
}

/// The points of two columns with equally many rows.
pub fn points(x: Coordinates, y: Coordinates) -> Result<Points> {
    let rows = x.rows();
    if y.rows() != rows {
        return Err(Error::Misuse("columns of different lengths"));
    }
    let mut offsets = Buffer::zeroed(rows.checked_add(1).and_then(|count| count.checked_mul(4)).ok_or(Error::Memory)?)?;
    let mut values = Buffer::zeroed(rows.checked_mul(POINT_BYTES).ok_or(Error::Memory)?)?;
    let mut known = zeroed_words(word_count(rows))?;
    let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let mut end = 0;
    let (mut xs, mut ys) = ([0.0; 64], [0.0; 64]);
    for (word, known) in known.iter_mut().enumerate() {
        let from = word * 64;
        let count = (rows - from).min(64);
        x.load(from, &mut xs[..count]);
        y.load(from, &mut ys[..count]);
        let valid = x.valid(word) & y.valid(word);
        for (bit, (&x, &y)) in xs[..count].iter().zip(&ys[..count]).enumerate() {
            if valid >> bit & 1 == 1 && x.is_finite() && y.is_finite() {
                *known |= 1 << bit;
                let point = &mut values.bytes_mut()[end..end + POINT_BYTES];
                point[..5].copy_from_slice(&HEAD);
                point[5..13].copy_from_slice(&x.to_le_bytes());
                point[13..].copy_from_slice(&y.to_le_bytes());
                end += POINT_BYTES;
                bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
            }
            offsets.numbers_mut::<i32>()[from + bit + 1] = i32::at(end)?;
        }
    }
    values.truncate(end);
    let validity = Some(Bitmap::from_words(known, rows)).filter(|bits| bits.count() < rows);
    Ok(Points { array: Array { len: rows, validity, data: Data::Bytes { offsets, values } }, bounds })
}
