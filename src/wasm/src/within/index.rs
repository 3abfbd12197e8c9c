//! A geometry prepared for many points: cells that lie inside or outside as a whole, and for those that do not the edges
//! of their row, with which the test is the plain one.

use super::geometry::{Geometry, Point, Position, is_strictly_inside, line_contains, of_edges};
use super::grid::Grid;
use crate::error::Result;
use crate::vectors::{copied, filled, with_room};

/// Cells for each edge, about.
const CELLS_PER_EDGE: usize = 32;
/// Cells at least, and at most: one byte each.
const LEAST_CELLS: usize = 4096;
const MOST_CELLS: usize = 1 << 19;
/// Places of edges in rows, for each edge, at most on average; else there are fewer rows.
const ROWS_PER_EDGE: usize = 16;
const LEAST_ROWS: usize = 16;

const OUTSIDE: u8 = 0;
const INSIDE: u8 = 1;
/// An edge, a line or a point is in it.
const MIXED: u8 = 2;

/// A geometry that is asked about many points. The answers are those of [`Geometry::contains`].
pub struct Index {
    bounds: [f64; 4],
    grid: Grid,
    /// Row by row.
    cells: Vec<u8>,
    edges: Vec<Edge>,
    /// The edges of row `i`, by number, are `of_rows[starts[i]..starts[i + 1]]`; those of a ring are neighbours.
    of_rows: Vec<u32>,
    starts: Vec<u32>,
    lines: Vec<Vec<Point>>,
    points: Vec<Point>,
}

#[derive(Clone, Copy)]
struct Edge {
    a: Point,
    b: Point,
    polygon: u32,
    /// In the polygon; 0: the exterior.
    ring: u32,
}

impl Index {
    /// None where a geometry is too small for its coordinates, or has no polygon.
    pub fn new(geometry: &Geometry) -> Result<Option<Self>> {
        let mut edges = with_room(geometry.edges())?;
        for (polygon, rings) in geometry.polygons.iter().enumerate() {
            for (ring, points) in rings.iter().enumerate() {
                let (polygon, ring) = (polygon as u32, ring as u32);
                edges.extend(points.windows(2).map(|edge| Edge { a: edge[0], b: edge[1], polygon, ring }));
            }
        }
        let Some(grid) = fit(&edges, geometry)? else { return Ok(None) };
        let mut index = Index {
            bounds: geometry.bounds,
            cells: filled(grid.columns * grid.rows, OUTSIDE)?,
            starts: filled(grid.rows + 1, 0)?,
            of_rows: Vec::new(),
            grid,
            edges,
            lines: Vec::new(),
            points: copied(geometry.points)?,
        };
        index.lines.try_reserve_exact(geometry.lines.len())?;
        for line in &geometry.lines {
            index.lines.push(copied(line)?);
        }
        index.sort_edges()?;
        index.mark();
        index.fill();
        Ok(Some(index))
    }

    /// Cells that so many edges have, about.
    pub fn cells(edges: usize) -> usize {
        edges.saturating_mul(CELLS_PER_EDGE).clamp(LEAST_CELLS, MOST_CELLS)
    }

    /// A point must lie strictly inside.
    pub fn bounds(&self) -> [f64; 4] {
        self.bounds
    }

    /// Whether the interior contains a point.
    pub fn contains(&self, point: Point) -> bool {
        if !is_strictly_inside(&self.bounds, point) || !self.grid.holds(point) {
            return false;
        }
        let row = self.grid.row(point[1]);
        match self.cells[row * self.grid.columns + self.grid.column(point[0])] {
            OUTSIDE => false,
            INSIDE => true,
            _ => self.in_row(row, point),
        }
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        let of_lines: usize = self.lines.iter().map(|line| line.capacity() * size_of::<Point>()).sum();
        self.cells.capacity()
            + self.edges.capacity() * size_of::<Edge>()
            + (self.of_rows.capacity() + self.starts.capacity()) * 4
            + self.points.capacity() * size_of::<Point>()
            + of_lines
    }

