//! Dates and times in the forms of ISO 8601.

use crate::types::TimeUnit;

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instant {
    /// Seconds since 1970-01-01T00:00:00.
    pub seconds: i64,
    /// Nanoseconds after them.
    pub nanoseconds: u32,
    /// Digits of the fraction.
    pub digits: u8,
}

impl Instant {
    /// In a unit; none where that would round or does not fit.
    pub fn in_unit(self, unit: TimeUnit) -> Option<i64> {
        let step = 1_000_000_000 / unit.per_second();
        let nanoseconds = i64::from(self.nanoseconds);
        if nanoseconds % step != 0 {
            return None;
        }
        // The seconds before 1970 may be out of range only together with a fraction that is not.
        let value = i128::from(self.seconds) * i128::from(unit.per_second()) + i128::from(nanoseconds / step);
        value.try_into().ok()
    }
}

/// Days since 1970-01-01 of `2024-02-29`.
pub fn date(text: &[u8]) -> Option<i32> {
    let &[y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = text else { return None };
    let year = 100 * two(y0, y1)? + two(y2, y3)?;
    days(year.into(), two(m0, m1)?, two(d0, d1)?)
}

/// `2024-02-29T12:00` or with a space, perhaps with seconds and up to nine digits of a fraction, and `Z` or an offset
/// (`+02:00`, `+0200`, `+02`), which is taken off; a date alone is its midnight.
pub fn instant(text: &[u8]) -> Option<Instant> {
    let (day, rest) = text.split_at_checked(10)?;
    let day = i64::from(date(day)?) * 86_400;
    if rest.is_empty() {
        return Some(Instant { seconds: day, nanoseconds: 0, digits: 0 });
    }
    let &[b'T' | b't' | b' ', h0, h1, b':', m0, m1, ref rest @ ..] = rest else { return None };
    let (second, (nanoseconds, digits, rest)) = match rest {
        [b':', s0, s1, rest @ ..] => (two(*s0, *s1)?, fraction(rest)?),
        _ => (0, (0, 0, rest)),
    };
    let (hour, minute) = (two(h0, h1)?, two(m0, m1)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let clock = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
    Some(Instant { seconds: day + clock - offset(rest)?, nanoseconds, digits })
}

/// Nanoseconds, digits, and what follows.
fn fraction(text: &[u8]) -> Option<(u32, u8, &[u8])> {
    let [b'.', rest @ ..] = text else { return Some((0, 0, text)) };
    let count = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    if !(1..=9).contains(&count) {
        return None;
    }
    let value = rest[..count].iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
    Some((value * 10u32.pow(9 - count as u32), count as u8, &rest[count..]))
}

/// Seconds east of UTC.
pub fn offset(text: &[u8]) -> Option<i64> {
    let text = text.strip_prefix(b" ").filter(|zone| !zone.is_empty()).unwrap_or(text);
    let (sign, hours, minutes) = match *text {
        [] | [b'Z' | b'z'] => return Some(0),
        [sign, h0, h1] => (sign, two(h0, h1)?, 0),
        [sign, h0, h1, m0, m1] | [sign, h0, h1, b':', m0, m1] => (sign, two(h0, h1)?, two(m0, m1)?),
        _ => return None,
    };
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = i64::from(hours) * 3600 + i64::from(minutes) * 60;
    match sign {
        b'+' => Some(seconds),
        b'-' => Some(-seconds),
        _ => None,
    }
}

#[inline(always)]
fn two(tens: u8, ones: u8) -> Option<u16> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens <= 9 && ones <= 9).then_some(u16::from(tens) * 10 + u16::from(ones))
}

/// Days since 1970-01-01 in the Gregorian calendar, years 0 to 9999 (Hinnant, "chrono-compatible low-level date
/// algorithms", `days_from_civil`).
pub fn days(year: i32, month: u16, day: u16) -> Option<i32> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + u16::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if day == 0 || day > length {
        return None;
    }
    // Years begin in March, so that the odd day comes last.
    let (month, day) = (i32::from(month), i32::from(day));
    let year = year - i32::from(month <= 2);
    let era = year.div_euclid(400);
    let year = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn every_day_of_ten_thousand_years_reads_back() {
        for day in -719_528..2_932_897 {
            let written = text::written(|out| text::date(day, out));
            assert_eq!(date(written.as_bytes()), Some(day as i32), "{written}");
        }
        for text in [
            "2023-02-29",
            "1900-02-29",
            "2024-13-01",
            "2024-00-01",
            "2024-01-00",
            "2024-04-31",
            "2024-1-01",
            "20240101",
        ] {
            assert_eq!(date(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn instants() {
        use TimeUnit::*;
        for (text, unit, value) in [
            ("1970-01-01", Second, Some(0)),
            ("1970-01-01T00:00:01", Second, Some(1)),
            ("1970-01-01 00:01", Second, Some(60)),
            ("1970-01-01T00:01Z", Millisecond, Some(60_000)),
            ("1970-01-01T02:00+02", Second, Some(0)),
            ("1970-01-01T02:00 +0200", Second, Some(0)),
            ("1970-01-01 00:00:01Z", Nanosecond, Some(1_000_000_000)),
            ("1970-01-01T02:00:00+02:00", Second, Some(0)),
            ("1970-01-01T02:00:00 +0200", Second, Some(0)),
            ("1969-12-31T22:30:00-01:30", Second, Some(0)),
            ("1969-12-31T23:59:59.5", Millisecond, Some(-500)),
            ("1970-01-01T00:00:00.000000001", Nanosecond, Some(1)),
            ("1970-01-01T00:00:00.5", Second, None),
            ("1970-01-01T00:00:00.500", Millisecond, Some(500)),
            ("1677-09-21T00:12:43.145224192", Nanosecond, Some(i64::MIN)),
            ("1677-09-21T00:12:43.145224191", Nanosecond, None),
            ("2262-04-11T23:47:16.854775807", Nanosecond, Some(i64::MAX)),
            ("9999-12-31T23:59:59", Nanosecond, None),
        ] {
            assert_eq!(instant(text.as_bytes()).unwrap().in_unit(unit), value, "{text}");
        }
        for text in [
            "",
            "1970",
            "1970-01-01T",
            "1970-01-01T00",
            "1970-01-01T00:0",
            "1970-01-01T00:00.5",
            "1970-01-01T00:00:",
            "1970-01-01T00:00:0",
            "1970-01-01T24:00:00",
            "1970-01-01T00:60:00",
            "1970-01-01T00:00:60",
            "1970-01-01T00:00:00.",
            "1970-01-01T00:00:00.1234567890",
            "1970-01-01T00:00:00 ",
            "1970-01-01T00:00:00UTC",
            "1970-01-01T00:00:00+24:00",
            "1970-01-01x00:00:00",
            "1970-01-01T00:00:00*01",
        ] {
            assert_eq!(instant(text.as_bytes()), None, "{text}");
        }
    }
}
