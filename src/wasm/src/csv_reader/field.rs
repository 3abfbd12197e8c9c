//! The fields of one column.

use super::characters::is_blank;
use super::dialect::Dialect;
use super::records::{Records, Shape};
use super::stations::{Stations, is_empty, may_be_empty};

/// One field of each record.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    bytes: &'a [u8],
    starts: &'a [u32],
    ends: &'a [u32],
    /// Where the ends of each record are, if records have different numbers of fields.
    shapes: &'a [Shape],
    len: usize,
    width: usize,
    column: usize,
    dialect: &'a Dialect,
    /// Fields have blanks around them that are no part of them, and end where the next one begins.
    has_runs: bool,
    /// Empty fields have the values of the station above.
    stations: Option<&'a Stations>,
}

impl<'a> Fields<'a> {
    /// The fields of column `column`, which exists.
    pub fn of(bytes: &'a [u8], records: &'a Records, column: usize, dialect: &'a Dialect) -> Self {
        debug_assert!(column < records.fields());
        let has_runs = dialect.has_runs;
        let (starts, ends, width) = (records.starts(), records.ends(), records.fields());
        let (shapes, len) = (records.shapes(), starts.len());
        Fields { bytes, starts, ends, shapes, len, width, column, dialect, has_runs, stations: None }
    }

    /// The same, and where they are empty those of the station above.
    pub fn carried(self, stations: &'a Stations) -> Self {
        Fields { stations: Some(stations), ..self }
    }

    /// Whether fields may have the values of others.
    pub fn is_carried(&self) -> bool {
        self.stations.is_some()
    }

    /// The fields of record `row`, which exists, as if they were one column.
    pub fn of_record(bytes: &'a [u8], records: &'a Records, row: usize, dialect: &'a Dialect) -> Self {
        let (first, len) = records.ends_of(row);
        let ends = &records.ends()[first..first + len];
        let (starts, has_runs) = (&records.starts()[row..row + 1], dialect.has_runs);
        Fields { bytes, starts, ends, shapes: &[], len, width: 1, column: 0, dialect, has_runs, stations: None }
    }

    /// How they are written.
    pub fn dialect(&self) -> &'a Dialect {
        self.dialect
    }

    /// Number of fields.
    pub fn len(&self) -> usize {
        self.len
    }

    /// All bytes, into which [`Fields::range`] points.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where a field lies, quotes included.
    #[inline(always)]
    pub fn range(&self, row: usize) -> (usize, usize) {
        let range = self.own_range(row);
        match self.stations {
            Some(stations) if may_be_empty(&self.bytes[range.0..range.1], self.dialect.quote) => {
                self.carried_range(row, range, stations)
            }
            _ => range,
        }
    }

    #[inline(always)]
    fn own_range(&self, row: usize) -> (usize, usize) {
        let at = match self.shapes.get(row) {
            Some(shape) if self.column >= shape.count as usize => {
                // What a record lacks lies at its end.
                let end = self.ends[(shape.first + shape.count) as usize - 1] as usize;
                return (end, end);
            }
            Some(shape) => shape.first as usize + self.column,
            None => row * self.width + self.column,
        };
        let end = self.ends[at] as usize;
        // The fields of one record as a column follow each other as those of a record do.
        let is_first = self.column == 0 && (self.width > 1 || row < self.starts.len());
        let start = if is_first { self.starts[row] } else { self.ends[at - 1] + u32::from(!self.has_runs) };
        if self.has_runs { self.without_gaps(start as usize, end) } else { (start as usize, end) }
    }

    #[inline(never)]
    fn carried_range(&self, row: usize, own: (usize, usize), stations: &Stations) -> (usize, usize) {
        let raw = &self.bytes[own.0..own.1];
        // Where memory is short, a field in quotes counts as one that is not empty.
        if !is_empty(raw, self.dialect.quote, &mut Vec::new()).unwrap_or(false) {
            return own;
        }
        stations.range(row, self.column, self.ends).unwrap_or(own)
    }

    /// Where a field lies between blanks.
    fn without_gaps(&self, start: usize, end: usize) -> (usize, usize) {
        let field = &self.bytes[start..end];
        let before = field.iter().take_while(|byte| is_blank(byte)).count();
        let behind = field[before..].iter().rev().take_while(|byte| is_blank(byte)).count();
        (start + before, end - behind)
    }

    /// A field, quotes included.
    #[inline(always)]
    pub fn raw(&self, row: usize) -> &'a [u8] {
        let (start, end) = self.range(row);
        &self.bytes[start..end]
    }
}
