//! The columns that a program reads, block by block.

use super::kind::{BLOCK_ROWS, CHUNK_ROWS, Chunk, Kind, View, view};
use super::register::{Register, Words};
use crate::array::{Array, Data, Offset};
use crate::bitmap::{Bitmap, bits, low_bits};
use crate::buffer::{Buffer, Number};
use crate::cycle::Cycle;
use crate::error::{Error, Result};
use crate::run::Run;

/// A column as a program reads it.
pub struct Input<'a> {
    values: Values<'a>,
    places: Places<'a>,
    validity: Option<&'a Bitmap>,
    /// Rows. Those behind them are null.
    rows: usize,
}

enum Values<'a> {
    Nulls,
    Bits(&'a Bitmap),
    Numbers(&'a Buffer),
    /// Decimals of 128 bits, which become integers of 64.
    Decimals(&'a Buffer),
    Text {
        offsets: &'a [i32],
        bytes: &'a [u8],
    },
}

/// Which value a row has.
enum Places<'a> {
    /// That at its place.
    Own,
    /// That of an index.
    Indices(&'a [u32]),
    Cycle(Cycle),
}

impl<'a> Input<'a> {
    /// The rows of a column.
    pub fn of_rows(array: &'a Array, kind: Kind) -> Result<Self> {
        let (validity, rows) = (array.validity.as_ref(), array.len);
        match &array.data {
            Data::Dictionary { indices, values } => {
                let places = Places::Indices(&indices.numbers::<u32>()[..rows]);
                Ok(Input { values: Values::of(values, kind)?, places, validity, rows })
            }
            Data::Repeat { values, known, each, start } => {
                let places = Places::Cycle(Cycle { each: *each, start: *start, count: values.len });
                Ok(Input { values: Values::of(values, kind)?, places, validity: known.as_ref(), rows })
            }
            _ => Ok(Input { values: Values::of(array, kind)?, places: Places::Own, validity, rows }),
        }
    }

    /// The values that a column has in its dictionary, or repeats.
    pub fn of_values(array: &'a Array, kind: Kind) -> Result<Self> {
        let (values, validity) = match &array.data {
            Data::Dictionary { values, .. } => (values, None),
            Data::Repeat { values, known, .. } => (values, known.as_ref()),
            _ => return Err(Error::Misuse("a column that has no values but its rows")),
        };
        Ok(Input { values: Values::of(values, kind)?, places: Places::Own, validity, rows: values.len })
    }

    /// The chunks of a block, if they can be read where they are.
    pub fn chunks<T: Number>(&self, start: usize) -> Option<&'a [Chunk<T>]> {
        match (&self.values, &self.places) {
            (Values::Numbers(buffer), Places::Own) if start + BLOCK_ROWS <= self.rows => {
                Some(buffer.numbers::<T>()[start..start + BLOCK_ROWS].as_chunks().0)
            }
            _ => None,
        }
    }

    /// The same, eight bytes at a time.
    pub fn eights(&self, start: usize, width: usize) -> Option<&'a [u64]> {
        match (&self.values, &self.places) {
            (Values::Numbers(buffer), Places::Own) if start + BLOCK_ROWS <= self.rows => {
                Some(&buffer.numbers::<u64>()[start * width / 8..(start + BLOCK_ROWS) * width / 8])
            }
            _ => None,
        }
    }

    /// A text. Nothing where there is none.
    pub fn text(&self, place: usize) -> &'a [u8] {
        match self.values {
            Values::Text { offsets, bytes } => match offsets.get(place..).and_then(|offsets| offsets.first_chunk()) {
                Some([from, to]) => bytes.get(from.position()..to.position()).unwrap_or_default(),
                None => &[],
            },
            _ => &[],
        }
    }

    /// Copies rows of the block at `start` to a register: which are known, and their values, unless those can be read where
    /// they are. The place of a null in a dictionary is that of a value. `source` names its text.
    pub fn load(&self, kind: Kind, start: usize, source: usize, register: &mut Register) {
        let present = self.rows.saturating_sub(start).min(BLOCK_ROWS);
        let run = Run { start, len: present };
        let mut numbers: [u32; BLOCK_ROWS];
        let places: Option<&[u32]> = match self.places {
            Places::Own => None,
            Places::Indices(indices) => Some(&indices[start..start + present]),
            Places::Cycle(cycle) if matches!(self.values, Values::Numbers(_)) && self.validity.is_none() => {
                // Values are written in runs.
                match (&self.values, kind.width()) {
                    (Values::Numbers(buffer), 1) => write::<u8>(cycle, buffer, run, register),
                    (Values::Numbers(buffer), 2) => write::<u16>(cycle, buffer, run, register),
                    (Values::Numbers(buffer), 4) => write::<u32>(cycle, buffer, run, register),
                    (Values::Numbers(buffer), _) => write::<u64>(cycle, buffer, run, register),
                    _ => {}
                }
                *register.known_mut() = first_bits(present);
                return;
            }
            Places::Cycle(cycle) => {
                numbers = [0; BLOCK_ROWS];
                cycle.write_numbers(start, &mut numbers[..present]);
                Some(&numbers[..present])
            }
        };
        *register.known_mut() = match (&self.values, self.validity, &self.places, places) {
            (Values::Nulls, ..) => [0; _],
            (_, None, ..) => first_bits(present),
            (_, Some(known), Places::Cycle(_), Some(places)) => gather_bits(known, places),
            (_, Some(known), ..) => copy_bits(known, start, present),
        };
        match (&self.values, places) {
            (Values::Nulls, _) => {
                if kind == Kind::Bool {
                    *register.truth_mut() = [0; _];
                }
            }
            (Values::Bits(truth), places) => {
                let truth = match places {
                    Some(places) => gather_bits(truth, places),
                    None => copy_bits(truth, start, present),
                };
                let known = *register.known();
                for ((out, truth), known) in register.truth_mut().iter_mut().zip(truth).zip(known) {
                    *out = truth & known;
                }
            }
            (Values::Numbers(buffer), places) => match kind.width() {
                1 => copy_numbers::<u8>(buffer, start, present, places, register),
                2 => copy_numbers::<u16>(buffer, start, present, places, register),
                4 => copy_numbers::<u32>(buffer, start, present, places, register),
                _ => copy_numbers::<u64>(buffer, start, present, places, register),
            },
            (Values::Decimals(buffer), places) => narrow(buffer.numbers(), start, present, places, register),
            (Values::Text { .. }, places) => {
                let views = register.values_mut::<View>();
                match places {
                    Some(places) => views.iter_mut().zip(places).for_each(|(out, place)| *out = view(source, *place)),
                    None => views.iter_mut().zip(start as u32..).for_each(|(out, place)| *out = view(source, place)),
                }
            }
        }
    }
}

