//! Points in geometries, against exact arithmetic on a grid.

mod support;

use core_wasm::assemble::Layout;
use core_wasm::types::Type;
use core_wasm::within::{Coordinates, Geometry, Index, within};
use support::{Random, assemble, le, pack};

type Cell = (i64, i64);

/// The numbers of a geometry on a grid of `step`, moved by `shift`.
struct Grid {
    step: f64,
    shift: f64,
}

impl Grid {
    fn at(&self, (x, y): Cell) -> [f64; 2] {
        [self.shift + x as f64 * self.step, self.shift + y as f64 * self.step]
    }

    fn numbers(&self, polygons: &[Vec<Vec<Cell>>], lines: &[Vec<Cell>], points: &[Cell]) -> Vec<f64> {
        let line = |cells: &[Cell]| {
            let mut numbers = vec![2.0 * cells.len() as f64];
            numbers.extend(cells.iter().flat_map(|&cell| self.at(cell)));
            numbers
        };
        let mut numbers = vec![f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY];
        numbers.push(polygons.len() as f64);
        for rings in polygons {
            numbers.push(rings.len() as f64);
            numbers.extend(rings.iter().flat_map(|ring| line(ring)));
        }
        numbers.push(lines.len() as f64);
        numbers.extend(lines.iter().flat_map(|cells| line(cells)));
        numbers.extend(line(points));
        numbers
    }
}

fn side(a: Cell, b: Cell, p: Cell) -> i64 {
    ((b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)).signum()
}

fn on_segment(a: Cell, b: Cell, p: Cell) -> bool {
    side(a, b, p) == 0 && (a.0.min(b.0)..=a.0.max(b.0)).contains(&p.0) && (a.1.min(b.1)..=a.1.max(b.1)).contains(&p.1)
}

fn on_line(line: &[Cell], p: Cell) -> bool {
    line.windows(2).any(|edge| on_segment(edge[0], edge[1], p))
}

/// Winding number by the crossings of a ray to the right, for a point that is not on the ring.
fn winding(ring: &[Cell], p: Cell) -> i64 {
    ring.windows(2)
        .map(|edge| match (edge[0].1 <= p.1, edge[1].1 <= p.1, side(edge[0], edge[1], p)) {
            (true, false, 1) => 1,
            (false, true, -1) => -1,
            _ => 0,
        })
        .sum()
}

fn in_polygon(rings: &[Vec<Cell>], p: Cell) -> bool {
    rings.iter().all(|ring| !on_line(ring, p))
        && winding(&rings[0], p) != 0
        && rings[1..].iter().all(|hole| winding(hole, p) == 0)
}

fn line_holds(line: &[Cell], p: Cell) -> bool {
    let (first, last) = (line[0], line[line.len() - 1]);
    on_line(line, p) && (p != first && p != last || first == last)
}

fn closed(random: &mut Random) -> Vec<Cell> {
    let mut ring: Vec<Cell> = (0..random.below(6) + 3).map(|_| cell(random)).collect();
    ring.push(ring[0]);
    ring
}

fn cell(random: &mut Random) -> Cell {
    (random.below(9) as i64, random.below(9) as i64)
}

#[test]
fn the_interior_is_exact_wherever_the_grid_lies() {
    let mut random = Random::new(1);
    // Far from 0 most of the significand is the shift, which the plain determinant loses; powers of two stay exact.
    for (step, shift) in [(1.0, 0.0), (2f64.powi(-40), 0.0), (2f64.powi(-44), 179.0), (2f64.powi(300), 0.0)] {
        let grid = Grid { step, shift };
        for _ in 0..300 {
            let polygons: Vec<Vec<Vec<Cell>>> =
                (0..random.below(3)).map(|_| (0..random.below(2) + 1).map(|_| closed(&mut random)).collect()).collect();
            let lines: Vec<Vec<Cell>> =
                (0..random.below(3)).map(|_| (0..random.below(4) + 2).map(|_| cell(&mut random)).collect()).collect();
            let points: Vec<Cell> = (0..random.below(3)).map(|_| cell(&mut random)).collect();
            let numbers = grid.numbers(&polygons, &lines, &points);
            let geometry = Geometry::parse(&numbers).unwrap();
            let index = Index::new(&geometry).unwrap();
            for p in (0..81).map(|i| (i % 9, i / 9)) {
                let expected = polygons.iter().any(|rings| in_polygon(rings, p))
                    || lines.iter().any(|line| line_holds(line, p))
                    || points.contains(&p);
                assert_eq!(geometry.contains(grid.at(p)), expected, "{polygons:?} {lines:?} {points:?} {p:?}");
                if let Some(index) = &index {
                    assert_eq!(index.contains(grid.at(p)), expected, "{polygons:?} {lines:?} {points:?} {p:?}");
                }
            }
        }
    }
}

