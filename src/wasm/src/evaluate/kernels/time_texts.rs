//! Times as text.

use super::comparing::each_bit;
use super::dates::{Dates, day_of_week};
use crate::error::Result;
use crate::evaluate::frame::Frame;
use crate::evaluate::kind::{Chunk, View, view};
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;
use crate::evaluate::texts::Texts;

const DAY_SECONDS: i64 = 86_400;

/// The digits of a fraction of a second, of which times may be numbers.
const MOST_DIGITS: u32 = 9;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Letters of a month and of a day of the week that is short.
const SHORT: usize = 3;

/// Whether seconds have a fraction of so many digits.
pub fn is_number(digits: u32) -> bool {
    digits <= MOST_DIGITS
}

/// Writes times in a format: that of the row, of `strftime`, with `%D` for a date and `%T` for a time of day as casts write them. Times are
/// numbers of seconds with so many digits of a fraction. `source` is what the views of the texts name, and `texts` is where they lie.
pub fn write(
    instruction: &Instruction,
    frame: &Frame,
    out: &mut Register,
    source: usize,
    texts: &mut Texts,
) -> Result<()> {
    let [a, b, digits] = instruction.operands;
    texts.clear();
    let (times, formats) = (frame.chunks_of::<i64>(a), frame.chunks_of::<View>(b));
    let known = crate::evaluate::frame::both(frame.known(a), frame.known(b));
    let active = frame.active(instruction);
    *out.known_mut() = known;
    let second = 10i64.pow(digits.min(MOST_DIGITS));
    for i in (0..frame.chunks).filter(|i| active[*i] & known[*i] != 0) {
        let times = times.at(i);
        let days: Chunk<i32> = std::array::from_fn(|row| times[row].div_euclid(DAY_SECONDS * second) as i32);
        let dates = Dates::of(&days);
        let mut rows = active[i] & known[i] & each_bit(active[i], |row| !is_infinite(times[row]));
        let infinite = active[i] & known[i] & !rows;
        rows |= infinite;
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            if infinite >> row & 1 == 1 {
                texts.push(if times[row] < 0 { b"-infinity" } else { b"infinity" })?;
            } else {
                let rest = times[row].rem_euclid(DAY_SECONDS * second);
                let time = Time {
                    year: dates.year[row],
                    month: dates.month[row],
                    day: dates.day[row],
                    day_of_year: dates.day_of_year[row],
                    day_of_week: day_of_week(days[row]),
                    seconds: (rest / second) as i32,
                    nanoseconds: rest % second * 10i64.pow(MOST_DIGITS - digits.min(MOST_DIGITS)),
                };
                time.write(frame.text(formats.at(i)[row]), texts)?;
            }
            out.chunks_mut::<View>()[i][row] = view(source, texts.end()?);
        }
    }
    Ok(())
}

fn is_infinite(time: i64) -> bool {
    time == i64::MAX || time == -i64::MAX
}

/// A finite time.
struct Time {
    year: i32,
    month: i32,
    day: i32,
    day_of_year: i32,
    /// 0 on Sundays.
    day_of_week: i32,
    /// Of the day.
    seconds: i32,
    /// Of the second.
    nanoseconds: i64,
}

