//! The distinct values of a column, numbered.

use super::table::{Table, bytes_key, is_same};
use super::values::Values;
use crate::array::{Array, Data, Offset};
use crate::buffer::Number;
use crate::error::Result;
use crate::flat::{Flat, Shape, value_bytes};
use crate::types::Type;

/// Numbers of values in the order in which they are met. Nulls are one value, and so are NaNs.
pub struct Numbering {
    values: Values,
    table: Table,
    seed: u64,
    null: Option<u32>,
    equality: Equality,
    /// Those of 0.0 and −0.0, where each has its own: the first met, the other.
    zeros: [Option<u32>; 2],
}

/// When two values of one width are one.
#[derive(Clone, Copy)]
enum Equality {
    /// Where their bytes are.
    Bytes,
    /// Of floats: where their words are once NaN is brought to one form; if `zeros`, −0.0 and 0.0 to one as well.
    Floats { bits: u8, zeros: bool },
}

impl Equality {
    /// The word that equal values share.
    #[inline(always)]
    fn key(self, word: u64) -> u64 {
        let Equality::Floats { bits, zeros } = self else {
            return word;
        };
        let (sign, infinity) = match bits {
            16 => (1 << 15, 0x7c00),
            32 => (1 << 31, 0x7f80_0000),
            _ => (1 << 63, 0x7ff0_0000_0000_0000),
        };
        let magnitude = word & !sign;
        if magnitude > infinity {
            infinity + 1
        } else if magnitude == 0 && zeros {
            0
        } else {
            word
        }
    }
}

/// One column of a call, with what has been found out about its dictionary.
pub struct Source<'a> {
    flat: Flat<'a>,
    /// The number of each value of the dictionary plus one; 0: not looked up yet. Empty: each row is looked up.
    known: Vec<u32>,
    /// How many are not looked up yet.
    unknown: usize,
}

impl<'a> Source<'a> {
    /// Rows to come, of at most as many as `rows`.
    pub fn new(flat: Flat<'a>, rows: usize) -> Result<Self> {
        let mut known = Vec::new();
        // Clearing a place takes about a sixteenth of what looking up a value does.
        if flat.indices.is_some() && flat.values.len / 16 <= rows {
            known.try_reserve_exact(flat.values.len)?;
            known.resize(flat.values.len, 0);
        }
        Ok(Source { flat, unknown: known.len(), known })
    }

    /// The column.
    pub fn flat(&self) -> &Flat<'a> {
        &self.flat
    }
}

impl Numbering {
    /// None yet. If `zeros`, −0.0 and 0.0 are one value, the one met first.
    pub fn new(ty: Type, shape: Shape, seed: u64, zeros: bool) -> Self {
        let equality = match ty {
            Type::Float { bits } => Equality::Floats { bits, zeros },
            _ => Equality::Bytes,
        };
        let values = Values::new(shape);
        Numbering { values, table: Table::new(seed), seed, null: None, equality, zeros: [None; 2] }
    }

    /// How many values there are, a null among them.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The number of null, if there was one.
    pub fn null(&self) -> Option<u32> {
        self.null
    }

    /// The values, by number.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The number of a value that is equal to that of a number: the number itself but for the second of 0.0 and −0.0.
    pub fn canonical(&self, number: u32) -> u32 {
        match self.zeros {
            [Some(first), Some(second)] if number == second => first,
            _ => number,
        }
    }

    /// Whether rows of a column can bring no number that they have not brought before.
    pub fn is_exhausted(&self, source: &Source) -> bool {
        !source.known.is_empty() && source.unknown == 0 && (source.flat.validity.is_none() || self.null.is_some())
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.values.allocated() + self.table.allocated()
    }

