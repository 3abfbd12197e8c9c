//! The distinct values of a column, numbered.

mod equality;
pub(super) mod pairs;
mod table;
pub(super) mod values;
mod window;

use equality::{Equality, Word};
use table::{NONE, Table, bytes_key, is_same};
use values::Values;
use window::Window;

use super::block::{Rows, sized, write};
use crate::array::{Array, Data, Offset};
use crate::buffer::Buffer;
use crate::error::Result;
use crate::flat::{Flat, Shape, value_bytes};
use crate::repeated::Repeated;
use crate::run::Run;
use crate::types::Type;

/// Numbers of values in the order in which they are met. Nulls are one value, and so are NaNs.
pub struct Numbering {
    values: Values,
    table: Table,
    /// Of integers of at most 64 bits and of floats that are whole, until many of them lie outside.
    window: Option<Window>,
    seed: u64,
    null: Option<u32>,
    equality: Equality,
    /// Those of 0.0 and −0.0, where each has its own: the first met, the other.
    zeros: [Option<u32>; 2],
    /// Of the rows of a block.
    keys: Vec<u64>,
    room: Buffer,
}

/// Neighbouring rows of one value from which on they are numbered together.
const LONG: usize = 16;

/// Whether neighbouring rows of a column are numbered run by run, so that nobody needs the places of their values.
pub fn is_by_runs(repeated: &Repeated) -> bool {
    repeated.known.is_none() && repeated.cycle.each >= LONG && is_looked_up_once(repeated.values, repeated.len)
}

/// Whether values are looked up once for so many rows: clearing a place takes about a sixteenth of what looking up a value does.
const fn is_looked_up_once(values: &Array, rows: usize) -> bool {
    values.len / 16 <= rows
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
        if !flat.is_plain() && is_looked_up_once(flat.values, rows) {
            known.try_reserve_exact(flat.values.len)?;
            known.resize(flat.values.len, 0);
        }
        Ok(Source { flat, unknown: known.len(), known })
    }

    /// The column.
    pub fn flat(&self) -> &Flat<'a> {
        &self.flat
    }

    /// Whether rows, of which there are some, are known to have one value without a look at each.
    pub fn has_one_value(&self, rows: Rows) -> bool {
        let (first, last) = (rows.at(0), rows.at(rows.len() - 1));
        self.flat.validity.is_none() && self.flat.cycle.is_some_and(|cycle| cycle.has_one_value(first, last))
    }
}