impl Time {
    /// Writes the time in a format. Codes that are none write nothing: the loader lets none through.
    fn write(&self, format: &[u8], texts: &mut Texts) -> Result<()> {
        let mut rest = format;
        while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
            texts.push(&rest[..at])?;
            rest = &rest[at + 1..];
            let is_padded = rest.first() != Some(&b'-');
            rest = &rest[usize::from(!is_padded)..];
            let Some((code, behind)) = rest.split_first() else { return Ok(()) };
            self.write_code(*code, is_padded, texts)?;
            rest = behind;
        }
        texts.push(rest)
    }

    fn write_code(&self, code: u8, is_padded: bool, texts: &mut Texts) -> Result<()> {
        let hour = self.seconds / 3600;
        let (minute, second) = (self.seconds / 60 % 60, self.seconds % 60);
        let two = |value: i32, texts: &mut Texts| number(i64::from(value), if is_padded { 2 } else { 1 }, texts);
        match code {
            b'Y' => {
                if self.year < 0 {
                    texts.push(b"-")?;
                }
                number(i64::from(self.year).abs(), if self.year < 0 { 1 } else { 4 }, texts)
            }
            b'y' => two(self.year.abs() % 100, texts),
            b'm' => two(self.month, texts),
            b'd' => two(self.day, texts),
            b'H' => two(hour, texts),
            b'I' => two((hour + 11) % 12 + 1, texts),
            b'M' => two(minute, texts),
            b'S' => two(second, texts),
            b'j' => number(i64::from(self.day_of_year), if is_padded { 3 } else { 1 }, texts),
            b'g' => number(self.nanoseconds / 1_000_000, 3, texts),
            b'f' => number(self.nanoseconds / 1000, 6, texts),
            b'n' => number(self.nanoseconds, 9, texts),
            b'U' => two((self.day_of_year + 6 - self.day_of_week) / 7, texts),
            b'W' => two((self.day_of_year + 6 - (self.day_of_week + 6) % 7) / 7, texts),
            b'V' => two(self.iso_week().1, texts),
            // DuckDB writes the last digits of its 32 bits without a sign.
            b'G' => number(i64::from(self.iso_week().0 as u32) % 10_000, 4, texts),
            b'w' => number(i64::from(self.day_of_week), 1, texts),
            b'u' => number(i64::from((self.day_of_week + 6) % 7 + 1), 1, texts),
            b'p' => texts.push(if hour < 12 { b"AM" } else { b"PM" }),
            b'B' => texts.push(self.month_name()),
            b'b' => texts.push(&self.month_name()[..SHORT]),
            b'A' => texts.push(self.weekday()),
            b'a' => texts.push(&self.weekday()[..SHORT]),
            b'%' => texts.push(b"%"),
            b'D' => self.write_date(texts),
            b'T' => self.write_clock(texts),
            _ => Ok(()),
        }
    }

    /// The year and the number of the week of ISO 8601, which is that of its Thursday.
    fn iso_week(&self) -> (i32, i32) {
        let is_leap = |year: i32| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let thursday = self.day_of_year + 3 - (self.day_of_week + 6) % 7;
        let length = 365 + i32::from(is_leap(self.year));
        if thursday < 1 {
            return (self.year - 1, (thursday + 364 + i32::from(is_leap(self.year - 1))) / 7 + 1);
        }
        if thursday > length { (self.year + 1, 1) } else { (self.year, (thursday - 1) / 7 + 1) }
    }

    fn month_name(&self) -> &'static [u8] {
        MONTHS[(self.month - 1).rem_euclid(12) as usize].as_bytes()
    }

    fn weekday(&self) -> &'static [u8] {
        WEEKDAYS[self.day_of_week.rem_euclid(7) as usize].as_bytes()
    }

    /// The year before 1 is `0001 (BC)`.
    fn write_date(&self, texts: &mut Texts) -> Result<()> {
        let year = i64::from(self.year);
        number(if year > 0 { year } else { 1 - year }, 4, texts)?;
        for part in [self.month, self.day] {
            texts.push(b"-")?;
            number(i64::from(part), 2, texts)?;
        }
        texts.push(if year > 0 { b"" } else { b" (BC)" })
    }

    /// With as many digits behind the second as are not 0 at their end.
    fn write_clock(&self, texts: &mut Texts) -> Result<()> {
        number(i64::from(self.seconds / 3600), 2, texts)?;
        for part in [self.seconds / 60 % 60, self.seconds % 60] {
            texts.push(b":")?;
            number(i64::from(part), 2, texts)?;
        }
        if self.nanoseconds == 0 {
            return Ok(());
        }
        let (mut fraction, mut digits) = (self.nanoseconds, MOST_DIGITS as usize);
        while fraction % 10 == 0 {
            (fraction, digits) = (fraction / 10, digits - 1);
        }
        texts.push(b".")?;
        number(fraction, digits, texts)
    }
}

/// Writes a number that is not negative, with zeros before it up to so many digits.
fn number(value: i64, digits: usize, texts: &mut Texts) -> Result<()> {
    let mut bytes = [b'0'; 20];
    let mut at = bytes.len();
    let mut rest = value;
    while rest > 0 {
        at -= 1;
        bytes[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    texts.push(&bytes[at.min(bytes.len() - digits)..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(time: &Time, format: &str) -> String {
        let mut texts = Texts::default();
        time.write(format.as_bytes(), &mut texts).unwrap();
        let end = texts.end().unwrap();
        String::from_utf8(texts.get(end as usize).to_vec()).unwrap()
    }

    #[test]
    fn codes_write_fields() {
        let time = Time {
            year: 2024,
            month: 2,
            day: 9,
            day_of_year: 40,
            day_of_week: 5,
            seconds: 13 * 3600 + 5 * 60 + 7,
            nanoseconds: 1_020_000,
        };
        assert_eq!(written(&time, "%Y-%m-%d %H:%M:%S.%f|%-d %b %a|100%%"), "2024-02-09 13:05:07.001020|9 Feb Fri|100%");
        assert_eq!(written(&time, "%D %T %j %I%p %g %n %y%"), "2024-02-09 13:05:07.00102 040 01PM 001 001020000 24");
        assert_eq!(written(&time, "%U %W %V %G"), "05 06 06 2024");
        let last = Time { year: 2020, month: 12, day: 31, day_of_year: 366, day_of_week: 4, ..time };
        assert_eq!(written(&last, "%U %W %V %G"), "52 52 53 2020");
        let first = Time { year: 2023, month: 1, day: 1, day_of_year: 1, day_of_week: 0, ..time };
        assert_eq!(written(&first, "%U %W %V %G"), "01 00 52 2022");
        let before = Time { year: -43, seconds: 0, nanoseconds: 0, ..time };
        assert_eq!(written(&before, "%Y %D %T %I"), "-43 0044-02-09 (BC) 00:00:00 12");
    }
}
