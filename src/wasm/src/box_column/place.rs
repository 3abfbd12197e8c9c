//! Where elements go.

use super::elements::Source;
use crate::buffer::Number;
use crate::error::{Error, Result};
use crate::vectors::filled;

/// A dimension: its elements, and how many elements of the source and cells of the target lie between neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub count: usize,
    pub from: usize,
    pub to: usize,
}

/// Elements that are read together, and rows that are written together, where the two orders differ. A tile of 8-byte elements
/// takes 8 KiB, and each row of it fills two lines of the cache.
const RUN: usize = 64;
const ROWS: usize = 16;

/// Copies the elements that `steps` say to `out`, from cell `at` on.
pub fn place<W: Number + Default>(source: &impl Source<W>, steps: Vec<Step>, out: &mut [W], at: usize) -> Result<()> {
    let last = |stride: fn(&Step) -> usize, first: usize| {
        steps
            .iter()
            .try_fold(first, |last, step| last.checked_add((step.count.checked_sub(1)?).checked_mul(stride(step))?))
    };
    if last(|step| step.from, 0).is_none_or(|last| last >= source.count()) {
        return Err(Error::invalid("fewer elements than the shape of a chunk says"));
    }
    if last(|step| step.to, at).is_none_or(|last| last >= out.len()) {
        return Err(Error::Misuse("elements outside of their box"));
    }
    let mut steps = merged(steps);
    let reading = take_least(&mut steps, |step| step.from);
    // The dimension that is dense in the target, unless it is the one that is dense in the source.
    let writing = match steps.iter().map(|step| step.to).min() {
        Some(least) if least < reading.to => take_least(&mut steps, |step| step.to),
        _ => ONE,
    };
    let mut position = filled(steps.len(), 0)?;
    let (mut from, mut to) = (0, at);
    loop {
        tile(source, reading, writing, from, out, to);
        // The next position of the other dimensions, the last one first.
        let mut dimension = steps.len();
        loop {
            if dimension == 0 {
                return Ok(());
            }
            dimension -= 1;
            let step = steps[dimension];
            position[dimension] += 1;
            from += step.from;
            to += step.to;
            if position[dimension] < step.count {
                break;
            }
            position[dimension] = 0;
            from -= step.count * step.from;
            to -= step.count * step.to;
        }
    }
}

/// One element.
const ONE: Step = Step { count: 1, from: 0, to: 0 };

/// Without dimensions of one element, and with neighbours that are dense in each other as one.
fn merged(steps: Vec<Step>) -> Vec<Step> {
    let mut merged = steps;
    merged.retain(|step| step.count > 1);
    merged.dedup_by(|inner, outer| {
        let is_dense = outer.from == inner.from * inner.count && outer.to == inner.to * inner.count;
        if is_dense {
            *outer = Step { count: outer.count * inner.count, ..*inner };
        }
        is_dense
    });
    merged
}

fn take_least(steps: &mut Vec<Step>, stride: fn(&Step) -> usize) -> Step {
    match (0..steps.len()).rev().min_by_key(|&at| stride(&steps[at])) {
        Some(at) => steps.remove(at),
        None => ONE,
    }
}

/// The elements of two dimensions, of which `reading` is the denser one in the source and `writing` in the target.
fn tile<W: Number + Default>(
    source: &impl Source<W>,
    reading: Step,
    writing: Step,
    from: usize,
    out: &mut [W],
    to: usize,
) {
    if writing.count == 1 {
        return run(source, reading, from, out, to);
    }
    let mut tile = [[W::default(); RUN]; ROWS];
    for row in (0..writing.count).step_by(ROWS) {
        let rows = ROWS.min(writing.count - row);
        for first in (0..reading.count).step_by(RUN) {
            let count = RUN.min(reading.count - first);
            for (i, line) in tile[..rows].iter_mut().enumerate() {
                let from = from + (row + i) * writing.from + first * reading.from;
                source.read(from, reading.from, &mut line[..count]);
            }
            for column in 0..count {
                let to = to + row * writing.to + (first + column) * reading.to;
                if writing.to == 1 {
                    for (out, line) in out[to..to + rows].iter_mut().zip(&tile) {
                        *out = line[column];
                    }
                } else {
                    for (i, line) in tile[..rows].iter().enumerate() {
                        out[to + i * writing.to] = line[column];
                    }
                }
            }
        }
    }
}

/// The elements of one dimension.
fn run<W: Number + Default>(source: &impl Source<W>, step: Step, from: usize, out: &mut [W], to: usize) {
    if step.to == 1 || step.count == 1 {
        return source.read(from, step.from, &mut out[to..to + step.count]);
    }
    let mut line = [W::default(); RUN];
    for first in (0..step.count).step_by(RUN) {
        let count = RUN.min(step.count - first);
        source.read(from + first * step.from, step.from, &mut line[..count]);
        for (i, word) in line[..count].iter().enumerate() {
            out[to + (first + i) * step.to] = *word;
        }
    }
}
