//! What was computed of days that lie near to each other.

use super::comparing::pack;
use super::loops::fill;
use crate::buffer::Number;
use crate::evaluate::kind::{CHUNK_ROWS, Chunk};
use crate::vectors::with_room;

/// Days that a table has at most: 179 years, in 256 KiB.
const MOST: u32 = 1 << 16;
/// Days of the first table.
const LEAST: u32 = 512;

/// A number for each of some days that follow each other. It grows towards days that are asked for, as soon as computing those without
/// it has taken as long as it takes to grow.
#[derive(Default)]
pub struct DayTable {
    first: i32,
    values: Vec<i32>,
    /// Days that were computed one by one since it grew.
    computed: u32,
}

impl DayTable {
    /// Writes the numbers of days. Returns the rows of `asked` whose days are not in the table.
    #[inline(always)]
    pub fn look_up<T: Number>(&self, days: &Chunk<i32>, asked: u64, out: &mut Chunk<T>, of: impl Fn(i32) -> T) -> u64 {
        let Some(last) = self.values.len().checked_sub(1) else { return asked };
        let place = |row: usize| days[row].wrapping_sub(self.first) as u32;
        fill(out, |row| of(self.values.get(place(row) as usize).copied().unwrap_or_default()));
        asked & pack::<i32>(|row| place(row) > last as u32)
    }

    /// Takes into account that some days of a chunk had to be computed. `compute` gives the numbers of 64 days.
    pub fn grow(&mut self, days: &Chunk<i32>, missed: u64, compute: impl Fn(&Chunk<i32>, &mut Chunk<i32>)) {
        self.computed = self.computed.saturating_add(CHUNK_ROWS as u32);
        let (mut low, mut high) = (i32::MAX, i32::MIN);
        for row in (0..CHUNK_ROWS).filter(|row| missed >> row & 1 == 1) {
            (low, high) = (low.min(days[row]), high.max(days[row]));
        }
        let span_of = |low: i32, high: i32| (i64::from(high) - i64::from(low) + 1).max(0) as u64;
        if let Some(last) = self.values.len().checked_sub(1) {
            // With its own days, unless they lie far away.
            let both = (low.min(self.first), high.max(self.first + last as i32));
            if span_of(both.0, both.1) <= u64::from(MOST) {
                (low, high) = both;
            }
        }
        let span = span_of(low, high).min(u64::from(MOST) + 1) as u32;
        if missed == 0 || span > MOST {
            return;
        }
        // Half of the room lies before the days and half behind them.
        let size = (2 * span).next_power_of_two().clamp(LEAST, MOST);
        let first = low.saturating_sub(((size - span) / 2) as i32);
        // The days at both ends are infinite.
        if first <= -i32::MAX || first.checked_add(size as i32).is_none() || size > self.computed.saturating_mul(16) {
            return;
        }
        // Without memory there is no table.
        let Ok(values) = with_room(size as usize) else { return };
        (self.first, self.values, self.computed) = (first, values, 0);
        for chunk in (0..size as i32).step_by(CHUNK_ROWS) {
            let mut numbers = [0; CHUNK_ROWS];
            compute(&std::array::from_fn(|row| first + chunk + row as i32), &mut numbers);
            self.values.extend_from_slice(&numbers);
        }
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.values.capacity() * size_of::<i32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_numbers_of_its_days() {
        let compute = |days: &Chunk<i32>, out: &mut Chunk<i32>| fill(out, |row| days[row].wrapping_mul(3));
        let mut table = DayTable::default();
        let mut state = 1u32;
        for round in 0..4000 {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let around = [0, i32::MAX - 70, i32::MIN, 18_000, 18_000][(state >> 20) as usize % 5];
            let days: Chunk<i32> = std::array::from_fn(|row| around.wrapping_add(row as i32 * (round % 37)));
            let asked = u64::from(state) << 32 | u64::from(state);
            let mut out = [0i64; CHUNK_ROWS];
            let missed = table.look_up(&days, asked, &mut out, i64::from);
            assert!(missed & !asked == 0);
            for row in (0..CHUNK_ROWS).filter(|row| (asked & !missed) >> row & 1 == 1) {
                assert_eq!(out[row], i64::from(days[row].wrapping_mul(3)));
            }
            if missed != 0 {
                table.grow(&days, missed, compute);
            }
            assert!(table.values.len() <= MOST as usize);
        }
        let days = [18_000; CHUNK_ROWS];
        let mut table = DayTable::default();
        let mut out = [0i32; CHUNK_ROWS];
        table.grow(&days, 1, compute);
        assert_eq!(table.look_up(&days, u64::MAX, &mut out, |value| value), 0);
        assert_eq!(out, [54_000; CHUNK_ROWS]);
    }
}
