//! Stations: records that have values for those below them, which leave out what they have in common.

use super::characters::{trimmed, unquoted};
use super::dialect::Dialect;
use super::field::Fields;
use super::records::{Progress, Records};
use crate::bitmap::Bitmap;
use crate::error::Result;

/// For each record the station above it, from which it takes values of empty fields.
pub struct Stations {
    /// One more than the index in `lines`. 0: the record is a station itself.
    owners: Vec<u32>,
    /// Stations that have records below them. The first one lies before all records; it has no fields if it is not known.
    lines: Vec<Line>,
    /// Where the fields of that one end.
    lead_ends: Vec<u32>,
    /// Where the last station begins.
    last: Option<u32>,
}

/// A record: where it begins, the index of its first end, and how many fields it has.
#[derive(Clone, Copy)]
struct Line {
    start: u32,
    first: u32,
    count: u32,
}

/// The index of the station that lies before all records, as one of `owners`.
const LEAD: u32 = 1;

impl Stations {
    /// Of records: a station has text in one of the key columns, which exist.
    pub fn of(bytes: &[u8], records: &Records, keys: &[usize], dialect: &Dialect) -> Result<Self> {
        let rows = records.starts().len();
        let mut owners = Vec::new();
        owners.try_reserve_exact(rows)?;
        let mut stations = Stations { owners, lines: Vec::new(), lead_ends: Vec::new(), last: None };
        stations.push(Line { start: 0, first: 0, count: 0 })?;
        let columns: Vec<Fields> = keys.iter().map(|key| Fields::of(bytes, records, *key, dialect)).collect();
        let mut scratch = Vec::new();
        let mut owner = LEAD;
        // The last station, as long as no record below it is known.
        let mut above = None;
        for row in 0..rows {
            let mut is_station = false;
            for column in &columns {
                is_station = is_station || !is_empty(column.raw(row), dialect.quote, &mut scratch)?;
            }
            if is_station {
                above = Some(row);
                stations.last = Some(records.starts()[row]);
                stations.owners.push(0);
                continue;
            }
            if let Some(row) = above.take() {
                let (first, count) = records.ends_of(row);
                stations.push(Line { start: records.starts()[row], first: first as u32, count: count as u32 })?;
                owner = stations.lines.len() as u32;
            }
            stations.owners.push(owner);
        }
        Ok(stations)
    }

    fn push(&mut self, line: Line) -> Result<()> {
        self.lines.try_reserve(1)?;
        self.lines.push(line);
        Ok(())
    }

    /// Where the last station begins.
    pub fn last(&self) -> Option<usize> {
        self.last.map(|start| start as usize)
    }

    /// Whether the first record takes values of a station before all records.
    pub fn needs_lead(&self) -> bool {
        self.owners.first() == Some(&LEAD)
    }

    /// Sets the station before all records: the first record of the bytes from `base` on. False: they have none.
    pub fn lead(&mut self, bytes: &[u8], base: usize, fields: usize, dialect: &Dialect) -> Result<bool> {
        let mut records = Records::new(dialect, fields, Vec::new());
        let text = &bytes[base..];
        let progress = records.find(text, 1, 1, true)?;
        let (Progress::Done, [start]) = (progress, records.starts()) else { return Ok(false) };
        let start = base as u32 + start;
        let (first, count) = records.ends_of(0);
        self.lead_ends.clear();
        self.lead_ends.try_reserve_exact(count)?;
        self.lead_ends.extend(records.ends()[first..first + count].iter().map(|end| base as u32 + end));
        self.lines[0] = Line { start, first: 0, count: count as u32 };
        Ok(true)
    }

    /// Leaves out the records whose bit is not set.
    pub fn keep(&mut self, kept: &Bitmap) {
        let mut row = 0;
        self.owners.retain(|_| {
            row += 1;
            kept.get(row - 1)
        });
    }

    /// Where the field of the station above a record lies. None: there is none.
    pub fn range(&self, row: usize, column: usize, ends: &[u32]) -> Option<(usize, usize)> {
        let owner = self.owners[row] as usize;
        let line = self.lines.get(owner.wrapping_sub(1)).filter(|line| column < line.count as usize)?;
        let ends = if owner == LEAD as usize { &self.lead_ends } else { ends };
        let at = line.first as usize + column;
        let start = if column == 0 { line.start } else { ends[at - 1] + 1 };
        Some((start as usize, ends[at] as usize))
    }
}

