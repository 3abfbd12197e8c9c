//! Points in a planar geometry: interior only (formats.md §8.1). Whatever the magnitude of the coordinates, a point on an
//! edge is found to be on it.

mod orientation;

use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::error::{Error, Result};
use crate::half;
use crate::mask::Mask;
use crate::types::{Physical, Type};
use orientation::orientation;

/// x (longitude), y (latitude).
type Point = [f64; 2];
type Line<'a> = &'a [Point];

/// A geometry in the numbers that the loader sends.
pub struct Geometry<'a> {
    /// minX, minY, maxX, maxY
    bounds: [f64; 4],
    /// Rings, the exterior first.
    polygons: Vec<Vec<Line<'a>>>,
    lines: Vec<Line<'a>>,
    points: Line<'a>,
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
        let [x, y] = point;
        let [min_x, min_y, max_x, max_y] = self.bounds;
        min_x < x
            && x < max_x
            && min_y < y
            && y < max_y
            && (self.polygons.iter().any(|rings| polygon_contains(rings, point))
                || self.lines.iter().any(|line| line_contains(line, point))
                || self.points.contains(&point))
    }
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

#[derive(PartialEq, Eq)]
enum Position {
    Inside,
    Outside,
    Boundary,
}

/// By winding number; only edges whose y range meets the point's count.
fn position(ring: Line, point: Point) -> Position {
    let [x, y] = point;
    let mut winding = 0i64;
    for edge in ring.windows(2) {
        let (a, b) = (edge[0], edge[1]);
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
fn line_contains(line: Line, point: Point) -> bool {
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

/// True where both coordinates are known and the geometry contains the point, else false.
pub fn within(x: Coordinates, y: Coordinates, geometry: &Geometry) -> Result<Mask> {
    if x.array.len != y.array.len {
        return Err(Error::Misuse("columns of different lengths"));
    }
    let truth = Bitmap::from_fn(x.array.len, |row| match (x.get(row), y.get(row)) {
        (Some(x), Some(y)) => geometry.contains([x, y]),
        _ => false,
    })?;
    Ok(Mask::new(truth, None))
}

/// A column of numbers, seen as 64-bit floats.
pub struct Coordinates<'a> {
    array: &'a Array,
    get: fn(&Array, usize) -> f64,
}

impl<'a> Coordinates<'a> {
    /// An integer or float column.
    pub fn new(array: &'a Array, ty: Type) -> Result<Self> {
        macro_rules! getter {
            ($type:ty) => {
                |array, row| match &array.data {
                    Data::Fixed { values, .. } => values.numbers::<$type>()[row] as f64,
                    _ => f64::NAN,
                }
            };
        }
        let physical = ty.physical().filter(|_| matches!(ty, Type::Int { .. } | Type::Float { .. }));
        let get: fn(&Array, usize) -> f64 = match (physical, &array.data) {
            (_, Data::Null) => |_, _| f64::NAN,
            (Some(physical), Data::Fixed { width, .. }) if physical.width() == *width => match physical {
                Physical::I8 => getter!(i8),
                Physical::I16 => getter!(i16),
                Physical::I32 => getter!(i32),
                Physical::U8 => getter!(u8),
                Physical::U16 => getter!(u16),
                Physical::U32 => getter!(u32),
                Physical::I64 => getter!(i64),
                Physical::U64 => getter!(u64),
                Physical::F32 => getter!(f32),
                Physical::F64 => getter!(f64),
                _ => |array, row| match &array.data {
                    Data::Fixed { values, .. } => half::to_f32(values.numbers::<u16>()[row]) as f64,
                    _ => f64::NAN,
                },
            },
            _ => return Err(Error::Unsupported("coordinates must be columns of integers or floats")),
        };
        Ok(Coordinates { array, get })
    }

    fn get(&self, row: usize) -> Option<f64> {
        self.array.is_valid(row).then(|| (self.get)(self.array, row))
    }
}
