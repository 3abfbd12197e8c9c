//! Which rows of columns leave: rows of a mask, as runs, ascending unless said otherwise.

use crate::array::{Array, Data, Offset};
use crate::bitmap::{Bitmap, low_bits};
use crate::cycle::Cycle;
use crate::error::Result;
use crate::run::{Run, total};
use crate::types::Physical;
use crate::vectors::{collected, with_room};

/// Rows of one batch, and where the next batch begins.
#[derive(Debug, PartialEq, Eq)]
pub struct Selection {
    pub runs: Vec<Run>,
    pub rows: usize,
    pub next: usize,
}

/// The first `max_rows` rows at or after `from` that are set in `mask` (none: all). `next` is the row after the last one
/// taken, or `rows` when there are no more.
pub fn select(mask: Option<&Bitmap>, rows: usize, from: usize, max_rows: usize) -> Result<Selection> {
    let mut selection = Selection { runs: Vec::new(), rows: 0, next: rows };
    let from = from.min(rows);
    let Some(mask) = mask else {
        selection.runs.try_reserve(1)?;
        selection.push(from, rows, max_rows);
        return Ok(selection);
    };
    let mut open = None;
    for index in from / 64..mask.words().len() {
        let first = index * 64;
        let word = mask.words()[index] & !low_bits(from.saturating_sub(first));
        let before = word << 1 | u64::from(open.is_some());
        let (mut starts, mut ends) = (word & !before, before & !word);
        selection.runs.try_reserve(ends.count_ones() as usize)?;
        while ends != 0 {
            let start = open.take().unwrap_or_else(|| first + take_lowest(&mut starts));
            if selection.push(start, first + take_lowest(&mut ends), max_rows) {
                return Ok(selection);
            }
        }
        if starts != 0 {
            open = Some(first + take_lowest(&mut starts));
        }
    }
    if let Some(start) = open {
        selection.runs.try_reserve(1)?;
        selection.push(start, rows, max_rows);
    }
    Ok(selection)
}

/// The place of the lowest set bit, which is cleared.
fn take_lowest(bits: &mut u64) -> usize {
    let place = bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    place
}

/// The first row at or after `from` such that `skip` set rows lie before it, and how many do.
pub fn advance(mask: Option<&Bitmap>, rows: usize, from: usize, skip: usize) -> (usize, usize) {
    let from = from.min(rows);
    let Some(mask) = mask else {
        let skipped = skip.min(rows - from);
        return (from + skipped, skipped);
    };
    let (mut row, mut left) = (from, skip);
    while left > 0 && row < rows {
        let count = (rows - row).min(64 - row % 64);
        let mut bits = mask.bits(row, count);
        let set = bits.count_ones() as usize;
        if set < left {
            left -= set;
            row += count;
            continue;
        }
        for _ in 1..left {
            bits &= bits - 1;
        }
        row += bits.trailing_zeros() as usize + 1;
        left = 0;
    }
    (row, skip - left)
}

/// A column on its way out.
#[derive(Clone, Copy)]
pub struct Outgoing<'a> {
    pub array: &'a Array,
    /// The type of its indices, where a dictionary leaves as one.
    pub index: Option<Physical>,
}

impl Selection {
    /// Appends the rows from `start` up to `end`, as far as there are not `max_rows`; whether there are then.
    fn push(&mut self, start: usize, end: usize, max_rows: usize) -> bool {
        let len = (end - start).min(max_rows - self.rows);
        if len > 0 {
            self.runs.push(Run { start, len });
            self.rows += len;
        }
        let is_full = self.rows == max_rows;
        if is_full {
            self.next = start + len;
        }
        is_full
    }

    /// Drops rows at the end until the columns' buffers take at most `max_bytes`, but not the first row.
    pub fn limit_bytes(&mut self, columns: &[Outgoing], max_bytes: usize) {
        let (Some(first), Some(last)) = (self.runs.first().copied(), self.runs.last().copied()) else {
            return;
        };
        let fixed: u64 = columns.iter().map(|column| overhead(column.array)).sum();
        let mut left = (max_bytes as u64).saturating_sub(fixed) * 8;
        let size = |from, to| columns.iter().map(|column| outgoing_bits(column, from, to)).sum::<u64>();
        if size(first.start, last.end()) <= left {
            return;
        }
        self.rows = 0;
        for i in 0..self.runs.len() {
            let run = self.runs[i];
            let bits = size(run.start, run.end());
            if bits <= left {
                left -= bits;
                self.rows += run.len;
                continue;
            }
            let (mut fits, mut exceeds) = (0, run.len);
            while exceeds - fits > 1 {
                let middle = fits + (exceeds - fits) / 2;
                if size(run.start, run.start + middle) <= left { fits = middle } else { exceeds = middle }
            }
            if i == 0 {
                fits = fits.max(1);
            }
            self.runs[i].len = fits;
            self.rows += fits;
            self.next = run.start + fits;
            self.runs.truncate(if fits > 0 { i + 1 } else { i });
            return;
        }
    }
}