/// Whether a field has nothing but blanks, with or without quotes.
#[inline(always)]
pub fn is_empty(raw: &[u8], quote: Option<u8>, scratch: &mut Vec<u8>) -> Result<bool> {
    Ok(may_be_empty(raw, quote) && (raw.is_empty() || trimmed(unquoted(raw, quote, scratch)?).is_empty()))
}

/// Whether a field may have nothing but blanks, by its first byte.
#[inline(always)]
pub fn may_be_empty(raw: &[u8], quote: Option<u8>) -> bool {
    raw.first().is_none_or(|first| *first == b' ' || Some(*first) == quote)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Data;
    use crate::csv_reader::{Column, Text};
    use crate::types::Type;

    const ROWS: &str = "\t\t1\nC1\tS1\tx\n// \"\n\t\t2\n\"\"\t \n\tS2\t\n\n\t\ty\t\t \n";

    fn text() -> Text {
        let mut text = Text::new(Dialect::read(b"\t\"\x09\x03\x02\0//\0\0").unwrap(), 3, None);
        text.room(ROWS.len()).unwrap().copy_from_slice(ROWS.as_bytes());
        assert_eq!(text.find(usize::MAX, usize::MAX, true).unwrap(), Progress::Done);
        text
    }

    fn values(column: Column) -> Vec<String> {
        let Column::Values(array) = column else { panic!("a misfit") };
        let Data::Bytes { offsets, values } = &array.data else { panic!("no text") };
        let bounds: &[i32] = offsets.numbers();
        let text = |pair: &[i32]| String::from_utf8_lossy(&values.bytes()[pair[0] as usize..pair[1] as usize]).into();
        bounds[..=array.len].windows(2).map(text).collect()
    }

    #[test]
    fn records_have_what_the_station_above_has() {
        let mut text = text();
        let stations = text.find_stations(&[0, 1]).unwrap();
        assert!(stations.needs_lead());
        assert_eq!(stations.last(), ROWS.find("\tS2"));
        assert_eq!(values(text.column(0, Type::Utf8).unwrap()), ["", "C1", "", "", "", ""]);
        assert_eq!(values(text.column(2, Type::Utf8).unwrap()), ["1", "x", "2", "", "", "y"]);
        assert_eq!(values(text.carried(0, Type::Utf8).unwrap()), ["", "C1", "C1", "C1", "", ""]);
        assert_eq!(values(text.carried(2, Type::Utf8).unwrap()), ["1", "x", "2", "x", "", "y"]);
        assert!(text.lead(b"C0\t\"S\t0\"\n").unwrap());
        assert_eq!(values(text.carried(1, Type::Utf8).unwrap()), ["S\t0", "S1", "S1", "S1", "S2", "S2"]);
        assert_eq!(values(text.carried(2, Type::Utf8).unwrap()), ["1", "x", "2", "x", "", "y"]);
        text.keep(&Bitmap::from_words(vec![0b101101], 6)).unwrap();
        assert_eq!(values(text.carried(0, Type::Utf8).unwrap()), ["C0", "C1", "C1", ""]);
        assert_eq!(values(text.carried(1, Type::Utf8).unwrap()), ["S\t0", "S1", "S1", "S2"]);
        assert_eq!(values(text.column(2, Type::Utf8).unwrap()), ["1", "2", "", "y"]);
    }

    #[test]
    fn a_record_may_not_have_text_behind_the_last_column() {
        let mut text = Text::new(Dialect::read(b"\t\"\x09\x03\0\0\0\0").unwrap(), 2, None);
        let rows = "a\n\nb\tc\t \t\n  \nd\te\t\tf\n";
        text.room(rows.len()).unwrap().copy_from_slice(rows.as_bytes());
        assert_eq!(text.find(usize::MAX, usize::MAX, true).unwrap(), Progress::WrongFields { found: 4 });
        assert_eq!((text.records().line(), text.records().starts().len()), (rows.find('d').unwrap(), 2));
    }
}
