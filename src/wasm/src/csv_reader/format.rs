//! Dates and times in a form that a request gives, by directives of `strptime`.

use super::digits::digit;
use super::instant::{Instant, days, offset};
use crate::error::{Error, Result};
use crate::vectors::with_room;

/// A form of dates or times, such as `%d.%m.%Y %H:%M`.
pub struct Format {
    steps: Vec<Step>,
    /// The bytes that a text has at least and at most.
    least: usize,
    most: usize,
    has_time: bool,
    is_like_iso: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Literal(u8),
    /// A number of at least `least` digits and at most `most`.
    Number {
        part: Part,
        least: usize,
        most: usize,
    },
    /// Of a month, three letters or all of them.
    Name {
        is_short: bool,
    },
    /// `AM` or `PM`.
    HalfDay,
    Zone,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Year,
    /// 69 to 99 are years of the 20th century, as in POSIX.
    ShortYear,
    Month,
    Day,
    DayOfYear,
    Hour,
    /// 1 to 12.
    HalfHour,
    Minute,
    Second,
    Fraction,
}

const MONTHS: [&[u8]; 12] = [
    b"january",
    b"february",
    b"march",
    b"april",
    b"may",
    b"june",
    b"july",
    b"august",
    b"september",
    b"october",
    b"november",
    b"december",
];

/// What was read so far.
#[derive(Default)]
struct Found {
    year: u16,
    month: u16,
    day: u16,
    day_of_year: u16,
    hour: u16,
    minute: u16,
    second: u16,
    nanoseconds: u32,
    digits: u8,
    is_afternoon: bool,
    has_half_day: bool,
    offset: i64,
}

impl Format {
    /// By its text, in which `%` and a letter stand for a part: `%Y %y %m %b %B %d %j %H %I %p %M %S %f %z`, and `%%` for itself.
    pub fn new(text: &[u8]) -> Result<Self> {
        let mut steps = with_room(text.len())?;
        let mut rest = text;
        while let [first, after @ ..] = rest {
            let (step, after) = match (first, after) {
                (b'%', [letter, after @ ..]) => (Step::of(*letter).ok_or(Error::Misuse("no form of dates"))?, after),
                (b'%', []) => return Err(Error::Misuse("no form of dates")),
                (literal, after) => (Step::Literal(*literal), after),
            };
            steps.push(step);
            rest = after;
        }
        for i in 1..steps.len() {
            let is_number = matches!(steps[i], Step::Number { .. });
            // Where another number follows at once, only a fixed number of digits tells where it begins.
            if let (true, Step::Number { least, most, .. }) = (is_number, &mut steps[i - 1]) {
                *least = *most;
            }
        }
        let has_time = text.windows(2).any(|pair| matches!(pair, b"%H" | b"%I"));
        let is_like_iso = text.starts_with(b"%Y-") && !text.starts_with(b"%Y-%m-%d");
        let (least, most) = steps.iter().map(Step::lengths).fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
        Ok(Format { steps, least, most, has_time, is_like_iso })
    }

    /// Whether it has a time of day.
    pub fn has_time(&self) -> bool {
        self.has_time
    }

    /// Whether a text may be one date in this form and another one in that of ISO 8601.
    pub fn is_like_iso(&self) -> bool {
        self.is_like_iso
    }

    /// Days since 1970-01-01 of a text without a time.
    pub fn date(&self, text: &[u8]) -> Option<i32> {
        if self.has_time {
            return None;
        }
        self.read(text)?.days()
    }

    /// The time that a text says; of a date alone its midnight.
    pub fn instant(&self, text: &[u8]) -> Option<Instant> {
        let found = self.read(text)?;
        let hour = match (found.has_half_day, found.hour) {
            (false, hour) => hour,
            (true, hour @ 1..=12) => hour % 12 + if found.is_afternoon { 12 } else { 0 },
            (true, _) => return None,
        };
        if hour > 23 || found.minute > 59 || found.second > 59 {
            return None;
        }
        let clock = i64::from(hour) * 3600 + i64::from(found.minute) * 60 + i64::from(found.second);
        let seconds = i64::from(found.days()?) * 86_400 + clock - found.offset;
        Some(Instant { seconds, nanoseconds: found.nanoseconds, digits: found.digits })
    }

