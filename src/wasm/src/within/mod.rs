//! Points in a planar geometry: interior only (docs/reference/json-language.md). Whatever the magnitude of the coordinates, a point on an
//! edge is found to be on it.

mod coordinates;
mod geometry;
mod grid;
mod index;
mod orientation;
mod prepared;

pub use coordinates::Coordinates;
pub use geometry::Geometry;
pub use index::Index;
pub use prepared::Prepared;

use crate::bitmap::{Bitmap, low_bits, word_count};
use crate::error::{Error, Result};
use crate::mask::Mask;
use crate::vectors::with_room;
use geometry::{Point, is_strictly_inside};

/// True where both coordinates are known and the geometry contains the point, else false.
pub fn within(x: Coordinates, y: Coordinates, geometry: &Geometry) -> Result<Mask> {
    match geometry.rectangle() {
        Some(bounds) => points_in(x, y, bounds, |_| true),
        None => points_in(x, y, geometry.bounds, |point| geometry.contains(point)),
    }
}

/// The same, by an index of the geometry.
pub fn within_index(x: Coordinates, y: Coordinates, index: &Index) -> Result<Mask> {
    points_in(x, y, index.bounds(), |point| index.contains(point))
}

/// True where a point lies strictly inside of the bounds and `contains` says so.
fn points_in(x: Coordinates, y: Coordinates, bounds: [f64; 4], contains: impl Fn(Point) -> bool) -> Result<Mask> {
    if x.rows() != y.rows() {
        return Err(Error::Misuse("columns of different lengths"));
    }
    let mut words = with_room(word_count(x.rows()))?;
    let (mut xs, mut ys) = ([f64::NAN; 64], [f64::NAN; 64]);
    for word in 0..word_count(x.rows()) {
        let count = (x.rows() - word * 64).min(64);
        x.load(word * 64, &mut xs[..count]);
        y.load(word * 64, &mut ys[..count]);
        let mut inside = low_bits(count) & x.valid(word) & y.valid(word);
        inside &= crate::bitmap::bits(64, |i| is_strictly_inside(&bounds, [xs[i], ys[i]]));
        let mut left = inside;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            if !contains([xs[i], ys[i]]) {
                inside &= !(1 << i);
            }
        }
        words.push(inside);
    }
    Ok(Mask::new(Bitmap::from_words(words, x.rows()), None))
}