    /// The plain test with the edges of a row.
    fn in_row(&self, row: usize, point: Point) -> bool {
        let numbers = &self.of_rows[self.starts[row] as usize..self.starts[row + 1] as usize];
        let ring_of = |number: &u32| {
            let Edge { polygon, ring, .. } = self.edges[*number as usize];
            (polygon, ring)
        };
        // Of a ring without edges here the point is outside.
        let (mut polygon, mut is_held) = (u32::MAX, false);
        for ring in numbers.chunk_by(|a, b| ring_of(a) == ring_of(b)) {
            let (of_polygon, of_ring) = ring_of(&ring[0]);
            let edges = ring.iter().map(|&number| (self.edges[number as usize].a, self.edges[number as usize].b));
            if of_polygon != polygon {
                if is_held {
                    return true;
                }
                polygon = of_polygon;
                is_held = of_ring == 0 && of_edges(edges, point) == Position::Inside;
            } else if is_held {
                is_held = of_edges(edges, point) == Position::Outside;
            }
        }
        is_held || self.lines.iter().any(|line| line_contains(line, point)) || self.points.contains(&point)
    }

    /// Sorts the edges by the rows that they meet.
    fn sort_edges(&mut self) -> Result<()> {
        let Index { grid, edges, starts, .. } = self;
        for edge in edges.iter() {
            let (first, last) = rows_of(grid, edge);
            starts[first..=last].iter_mut().for_each(|start| *start += 1);
        }
        let mut end = 0;
        for start in starts.iter_mut() {
            (*start, end) = (end, end + *start);
        }
        self.of_rows = filled(end as usize, 0)?;
        let mut next = copied(starts)?;
        for (number, edge) in edges.iter().enumerate() {
            let (first, last) = rows_of(grid, edge);
            for next in &mut next[first..=last] {
                self.of_rows[*next as usize] = number as u32;
                *next += 1;
            }
        }
        Ok(())
    }

    /// Marks the cells that are mixed.
    fn mark(&mut self) {
        let Index { grid, cells, edges, lines, points, .. } = self;
        let on_lines = lines.iter().flat_map(|line| line.windows(2).map(|edge| (edge[0], edge[1])));
        // A line of one point is no edge.
        let ends = lines.iter().flatten().chain(points.iter()).map(|&point| (point, point));
        for (a, b) in edges.iter().map(|edge| (edge.a, edge.b)).chain(on_lines).chain(ends) {
            for row in grid.row(a[1].min(b[1]))..=grid.row(a[1].max(b[1])) {
                let (first, last) = grid.columns_of(a, b, row);
                cells[row * grid.columns + first..=row * grid.columns + last].fill(MIXED);
            }
        }
    }

    /// Finds out of the other cells which are inside. Neighbours without an edge between them are alike.
    fn fill(&mut self) {
        for row in 0..self.grid.rows {
            let mut known = None;
            for column in 0..self.grid.columns {
                let at = row * self.grid.columns + column;
                if self.cells[at] == MIXED {
                    known = None;
                    continue;
                }
                let state = *known.get_or_insert_with(|| {
                    let middle = self.grid.middle(column, row);
                    let is_there = (self.grid.column(middle[0]), self.grid.row(middle[1])) == (column, row);
                    match is_there {
                        false => MIXED,
                        true if self.in_row(row, middle) => INSIDE,
                        true => OUTSIDE,
                    }
                });
                self.cells[at] = state;
            }
        }
    }
}

/// A grid for the edges: the more of them, the more cells, but not many more rows than edges meet.
fn fit(edges: &[Edge], geometry: &Geometry) -> Result<Option<Grid>> {
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let corners = edges.iter().flat_map(|edge| [edge.a, edge.b]);
    for point in corners.chain(geometry.lines.iter().copied().flatten().copied()).chain(geometry.points.iter().copied())
    {
        if point.iter().any(|coordinate| !coordinate.is_finite()) {
            return Ok(None);
        }
        for i in 0..2 {
            (min[i], max[i]) = (min[i].min(point[i]), max[i].max(point[i]));
        }
    }
    if edges.is_empty() || u32::try_from(edges.len().saturating_mul(ROWS_PER_EDGE)).is_err() {
        return Ok(None);
    }
    let columns = Index::cells(edges.len()).isqrt();
    let mut rows = columns;
    loop {
        let Some(grid) = Grid::new(min, max, columns, rows) else { return Ok(None) };
        let met = edges.iter().map(|edge| rows_of(&grid, edge)).map(|(first, last)| last - first + 1);
        if rows <= LEAST_ROWS || met.sum::<usize>() <= edges.len() * ROWS_PER_EDGE {
            return Ok(Some(grid));
        }
        rows /= 2;
    }
}

fn rows_of(grid: &Grid, edge: &Edge) -> (usize, usize) {
    (grid.row(edge.a[1].min(edge.b[1])), grid.row(edge.a[1].max(edge.b[1])))
}
