//! Times that texts say, in the forms that DuckDB reads.

use crate::evaluate::frame::Frame;
use crate::evaluate::kind::{CHUNK_ROWS, Kind, View};
use crate::evaluate::listed::listed;
use crate::evaluate::operation::Operation;
use crate::evaluate::program::Instruction;
use crate::evaluate::register::Register;

listed! {
    /// What a text is read as. In the order of the loader's numbers (`evaluate/times/time-readings.ts`).
    pub enum Form {
        Date,
        /// In microseconds. An offset is read over.
        Timestamp,
        TimestampNs,
        /// In microseconds, in UTC. Without an offset a time is one in UTC.
        Instant,
        TimeOfDay,
    }
}

/// Why a text says no time. In the order of the loader's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has another form.
    Format,
    /// There is no such day, or the type does not have the time.
    Range,
    /// It has the name of a zone.
    Zone,
}

type Read<T> = std::result::Result<T, Fault>;

const DAY_MICROS: i64 = 86_400_000_000;
const HOUR_MICROS: i64 = 3_600_000_000;
const MINUTE_MICROS: i64 = 60_000_000;
const SECOND_MICROS: i64 = 1_000_000;

/// The number of an infinite day. Its negative is that of the infinite past.
const INFINITE_DAY: i64 = i32::MAX as i64;

/// Whether there is a form of a number.
pub fn is_number(number: u32) -> bool {
    (number as usize) < Form::ALL.len()
}

/// Reads texts in the form of the number `b`. Returns a row whose text says no time, unless it becomes null.
pub fn read(instruction: &Instruction, frame: &Frame, out: &mut Register) -> Option<usize> {
    let [a, form, _] = instruction.operands;
    let (texts, active) = (frame.chunks_of::<View>(a), frame.active(instruction));
    let form = Form::ALL[form as usize];
    *out.known_mut() = *frame.known(a);
    for i in (0..frame.chunks).filter(|i| active[*i] != 0) {
        let texts = texts.at(i);
        let mut rows = active[i] & out.known()[i];
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            match parse(frame.text(texts[row]), form) {
                Ok(value) if instruction.to == Kind::I32 => out.chunks_mut::<i32>()[i][row] = value as i32,
                Ok(value) => out.chunks_mut::<i64>()[i][row] = value,
                Err(_) if instruction.operation == Operation::TryReadTime => out.known_mut()[i] &= !(1 << row),
                Err(_) => return Some(i * CHUNK_ROWS + row),
            }
        }
    }
    None
}

/// The number of the fault of a text that says no time.
pub fn fault_of(text: &[u8], form: u32) -> u64 {
    parse(text, Form::ALL[form as usize]).err().map_or(0, |fault| fault as u64)
}

/// The days since 1970, or the units since then or since midnight.
fn parse(text: &[u8], form: Form) -> Read<i64> {
    match form {
        Form::Date => Reader(text).date(),
        Form::Timestamp => Ok(timestamp(text, false)?.0),
        Form::Instant => Ok(timestamp(text, true)?.0),
        Form::TimestampNs => {
            let (micros, nanos) = timestamp(text, true)?;
            if is_infinite(micros) {
                return Ok(micros);
            }
            let time = micros.checked_mul(1000).and_then(|time| time.checked_add(nanos)).ok_or(Fault::Range)?;
            if is_infinite(time) { Err(Fault::Range) } else { Ok(time) }
        }
        Form::TimeOfDay => match Reader(text).clock() {
            Ok((micros, _)) if micros <= DAY_MICROS => Ok(micros),
            Ok(_) => Err(Fault::Range),
            Err(_) => {
                let (micros, _) = timestamp(text, false)?;
                if is_infinite(micros) { Err(Fault::Range) } else { Ok(micros.rem_euclid(DAY_MICROS)) }
            }
        },
    }
}

fn is_infinite(time: i64) -> bool {
    time == i64::MAX || time == -i64::MAX
}

