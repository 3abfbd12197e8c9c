//! A box cut into cells.

use super::geometry::Point;

/// Columns and rows of cells over a box. A place and its cell are in the same order in both directions, so that the points
/// of a cell are those of a rectangle.
pub struct Grid {
    min: Point,
    max: Point,
    /// Cells per unit.
    scale: Point,
    pub columns: usize,
    pub rows: usize,
}

/// What a cell's side must be at least, relative to the coordinates: thousands of roundings.
const LEAST_SIDE: f64 = 9.094_947_017_729_282e-13; // 2^-40

/// What a place may be off by, in cells: more than rounding can bring about, given [`LEAST_SIDE`].
pub const MARGIN: f64 = 1.0 / 16.0;

impl Grid {
    /// None where cells would be so small that rounding could move a place to another one.
    pub fn new(min: Point, max: Point, columns: usize, rows: usize) -> Option<Self> {
        let scale = |i: usize, cells: usize| {
            let side = (max[i] - min[i]) / cells as f64;
            let magnitude = min[i].abs().max(max[i].abs());
            (side.is_finite() && side > magnitude * LEAST_SIDE && (1.0 / side).is_finite()).then_some(1.0 / side)
        };
        Some(Grid { min, max, scale: [scale(0, columns)?, scale(1, rows)?], columns, rows })
    }

    /// Whether a point lies in the box or on its sides.
    pub fn holds(&self, [x, y]: Point) -> bool {
        self.min[0] <= x && x <= self.max[0] && self.min[1] <= y && y <= self.max[1]
    }

    /// The column of an x; the nearest one of what lies outside.
    #[inline(always)]
    pub fn column(&self, x: f64) -> usize {
        // A conversion keeps within the bounds of the type.
        (((x - self.min[0]) * self.scale[0]) as u32 as usize).min(self.columns - 1)
    }

    /// The row of a y.
    #[inline(always)]
    pub fn row(&self, y: f64) -> usize {
        (((y - self.min[1]) * self.scale[1]) as u32 as usize).min(self.rows - 1)
    }

    /// The middle of a cell.
    pub fn middle(&self, column: usize, row: usize) -> Point {
        [self.min[0] + (column as f64 + 0.5) / self.scale[0], self.min[1] + (row as f64 + 0.5) / self.scale[1]]
    }

    /// The columns that an edge may meet in a row which it meets.
    pub fn columns_of(&self, a: Point, b: Point, row: usize) -> (usize, usize) {
        let y = |row: f64| self.min[1] + row / self.scale[1];
        let (low, high) = (y(row as f64 - MARGIN), y(row as f64 + 1.0 + MARGIN));
        let (bottom, top) = if a[1] <= b[1] { (a, b) } else { (b, a) };
        // What lies outside of the box belongs to the outermost rows.
        let from = if row > 0 && low > bottom[1] { along(bottom, top, low) } else { bottom[0] };
        let to = if row + 1 < self.rows && high < top[1] { along(bottom, top, high) } else { top[0] };
        let margin = MARGIN / self.scale[0];
        (self.column(from.min(to) - margin), self.column(from.max(to) + margin))
    }
}

/// The x of an edge at a y between its ends.
fn along(a: Point, b: Point, y: f64) -> f64 {
    let share = ((y - a[1]) / (b[1] - a[1])).clamp(0.0, 1.0);
    a[0] + (b[0] - a[0]) * share
}
