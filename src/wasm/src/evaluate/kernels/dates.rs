//! Fields of days in the proleptic Gregorian calendar.

use super::comparing::each_bit;
use super::day_table::DayTable;
use super::loops::{fill, zip_checked};
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::Chunk;
use crate::evaluate::listed::listed;
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

listed! {
    /// A field of a day. In the order of the loader's numbers (`evaluate/times/times.ts`).
    pub enum Field {
        Year,
        Month,
        Day,
        Quarter,
        DayOfYear,
        /// 0 on Sundays.
        DayOfWeek,
        /// 7 on Sundays.
        IsoDayOfWeek,
        Week,
        IsoYear,
        YearWeek,
        Decade,
        Century,
        Millennium,
        /// 1, or 0 before the year 1.
        Era,
    }
}

listed! {
    /// What a day is the beginning of. In the order of the loader's numbers (`evaluate/times/times.ts`).
    pub enum Part {
        Week,
        Month,
        Quarter,
        Year,
        Decade,
        Century,
        Millennium,
    }
}

/// Whether there is a field, or a part, of a number.
pub fn is_number(operation: Operation, number: u32) -> bool {
    let count = if operation == Operation::DateField { Field::ALL.len() } else { Part::ALL.len() };
    (number as usize) < count
}

/// A field of days, or the first day of the part of the calendar in which each of them lies. Infinite days have none.
pub fn compute(instruction: &Instruction, frame: &Frame, out: &mut Register, table: &mut DayTable) {
    let [a, number, _] = instruction.operands;
    let (days, active) = (frame.chunks_of::<i32>(a), frame.active(instruction));
    let of_days = |days: &Chunk<i32>, out: &mut Chunk<i32>| match instruction.operation {
        Operation::DateTrunc => trunc(Part::ALL[number as usize], days, out),
        _ => field(Field::ALL[number as usize], days, out),
    };
    *out.known_mut() = *frame.known(a);
    for i in (0..frame.chunks).filter(|i| active[*i] != 0) {
        let days = days.at(i);
        let asked = active[i] & out.known()[i];
        let missed = match instruction.operation {
            Operation::DateTrunc => table.look_up(days, asked, &mut out.chunks_mut::<i32>()[i], |value| value),
            _ => table.look_up(days, asked, &mut out.chunks_mut::<i64>()[i], i64::from),
        };
        if missed == 0 {
            continue;
        }
        let finite = each_bit(missed, |row| !is_infinite(days[row]));
        out.known_mut()[i] &= !missed | finite;
        let mut values = [0; 64];
        of_days(days, &mut values);
        match instruction.operation {
            Operation::DateTrunc => out.chunks_mut::<i32>()[i] = values,
            _ => fill(&mut out.chunks_mut::<i64>()[i], |row| i64::from(values[row])),
        }
        table.grow(days, finite, of_days);
    }
}

/// The days so many months after days. Returns a row of which there is no such day.
pub fn add_months(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    let of_chunks = |days: &Chunk<i32>, months: &Chunk<i32>, out: &mut Chunk<i32>| {
        let dates = Dates::of(days);
        let mut fails = false;
        fill(out, |row| {
            let date = (dates.year[row], dates.month[row], dates.day[row]);
            later(days[row], date, months[row]).unwrap_or_default()
        });
        for row in 0..days.len() {
            // A day that is out of range has become 0, as one near it may be.
            fails |= out[row] == 0;
        }
        fails
    };
    let fails = |day: i32, months: i32| {
        let dates = Dates::of(&[day; 64]);
        later(day, (dates.year[0], dates.month[0], dates.day[0]), months).is_none()
    };
    zip_checked(instruction, frame, out, &of_chunks, &fails)
}

/// The day so many months after one. None: it is out of range.
#[inline(always)]
fn later(of: i32, (year, month, day): (i32, i32, i32), months: i32) -> Option<i32> {
    if is_infinite(of) {
        return Some(of);
    }
    let months = i64::from(year) * 12 + i64::from(month - 1) + i64::from(months);
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
    let next = first_day(year + month / 12, month % 12 + 1);
    let moved = (first_day(year, month) + i64::from(day - 1)).min(next - 1);
    i32::try_from(moved).ok().filter(|day| !is_infinite(*day) && *day != i32::MIN)
}