impl<'a> Values<'a> {
    fn of(array: &'a Array, kind: Kind) -> Result<Self> {
        match (&array.data, kind) {
            (Data::Null, _) => Ok(Values::Nulls),
            (Data::Bool(bits), Kind::Bool) => Ok(Values::Bits(bits)),
            (Data::Fixed { width, values }, kind) if *width == kind.width() && kind != Kind::Text => {
                Ok(Values::Numbers(values))
            }
            (Data::Fixed { width: 16, values }, Kind::I64) => Ok(Values::Decimals(values)),
            (Data::Bytes { offsets, values }, Kind::Text) => {
                Ok(Values::Text { offsets: offsets.numbers(), bytes: values.bytes() })
            }
            _ => Err(Error::Misuse("a column of another type than the program's")),
        }
    }
}

fn write<T: Number>(cycle: Cycle, buffer: &Buffer, run: Run, register: &mut Register) {
    cycle.write(&buffer.numbers::<T>()[..cycle.count], &[run], &mut register.values_mut::<T>()[..run.len]);
}

fn copy_numbers<T: Number>(
    buffer: &Buffer,
    start: usize,
    present: usize,
    places: Option<&[u32]>,
    register: &mut Register,
) {
    let values = buffer.numbers::<T>();
    let out = &mut register.values_mut::<T>()[..present];
    match places {
        Some(places) => out.iter_mut().zip(places).for_each(|(out, place)| *out = values[*place as usize]),
        // A whole block is read where it is.
        None if present == BLOCK_ROWS => {}
        None => out.copy_from_slice(&values[start..start + present]),
    }
}

/// Copies decimals of 18 digits. One that does not fit into 64 bits, which only a wrong file has, becomes the nearest number that does.
fn narrow(values: &[[u64; 2]], start: usize, present: usize, places: Option<&[u32]>, register: &mut Register) {
    let out = &mut register.values_mut::<i64>()[..present];
    let mut lost = 0;
    let mut put = |out: &mut i64, [low, high]: [u64; 2]| {
        *out = low as i64;
        lost |= high as i64 ^ (low as i64 >> 63);
    };
    match places {
        Some(places) => out.iter_mut().zip(places).for_each(|(out, place)| put(out, values[*place as usize])),
        None => out.iter_mut().zip(&values[start..start + present]).for_each(|(out, value)| put(out, *value)),
    }
    if lost != 0 {
        for (row, out) in out.iter_mut().enumerate() {
            let [_, high] = values[places.map_or(start + row, |places| places[row] as usize)];
            if high as i64 != *out >> 63 {
                *out = if (high as i64) < 0 { i64::MIN } else { i64::MAX };
            }
        }
    }
}

/// The first `count` bits of a block.
pub fn first_bits(count: usize) -> Words {
    std::array::from_fn(|chunk| low_bits(count.saturating_sub(chunk * CHUNK_ROWS)))
}

/// `count` bits from bit `start` on, which is the first one of a block.
pub fn copy_bits(from: &Bitmap, start: usize, count: usize) -> Words {
    std::array::from_fn(|chunk| {
        let at = chunk * CHUNK_ROWS;
        if at < count { from.bits(start + at, (count - at).min(CHUNK_ROWS)) } else { 0 }
    })
}

fn gather_bits(from: &Bitmap, places: &[u32]) -> Words {
    std::array::from_fn(|chunk| match places.get(chunk * CHUNK_ROWS..) {
        Some(places) => bits(places.len().min(CHUNK_ROWS), |row| from.get(places[row] as usize)),
        None => 0,
    })
}
