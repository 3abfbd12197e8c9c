//! Times that are moved by the offset of a time zone.

use super::comparing::pack;
use super::loops::fill;
use crate::error::{Error, Result};
use crate::evaluate::frame::{Frame, both};
use crate::evaluate::kind::CHUNK_ROWS;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;
use crate::vectors::{collected, with_room};

/// The most spans of a zone, and the most places of its index.
const MOST_SPANS: usize = 1 << 13;
const PLACES: u64 = 1 << 13;

/// Numbers before the spans: where the spans begin to repeat, and the length after which they do.
const HEAD: usize = 2;

const MALFORMED: Error = Error::Misuse("a table of a zone that is not what the loader writes");

/// The offsets of a zone: where each span begins, in the unit of the times, and what is added to times in it.
#[derive(Default)]
pub struct ZoneTable {
    repeats_from: i64,
    cycle: i64,
    begins: Vec<i64>,
    offsets: Vec<i64>,
    /// The last span that begins no later than each of places that follow each other, `1 << shift` apart, from the second span on.
    index: Vec<u16>,
    shift: u32,
}

impl ZoneTable {
    /// Reads the constant that the loader writes (`evaluate/times/zone-shifts.ts`).
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let number = |at: usize| numbers.get(at).map_or(0, |number| i64::from_le_bytes(*number));
        let count = numbers.len().saturating_sub(HEAD) / 2;
        let column = |of: usize| collected(count, (0..count).map(|span| number(HEAD + 2 * span + of)));
        let (repeats_from, cycle, begins, offsets) = (number(0), number(1), column(0)?, column(1)?);
        let is_whole = rest.is_empty() && numbers.len() == HEAD + 2 * count;
        let is_counted = (1..=MOST_SPANS).contains(&count) && repeats_from >= 0 && cycle >= 0;
        if !is_whole || !is_counted || !begins.is_sorted() {
            return Err(MALFORMED);
        }
        let mut table = ZoneTable { repeats_from, cycle, begins, offsets, ..ZoneTable::default() };
        table.make_index()?;
        Ok(table)
    }

    fn make_index(&mut self) -> Result<()> {
        let [_, first, .., last] = self.begins[..] else { return Ok(()) };
        let span = last.wrapping_sub(first) as u64;
        while span >> self.shift >= PLACES {
            self.shift += 1;
        }
        let places = (span >> self.shift) + 1;
        self.index = with_room(places as usize)?;
        let mut at = 0;
        for place in 0..places {
            let begin = first.wrapping_add((place << self.shift) as i64);
            while self.begins.get(at + 1).is_some_and(|next| *next <= begin) {
                at += 1;
            }
            self.index.push(at as u16);
        }
        Ok(())
    }

    /// What is added to a time.
    #[inline(always)]
    fn offset_at(&self, time: i64) -> i64 {
        let mut time = time;
        if self.cycle > 0 && time >= self.repeats_from.saturating_add(self.cycle) {
            time -= (time - self.repeats_from) / self.cycle * self.cycle;
        }
        let Some(first) = self.begins.get(1).filter(|first| time >= **first) else { return self.offsets[0] };
        let place = ((time.wrapping_sub(*first) as u64) >> self.shift) as usize;
        let mut at = self.index.get(place.min(self.index.len().saturating_sub(1))).map_or(1, |at| usize::from(*at));
        while self.begins.get(at + 1).is_some_and(|next| *next <= time) {
            at += 1;
        }
        self.offsets[at]
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        (self.begins.capacity() + self.offsets.capacity()) * size_of::<i64>() + self.index.capacity() * size_of::<u16>()
    }
}

/// The first time in microseconds: DuckDB has no earlier day.
const FIRST_MICROSECOND: i64 = -9_223_372_022_400_000_000;

/// Whether times are in a unit: 0 for microseconds, 1 for nanoseconds.
pub fn is_number(unit: u32) -> bool {
    unit < 2
}

/// Moves times by the offset that a zone has at them. Infinite ones stay. Returns a row whose result is out of range.
pub fn shift(instruction: &Instruction, frame: &Frame, out: &mut Register, table: &ZoneTable) -> Option<usize> {
    let [a, b, unit] = instruction.operands;
    let (times, active) = (frame.chunks_of::<i64>(a), frame.active(instruction));
    let known = both(frame.known(a), frame.known(b));
    *out.known_mut() = known;
    let first = if unit == 0 { FIRST_MICROSECOND } else { 1 - i64::MAX };
    for i in (0..frame.chunks).filter(|i| active[*i] != 0) {
        let times = times.at(i);
        let is_infinite = |row: usize| (times[row] == i64::MAX) | (times[row] == -i64::MAX);
        let chunk = &mut out.chunks_mut::<i64>()[i];
        fill(chunk, |row| {
            let moved = times[row].saturating_add(table.offset_at(times[row]));
            if is_infinite(row) { times[row] } else { moved }
        });
        let fitting = pack::<i64>(|row| is_infinite(row) | ((chunk[row] >= first) & (chunk[row] < i64::MAX)));
        let failing = active[i] & known[i] & !fitting;
        if failing != 0 {
            return Some(i * CHUNK_ROWS + failing.trailing_zeros() as usize);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of(repeats: (i64, i64), spans: &[(i64, i64)]) -> ZoneTable {
        let numbers = [repeats.0, repeats.1].into_iter().chain(spans.iter().flat_map(|(begin, by)| [*begin, *by]));
        ZoneTable::read(&numbers.flat_map(i64::to_le_bytes).collect::<Vec<u8>>()).unwrap()
    }

    #[test]
    fn each_time_has_the_offset_of_its_span() {
        let day = 86_400_000_000i64;
        let spans: Vec<(i64, i64)> = (0..900).map(|n| (if n == 0 { i64::MIN } else { n * 97 * day + n }, n)).collect();
        let table = table_of((400 * 97 * day, 500 * 97 * day), &spans);
        for n in 1..900 {
            assert_eq!(table.offset_at(n * 97 * day + n), n);
            assert_eq!(table.offset_at(n * 97 * day + n - 1), n - 1);
        }
        assert_eq!(table.offset_at(i64::MIN), 0);
        assert_eq!(table.offset_at(900 * 97 * day), 399, "it repeats");
        assert_eq!(table.offset_at(901 * 97 * day + 5000), table.offset_at(401 * 97 * day + 5000));
        let fixed = table_of((i64::MAX, 0), &[(i64::MIN, 7200)]);
        assert_eq!([i64::MIN, 0, i64::MAX].map(|time| fixed.offset_at(time)), [7200; 3]);
    }

    #[test]
    fn bytes_that_are_no_table_are_refused() {
        for bytes in [&[][..], &[1, 2, 3], &[0; 16], &[0; 24], &[0; 33], &[255; 32], &[7; 100]] {
            assert_eq!(ZoneTable::read(bytes).err(), Some(MALFORMED));
        }
        let numbers = [0, 1, 5, 1, 3, 2];
        let unsorted: Vec<u8> = numbers.into_iter().flat_map(i64::to_le_bytes).collect();
        assert_eq!(ZoneTable::read(&unsorted).err(), Some(MALFORMED));
        let hostile = table_of((i64::MAX, i64::MAX), &[(i64::MIN, i64::MIN), (i64::MIN, 1), (i64::MAX, 2)]);
        assert_eq!([i64::MIN, 0, i64::MAX].map(|time| hostile.offset_at(time)), [1, 1, 2]);
    }
}
