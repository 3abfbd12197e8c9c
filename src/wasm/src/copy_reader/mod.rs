//! Rows as databases send them. PostgreSQL writes them by `COPY … TO STDOUT (FORMAT binary)`: each is the number of its fields, and
//! each field its length and its bytes, big endian. Those of MySQL are in `mysql`. Every number is checked before it is used: whoever
//! has sent the bytes may lie.

mod column;
mod lists;
mod mysql;
mod numeric;
mod value;

use crate::array::Array;
use crate::error::{Error, Result};
use crate::scratch::Scratch;
use crate::types::Type;
pub use value::{Fault, FieldType};

/// Whose rows they are. The discriminants are the loader's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Postgres,
    Mysql,
}

impl Form {
    /// From the loader's number.
    pub fn from_code(code: u32) -> Result<Self> {
        match code {
            0 => Ok(Form::Postgres),
            1 => Ok(Form::Mysql),
            _ => Err(Error::Misuse("rows of a form that is not read")),
        }
    }
}

/// A stretch of the bytes, and where the fields of its rows are.
pub struct CopyRows {
    form: Form,
    bytes: Scratch,
    types: Vec<FieldType>,
    /// Fields whose positions are kept, in the order of the row.
    wanted: Vec<usize>,
    /// The position of each wanted field of each row, row after row; 0: it is null.
    positions: Vec<u32>,
    rows: usize,
    next: usize,
}

/// How far rows were found.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    /// The bytes end within a row, or behind one.
    More,
    /// The end of the data was found.
    Done,
    /// A field of the next row is at fault.
    Misfit { field: usize, fault: Fault },
}

/// What stands instead of a length before a null.
const NULL: i32 = -1;
/// What stands instead of a number of fields at the end of the data.
const END: i16 = -1;

impl CopyRows {
    /// No bytes yet.
    pub fn new(form: Form, types: Vec<FieldType>, wanted: Vec<usize>) -> Result<Self> {
        let is_ascending = wanted.is_sorted_by(|a, b| a < b);
        if !is_ascending || wanted.last().is_some_and(|last| *last >= types.len()) {
            return Err(Error::Misuse("wanted fields that rows do not have"));
        }
        Ok(CopyRows { form, bytes: Scratch::new(), types, wanted, positions: Vec::new(), rows: 0, next: 0 })
    }

    /// Room for the next bytes.
    pub fn room(&mut self, count: usize) -> Result<&mut [u8]> {
        self.bytes.space(count)?;
        self.bytes.commit(count);
        let len = self.bytes.len();
        if u32::try_from(len).is_err() {
            return Err(Error::TooLong);
        }
        Ok(&mut self.bytes.written_mut()[len - count..])
    }

    /// Rows found so far.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Where the next row begins, or what follows the end of the data.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Finds the rows that lie wholly in the bytes so far.
    pub fn find(&mut self) -> Result<Progress> {
        match self.form {
            Form::Postgres => self.find_copied(),
            Form::Mysql => loop {
                if let Some(progress) = self.find_row(mysql::row)? {
                    return Ok(progress);
                }
            },
        }
    }

    fn find_copied(&mut self) -> Result<Progress> {
        loop {
            let bytes = self.bytes.written();
            let Some(count) = bytes.get(self.next..).and_then(|rest| rest.first_chunk()) else {
                return Ok(Progress::More);
            };
            let count = i16::from_be_bytes(*count);
            if count == END {
                self.next += size_of::<i16>();
                return Ok(Progress::Done);
            }
            if usize::try_from(count) != Ok(self.types.len()) {
                return Ok(Progress::Misfit { field: 0, fault: Fault::Fields });
            }
            if let Some(progress) = self.find_row(row)? {
                return Ok(progress);
            }
        }
    }

    /// Finds the next row, of which `row` adds the positions of the wanted fields; 0: null. Some: there is none.
    #[inline(always)]
    fn find_row(
        &mut self,
        row: impl Fn(&[u8], usize, &[FieldType], &[usize], &mut Vec<u32>) -> Row,
    ) -> Result<Option<Progress>> {
        self.positions.try_reserve(self.wanted.len())?;
        let kept = self.positions.len();
        match row(self.bytes.written(), self.next, &self.types, &self.wanted, &mut self.positions) {
            Row::Whole { end } => {
                self.next = end;
                self.rows += 1;
                Ok(None)
            }
            Row::Cut => {
                self.positions.truncate(kept);
                Ok(Some(Progress::More))
            }
            Row::Misfit { field, fault } => {
                self.positions.truncate(kept);
                Ok(Some(Progress::Misfit { field, fault }))
            }
        }
    }