#[test]
fn a_point_next_to_an_edge_is_on_its_side_of_it() {
    // From J. R. Shewchuk's problem: the plain determinant has the wrong sign for many of these.
    let triangle = [[12.0, 12.0], [24.0, 24.0], [24.0, 12.0], [12.0, 12.0]];
    let mut numbers = vec![0.0, 0.0, 30.0, 30.0, 1.0, 1.0, 8.0];
    numbers.extend(triangle.as_flattened());
    numbers.extend([0.0, 0.0]);
    let geometry = Geometry::parse(&numbers).unwrap();
    let ulp = 2f64.powi(-49);
    for i in 0..200 {
        for j in 0..200 {
            let (x, y) = (17.0 + i as f64 * ulp, 17.0 + j as f64 * ulp);
            assert_eq!(geometry.contains([x, y]), y < x, "{i} {j}");
        }
    }
}

#[test]
fn the_box_is_strict() {
    let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0]];
    let mut numbers = vec![1.0, 1.0, 3.0, 3.0, 1.0, 1.0, 10.0];
    numbers.extend(square.as_flattened());
    numbers.extend([0.0, 4.0, 1.0, 2.0, 2.0, 3.0]);
    let geometry = Geometry::parse(&numbers).unwrap();
    assert!(geometry.contains([2.0, 2.0]));
    for point in [[1.0, 2.0], [3.0, 2.0], [2.0, 1.0], [2.0, 3.0], [f64::NAN, 2.0], [2.0, f64::NAN]] {
        assert!(!geometry.contains(point));
    }
}

#[test]
fn malformed_geometries_are_errors() {
    let whole = [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 4.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    assert!(Geometry::parse(&whole).is_ok());
    for len in 0..whole.len() {
        assert!(Geometry::parse(&whole[..len]).is_err());
    }
    assert!(Geometry::parse(&[0.0, 0.0, 0.0, 0.0, 1e18]).is_err());
    assert!(Geometry::parse(&[0.0, 0.0, 0.0, 0.0, f64::NAN, 0.0, f64::INFINITY]).is_err());
}

#[test]
fn columns_of_any_number_type_are_coordinates() {
    let numbers = [0.0, 0.0, 9.0, 9.0, 0.0, 0.0, 4.0, 1.0, 2.0, 3.0, 4.0];
    let geometry = Geometry::parse(&numbers).unwrap();
    let valid = pack(&[true, true, false, true]);
    let float = |bits| Type::Float { bits };
    let int = |bits, signed| Type::Int { bits, signed };
    for (ty, width, xs, ys) in [
        (int(8, true), 1, le(&[1i8, 3, 1, 2]), le(&[2i8, 4, 2, 2])),
        (int(16, false), 2, le(&[1u16, 3, 1, 2]), le(&[2u16, 4, 2, 2])),
        (int(32, true), 4, le(&[1i32, 3, 1, 2]), le(&[2i32, 4, 2, 2])),
        (int(64, false), 8, le(&[1u64, 3, 1, 2]), le(&[2u64, 4, 2, 2])),
        (float(16), 2, le(&[0x3c00u16, 0x4200, 0x3c00, 0x4000]), le(&[0x4000u16, 0x4400, 0x4000, 0x4000])),
        (float(32), 4, le(&[1f32, 3.0, 1.0, f32::NAN]), le(&[2f32, 4.0, 2.0, 2.0])),
        (float(64), 8, le(&[1f64, 3.0, 1.0, 2.0]), le(&[2f64, 4.0, 2.0, 2.0])),
    ] {
        let layout = Layout::Fixed { width };
        let x = assemble(layout, 4, 0, &[Some(&valid), Some(&xs)], vec![]).unwrap();
        let y = assemble(layout, 4, 0, &[None, Some(&ys)], vec![]).unwrap();
        let coordinates = |array| Coordinates::new(array, ty).unwrap();
        let mask = within(coordinates(&x), coordinates(&y), &geometry).unwrap();
        assert_eq!(mask.truth().words(), [0b0011]);
        assert!(mask.known().is_none());
        assert!(
            Coordinates::new(&x, Type::Timestamp { unit: core_wasm::types::TimeUnit::Second, offset: None }).is_err()
        );
    }
}