    /// The numbers of rows, one for each.
    pub fn number(&mut self, source: &mut Source, rows: &[u32], numbers: &mut [u32]) -> Result<()> {
        if source.flat.is_null() {
            numbers.fill(self.null_number()?);
            return Ok(());
        }
        if !source.known.is_empty() {
            return self.of_dictionary(source, rows, numbers);
        }
        match &source.flat.values.data {
            Data::Fixed { width: 1, values } => self.of_words::<u8>(&source.flat, values.numbers(), rows, numbers),
            Data::Fixed { width: 2, values } => self.of_words::<u16>(&source.flat, values.numbers(), rows, numbers),
            Data::Fixed { width: 4, values } => self.of_words::<u32>(&source.flat, values.numbers(), rows, numbers),
            Data::Fixed { width: 8, values } => self.of_words::<u64>(&source.flat, values.numbers(), rows, numbers),
            Data::Bytes { offsets, values } => {
                let (flat, offsets, values) = (&source.flat, offsets.numbers::<i32>(), values.bytes());
                for (number, &row) in numbers.iter_mut().zip(rows) {
                    let row = row as usize;
                    *number = if flat.validity.is_none_or(|validity| validity.get(row)) {
                        let place = flat.place(row);
                        let start = offsets[place].position();
                        self.of_bytes(values, start, offsets[place + 1].position() - start)?
                    } else {
                        self.null_number()?
                    };
                }
                Ok(())
            }
            _ => {
                let flat = &source.flat;
                for (number, &row) in numbers.iter_mut().zip(rows) {
                    let row = row as usize;
                    *number = if flat.is_valid(row) {
                        self.of_value(flat.values, flat.place(row))?
                    } else {
                        self.null_number()?
                    };
                }
                Ok(())
            }
        }
    }

    fn of_dictionary(&mut self, source: &mut Source, rows: &[u32], numbers: &mut [u32]) -> Result<()> {
        let Source { flat, known, unknown } = source;
        for (number, &row) in numbers.iter_mut().zip(rows) {
            let row = row as usize;
            if !flat.is_valid(row) {
                *number = self.null_number()?;
                continue;
            }
            let place = flat.place(row);
            *number = match known[place] {
                0 => {
                    let found = self.of_value(flat.values, place)?;
                    known[place] = found + 1;
                    *unknown -= 1;
                    found
                }
                mark => mark - 1,
            };
        }
        Ok(())
    }

    fn of_words<W: Word>(&mut self, flat: &Flat, values: &[W], rows: &[u32], numbers: &mut [u32]) -> Result<()> {
        let equality = self.equality;
        for (number, &row) in numbers.iter_mut().zip(rows) {
            let row = row as usize;
            *number = if flat.validity.is_none_or(|validity| validity.get(row)) {
                let word = values[flat.place(row)].word();
                self.of_key(equality.key(word), word)?
            } else {
                self.null_number()?
            };
        }
        Ok(())
    }

    /// The number of a value of a dictionary or column.
    fn of_value(&mut self, values: &Array, place: usize) -> Result<u32> {
        let bytes = value_bytes(values, place);
        if matches!(bytes.len(), 1 | 2 | 4 | 8) && !matches!(values.data, Data::Bytes { .. }) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let word = u64::from_le_bytes(word);
            return self.of_key(self.equality.key(word), word);
        }
        self.of_bytes(bytes, 0, bytes.len())
    }

    /// The number of the byte string at `start`.
    #[inline(always)]
    fn of_bytes(&mut self, bytes: &[u8], start: usize, len: usize) -> Result<u32> {
        let (key, is_exact) = bytes_key(bytes, start, len, self.seed);
        let bytes = &bytes[start..start + len];
        match self.table.find(key, |number| is_exact || is_same(self.values.get(number), bytes)) {
            Some(number) => Ok(number),
            None => self.insert(key, bytes),
        }
    }

    #[inline(always)]
    fn of_key(&mut self, key: u64, word: u64) -> Result<u32> {
        match self.table.find(key, |_| true) {
            Some(number) => Ok(number),
            None => self.insert_word(key, word),
        }
    }

    #[cold]
    #[inline(never)]
    fn insert_word(&mut self, key: u64, word: u64) -> Result<u32> {
        let width = self.values.width();
        let number = self.insert(key, &word.to_le_bytes()[..width])?;
        if let Equality::Floats { bits, zeros: false } = self.equality
            && word << (64 - bits) << 1 == 0
        {
            self.zeros[self.zeros[0].is_some() as usize] = Some(number);
        }
        Ok(number)
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, key: u64, bytes: &[u8]) -> Result<u32> {
        self.values.push(Some(bytes))?;
        self.table.insert(key)
    }

    #[inline(always)]
    fn null_number(&mut self) -> Result<u32> {
        match self.null {
            Some(number) => Ok(number),
            None => self.insert_null(),
        }
    }

    #[cold]
    fn insert_null(&mut self) -> Result<u32> {
        self.values.push(None)?;
        let number = self.table.skip()?;
        self.null = Some(number);
        Ok(number)
    }
}

/// Values of at most 64 bits.
trait Word: Number {
    /// The bits, those above being zero.
    fn word(self) -> u64;
}

macro_rules! words {
    ($($type:ty),*) => {
        $(impl Word for $type {
            #[inline(always)]
            fn word(self) -> u64 {
                self.into()
            }
        })*
    };
}
words!(u8, u16, u32, u64);
