//! Arrays as plain rows, to compare the core with the obvious; and a seeded source of odd ones.
#![allow(dead_code)] // Each test file uses its part.

pub mod grouping;
pub mod tables;

use core_wasm::array::{Array, Data};
use core_wasm::assemble::{Assembly, Layout};
use core_wasm::buffer::Buffer;
use core_wasm::types::Physical;

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Bytes(Vec<u8>),
    List(Vec<Value>),
}

/// The rows of an array, read one by one.
pub fn rows(array: &Array) -> Vec<Value> {
    (0..array.len).map(|row| cell(array, row)).collect()
}

fn cell(array: &Array, row: usize) -> Value {
    if !array.is_valid(row) {
        return Value::Null;
    }
    let items = |items: &Array, from: usize, to: usize| Value::List((from..to).map(|row| cell(items, row)).collect());
    match &array.data {
        Data::Null => Value::Null,
        Data::Bool(bits) => Value::Bool(bits.get(row)),
        Data::Fixed { width, values } => Value::Bytes(values.bytes()[row * width..(row + 1) * width].to_vec()),
        Data::Bytes { offsets, values } => {
            let offsets: &[i32] = offsets.numbers();
            Value::Bytes(values.bytes()[offsets[row] as usize..offsets[row + 1] as usize].to_vec())
        }
        Data::List { offsets, items: of } => {
            let offsets: &[i32] = offsets.numbers();
            items(of, offsets[row] as usize, offsets[row + 1] as usize)
        }
        Data::LargeList { offsets, items: of } => {
            let offsets: &[i64] = offsets.numbers();
            items(of, offsets[row] as usize, offsets[row + 1] as usize)
        }
        Data::FixedList { size, items: of } => items(of, row * size, (row + 1) * size),
        Data::Struct(fields) => Value::List(fields.iter().map(|field| cell(field, row)).collect()),
        Data::Dictionary { indices, values } => cell(values, indices.numbers::<u32>()[row] as usize),
        Data::Repeat { values, known, each, start } => {
            let place = (start + row) / each % values.len;
            if known.as_ref().is_none_or(|known| known.get(place)) { cell(values, place) } else { Value::Null }
        }
    }
}

/// A small generator (PCG): the same numbers in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        let mut word = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (((self.0 >> 18 ^ self.0) >> 27) as u32).rotate_right((self.0 >> 59) as u32) as u64
        };
        word() << 32 | word()
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    pub fn bits(&mut self, count: usize) -> Vec<bool> {
        let dense = self.below(5) + 1;
        let mut run = 0;
        let mut bit = false;
        (0..count)
            .map(|_| {
                if run == 0 {
                    bit = self.below(6) < dense;
                    run = if self.chance(8) { self.below(200) } else { 1 };
                }
                run = run.saturating_sub(1);
                bit
            })
            .collect()
    }
}

pub fn pack(bits: &[bool]) -> Vec<u8> {
    let mut bytes = vec![0; bits.len().div_ceil(8)];
    for (i, &bit) in bits.iter().enumerate() {
        bytes[i / 8] |= (bit as u8) << (i % 8);
    }
    bytes
}

/// An array from buffers, through the checks that every array goes through.
pub fn assemble(
    layout: Layout,
    len: usize,
    bit: usize,
    buffers: &[Option<&[u8]>],
    children: Vec<Array>,
) -> core_wasm::error::Result<Array> {
    let mut assembly = Assembly::new(layout, len, bit)?;
    for (index, bytes) in buffers.iter().enumerate() {
        if let Some(bytes) = bytes {
            assembly.buffer(index, bytes.len())?.copy_from_slice(bytes);
        }
    }
    for child in children {
        assembly.child(child)?;
    }
    assembly.finish()
}

pub fn le<T: core_wasm::buffer::Number>(values: &[T]) -> Vec<u8> {
    Buffer::of(values).unwrap().bytes().to_vec()
}

/// `len` rows that repeat flat values.
pub fn repeated(random: &mut Random, values: Array, len: usize) -> Array {
    let each = [1, 2, 3, 7, 100][random.below(5)];
    let start = random.below(each * values.len);
    Array::repeating(values, each, start, len).unwrap()
}

/// An array of `len` rows of any layout that is left after normalising.
pub fn random_array(random: &mut Random, len: usize, depth: usize) -> Array {
    let validity = (!random.chance(3)).then(|| pack(&random.bits(len)));
    let validity = validity.as_deref();
    let lengths = |random: &mut Random, most: usize| {
        let mut ends = vec![0usize];
        for _ in 0..len {
            let grown = ends[ends.len() - 1] + random.below(most);
            ends.push(grown);
        }
        ends
    };
    match random.below(if depth > 0 { 11 } else { 5 }) {
        0 => assemble(Layout::Null, len, 0, &[], vec![]),
        1 => {
            let bits = pack(&random.bits(len));
            assemble(Layout::Bool, len, 0, &[validity, Some(&bits)], vec![])
        }
        2 | 3 => {
            let width = [1, 2, 4, 8, 12, 16, 32, 0, 5, 40][random.below(10)];
            let values = random.bytes(len * width);
            assemble(Layout::Fixed { width }, len, 0, &[validity, Some(&values)], vec![])
        }
        4 => {
            let most = [2, 10, 40][random.below(3)];
            let ends = lengths(random, most);
            let values = random.bytes(ends[len]);
            let offsets = le(&ends.iter().map(|&end| end as i32).collect::<Vec<_>>());
            let layout = Layout::Bytes { large: false, text: false };
            assemble(layout, len, 0, &[validity, Some(&offsets), Some(&values)], vec![])
        }
        5 => {
            let ends = lengths(random, 4);
            let items = random_array(random, ends[len], depth - 1);
            let offsets = le(&ends.iter().map(|&end| end as i32).collect::<Vec<_>>());
            assemble(Layout::List { large: false }, len, 0, &[validity, Some(&offsets)], vec![items])
        }
        6 => {
            let ends = lengths(random, 4);
            let items = random_array(random, ends[len], depth - 1);
            let offsets = le(&ends.iter().map(|&end| end as i64).collect::<Vec<_>>());
            assemble(Layout::List { large: true }, len, 0, &[validity, Some(&offsets)], vec![items])
        }
        7 => {
            let size = random.below(4);
            let items = random_array(random, len * size, depth - 1);
            assemble(Layout::FixedList { size }, len, 0, &[validity], vec![items])
        }
        8 => {
            let count = random.below(10) + 1;
            let values = random_array(random, count, 0);
            let indices: Vec<u8> = (0..len).map(|_| random.below(count) as u8).collect();
            assemble(Layout::Dictionary { index: Physical::U8 }, len, 0, &[validity, Some(&indices)], vec![values])
        }
        9 => {
            let count = random.below(10) + 1;
            let values = random_array(random, count, 0);
            return repeated(random, values, len);
        }
        _ => {
            let fields = (0..random.below(3)).map(|_| random_array(random, len, depth - 1)).collect();
            assemble(Layout::Struct, len, 0, &[validity], fields)
        }
    }
    .unwrap()
}
