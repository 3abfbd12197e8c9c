//! What an inspection tells of a small file: its rows, and the sizes and the bounds of its columns.
//!
//! `parquet.ts` and `statistics.ts` tell the same of any file. This does it for files of one layout, without an object for each column, and
//! leaves files that are laid out in another way, or are not what they say, to them.

use super::footer::{ChunkMetadata, Footer, Layout};
use super::thrift::{Input, wire};
use crate::bounds::{DOUBLE, ENTRY_BYTES, Entry, UNSIGNED};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::vectors::copied;

/// A flat column.
#[derive(Clone, Copy, Debug)]
pub struct SummaryColumn {
    /// Parquet's number of its physical type.
    pub physical: u32,
    pub is_optional: bool,
    pub width: Width,
    /// None: its bounds are not told.
    pub bounds: Option<Bounds>,
}

/// Bits of a value in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    Bits(u32),
    Text,
}

/// How bounds are stored, and what they become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    /// Days, as milliseconds.
    Days,
}

/// Of files of one layout.
pub struct Summaries {
    schema: Vec<u8>,
    hint: Option<Vec<u8>>,
    geometries: Option<Vec<u8>>,
    columns: Vec<SummaryColumn>,
    /// The footer that is read next.
    footer: Buffer,
    len: usize,
    told: Vec<u8>,
}

/// Behind the pages of a file there are at least the footer's length and the magic number.
const TRAILER: usize = 8;
const MAGIC: usize = 4;

/// The estimated bytes of a text of unknown length, as in `chunks.ts`.
const TYPICAL_TEXT_BYTES: f64 = 16.0;

impl Summaries {
    /// Of files that are laid out as that of a footer. `Ok(None)`: it has another form, or another number of columns.
    pub fn new(footer: &[u8], columns: Vec<SummaryColumn>) -> Result<Option<Self>> {
        let Some(Footer { layout: Layout { schema, hint }, geometries, chunk_count, .. }) = Footer::read(footer) else {
            return Ok(None);
        };
        if chunk_count != columns.len() {
            return Ok(None);
        }
        Ok(Some(Summaries {
            schema: copied(schema)?,
            hint: hint.map(copied).transpose()?,
            geometries: geometries.map(copied).transpose()?,
            columns,
            footer: Buffer::empty(),
            len: 0,
            told: Vec::new(),
        }))
    }

    /// Room for a footer.
    pub fn room(&mut self, bytes: usize) -> Result<&mut [u8]> {
        if self.footer.len() < bytes {
            self.footer = Buffer::empty();
            self.footer = Buffer::zeroed(bytes)?;
        }
        self.len = bytes;
        Ok(&mut self.footer.bytes_mut()[..bytes])
    }

    /// What the footer in the room says, of a file of so many bytes: the rows, for each column the bytes when decoded and those in the file, all as
    /// binary64, and then entries of `bounds.rs`. `None`: the file is laid out in another way, or is not what it says.
    pub fn read(&mut self, file_bytes: usize) -> Result<Option<&[u8]>> {
        let Some(footer) = Footer::read(&self.footer.bytes()[..self.len]) else { return Ok(None) };
        let layout = Layout { schema: &self.schema, hint: self.hint.as_deref() };
        let is_same = footer.layout == layout && footer.geometries == self.geometries.as_deref();
        let count = self.columns.len();
        if !is_same || footer.chunk_count != count {
            return Ok(None);
        }
        let numbers = (1 + 2 * count) * size_of::<f64>();
        self.told.clear();
        self.told.try_reserve(numbers + count * ENTRY_BYTES)?;
        self.told.resize(numbers, 0);
        put(&mut self.told, 0, footer.rows as f64);
        for (index, (column, chunk)) in self.columns.iter().zip(footer.chunks()).enumerate() {
            let Some(chunk) = chunk.filter(|chunk| fits(chunk, column, footer.rows, file_bytes)) else {
                return Ok(None);
            };
            let Some(statistics) = Statistics::read(chunk.statistics) else { return Ok(None) };
            put(&mut self.told, 1 + index, decoded_bytes(&chunk, column, &statistics));
            put(&mut self.told, 1 + count + index, chunk.len as f64);
            let entry =
                column.bounds.filter(|_| footer.rows > 0).and_then(|kind| entry(index, kind, &chunk, &statistics));
            if let Some(entry) = entry {
                self.told.extend_from_slice(&entry);
            }
        }
        Ok(Some(&self.told))
    }
}

fn put(told: &mut [u8], index: usize, number: f64) {
    told[index * 8..index * 8 + 8].copy_from_slice(&number.to_le_bytes());
}

/// Whether a chunk is one of the column, and lies in the file.
fn fits(chunk: &ChunkMetadata, column: &SummaryColumn, rows: usize, file_bytes: usize) -> bool {
    let end = chunk.start.checked_add(chunk.len).and_then(|end| end.checked_add(TRAILER));
    let is_inside = chunk.start >= MAGIC && chunk.len > 0 && end.is_some_and(|end| end <= file_bytes);
    chunk.physical == column.physical && chunk.values == rows && (rows == 0 || is_inside)
}

/// An estimate of what the values take as an array.
fn decoded_bytes(chunk: &ChunkMetadata, column: &SummaryColumn, statistics: &Statistics) -> f64 {
    let values = chunk.values as f64;
    let validity = if column.is_optional { values / 8.0 } else { 0.0 };
    let value_bytes = match (column.width, chunk.text_bytes) {
        (Width::Bits(bits), _) => values * f64::from(bits) / 8.0,
        (Width::Text, Some(bytes)) => bytes as f64 + 4.0 * values,
        (Width::Text, None) => {
            let bounds = [statistics.min_value, statistics.max_value];
            let lengths = bounds.iter().flatten().map(|bound| bound.len() as f64);
            let length = match lengths.clone().count() {
                0 => TYPICAL_TEXT_BYTES,
                count => lengths.sum::<f64>() / count as f64,
            };
            f64::max(chunk.inflated as f64, values * (length + 4.0))
        }
    };
    (validity + value_bytes).ceil()
}