    /// The wanted field number `slot` of the rows `from..to` as a column.
    pub fn column(&self, slot: usize, from: usize, to: usize) -> Result<Array> {
        let stride = self.wanted.len();
        let Some(&field) = self.wanted.get(slot).filter(|_| from <= to && to <= self.rows) else {
            return Err(Error::Misuse("a field or rows that were not found"));
        };
        let positions = crate::vectors::collected(
            to - from,
            self.positions[from * stride..to * stride].iter().skip(slot).step_by(stride).copied(),
        )?;
        match self.form {
            Form::Postgres => column::decode(self.bytes.written(), &positions, self.types[field]),
            Form::Mysql => mysql::decode(self.bytes.written(), &positions, self.types[field].ty, self.types[field].digits),
        }
    }
}

/// What is at the place of a row.
enum Row {
    Whole { end: usize },
    Cut,
    Misfit { field: usize, fault: Fault },
}

/// A row of PostgreSQL, whose number of fields was checked.
fn row(bytes: &[u8], start: usize, types: &[FieldType], wanted: &[usize], positions: &mut Vec<u32>) -> Row {
    let mut at = start + size_of::<i16>();
    let mut slots = wanted.iter();
    let mut next_wanted = slots.next();
    for (field, ty) in types.iter().enumerate() {
        let Some(len) = bytes.get(at..).and_then(|rest| rest.first_chunk()) else { return Row::Cut };
        let len = i32::from_be_bytes(*len);
        at += size_of::<i32>();
        let mut position = 0;
        if len != NULL {
            let Ok(len) = usize::try_from(len) else { return Row::Misfit { field, fault: Fault::Length } };
            // A length that cannot be right is told at once: more bytes would not help.
            if ty.width().is_some_and(|width| width != len) {
                return Row::Misfit { field, fault: Fault::Length };
            }
            let Some(value) = at.checked_add(len).and_then(|end| bytes.get(at..end)) else { return Row::Cut };
            if let Some(fault) = ty.fault(value) {
                return Row::Misfit { field, fault };
            }
            // Fits: `room` has checked that all bytes do.
            position = at as u32;
            at += len;
        }
        if next_wanted == Some(&field) {
            positions.push(position);
            next_wanted = slots.next();
        }
    }
    Row::Whole { end: at }
}