fn is_infinite(day: i32) -> bool {
    day == i32::MAX || day == -i32::MAX
}

/// The first days of the parts in which days lie.
fn trunc(part: Part, days: &Chunk<i32>, out: &mut Chunk<i32>) {
    if part == Part::Week {
        return fill(out, |row| days[row].wrapping_sub(iso_day_of_week(days[row]) - 1));
    }
    let dates = Dates::of(days);
    let year = |row: usize, years: i32| i64::from(dates.year[row] / years * years);
    let years = match part {
        Part::Month => return fill(out, |row| days[row].wrapping_sub(dates.day[row] - 1)),
        Part::Quarter => {
            let month = |row: usize| i64::from((dates.month[row] - 1) / 3 * 3 + 1);
            return fill(out, |row| first_day(year(row, 1), month(row)) as i32);
        }
        Part::Year => 1,
        Part::Decade => 10,
        Part::Century => 100,
        _ => 1000,
    };
    fill(out, |row| first_day(year(row, years), 1) as i32);
}

/// A field of days.
fn field(field: Field, days: &Chunk<i32>, out: &mut Chunk<i32>) {
    let is_of_week = matches!(field, Field::Week | Field::IsoYear | Field::YearWeek);
    let dates = match field {
        Field::DayOfWeek => return fill(out, |row| iso_day_of_week(days[row]) % 7),
        Field::IsoDayOfWeek => return fill(out, |row| iso_day_of_week(days[row])),
        // The year of an ISO week is that of its Thursday.
        _ if is_of_week => {
            Dates::of(&std::array::from_fn(|row| days[row].wrapping_add(4 - iso_day_of_week(days[row]))))
        }
        _ => Dates::of(days),
    };
    let week = |row: usize| (dates.day_of_year[row] + 6) / 7;
    let count = |year: i32, years: i32| if year > 0 { (year - 1) / years + 1 } else { year / years - 1 };
    fill(out, |row| {
        let year = dates.year[row];
        match field {
            Field::Month => dates.month[row],
            Field::Day => dates.day[row],
            Field::DayOfYear => dates.day_of_year[row],
            Field::Quarter => (dates.month[row] + 2) / 3,
            Field::Week => week(row),
            Field::YearWeek => year * 100 + if year > 0 { week(row) } else { -week(row) },
            Field::Decade => year / 10,
            Field::Century => count(year, 100),
            Field::Millennium => count(year, 1000),
            Field::Era => (year > 0) as i32,
            _ => year,
        }
    });
}

/// 1 on Mondays. The day 0 was a Thursday.
#[inline(always)]
fn iso_day_of_week(day: i32) -> i32 {
    // A multiple of 7 makes the sum positive.
    const SEVENS: i64 = 7 * 400_000_000;
    ((i64::from(day) + 3 + SEVENS) as u64 as u32 % 7) as i32 + 1
}

/// 0 on Sundays.
pub fn day_of_week(day: i32) -> i32 {
    iso_day_of_week(day) % 7
}

/// Days in the calendar.
pub struct Dates {
    pub year: Chunk<i32>,
    pub month: Chunk<i32>,
    pub day: Chunk<i32>,
    pub day_of_year: Chunk<i32>,
}

/// Days of 400 years.
const CYCLE: i32 = 146_097;

/// Cycles that are added, so that no day near 1970 is negative.
const CYCLES: i32 = 3_670;

impl Dates {
    pub fn of(days: &Chunk<i32>) -> Self {
        const BOUND: u32 = 500_000_000;
        let mut dates = Dates { year: [0; 64], month: [0; 64], day: [0; 64], day_of_year: [0; 64] };
        if days.iter().fold(true, |are_near, day| are_near & (day.unsigned_abs() < BOUND)) {
            dates.set_near(days);
            return dates;
        }
        // The calendar repeats.
        dates.set_near(&std::array::from_fn(|row| days[row].rem_euclid(CYCLE)));
        for (year, day) in dates.year.iter_mut().zip(days) {
            *year += 400 * day.div_euclid(CYCLE);
        }
        dates
    }