impl Numbering {
    /// None yet. If `zeros`, −0.0 and 0.0 are one value, the one met first.
    pub fn new(ty: Type, shape: Shape, seed: u64, zeros: bool) -> Self {
        let equality = match ty {
            Type::Float { bits } => Equality::Floats { bits, zeros },
            _ => Equality::Bytes,
        };
        let window = match (shape, equality) {
            (Shape::Fixed(width @ (1 | 2 | 4 | 8)), Equality::Bytes) => Some(Window::new(width)),
            (_, Equality::Floats { bits: 32 | 64, .. }) => Some(Window::new(4)),
            _ => None,
        };
        let (values, table) = (Values::new(shape), Table::new(seed));
        Numbering {
            values,
            table,
            window,
            seed,
            null: None,
            equality,
            zeros: [None; 2],
            keys: Vec::new(),
            room: Buffer::empty(),
        }
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

    /// Writes numbers of values that are equal to those of `numbers`: the same but for the second of 0.0 and −0.0.
    pub fn canonical(&self, numbers: &[u32], out: &mut [u32]) {
        out.copy_from_slice(numbers);
        if let [Some(first), Some(second)] = self.zeros {
            out.iter_mut().filter(|number| **number == second).for_each(|number| *number = first);
        }
    }

    /// Whether rows of a column can bring no number that they have not brought before.
    pub fn is_exhausted(&self, source: &Source) -> bool {
        !source.known.is_empty() && source.unknown == 0 && (source.flat.validity.is_none() || self.null.is_some())
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.values.allocated() + self.table.allocated() + self.window.as_ref().map_or(0, Window::allocated)
    }

    /// The numbers of rows, one for each.
    pub fn number(&mut self, source: &mut Source, rows: Rows, numbers: &mut [u32]) -> Result<()> {
        let Source { flat, known, unknown } = source;
        if flat.is_null() {
            numbers.fill(self.null_number()?);
            return Ok(());
        }
        if let (Some(cycle), Rows::Run { first, len }, None, false) =
            (flat.cycle, rows, flat.validity, known.is_empty())
        {
            if cycle.each >= LONG {
                let mut to = 0;
                for Run { start: place, len } in cycle.values_from(first, len) {
                    if known[place] == 0 {
                        known[place] = self.of_value(flat.values, place)? + 1;
                        *unknown -= 1;
                    }
                    numbers[to..to + len].fill(known[place] - 1);
                    to += len;
                }
                return Ok(());
            }
            if *unknown == 0 {
                // Marks are one higher than the numbers.
                cycle.write(known, &[Run { start: first, len }], numbers);
                numbers.iter_mut().for_each(|number| *number = number.wrapping_sub(1));
                return Ok(());
            }
        }
        if let (Some(indices), false) = (flat.indices, known.is_empty()) {
            let places = rows.pick(indices, &mut self.room)?;
            write(numbers, places, |place| known[place as usize].wrapping_sub(1));
            return self.complete(flat, rows, numbers, |numbering, place| match known[place] {
                0 => {
                    let number = numbering.of_value(flat.values, place)?;
                    known[place] = number + 1;
                    *unknown -= 1;
                    Ok(number)
                }
                mark => Ok(mark - 1),
            });
        }
        numbers.fill(NONE);
        match &flat.values.data {
            Data::Fixed { width: 1, values } => self.of_words::<u8>(flat, values.numbers(), rows, numbers),
            Data::Fixed { width: 2, values } => self.of_words::<u16>(flat, values.numbers(), rows, numbers),
            Data::Fixed { width: 4, values } => self.of_words::<u32>(flat, values.numbers(), rows, numbers),
            Data::Fixed { width: 8, values } => self.of_words::<u64>(flat, values.numbers(), rows, numbers),
            Data::Bytes { offsets, values } => {
                let (offsets, values) = (offsets.numbers::<i32>(), values.bytes());
                self.complete(flat, rows, numbers, |numbering, place| {
                    let start = offsets[place].position();
                    numbering.of_bytes(values, start, offsets[place + 1].position() - start)
                })
            }
            _ => self.complete(flat, rows, numbers, |numbering, place| numbering.of_value(flat.values, place)),
        }
    }

    fn of_words<W: Word>(&mut self, flat: &Flat, values: &[W], rows: Rows, numbers: &mut [u32]) -> Result<()> {
        let equality = self.equality;
        if flat.is_plain() {
            let values = rows.pick(values, &mut self.room)?;
            if let Some(window) = &self.window {
                match equality {
                    Equality::Bytes => write(numbers, values, window.numbers()),
                    Equality::Floats { zeros, .. } => write(numbers, values, window.numbers_of_floats(zeros)),
                }
            } else {
                let keys = sized(&mut self.keys, numbers.len())?;
                write(keys, values, |value| equality.key(value.word()));
                self.table.numbers_at_home(keys, numbers);
            }
        }
        let mut outside = 0;
        self.complete(flat, rows, numbers, |numbering, place| {
            // It may have come in this very block.
            let held = |numbering: &Self| {
                numbering.window.as_ref().map(|window| match equality {
                    Equality::Bytes => window.numbers()(values[place]),
                    Equality::Floats { zeros, .. } => window.numbers_of_floats(zeros)(values[place]),
                })
            };
            if let Some(number) = held(numbering).filter(|&number| number != NONE) {
                return Ok(number);
            }
            let word = values[place].word();
            let number = numbering.of_key(equality.key(word), word)?;
            outside += (held(numbering) == Some(NONE)) as usize;
            Ok(number)
        })?;
        // Floats that are not whole are often in the majority, and they are found faster without a window.
        let most = if matches!(equality, Equality::Bytes) { numbers.len() / 2 } else { numbers.len() / 16 };
        if outside > most {
            self.window = None;
        }
        Ok(())
    }

    /// Gives the rows without a number theirs, by the places of their values, and null rows that of null.
    #[inline(always)]
    fn complete(
        &mut self,
        flat: &Flat,
        rows: Rows,
        numbers: &mut [u32],
        mut number_at: impl FnMut(&mut Self, usize) -> Result<u32>,
    ) -> Result<()> {
        if let Some(validity) = flat.validity {
            let null = self.null.unwrap_or(NONE);
            rows.each_unset(validity, |place| numbers[place] = null);
        }
        // All of them are looked at together: mostly there is none.
        if !numbers.iter().fold(false, |any, &number| any | (number == NONE)) {
            return Ok(());
        }
        for (place, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number == NONE) {
            let row = rows.at(place);
            *number = if flat.validity.is_none_or(|validity| validity.get(row)) {
                number_at(self, flat.place(row))?
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
        self.values.push_word(word)?;
        let number = self.table.insert(key)?;
        let equality = self.equality;
        let near = move |word: u64| match equality {
            Equality::Bytes => Some(word),
            Equality::Floats { bits: 32, zeros } => (word as u32).whole(zeros).map(u64::from),
            Equality::Floats { zeros, .. } => word.whole(zeros).map(u64::from),
        };
        if let (Some(window), Some(word)) = (&mut self.window, near(word)) {
            let entries = self.table.entries().filter_map(|(number, key)| Some((number, near(key)?)));
            window.put(word, number, entries)?;
        }
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