/// The microseconds of a text, and the nanoseconds behind them. `shifts` says whether its offset counts.
fn timestamp(text: &[u8], shifts: bool) -> Read<(i64, i64)> {
    let mut reader = Reader(text);
    let day = reader.date()?;
    if reader.0.is_empty() {
        let infinite = |day: i64| (day.abs() == INFINITE_DAY).then_some(day.signum() * i64::MAX);
        return Ok((infinite(day).map_or_else(|| at(day, 0), Ok)?, 0));
    }
    let _ = reader.take(b' ') || reader.take(b'T');
    let (clock, nanos) = reader.clock()?;
    if clock > DAY_MICROS {
        return Err(Fault::Range);
    }
    let time = at(day, clock)?;
    let offset = reader.offset()?;
    if !shifts {
        return Ok((time, nanos));
    }
    Ok((time.checked_sub(offset).ok_or(Fault::Range)?, nanos))
}

/// The microseconds of a day and a time of day.
fn at(day: i64, clock: i64) -> Read<i64> {
    let time = day.checked_mul(DAY_MICROS).and_then(|start| start.checked_add(clock)).ok_or(Fault::Range)?;
    if is_infinite(time) { Err(Fault::Range) } else { Ok(time) }
}

/// What is left of a text.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.0.first().copied().unwrap_or_default()
    }

    fn take(&mut self, byte: u8) -> bool {
        let takes = self.0.first() == Some(&byte);
        self.0 = &self.0[usize::from(takes)..];
        takes
    }

    fn next(&mut self) -> Read<u8> {
        let (first, rest) = self.0.split_first().ok_or(Fault::Format)?;
        self.0 = rest;
        Ok(*first)
    }

    fn skip_spaces(&mut self) {
        while is_space(self.peek()) {
            self.0 = &self.0[1..];
        }
    }

    fn digit(&mut self) -> Option<i64> {
        let first = self.peek();
        first.is_ascii_digit().then(|| {
            self.0 = &self.0[1..];
            i64::from(first - b'0')
        })
    }

    /// A number of one or two digits.
    fn short_number(&mut self) -> Read<i64> {
        let first = self.digit().ok_or(Fault::Format)?;
        Ok(self.digit().map_or(first, |second| 10 * first + second))
    }

    /// Two digits, or nothing.
    fn two_digits(&mut self) -> Option<i64> {
        match self.0 {
            [a, b, rest @ ..] if a.is_ascii_digit() && b.is_ascii_digit() => {
                self.0 = rest;
                Some(i64::from(a - b'0') * 10 + i64::from(b - b'0'))
            }
            _ => None,
        }
    }

    /// A word in any case.
    fn word(&mut self, word: &[u8]) -> bool {
        let is_there = self.0.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        self.0 = &self.0[if is_there { word.len() } else { 0 }..];
        is_there
    }

    /// A day. What follows it is left, but no digit does.
    fn date(&mut self) -> Read<i64> {
        self.skip_spaces();
        let is_negative = self.take(b'-');
        if !self.peek().is_ascii_digit() {
            return self.special_date(is_negative);
        }
        let mut year = 0;
        while let Some(digit) = self.digit() {
            if year >= 100_000_000 {
                return Err(Fault::Range);
            }
            year = 10 * year + digit;
        }
        let separator = self.next()?;
        if !matches!(separator, b' ' | b'-' | b'/' | b'\\') {
            return Err(Fault::Format);
        }
        let month = self.short_number()?;
        if !self.take(separator) {
            return Err(Fault::Format);
        }
        let day = self.short_number()?;
        if is_negative {
            year = -year;
        }
        if is_space(self.peek()) && self.0[1..].get(..4).is_some_and(|era| era.eq_ignore_ascii_case(b"(bc)")) {
            if is_negative || year == 0 {
                return Err(Fault::Format);
            }
            year = 1 - year;
            self.0 = &self.0[5..];
        }
        if self.peek().is_ascii_digit() {
            return Err(Fault::Format);
        }
        day_number(year, month, day).ok_or(Fault::Range)
    }

    /// A day that has a name, with nothing behind it.
    fn special_date(&mut self, is_negative: bool) -> Read<i64> {
        // The short word has nothing behind it, not even spaces.
        let day = if self.word(b"infinity") || self.0.eq_ignore_ascii_case(b"inf") && self.word(b"inf") {
            if is_negative { -INFINITE_DAY } else { INFINITE_DAY }
        } else if self.word(b"epoch") {
            0
        } else {
            return Err(Fault::Format);
        };
        self.skip_spaces();
        if self.0.is_empty() { Ok(day) } else { Err(Fault::Format) }
    }

    /// Microseconds since midnight, and the nanoseconds behind them. What follows is left.
    fn clock(&mut self) -> Read<(i64, i64)> {
        self.skip_spaces();
        let mut hour = self.digit().ok_or(Fault::Format)?;
        for digits in 1.. {
            let Some(digit) = self.digit() else { break };
            if digits == 9 {
                return Err(Fault::Format);
            }
            hour = 10 * hour + digit;
        }
        if !self.take(b':') {
            return Err(Fault::Format);
        }
        let minute = self.minute_or_end()?;
        let second = if self.0.is_empty() {
            0
        } else if self.take(b':') {
            self.minute_or_end()?
        } else {
            return Err(Fault::Format);
        };
        let mut nanos = 0;
        if self.take(b'.') {
            let mut unit = 100_000_000;
            while let Some(digit) = self.digit() {
                nanos += digit * unit;
                unit /= 10;
            }
        }
        let micros = hour * HOUR_MICROS + minute * MINUTE_MICROS + second * SECOND_MICROS + nanos / 1000;
        Ok((micros, nanos % 1000))
    }

    /// A number below 60, or 0 at the end.
    fn minute_or_end(&mut self) -> Read<i64> {
        if self.0.is_empty() {
            return Ok(0);
        }
        let number = self.short_number()?;
        if number < 60 { Ok(number) } else { Err(Fault::Format) }
    }

    /// The offset behind a time in microseconds: `Z`, that from UTC, or the name of UTC. Nothing follows but spaces.
    fn offset(&mut self) -> Read<i64> {
        if self.0.is_empty() || self.take(b'Z') {
            return self.end(0);
        }
        let sign = match self.peek() {
            b'+' => 1,
            b'-' => -1,
            _ => 0,
        };
        if sign != 0 {
            let written = self.0;
            self.0 = &self.0[1..];
            if let Some(hours) = self.two_digits() {
                let has_colon = self.take(b':');
                let minutes = self.two_digits();
                // Only behind a colon are there seconds, behind another one.
                let has_seconds = has_colon && minutes.is_some() && self.take(b':');
                let seconds = if has_seconds { self.two_digits().unwrap_or(0) } else { 0 };
                let offset = hours * HOUR_MICROS + minutes.unwrap_or(0) * MINUTE_MICROS + seconds * SECOND_MICROS;
                return self.end(sign * offset);
            }
            self.0 = written;
        }
        if !self.take(b' ') {
            return Err(Fault::Zone);
        }
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'+' | b'-');
        let end = self.0.iter().position(|byte| !is_of_name(byte)).unwrap_or(self.0.len());
        let (name, rest) = self.0.split_at(end);
        self.0 = rest;
        self.end(0)?;
        if name.is_empty() || name.eq_ignore_ascii_case(b"utc") { Ok(0) } else { Err(Fault::Zone) }
    }

    fn end(&mut self, value: i64) -> Read<i64> {
        self.skip_spaces();
        if self.0.is_empty() { Ok(value) } else { Err(Fault::Format) }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

/// The days from 1970-01-01 to a day of the proleptic Gregorian calendar. None: there is no such day, or it has more than 31 bits.
fn day_number(year: i64, month: i64, day: i64) -> Option<i64> {
    const LENGTHS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = LENGTHS.get(usize::try_from(month - 1).ok()?)? + i64::from(is_leap && month == 2);
    if !(1..=length).contains(&day) {
        return None;
    }
    // Years are counted from March, so that the leap day is the last one.
    let from_march = year - i64::from(month <= 2);
    let leap_days = from_march.div_euclid(4) - from_march.div_euclid(100) + from_march.div_euclid(400);
    let months = (month + 9) % 12;
    let days = 365 * from_march + leap_days + (153 * months + 2) / 5 + day - 1 - 719_468;
    (days.abs() < INFINITE_DAY).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, form: Form) -> Read<i64> {
        parse(text.as_bytes(), form)
    }

    #[test]
    fn dates_are_read_with_what_follows_them() {
        for (text, day) in [
            ("1970-01-01", 0),
            ("2024-02-29", 19_782),
            ("2024/2/29x", 19_782),
            (" 2024 02 29 12", 19_782),
            ("0001-01-01", -719_162),
            ("0001-01-01 (BC)", -719_528),
            ("-1-03-01", -719_834),
            ("5881580-07-10", 2_147_483_646),
            ("-5877641-06-25", -2_147_483_646),
            ("-INFINITY ", -2_147_483_647),
            ("epoch", 0),
        ] {
            assert_eq!(of(text, Form::Date), Ok(day), "{text}");
        }
        for text in
            ["", " ", "-", "2024", "2024-02-2912", "20240229", "2024-02/29", "2024-02-", "inf1", "inf ", "+2024-01-01"]
        {
            assert_eq!(of(text, Form::Date), Err(Fault::Format), "{text}");
        }
        for text in ["2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "5881580-07-11", "9999999999-01-01"] {
            assert_eq!(of(text, Form::Date), Err(Fault::Range), "{text}");
        }
    }

    #[test]
    fn times_have_offsets_that_count_for_instants() {
        let hour = HOUR_MICROS;
        for (text, local, instant) in [
            ("1970-01-01 12:00", 12 * hour, 12 * hour),
            ("1970-01-01T12:0:0.5Z", 12 * hour + 500_000, 12 * hour + 500_000),
            ("1970-01-01 12:00:00+02:30", 12 * hour, 9 * hour + hour / 2),
            ("1970-01-01 12:00:00-0230 ", 12 * hour, 14 * hour + hour / 2),
            ("1970-01-01 24:00:00 utc", 24 * hour, 24 * hour),
            ("inf", i64::MAX, i64::MAX),
        ] {
            assert_eq!(of(text, Form::Timestamp), Ok(local), "{text}");
            assert_eq!(of(text, Form::Instant), Ok(instant), "{text}");
        }
        assert_eq!(of("1970-01-01 00:00:00.123456789+01", Form::TimestampNs), Ok(123_456_789 - hour * 1000));
        assert_eq!(of("2024-01-01 12:00:00 Europe/Paris", Form::Instant), Err(Fault::Zone));
        assert_eq!(of("2024-01-01 12:00:00+2", Form::Instant), Err(Fault::Zone));
        assert_eq!(of("2024-01-01 12:00:00+0230:", Form::Instant), Err(Fault::Format));
        assert_eq!(of("2024-01-01 25:00", Form::Timestamp), Err(Fault::Range));
        assert_eq!(of("300000-01-01", Form::Timestamp), Err(Fault::Range));
        assert_eq!(of("2024-01-01 12", Form::Timestamp), Err(Fault::Format));
        assert_eq!(of("2024-01-01 12:00:00 (BC)", Form::Timestamp), Err(Fault::Format));
        assert_eq!(of("1:2:3 PM", Form::TimeOfDay), Ok(hour + 2 * MINUTE_MICROS + 3 * SECOND_MICROS));
        assert_eq!(of("2024-01-01 01:00", Form::TimeOfDay), Ok(hour));
        assert_eq!(of("25:00", Form::TimeOfDay), Err(Fault::Range));
    }

    #[test]
    fn no_text_is_read_beyond_its_end() {
        let mut state = 1u32;
        let bytes = b"0123456789-/: .+TZinfBC()ut\\";
        for _ in 0..200_000 {
            let mut text = Vec::new();
            for _ in 0..state >> 27 {
                state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                text.push(bytes[(state >> 16) as usize % bytes.len()]);
            }
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let text = [b"2024-02-29 12:00:00".get(..(state >> 20) as usize % 20).unwrap_or_default(), &text].concat();
            for form in Form::ALL {
                let _ = parse(&text, *form);
            }
        }
    }
}