    #[inline]
    fn read(&self, text: &[u8]) -> Option<Found> {
        // Most texts that are none have another length.
        if text.len() < self.least || text.len() > self.most {
            return None;
        }
        let mut found = Found::default();
        let mut rest = text;
        for step in &self.steps {
            rest = match *step {
                Step::Literal(byte) => rest.strip_prefix(&[byte])?,
                Step::Number { part, least, most } => {
                    let (value, count) = number(rest, least, most)?;
                    found.set(part, value, count);
                    &rest[count..]
                }
                Step::Name { is_short } => {
                    let (month, after) = month(rest, is_short)?;
                    found.month = month;
                    after
                }
                Step::HalfDay => {
                    let (half, after) = rest.split_at_checked(2)?;
                    found.is_afternoon = half.eq_ignore_ascii_case(b"PM");
                    if !found.is_afternoon && !half.eq_ignore_ascii_case(b"AM") {
                        return None;
                    }
                    after
                }
                Step::Zone => {
                    let (seconds, after) = zone(rest)?;
                    found.offset = seconds;
                    after
                }
            };
        }
        rest.is_empty().then_some(found)
    }
}

impl Step {
    fn of(letter: u8) -> Option<Self> {
        let number = |part, least, most| Some(Step::Number { part, least, most });
        match letter {
            b'Y' => number(Part::Year, 4, 4),
            b'y' => number(Part::ShortYear, 2, 2),
            b'm' => number(Part::Month, 1, 2),
            b'd' => number(Part::Day, 1, 2),
            b'j' => number(Part::DayOfYear, 1, 3),
            b'H' => number(Part::Hour, 1, 2),
            b'I' => number(Part::HalfHour, 1, 2),
            b'M' => number(Part::Minute, 1, 2),
            b'S' => number(Part::Second, 1, 2),
            b'f' => number(Part::Fraction, 1, 9),
            b'b' => Some(Step::Name { is_short: true }),
            b'B' => Some(Step::Name { is_short: false }),
            b'p' => Some(Step::HalfDay),
            b'z' => Some(Step::Zone),
            b'%' => Some(Step::Literal(b'%')),
            _ => None,
        }
    }
}

impl Step {
    /// The bytes that it has at least and at most.
    fn lengths(&self) -> (usize, usize) {
        match *self {
            Step::Literal(_) => (1, 1),
            Step::Number { least, most, .. } => (least, most),
            Step::Name { is_short: true } => (3, 3),
            Step::Name { is_short: false } => (3, 9),
            Step::HalfDay => (2, 2),
            Step::Zone => (1, 6),
        }
    }
}

impl Found {
    fn set(&mut self, part: Part, value: u32, count: usize) {
        // All but the fraction have at most four digits.
        let short = value as u16;
        match part {
            Part::Year => self.year = short,
            Part::ShortYear => self.year = short + if short < 69 { 2000 } else { 1900 },
            Part::Month => self.month = short,
            Part::Day => self.day = short,
            Part::DayOfYear => self.day_of_year = short,
            Part::Hour => self.hour = short,
            Part::HalfHour => (self.hour, self.has_half_day) = (short, true),
            Part::Minute => self.minute = short,
            Part::Second => self.second = short,
            Part::Fraction => {
                self.nanoseconds = value * 10u32.pow(9 - count as u32);
                self.digits = count as u8;
            }
        }
    }

    fn days(&self) -> Option<i32> {
        let year = i32::from(self.year);
        if self.day_of_year == 0 {
            return days(year, self.month, self.day);
        }
        let day = days(year, 1, 1)? + i32::from(self.day_of_year) - 1;
        (day < days(year + 1, 1, 1)?).then_some(day)
    }
}

/// A number at the beginning, and its digits.
#[inline(always)]
fn number(text: &[u8], least: usize, most: usize) -> Option<(u32, usize)> {
    let mut value = 0;
    let mut count = 0;
    while let (true, Some(digit)) = (count < most, text.get(count).and_then(|&byte| digit(byte))) {
        value = value * 10 + digit as u32;
        count += 1;
    }
    (count >= least).then_some((value, count))
}

/// The month that a name at the beginning is, from 1, and what follows.
fn month(text: &[u8], is_short: bool) -> Option<(u16, &[u8])> {
    MONTHS.iter().zip(1..).find_map(|(name, month)| {
        let name = if is_short { &name[..3] } else { name };
        let (front, rest) = text.split_at_checked(name.len())?;
        front.eq_ignore_ascii_case(name).then_some((month, rest))
    })
}

/// Seconds east of UTC at the beginning, and what follows.
fn zone(text: &[u8]) -> Option<(i64, &[u8])> {
    [6, 5, 3, 1].into_iter().find_map(|length| {
        let (zone, rest) = text.split_at_checked(length)?;
        // A zone of more than one character begins with its sign.
        let is_zone = length == 1 || matches!(zone[0], b'+' | b'-');
        Some((if is_zone { offset(zone)? } else { return None }, rest))
    })
}

#[cfg(test)]
mod tests;
