//! Geometries, and whether one contains a point: edge by edge.

use super::orientation::orientation;
use crate::error::{Error, Result};

/// x (longitude), y (latitude).
pub type Point = [f64; 2];
/// Points, each joined with the next.
pub type Line<'a> = &'a [Point];

/// A geometry in the numbers that the loader sends.
pub struct Geometry<'a> {
    /// minX, minY, maxX, maxY
    pub bounds: [f64; 4],
    /// Rings, the exterior first.
    pub polygons: Vec<Vec<Line<'a>>>,
    pub lines: Vec<Line<'a>>,
    pub points: Line<'a>,
}

impl<'a> Geometry<'a> {
    /// From the box, then polygons (their number; for each the number of its rings, and the rings), lines (their number,
    /// and the lines) and one list of points. A ring, a line or the points are the number of their coordinates and those.
    pub fn parse(numbers: &'a [f64]) -> Result<Self> {
        let mut rest = numbers;
        let mut take = |count: usize| {
            let (taken, tail) = rest.split_at_checked(count).ok_or(MALFORMED)?;
            rest = tail;
            Ok(taken)
        };
        let bounds = *take(4)?.first_chunk().ok_or(MALFORMED)?;
        let mut polygons = Vec::new();
        for _ in 0..count(&mut take)? {
            let mut rings = Vec::new();
            for _ in 0..count(&mut take)? {
                rings.try_reserve(1)?;
                rings.push(line(&mut take)?);
            }
            polygons.try_reserve(1)?;
            polygons.push(rings);
        }
        let mut lines = Vec::new();
        for _ in 0..count(&mut take)? {
            lines.try_reserve(1)?;
            lines.push(line(&mut take)?);
        }
        Ok(Geometry { bounds, polygons, lines, points: line(&mut take)? })
    }

    /// Whether the interior contains a point. Comparisons with NaN are false.
    pub fn contains(&self, point: Point) -> bool {
        is_strictly_inside(&self.bounds, point)
            && (self.polygons.iter().any(|rings| polygon_contains(rings, point))
                || self.lines.iter().any(|line| line_contains(line, point))
                || self.points.contains(&point))
    }

    /// The edges of its polygons.
    pub fn edges(&self) -> usize {
        self.polygons.iter().flatten().map(|ring| ring.len().saturating_sub(1)).sum()
    }

    /// The box whose inside is the whole interior, where there is one.
    pub fn rectangle(&self) -> Option<[f64; 4]> {
        let [rings] = &self.polygons[..] else { return None };
        let [ring] = rings[..] else { return None };
        let [a, b, c, d, end] = *ring else { return None };
        let is_flat_first = a[1] == b[1] && b[0] == c[0] && c[1] == d[1] && d[0] == a[0];
        let is_upright_first = a[0] == b[0] && b[1] == c[1] && c[0] == d[0] && d[1] == a[1];
        if a != end || !(is_flat_first || is_upright_first) || !self.lines.is_empty() || !self.points.is_empty() {
            return None;
        }
        let [min_x, min_y, max_x, max_y] = self.bounds;
        let least = |i: usize, bound: f64| a[i].min(c[i]).max(bound);
        let greatest = |i: usize, bound: f64| a[i].max(c[i]).min(bound);
        Some([least(0, min_x), least(1, min_y), greatest(0, max_x), greatest(1, max_y)])
    }
}

/// Whether a point lies inside of a box, and not on its sides.
pub fn is_strictly_inside([min_x, min_y, max_x, max_y]: &[f64; 4], [x, y]: Point) -> bool {
    *min_x < x && x < *max_x && *min_y < y && y < *max_y
}

const MALFORMED: Error = Error::Misuse("malformed geometry");

fn count<'a>(take: &mut impl FnMut(usize) -> Result<&'a [f64]>) -> Result<usize> {
    Ok(take(1)?[0] as usize)
}

fn line<'a>(take: &mut impl FnMut(usize) -> Result<&'a [f64]>) -> Result<Line<'a>> {
    let coordinates = count(take)?;
    Ok(take(coordinates)?.as_chunks().0)
}

fn polygon_contains(rings: &[Line], point: Point) -> bool {
    let Some((exterior, holes)) = rings.split_first() else {
        return false;
    };
    position(exterior, point) == Position::Inside && holes.iter().all(|hole| position(hole, point) == Position::Outside)
}

/// Where a point lies to a ring.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Inside,
    Outside,
    Boundary,
}

/// By winding number.
fn position(ring: Line, point: Point) -> Position {
    of_edges(ring.windows(2).map(|edge| (edge[0], edge[1])), point)
}

/// The same, of any edges of a ring that include all those whose y range meets the point's: only these count.
#[inline(always)]
pub fn of_edges(edges: impl Iterator<Item = (Point, Point)>, point: Point) -> Position {
    let [x, y] = point;
    let mut winding = 0i64;
    for (a, b) in edges {
        if y < a[1].min(b[1]) || a[1].max(b[1]) < y {
            continue;
        }
        if a[1] == b[1] {
            if a[0].min(b[0]) <= x && x <= a[0].max(b[0]) {
                return Position::Boundary;
            }
            continue;
        }
        let side = orientation(a, b, point);
        if side == 0.0 {
            return Position::Boundary;
        }
        if a[1] <= y && y < b[1] && side > 0.0 {
            winding += 1;
        } else if b[1] <= y && y < a[1] && side < 0.0 {
            winding -= 1;
        }
    }
    if winding == 0 { Position::Outside } else { Position::Inside }
}

/// On the line, but not one of its two ends unless they are one.
pub fn line_contains(line: Line, point: Point) -> bool {
    let (Some(first), Some(last)) = (line.first(), line.last()) else {
        return false;
    };
    if point == *first || point == *last {
        return first == last;
    }
    line.windows(2).any(|edge| {
        let between = |i: usize| edge[0][i].min(edge[1][i]) <= point[i] && point[i] <= edge[0][i].max(edge[1][i]);
        between(0) && between(1) && orientation(edge[0], edge[1], point) == 0.0
    })
}