/// Bounds as they are stored. The older pair was compared as signed bytes.
#[derive(Default)]
struct Statistics<'a> {
    older_max: Option<&'a [u8]>,
    older_min: Option<&'a [u8]>,
    max_value: Option<&'a [u8]>,
    min_value: Option<&'a [u8]>,
    nulls: Option<i64>,
    is_max_inexact: bool,
    is_min_inexact: bool,
}

impl<'a> Statistics<'a> {
    /// `None`: they are damaged.
    fn read(encoded: Option<&'a [u8]>) -> Option<Self> {
        let mut read = Statistics::default();
        let Some(encoded) = encoded else { return Some(read) };
        Input::new(encoded).fields(|input, id, wire| {
            match (id, wire) {
                (1, wire::BINARY) => read.older_max = Some(input.binary()?),
                (2, wire::BINARY) => read.older_min = Some(input.binary()?),
                (3, wire::I64) => read.nulls = Some(input.integer()?),
                (5, wire::BINARY) => read.max_value = Some(input.binary()?),
                (6, wire::BINARY) => read.min_value = Some(input.binary()?),
                (7, wire::FALSE) => read.is_max_inexact = true,
                (8, wire::FALSE) => read.is_min_inexact = true,
                _ => return Some(false),
            }
            Some(true)
        })?;
        Some(read)
    }
}

/// The entry of a column. `None`: no bound can be relied on. Bounds do not count NaN, and the sign of a zero may be lost.
fn entry(field: usize, kind: Bounds, chunk: &ChunkMetadata, statistics: &Statistics) -> Option<[u8; ENTRY_BYTES]> {
    let is_signed = !matches!(kind, Bounds::U32 | Bounds::U64);
    let stored = |newer: Option<&[u8]>, older: Option<&[u8]>| -> Option<Bound> {
        kind.bound(newer.or(if is_signed { older } else { None })?)
    };
    let least = stored(statistics.min_value, statistics.older_min)?.below();
    let greatest = stored(statistics.max_value, statistics.older_max).map(Bound::above);
    // The writer had another order, so neither bound can be relied on.
    if greatest.is_some_and(|greatest| least.is_above(greatest)) {
        return None;
    }
    let is_float = matches!(kind, Bounds::F32 | Bounds::F64);
    let nulls = statistics.nulls.and_then(|nulls| usize::try_from(nulls).ok()).filter(|&nulls| nulls <= chunk.values);
    Some(
        Entry {
            field: field as u32,
            values: chunk.values as f64,
            nulls: nulls.map_or(f64::NAN, |nulls| nulls as f64),
            bounds: greatest.map(|greatest| [least.bytes(), greatest.bytes()]),
            kind: if is_float { DOUBLE } else { greatest.map_or(0, |greatest| greatest.unsigned()) },
            is_min_exact: !is_float && !statistics.is_min_inexact,
            is_max_exact: !is_float && !statistics.is_max_inexact,
        }
        .bytes(),
    )
}

#[derive(Clone, Copy)]
enum Bound {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

impl Bounds {
    /// A bound in PLAIN encoding. `None`: it is of another length, or NaN.
    fn bound(self, bytes: &[u8]) -> Option<Bound> {
        let four = || <[u8; 4]>::try_from(bytes).ok();
        let eight = || <[u8; 8]>::try_from(bytes).ok();
        Some(match self {
            Bounds::I32 => Bound::Signed(i32::from_le_bytes(four()?).into()),
            Bounds::U32 => Bound::Unsigned(u32::from_le_bytes(four()?).into()),
            Bounds::I64 => Bound::Signed(i64::from_le_bytes(eight()?)),
            Bounds::U64 => Bound::Unsigned(u64::from_le_bytes(eight()?)),
            Bounds::Days => Bound::Signed(i64::from(i32::from_le_bytes(four()?)) * 86_400_000),
            Bounds::F32 => Bound::float(f32::from_le_bytes(four()?).into())?,
            Bounds::F64 => Bound::float(f64::from_le_bytes(eight()?))?,
        })
    }
}

impl Bound {
    fn float(value: f64) -> Option<Self> {
        (!value.is_nan()).then_some(Bound::Float(value))
    }

    fn below(self) -> Self {
        match self {
            Bound::Float(0.0) => Bound::Float(-0.0),
            bound => bound,
        }
    }

    fn above(self) -> Self {
        match self {
            Bound::Float(0.0) => Bound::Float(0.0),
            bound => bound,
        }
    }

    fn is_above(self, other: Self) -> bool {
        match (self, other) {
            (Bound::Signed(a), Bound::Signed(b)) => a > b,
            (Bound::Unsigned(a), Bound::Unsigned(b)) => a > b,
            (Bound::Float(a), Bound::Float(b)) => a > b,
            _ => true,
        }
    }

    fn bytes(self) -> [u8; 8] {
        match self {
            Bound::Signed(value) => value.to_le_bytes(),
            Bound::Unsigned(value) => value.to_le_bytes(),
            Bound::Float(value) => value.to_le_bytes(),
        }
    }

    /// The flag of a greatest value that no signed integer holds.
    fn unsigned(self) -> u32 {
        match self {
            Bound::Unsigned(value) if i64::try_from(value).is_err() => UNSIGNED,
            _ => 0,
        }
    }
}