    /// By C. Neri and L. Schneider, "Euclidean affine functions and their application to calendar algorithms" (2022): years begin in
    /// March, and quotients are those of products.
    fn set_near(&mut self, days: &Chunk<i32>) {
        for (row, day) in days.iter().enumerate() {
            let n1 = 4 * (day.wrapping_add(719_468 + CYCLE * CYCLES) as u32) + 3;
            let century = n1 / CYCLE as u32;
            let n2 = (n1 - century * CYCLE as u32) | 3;
            let p2 = 2_939_745 * u64::from(n2);
            let day_of_year = (p2 as u32 / 2_939_745 / 4) as i32;
            let n3 = 2141 * day_of_year as u32 + 197_913;
            // January and February belong to the year that began in March.
            let is_next = day_of_year >= 306;
            let year = 100 * century as i32 + (p2 >> 32) as i32 - 400 * CYCLES + is_next as i32;
            self.year[row] = year;
            self.month[row] = (n3 >> 16) as i32 - if is_next { 12 } else { 0 };
            self.day[row] = ((n3 & 0xffff) / 2141) as i32 + 1;
            let is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0));
            self.day_of_year[row] = day_of_year + if is_next { -305 } else { 60 + is_leap as i32 };
        }
    }
}

/// The first day of a month.
fn first_day(year: i64, month: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (cycle, rest) = (year.div_euclid(400), year.rem_euclid(400));
    cycle * i64::from(CYCLE) + rest * 365 + rest / 4 - rest / 100 + (153 * month + 2) / 5 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_end_with_their_last_day() {
        let of = |year, month, day, months| {
            let start = first_day(year, month) as i32 + day - 1;
            let dates = Dates::of(&[start; 64]);
            later(start, (dates.year[0], dates.month[0], dates.day[0]), months).map(|moved| {
                let dates = Dates::of(&[moved; 64]);
                (dates.year[0], dates.month[0], dates.day[0])
            })
        };
        assert_eq!(of(2024, 1, 31, 1), Some((2024, 2, 29)));
        assert_eq!(of(2023, 12, 31, -10), Some((2023, 2, 28)));
        assert_eq!(of(1, 1, 31, -1), Some((0, 12, 31)));
        assert_eq!(of(0, 3, 30, -13), Some((-1, 2, 28)));
        assert_eq!(of(2000, 1, 1, i32::MAX), None);
        assert_eq!(of(5_881_580, 7, 10, 0), Some((5_881_580, 7, 10)));
        assert_eq!(of(5_881_580, 7, 10, 1), None);
        assert_eq!(later(i32::MAX, (0, 1, 1), 5), Some(i32::MAX));
    }

    #[test]
    fn each_day_follows_the_one_before() {
        let (mut year, mut month, mut day, mut day_of_year) = (-4000, 1, 1, 1);
        let (first, last) = (first_day(-4000, 1) as i32, first_day(5000, 1) as i32);
        for start in (first..last).step_by(64) {
            let dates = Dates::of(&std::array::from_fn(|row| start + row as i32));
            for row in 0..64 {
                let date = (dates.year[row], dates.month[row], dates.day[row], dates.day_of_year[row]);
                assert_eq!(date, (year, month, day, day_of_year), "{start} + {row}");
                if day == 1 {
                    assert_eq!(first_day(i64::from(year), i64::from(month)) as i32, start + row as i32);
                }
                let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
                let days = [31, 28 + is_leap as i32, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month as usize - 1];
                (day, day_of_year) = (day + 1, day_of_year + 1);
                if day > days {
                    (month, day) = (month + 1, 1);
                }
                if month > 12 {
                    (year, month, day_of_year) = (year + 1, 1, 1);
                }
            }
        }
        for day in [i32::MIN + 2, i32::MAX - 1, -500_000_001, -499_999_999, 499_999_999] {
            let dates = Dates::of(&[day; 64]);
            let first = first_day(i64::from(dates.year[0]), i64::from(dates.month[0]));
            assert_eq!(first + i64::from(dates.day[0]) - 1, i64::from(day));
        }
    }
}
