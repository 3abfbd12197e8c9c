//! Days and times: the spans in a time, and fields of the proleptic Gregorian calendar.

use super::comparing::pack;
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::{Chunk, Kind};
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

/// The number of spans `b` from 1970 to each time `a`, rounded down, or what is left of the time. Infinite times have none.
pub fn divide(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, b, _] = instruction.operands;
    let (times, spans, active) = (frame.chunks_of::<i64>(a), frame.chunks_of::<i64>(b), frame.active(instruction));
    *out.known_mut() = *frame.known(a);
    for i in (0..frame.chunks).filter(|i| active[*i] != 0) {
        let (times, span) = (times.at(i), spans.at(i)[0].max(1));
        let are_near = times.iter().fold(0, |bits, time| bits | (time ^ (time >> 63))) >> 50 == 0;
        if are_near && (instruction.operation, instruction.to) == (Operation::TimeDivide, Kind::I32) {
            out.chunks_mut::<i32>()[i] = divide_near(times, span);
            continue;
        }
        let quotients: Chunk<i64> = if span < 1 << 20 {
            std::array::from_fn(|row| times[row].div_euclid(span))
        } else {
            // The quotient has at most 43 bits, so that it is wrong by 1 at most.
            let reciprocal = 1.0 / span as f64;
            std::array::from_fn(|row| {
                let quotient = (times[row] as f64 * reciprocal).floor() as i64;
                let rest = times[row].wrapping_sub(quotient.wrapping_mul(span));
                quotient - (rest < 0) as i64 + (rest >= span) as i64
            })
        };
        out.known_mut()[i] &= pack(|row| (times[row] != i64::MAX) & (times[row] != -i64::MAX));
        match (instruction.operation, instruction.to) {
            (Operation::TimeDivide, Kind::I32) => {
                out.chunks_mut::<i32>()[i] = std::array::from_fn(|row| quotients[row] as i32);
            }
            (Operation::TimeDivide, _) => out.chunks_mut::<i64>()[i] = quotients,
            _ => {
                out.chunks_mut::<i64>()[i] =
                    std::array::from_fn(|row| times[row].wrapping_sub(quotients[row].wrapping_mul(span)));
            }
        }
    }
}

/// Quotients of times below 2⁵⁰, which are exact as floats: all of it is done in vectors.
fn divide_near(times: &Chunk<i64>, span: i64) -> Chunk<i32> {
    // The sum of such a number and the bits of 1.5 · 2⁵² are the bits of their sum.
    const MAGIC: i64 = 0x4338_0000_0000_0000;
    let (span, reciprocal) = (span as f64, 1.0 / span as f64);
    std::array::from_fn(|row| {
        let time = f64::from_bits(times[row].wrapping_add(MAGIC) as u64) - f64::from_bits(MAGIC as u64);
        let quotient = (time * reciprocal).floor();
        let rest = time - quotient * span;
        let low = if rest < 0.0 { quotient - 1.0 } else { quotient };
        (if rest >= span { quotient + 1.0 } else { low }) as i32
    })
}

/// A field of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Field {
    /// In the order of the loader's numbers (`evaluate/times.ts`).
    const ALL: [Field; 14] = {
        use Field::*;
        [
            Year,
            Month,
            Day,
            Quarter,
            DayOfYear,
            DayOfWeek,
            IsoDayOfWeek,
            Week,
            IsoYear,
            YearWeek,
            Decade,
            Century,
            Millennium,
            Era,
        ]
    };
}

/// What a day is the beginning of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Week,
    Month,
    Quarter,
    Year,
    Decade,
    Century,
    Millennium,
}

impl Part {
    /// In the order of the loader's numbers (`evaluate/times.ts`).
    const ALL: [Part; 7] =
        [Part::Week, Part::Month, Part::Quarter, Part::Year, Part::Decade, Part::Century, Part::Millennium];
}

/// Whether there is a field, or a part, of a number.
pub fn is_number(operation: Operation, number: u32) -> bool {
    let count = if operation == Operation::DateField { Field::ALL.len() } else { Part::ALL.len() };
    (number as usize) < count
}

/// A field of days, or the first day of the part of the calendar in which each of them lies. Infinite days have none.
pub fn compute(instruction: &Instruction, frame: &Frame, out: &mut Register) {
    let [a, number, _] = instruction.operands;
    let (days, active) = (frame.chunks_of::<i32>(a), frame.active(instruction));
    *out.known_mut() = *frame.known(a);
    for i in (0..frame.chunks).filter(|i| active[*i] != 0) {
        let days = days.at(i);
        out.known_mut()[i] &= pack(|row| (days[row] != i32::MAX) & (days[row] != -i32::MAX));
        if instruction.operation == Operation::DateTrunc {
            out.chunks_mut::<i32>()[i] = trunc(Part::ALL[number as usize], days);
        } else {
            out.chunks_mut::<i64>()[i] = fields(Field::ALL[number as usize], days);
        }
    }
}