fn outgoing_bits(column: &Outgoing, from: usize, to: usize) -> u64 {
    match (&column.array.data, column.index) {
        (Data::Dictionary { .. } | Data::Repeat { .. }, Some(index)) => {
            (to - from) as u64 * (1 + index.width() as u64 * 8)
        }
        _ => bits(column.array, from, to),
    }
}

/// Bits that rows `from..to` take in the buffers of an IPC message.
fn bits(array: &Array, from: usize, to: usize) -> u64 {
    let rows = (to - from) as u64;
    let validity = if array.validity.is_some() { rows } else { 0 };
    validity
        + match &array.data {
            Data::Null => 0,
            Data::Bool(_) => rows,
            Data::Fixed { width, .. } => rows * *width as u64 * 8,
            Data::Bytes { offsets, .. } => {
                let offsets: &[i32] = offsets.numbers();
                rows * 32 + (offsets[to] as u64 - offsets[from] as u64) * 8
            }
            Data::List { offsets, items } => {
                let offsets: &[i32] = offsets.numbers();
                rows * 32 + bits(items, offsets[from].position(), offsets[to].position())
            }
            Data::LargeList { offsets, items } => {
                let offsets: &[i64] = offsets.numbers();
                rows * 64 + bits(items, offsets[from].position(), offsets[to].position())
            }
            Data::FixedList { size, items } => bits(items, from * size, to * size),
            Data::Struct(fields) => fields.iter().map(|field| bits(field, from, to)).sum(),
            Data::Repeat { values, known, each, start } => {
                let cycle = Cycle { each: *each, start: *start, count: values.len };
                let validity = if known.is_some() { rows } else { 0 };
                validity
                    + match values.lookup() {
                        Some(lookup) => rows * 32 + cycle.sum(from, to, |value| lookup.len_of(&[value as u32]) * 8),
                        None => rows * bits(values, 0, values.len.min(1)),
                    }
            }
            Data::Dictionary { indices, values } => match values.lookup() {
                Some(lookup) => rows * 32 + lookup.len_of(&indices.numbers()[from..to]) * 8,
                None => rows * bits(values, 0, values.len.min(1)),
            },
        }
}

/// Bytes that the buffers of an array take besides [`bits`]: a last partial byte or padding to 8, and the offset more
/// than there are rows. Values that are looked up leave as plain ones, with one validity.
fn overhead(array: &Array) -> u64 {
    const VALIDITY: u64 = 8;
    match &array.data {
        Data::Null => VALIDITY,
        Data::Bool(_) | Data::Fixed { .. } => VALIDITY + 8,
        Data::Bytes { .. } => VALIDITY + 24,
        Data::List { items, .. } | Data::LargeList { items, .. } => VALIDITY + 16 + overhead(items),
        Data::FixedList { items, .. } => VALIDITY + overhead(items),
        Data::Struct(fields) => VALIDITY + fields.iter().map(overhead).sum::<u64>(),
        Data::Dictionary { values, .. } | Data::Repeat { values, .. } => overhead(values),
    }
}

/// The items of the lists in `runs`, as runs.
pub fn item_runs<O: Offset>(offsets: &[O], runs: &[Run]) -> Result<Vec<Run>> {
    let items: Vec<Run> = collected(
        runs.len(),
        runs.iter().filter_map(|run| {
            let (start, end) = (offsets[run.start].position(), offsets[run.end()].position());
            (end > start).then_some(Run { start, len: end - start })
        }),
    )?;
    Ok(items)
}

/// The items of the lists of `size` items each in `runs`, as runs.
pub fn fixed_item_runs(size: usize, runs: &[Run]) -> Result<Vec<Run>> {
    let items = collected(runs.len(), runs.iter().map(|run| Run { start: run.start * size, len: run.len * size }))?;
    Ok(items)
}

/// The values that the indices of the rows in `runs` name, as runs of one.
pub fn value_runs(indices: &[u32], runs: &[Run]) -> Result<Vec<Run>> {
    let mut values = with_room(total(runs)?)?;
    for run in runs {
        values.extend(indices[run.start..run.end()].iter().map(|&index| Run { start: index as usize, len: 1 }));
    }
    Ok(values)
}
