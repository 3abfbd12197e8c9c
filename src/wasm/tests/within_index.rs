//! Geometries prepared for many points, against the plain test.

mod support;

use core_wasm::assemble::Layout;
use core_wasm::types::Type;
use core_wasm::within::{Coordinates, Geometry, Index, Prepared, within, within_index};
use support::{Random, assemble, le, pack};

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
            // It pays for many points, whether they come at once or not.
            let made = (0..10).position(|_| prepared.index(&bytes, &geometry, 1000).unwrap().is_some());
            assert!(made.is_some_and(|calls| calls > 0));
            let index = prepared.index(&bytes, &geometry, 1).unwrap().unwrap();
            let coordinates = |array| Coordinates::new(array, ty).unwrap();
            let mask = within_index(coordinates(&x), coordinates(&y), index).unwrap();
            assert_eq!(mask.truth().get(0), geometry.contains([0.1, 0.1]));
        }
    }
}