/// The types of fields by the loader's numbers, four for each: the kind and the parameter of [`Type::from_code`], the greatest
/// number of digits of a decimal, and 1 for lists of such values.
pub fn field_types(form: Form, words: &[u32]) -> Result<Vec<FieldType>> {
    let (fields, _) = words.as_chunks::<4>();
    crate::vectors::try_collected(fields.iter().map(|[code, parameter, digits, is_list]| {
        FieldType::new(form, Type::from_code(*code, *parameter as i32)?, *digits, *is_list != 0)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Data;

    fn words(fields: &[(u32, i32, u32, u32)]) -> Vec<u32> {
        fields.iter().flat_map(|(code, parameter, digits, list)| [*code, *parameter as u32, *digits, *list]).collect()
    }

    fn rows_of(fields: &[(u32, i32, u32, u32)], wanted: &[usize], bytes: &[u8]) -> (CopyRows, Progress) {
        let mut rows = CopyRows::new(Form::Postgres, field_types(Form::Postgres, &words(fields)).unwrap(), wanted.to_vec()).unwrap();
        rows.room(bytes.len()).unwrap().copy_from_slice(bytes);
        let progress = rows.find().unwrap();
        (rows, progress)
    }

    fn record(fields: &[Option<&[u8]>]) -> Vec<u8> {
        let mut bytes = (fields.len() as i16).to_be_bytes().to_vec();
        for field in fields {
            match field {
                None => bytes.extend((-1i32).to_be_bytes()),
                Some(value) => {
                    bytes.extend((value.len() as i32).to_be_bytes());
                    bytes.extend_from_slice(value);
                }
            }
        }
        bytes
    }

    const INT4: (u32, i32, u32, u32) = (4, 0, 0, 0);
    const TEXT: (u32, i32, u32, u32) = (17, 0, 0, 0);

    #[test]
    fn rows_are_found_wherever_the_bytes_are_cut() {
        let mut all = Vec::new();
        for i in 0..5i32 {
            all.extend(record(&[Some(&i.to_be_bytes()), (i != 3).then_some("é!".as_bytes())]));
        }
        all.extend((-1i16).to_be_bytes());
        for cut in 0..all.len() {
            let (mut rows, progress) = rows_of(&[INT4, TEXT], &[0, 1], &all[..cut]);
            assert_eq!(progress, Progress::More);
            rows.room(all.len() - cut).unwrap().copy_from_slice(&all[cut..]);
            assert_eq!(rows.find().unwrap(), Progress::Done);
            assert_eq!((rows.rows(), rows.next()), (5, all.len()));
            let (numbers, texts) = (rows.column(0, 1, 5).unwrap(), rows.column(1, 0, 5).unwrap());
            let Data::Fixed { values, .. } = &numbers.data else { panic!() };
            assert_eq!(values.numbers::<i32>(), [1, 2, 3, 4]);
            let Data::Bytes { offsets, values } = &texts.data else { panic!() };
            assert_eq!(offsets.numbers::<i32>(), [0, 3, 6, 9, 9, 12]);
            assert_eq!((values.len(), texts.null_count(), texts.is_valid(3)), (12, 1, false));
        }
    }

    #[test]
    fn numbers_that_cannot_be_right_are_faults() {
        let misfit = |bytes: &[u8]| rows_of(&[INT4, TEXT], &[], bytes).1;
        assert_eq!(misfit(&[0, 3]), Progress::Misfit { field: 0, fault: Fault::Fields });
        assert_eq!(misfit(&[0xff, 0xfe]), Progress::Misfit { field: 0, fault: Fault::Fields });
        assert_eq!(misfit(&[0, 2, 0, 0, 0, 5]), Progress::Misfit { field: 0, fault: Fault::Length });
        assert_eq!(misfit(&[0, 2, 0xff, 0xff, 0xff, 0xfe]), Progress::Misfit { field: 0, fault: Fault::Length });
        let mut long = vec![0, 2, 0xff, 0xff, 0xff, 0xff];
        long.extend(i32::MAX.to_be_bytes());
        assert_eq!(misfit(&long), Progress::More);
    }

    #[test]
    fn infinite_times_are_faults() {
        let time = (27, i32::MIN, 0, 0);
        for (value, fault) in [
            (i64::MAX, Some(Fault::Infinite)),
            (i64::MIN, Some(Fault::Infinite)),
            (i64::MAX - 1, Some(Fault::Range)),
            (0, None),
        ] {
            let (_, progress) = rows_of(&[time], &[], &record(&[Some(&value.to_be_bytes())]));
            assert_eq!(progress, fault.map_or(Progress::More, |fault| Progress::Misfit { field: 0, fault }));
        }
    }

    #[test]
    fn text_is_utf8() {
        let bytes = [record(&[Some(b"\xc3")]), record(&[Some(b"\xa9")])].concat();
        let (rows, _) = rows_of(&[TEXT], &[0], &bytes);
        assert_eq!(rows.column(0, 0, 2).err(), Some(Error::invalid_at("text that is not UTF-8 in row", 0)));
    }

    #[test]
    fn lists_have_one_dimension() {
        let list = |dimensions: i32, rest: &[i32]| {
            let mut value = dimensions.to_be_bytes().to_vec();
            value.extend([0; 4]);
            value.extend(23i32.to_be_bytes());
            rest.iter().for_each(|word| value.extend(word.to_be_bytes()));
            value
        };
        let decoded = |values: &[&[u8]]| {
            let bytes: Vec<u8> = values.iter().flat_map(|value| record(&[Some(value)])).collect();
            rows_of(&[(4, 0, 0, 1)], &[0], &bytes).0.column(0, 0, values.len())
        };
        let array = decoded(&[&list(0, &[]), &list(1, &[3, 1, 4, 7, -1, 4, 9])]).unwrap();
        let Data::List { offsets, items } = &array.data else { panic!() };
        assert_eq!(offsets.numbers::<i32>(), [0, 0, 3]);
        let Data::Fixed { values, .. } = &items.data else { panic!() };
        assert_eq!((values.numbers::<i32>()[0], items.is_valid(1), values.numbers::<i32>()[2]), (7, false, 9));
        for wrong in [
            list(2, &[1, 1, 1, 1, 4, 7]),
            list(1, &[2, 1, 4, 7]),
            list(1, &[-1, 1]),
            list(1, &[1, 1, 5, 7]),
            list(1, &[1, 1, 4, 7, 7]),
            vec![0; 5],
        ] {
            assert!(decoded(&[&wrong]).is_err(), "{wrong:?}");
        }
    }
}