fn trunc(part: Part, days: &Chunk<i32>) -> Chunk<i32> {
    if part == Part::Week {
        return std::array::from_fn(|row| days[row].wrapping_sub(iso_day_of_week(days[row]) - 1));
    }
    let dates = Dates::of(days, part == Part::Year);
    let start = |years: i64| std::array::from_fn(|row| first_day(i64::from(dates.year[row]) / years * years, 1) as i32);
    match part {
        Part::Month => std::array::from_fn(|row| days[row].wrapping_sub(dates.day[row] - 1)),
        Part::Quarter => std::array::from_fn(|row| {
            first_day(i64::from(dates.year[row]), i64::from((dates.month[row] - 1) / 3 * 3 + 1)) as i32
        }),
        Part::Decade => start(10),
        Part::Century => start(100),
        Part::Millennium => start(1000),
        _ => std::array::from_fn(|row| days[row].wrapping_sub(dates.day_of_year[row] - 1)),
    }
}

fn fields(field: Field, days: &Chunk<i32>) -> Chunk<i64> {
    let widen = |values: &Chunk<i32>| std::array::from_fn(|row| i64::from(values[row]));
    let is_of_week = matches!(field, Field::Week | Field::IsoYear | Field::YearWeek);
    let dates = match field {
        Field::DayOfWeek => return std::array::from_fn(|row| i64::from(iso_day_of_week(days[row]) % 7)),
        Field::IsoDayOfWeek => return std::array::from_fn(|row| i64::from(iso_day_of_week(days[row]))),
        // The year of an ISO week is that of its Thursday.
        _ if is_of_week => {
            Dates::of(&std::array::from_fn(|row| days[row].wrapping_add(4 - iso_day_of_week(days[row]))), true)
        }
        _ => Dates::of(days, field == Field::DayOfYear),
    };
    let year = |row: usize| i64::from(dates.year[row]);
    let week = |row: usize| i64::from((dates.day_of_year[row] + 6) / 7);
    let count = |years: i64| {
        std::array::from_fn(|row| match year(row) {
            year if year > 0 => (year - 1) / years + 1,
            year => year / years - 1,
        })
    };
    match field {
        Field::Month => widen(&dates.month),
        Field::Day => widen(&dates.day),
        Field::DayOfYear => widen(&dates.day_of_year),
        Field::Quarter => std::array::from_fn(|row| i64::from((dates.month[row] + 2) / 3)),
        Field::Week => std::array::from_fn(week),
        Field::YearWeek => {
            std::array::from_fn(|row| year(row) * 100 + if year(row) > 0 { week(row) } else { -week(row) })
        }
        Field::Decade => std::array::from_fn(|row| year(row) / 10),
        Field::Century => count(100),
        Field::Millennium => count(1000),
        Field::Era => std::array::from_fn(|row| (year(row) > 0) as i64),
        _ => widen(&dates.year),
    }
}

/// 1 on Mondays. The day 0 was a Thursday.
#[inline(always)]
fn iso_day_of_week(day: i32) -> i32 {
    // A multiple of 7 makes the sum positive.
    const SEVENS: i64 = 7 * 400_000_000;
    ((i64::from(day) + 3 + SEVENS) as u64 as u32 % 7) as i32 + 1
}

/// Days in the calendar.
struct Dates {
    year: Chunk<i32>,
    month: Chunk<i32>,
    day: Chunk<i32>,
    day_of_year: Chunk<i32>,
}

/// Days of 400 years.
const CYCLE: i32 = 146_097;

/// Cycles that are added, so that no day near 1970 is negative.
const CYCLES: i32 = 3_670;

impl Dates {
    /// `counts`: the days of the year are asked for.
    fn of(days: &Chunk<i32>, counts: bool) -> Self {
        const BOUND: u32 = 500_000_000;
        let mut dates = Dates { year: [0; 64], month: [0; 64], day: [0; 64], day_of_year: [0; 64] };
        if days.iter().fold(true, |are_near, day| are_near & (day.unsigned_abs() < BOUND)) {
            if counts {
                dates.set_near::<true>(days)
            } else {
                dates.set_near::<false>(days)
            }
            return dates;
        }
        // The calendar repeats.
        dates.set_near::<true>(&std::array::from_fn(|row| days[row].rem_euclid(CYCLE)));
        for (year, day) in dates.year.iter_mut().zip(days) {
            *year += 400 * day.div_euclid(CYCLE);
        }
        dates
    }

    /// By C. Neri and L. Schneider, "Euclidean affine functions and their application to calendar algorithms" (2022): years begin in
    /// March, and quotients are those of products.
    fn set_near<const COUNTS: bool>(&mut self, days: &Chunk<i32>) {
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
            if COUNTS {
                let is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0));
                self.day_of_year[row] = day_of_year + if is_next { -305 } else { 60 + is_leap as i32 };
            }
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
    fn each_day_follows_the_one_before() {
        let (mut year, mut month, mut day, mut day_of_year) = (-4000, 1, 1, 1);
        let (first, last) = (first_day(-4000, 1) as i32, first_day(5000, 1) as i32);
        for start in (first..last).step_by(64) {
            let dates = Dates::of(&std::array::from_fn(|row| start + row as i32), true);
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
            let dates = Dates::of(&[day; 64], false);
            let first = first_day(i64::from(dates.year[0]), i64::from(dates.month[0]));
            assert_eq!(first + i64::from(dates.day[0]) - 1, i64::from(day));
        }
    }
}
