//! Points in geometries, against exact arithmetic on a grid.

mod support;

use core_wasm::assemble::Layout;
use core_wasm::types::Type;
use core_wasm::within::{Coordinates, Geometry, Index, Prepared, within, within_index};
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

/// A ring around a center, some of its points on top of each other, some far out.
fn star(random: &mut Random, [x, y]: [f64; 2], radius: f64, count: usize) -> Vec<[f64; 2]> {
    let mut unit = || random.below(1 << 30) as f64 / (1 << 30) as f64;
    let spikes = unit() < 0.3;
    let mut ring: Vec<[f64; 2]> = Vec::new();
    for i in 0..count {
        let angle = i as f64 / count as f64 * std::f64::consts::TAU;
        let far = radius * if spikes { unit() } else { 0.7 + 0.3 * unit() };
        match ring.last() {
            Some(&last) if unit() < 0.1 => ring.push(last),
            Some(&last) if unit() < 0.1 => ring.push([x + far * angle.cos(), last[1]]),
            _ => ring.push([x + far * angle.cos(), y + far * angle.sin()]),
        }
    }
    ring.push(ring[0]);
    ring
}

/// The numbers of polygons, lines and points, in a box around all of them.
fn numbers(polygons: &[Vec<Vec<[f64; 2]>>], lines: &[Vec<[f64; 2]>], points: &[[f64; 2]]) -> Vec<f64> {
    let line = |line: &[[f64; 2]]| [&[2.0 * line.len() as f64][..], line.as_flattened()].concat();
    let all: Vec<[f64; 2]> = polygons.iter().flatten().chain(lines).flatten().chain(points).copied().collect();
    let bound = |i: usize, f: fn(f64, f64) -> f64| all.iter().map(|point| point[i]).reduce(f).unwrap();
    let mut numbers = vec![bound(0, f64::min), bound(1, f64::min), bound(0, f64::max), bound(1, f64::max)];
    numbers.push(polygons.len() as f64);
    for rings in polygons {
        numbers.push(rings.len() as f64);
        rings.iter().for_each(|ring| numbers.extend(line(ring)));
    }
    numbers.push(lines.len() as f64);
    lines.iter().for_each(|points| numbers.extend(line(points)));
    numbers.extend(line(points));
    numbers
}

#[test]
fn an_index_answers_as_the_plain_test() {
    let mut random = Random::new(5);
    let mut inside = 0;
    for round in 0..120 {
        let count = [3, 10, 40, 300][round % 4];
        let shift = [0.0, 179.0, 1e6][random.below(3)];
        let center = |random: &mut Random| [shift + random.below(100) as f64 / 10.0, random.below(100) as f64 / 10.0];
        let polygons: Vec<Vec<Vec<[f64; 2]>>> = (0..random.below(3) + 1)
            .map(|_| {
                let center = center(&mut random);
                let holes = random.below(3);
                (0..=holes).map(|i| star(&mut random, center, if i == 0 { 5.0 } else { 1.5 }, count)).collect()
            })
            .collect();
        let lines: Vec<Vec<[f64; 2]>> =
            (0..random.below(2)).map(|_| (0..random.below(5) + 1).map(|_| center(&mut random)).collect()).collect();
        let points: Vec<[f64; 2]> = (0..random.below(3)).map(|_| center(&mut random)).collect();
        let numbers = numbers(&polygons, &lines, &points);
        let geometry = Geometry::parse(&numbers).unwrap();
        let index = Index::new(&geometry).unwrap().unwrap();
        let corners: Vec<[f64; 2]> =
            polygons.iter().flatten().chain(&lines).flatten().chain(&points).copied().collect();
        for _ in 0..600 {
            // Anywhere, at corners, on edges, and one float beside them.
            let corner = random.below(corners.len());
            let (a, b) = (corners[corner], corners[(corner + 1) % corners.len()]);
            let share = random.below(5) as f64 / 4.0;
            let mut point = match random.below(4) {
                0 => [shift + random.below(20_000) as f64 / 1e3 - 5.0, random.below(20_000) as f64 / 1e3 - 5.0],
                1 => a,
                2 => [a[0], random.below(10_000) as f64 / 1e3],
                _ => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share],
            };
            for coordinate in &mut point {
                *coordinate = [*coordinate, coordinate.next_up(), coordinate.next_down()][random.below(3)];
            }
            let expected = geometry.contains(point);
            assert_eq!(index.contains(point), expected, "{point:?} of {polygons:?} {lines:?} {points:?}");
            inside += expected as usize;
        }
        for cell in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!index.contains([cell, 5.0]) && !index.contains([shift, cell]));
        }
    }
    assert!(inside > 3_000, "{inside}");
}

