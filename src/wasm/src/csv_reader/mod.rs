//! Reading CSV (RFC 4180): a stretch of a file, its records, and their columns as Arrow arrays.

mod characters;
mod column;
mod comment;
mod dialect;
mod digits;
mod encoding;
mod field;
mod float;
mod format;
mod infer;
pub mod instant;
mod nulls;
pub mod number;
mod records;
mod separators;
mod stations;

use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::error::{Error, Result};
use crate::scratch::Scratch;
use crate::types::Type;
pub use dialect::Dialect;
use field::Fields;
pub use infer::Seen;
pub use records::Progress;
use records::Records;
use stations::Stations;

/// Bytes of a file and the records in them.
pub struct Text {
    dialect: Dialect,
    bytes: Scratch,
    records: Records,
    /// Some records are left out, so that those that follow cannot be found any more.
    is_thinned: bool,
    stations: Option<Stations>,
    seen: Vec<Seen>,
    names: Option<Array>,
}

/// What a text that is of no use any more may hold for the next one, twice: bytes, and where fields end.
const SPARE_BYTES: usize = 8 << 20;

/// A column, or the field that has no value of its type: its first byte and its end.
pub enum Column {
    Values(Array),
    Misfit { start: usize, end: usize },
}

impl Text {
    /// No bytes yet. `fields` is what every record has; 0: what the first one has. `spare` is a text that is of no use any
    /// more, whose memory this one takes over.
    pub fn new(dialect: Dialect, fields: usize, spare: Option<Text>) -> Self {
        let (mut bytes, ends) = spare.map(|spare| (spare.bytes, spare.records.into_ends())).unwrap_or_default();
        bytes.clear(SPARE_BYTES);
        let ends = if size_of_val(&ends[..]) <= SPARE_BYTES { ends } else { Vec::new() };
        let records = Records::new(&dialect, fields, ends);
        Text { dialect, bytes, records, is_thinned: false, stations: None, seen: Vec::new(), names: None }
    }

    /// Room for the next bytes.
    pub fn room(&mut self, count: usize) -> Result<&mut [u8]> {
        self.bytes.space(count)?;
        self.bytes.commit(count);
        let len = self.bytes.len();
        Ok(&mut self.bytes.written_mut()[len - count..])
    }

    /// The records.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Begins after the first line end, of which it is guessed whether it lies between quotes; false: nothing fits.
    pub fn guess(&mut self, is_last: bool) -> Result<bool> {
        let begin = records::guess(self.bytes.written(), &self.dialect, self.records.fields(), is_last)?;
        self.records.skip_to(begin.unwrap_or(0));
        Ok(begin.is_some())
    }

    /// [`Records::find`] in the bytes so far.
    pub fn find(&mut self, limit: usize, most: usize, is_last: bool) -> Result<Progress> {
        if self.is_thinned || self.stations.is_some() {
            return Err(Error::Misuse("records are found before some are left out, and before their stations"));
        }
        self.records.find(self.bytes.written(), limit, most, is_last)
    }

    /// Leaves out the records found whose bit is not set.
    pub fn keep(&mut self, kept: &Bitmap) -> Result<()> {
        if kept.len() != self.records.starts().len() {
            return Err(Error::Misuse("a mask of another length than there are records"));
        }
        self.is_thinned = true;
        if let Some(stations) = &mut self.stations {
            // Stations that are left out have values for others.
            self.records.hold_ends()?;
            stations.keep(kept);
        }
        self.records.keep(kept);
        Ok(())
    }

    /// A column of the records found.
    pub fn column(&self, column: usize, ty: Type) -> Result<Column> {
        self.parsed(self.fields(column)?, ty)
    }

    /// Finds the stations among the records found, which have text in one of the columns `keys`.
    pub fn find_stations(&mut self, keys: &[usize]) -> Result<&Stations> {
        if self.is_thinned || keys.iter().any(|key| *key >= self.records.fields()) {
            return Err(Error::Misuse("stations are found by columns that there are, before records are left out"));
        }
        let stations = Stations::of(self.bytes.written(), &self.records, keys, &self.dialect)?;
        Ok(self.stations.insert(stations))
    }

    /// Sets the station before all records, by its record. False: these bytes have none.
    pub fn lead(&mut self, record: &[u8]) -> Result<bool> {
        let Some(stations) = &mut self.stations else { return Err(Error::Misuse("a station before there are any")) };
        let base = self.bytes.len();
        self.bytes.extend(record)?;
        if u32::try_from(self.bytes.len()).is_err() {
            return Err(Error::TooLong);
        }
        stations.lead(self.bytes.written(), base, self.records.fields(), &self.dialect)
    }

    /// A column of the records found; where it is empty, it has what the station above the record has.
    pub fn carried(&self, column: usize, ty: Type) -> Result<Column> {
        let Some(stations) = &self.stations else { return Err(Error::Misuse("the stations are not found")) };
        self.parsed(self.fields(column)?.carried(stations), ty)
    }

    fn parsed(&self, fields: Fields, ty: Type) -> Result<Column> {
        Ok(match column::parse(fields, ty)? {
            Ok(array) => Column::Values(array),
            Err(row) => {
                let (start, end) = fields.range(row);
                Column::Misfit { start, end }
            }
        })
    }

    /// The fields of a record as text: offsets and bytes. None: there is no such record, or one field is not UTF-8.
    pub fn names(&mut self, row: usize) -> Result<Option<(&[i32], &[u8])>> {
        if row >= self.records.starts().len() {
            return Ok(None);
        }
        let fields = Fields::of_record(self.bytes.written(), &self.records, row, &self.dialect);
        self.names = column::parse(fields, Type::Utf8)?.ok();
        Ok(match self.names.as_ref().map(|array| &array.data) {
            Some(Data::Bytes { offsets, values }) => Some((offsets.numbers(), values.bytes())),
            _ => None,
        })
    }

    /// What the fields of each column look like.
    pub fn sample(&mut self) -> Result<&[Seen]> {
        let columns = self.records.fields();
        self.seen.clear();
        self.seen.try_reserve_exact(columns)?;
        for column in 0..columns {
            self.seen.push(Seen::of(Fields::of(self.bytes.written(), &self.records, column, &self.dialect))?);
        }
        Ok(&self.seen)
    }

    fn fields(&self, column: usize) -> Result<Fields<'_>> {
        if column < self.records.fields() {
            Ok(Fields::of(self.bytes.written(), &self.records, column, &self.dialect))
        } else {
            Err(Error::Misuse("a column that a record does not have"))
        }
    }
}
