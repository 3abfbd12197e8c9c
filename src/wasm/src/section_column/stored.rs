//! The elements of a stored array that a box has.

use crate::array::Array;
use crate::assemble::{Assembly, Layout};
use crate::error::{Error, Result};
use crate::run::{MAX_ROWS, Run};
use crate::types::Type;

/// What the room of a section has: the validity, the offsets of texts, the ends of runs, and values, one behind the other.
pub struct Stored {
    pub ty: Type,
    /// Elements that have values. Of run ends: the runs.
    pub elements: usize,
    /// The bit of the first byte at which the validity, and the values of booleans, begin.
    pub bit: usize,
    /// The number that the first element of the box has among those that the ends of runs count.
    pub first: usize,
    pub validity_bytes: usize,
    pub offsets_bytes: usize,
    pub run_bytes: usize,
}

/// A dimension of a section in the order of the axes of its box.
#[derive(Clone, Copy)]
pub struct Dimension {
    /// The axis of the box along which it lies.
    pub axis: usize,
    /// Elements along it.
    pub extent: usize,
    /// Elements from one to the next.
    pub stride: usize,
}

impl Stored {
    /// The elements of a box in the order of its axes, with nulls.
    pub fn cells(&self, room: &[u8], dimensions: &[Dimension]) -> Result<Array> {
        let cells = dimensions
            .iter()
            .try_fold(1usize, |cells, dimension| cells.checked_mul(dimension.extent))
            .filter(|&cells| cells <= MAX_ROWS)
            .ok_or(Error::Memory)?;
        let (validity, rest) = room.split_at_checked(self.validity_bytes).ok_or(SHORT)?;
        let (offsets, rest) = rest.split_at_checked(self.offsets_bytes).ok_or(SHORT)?;
        let (ends, values) = rest.split_at_checked(self.run_bytes).ok_or(SHORT)?;
        let array = self.array(validity, offsets, values)?;
        if cells == 0 {
            return array.take(&[]);
        }
        let is_dense = dense(dimensions);
        if self.run_bytes == 0 {
            let last = dimensions
                .iter()
                .try_fold(0usize, |last, dimension| {
                    (dimension.extent - 1).checked_mul(dimension.stride).and_then(|more| last.checked_add(more))
                })
                .ok_or(FEW)?;
            if last >= self.elements {
                return Err(FEW);
            }
            if is_dense && cells == self.elements {
                return Ok(array);
            }
            let mut runs = Runs(Vec::new());
            if is_dense {
                runs.add(0, cells)?;
            } else {
                each(dimensions, &mut |element| runs.add(element, 1))?;
            }
            return array.take(&runs.0);
        }
        let (ends, _) = ends.as_chunks::<4>();
        if ends.len() != self.elements {
            return Err(SHORT);
        }
        let end = |run: usize| i32::from_le_bytes(ends[run]) as usize;
        let mut runs = Runs(Vec::new());
        let mut run = 0;
        each(dimensions, &mut |element| {
            let element = self.first.checked_add(element).ok_or(FEW)?;
            // Elements mostly follow each other, so the run is looked for near the last one.
            let is_here = run < ends.len() && element < end(run) && (run == 0 || element >= end(run - 1));
            if !is_here {
                run = ends.partition_point(|end| (i32::from_le_bytes(*end) as usize) <= element);
            }
            if run >= ends.len() {
                return Err(FEW);
            }
            runs.add(run, 1)
        })?;
        array.take(&runs.0)
    }

    fn array(&self, validity: &[u8], offsets: &[u8], values: &[u8]) -> Result<Array> {
        let layout = layout_of(self.ty)?;
        let mut assembly = Assembly::new(layout, self.elements, self.bit)?;
        let copy = |assembly: &mut Assembly, index: usize, bytes: &[u8]| -> Result<()> {
            assembly.buffer(index, bytes.len())?.copy_from_slice(bytes);
            Ok(())
        };
        if self.validity_bytes > 0 {
            copy(&mut assembly, 0, validity)?;
        }
        match layout {
            Layout::Null => {}
            Layout::Bytes { .. } => {
                copy(&mut assembly, 1, offsets)?;
                copy(&mut assembly, 2, values)?;
            }
            _ => copy(&mut assembly, 1, values)?,
        }
        assembly.finish()
    }
}

/// No rows.
pub fn empty(ty: Type) -> Result<Array> {
    let layout = layout_of(ty)?;
    let mut assembly = Assembly::new(layout, 0, 0)?;
    if layout != Layout::Null {
        assembly.buffer(1, 0)?;
        assembly.buffer(2, 0)?;
    }
    assembly.finish()
}

fn layout_of(ty: Type) -> Result<Layout> {
    Ok(match ty {
        Type::Null => Layout::Null,
        Type::Bool => Layout::Bool,
        Type::Utf8 => Layout::Bytes { large: false, text: true },
        _ => Layout::Fixed { width: ty.physical().ok_or(Error::Misuse("sections of a nested type"))?.width() },
    })
}

/// Whether the elements follow each other without gaps, in the order of the axes.
fn dense(dimensions: &[Dimension]) -> bool {
    let mut stride = 1;
    dimensions.iter().rev().all(|dimension| {
        let is_next = dimension.extent == 1 || dimension.stride == stride;
        stride *= dimension.extent;
        is_next
    })
}

/// Calls a function with each element, the last dimension varying fastest.
fn each(dimensions: &[Dimension], add: &mut impl FnMut(usize) -> Result<()>) -> Result<()> {
    fn along(dimensions: &[Dimension], from: usize, add: &mut impl FnMut(usize) -> Result<()>) -> Result<()> {
        match dimensions {
            [] => add(from),
            [dimension, inner @ ..] => {
                (0..dimension.extent).try_for_each(|index| along(inner, from + index * dimension.stride, add))
            }
        }
    }
    along(dimensions, 0, add)
}

/// Elements, as runs of neighbours.
struct Runs(Vec<Run>);

impl Runs {
    fn add(&mut self, start: usize, len: usize) -> Result<()> {
        match self.0.last_mut() {
            Some(last) if last.end() == start => last.len += len,
            _ => {
                self.0.try_reserve(1)?;
                self.0.push(Run { start, len });
            }
        }
        Ok(())
    }
}

const SHORT: Error = Error::invalid("a buffer of an array is shorter than its elements need");
const FEW: Error = Error::invalid("an array has fewer elements than its dimensions say");