#[test]
fn a_geometry_that_is_too_small_for_cells_has_no_index() {
    let far = 2f64.powi(40);
    let ulp = 2f64.powi(-12);
    let ring = vec![[far, far], [far + ulp, far], [far + ulp, far + ulp], [far, far]];
    for ring in [ring, vec![[1.0, 1.0], [1.0, 2.0], [1.0, 1.0]], vec![[0.0, 0.0], [f64::INFINITY, 0.0], [1.0, 1.0]]] {
        let numbers = numbers(&[vec![ring]], &[], &[]);
        assert!(Index::new(&Geometry::parse(&numbers).unwrap()).unwrap().is_none());
    }
    let numbers = numbers(&[], &[], &[[1.0, 1.0], [2.0, 2.0]]);
    assert!(Index::new(&Geometry::parse(&numbers).unwrap()).unwrap().is_none());
}

#[test]
fn rectangles_are_their_bounds() {
    let corners = [[1.0, 1.0], [1.0, 3.0], [4.0, 3.0], [4.0, 1.0]];
    let turns = (0..4).flat_map(|from| [false, true].map(|is_back| (from, is_back)));
    let column = |values: &[f64]| {
        let valid = pack(&vec![true; values.len()]);
        assemble(Layout::Fixed { width: 8 }, values.len(), 0, &[Some(&valid), Some(&le(values))], vec![]).unwrap()
    };
    let places: Vec<f64> = (0..12).map(|i| i as f64 / 2.0).collect();
    let x = column(&places.iter().flat_map(|_| places.clone()).collect::<Vec<_>>());
    let y = column(&places.iter().flat_map(|&y| vec![y; 12]).collect::<Vec<_>>());
    let ty = Type::Float { bits: 64 };
    for (from, is_back) in turns {
        let ring = (0..=4).map(|i| corners[if is_back { from + 8 - i } else { from + i } % 4]).collect();
        let numbers = numbers(&[vec![ring]], &[], &[]);
        let geometry = Geometry::parse(&numbers).unwrap();
        assert_eq!(geometry.rectangle(), Some([1.0, 1.0, 4.0, 3.0]));
        let mask = within(Coordinates::new(&x, ty).unwrap(), Coordinates::new(&y, ty).unwrap(), &geometry).unwrap();
        for row in 0..144 {
            assert_eq!(mask.truth().get(row), geometry.contains([places[row % 12], places[row / 12]]));
        }
    }
    let bent = vec![[1.0, 1.0], [1.0, 3.0], [4.0, 3.5], [4.0, 1.0], [1.0, 1.0]];
    assert_eq!(Geometry::parse(&numbers(&[vec![bent]], &[], &[])).unwrap().rectangle(), None);
}

#[test]
fn geometries_are_prepared_once_and_few_are_kept() {
    let mut random = Random::new(6);
    let mut prepared = Prepared::new();
    let all: Vec<Vec<f64>> =
        (0..6).map(|_| numbers(&[vec![star(&mut random, [0.0, 0.0], 3.0, 20)]], &[], &[])).collect();
    let column = |values: &[f64]| {
        assemble(Layout::Fixed { width: 8 }, values.len(), 0, &[None, Some(&le(values))], vec![]).unwrap()
    };
    let (x, y) = (column(&[0.1, 9.0]), column(&[0.1, 9.0]));
    let ty = Type::Float { bits: 64 };
    for _ in 0..3 {
        for numbers in &all {
            let (geometry, bytes) = (Geometry::parse(numbers).unwrap(), le(numbers));
            assert!(prepared.index(&bytes, &geometry, 1).unwrap().is_none(), "one point");
            let index = prepared.index(&bytes, &geometry, 1000).unwrap().unwrap();
            let coordinates = |array| Coordinates::new(array, ty).unwrap();
            let mask = within_index(coordinates(&x), coordinates(&y), index).unwrap();
            assert_eq!(mask.truth().get(0), geometry.contains([0.1, 0.1]));
            assert!(prepared.index(&bytes, &geometry, 1).unwrap().is_some(), "it is there");
        }
    }
}
