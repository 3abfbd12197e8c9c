//! Dates, times and spans, in the forms of ISO 8601.

use super::integer::{padded, signed, unsigned};
use crate::error::Result;
use crate::scratch::Scratch;
use crate::types::TimeUnit;

const DAY_SECONDS: i64 = 86_400;

/// Days since 1970-01-01: `2024-01-01`; years beyond four digits have a sign.
pub fn date(days: i64, out: &mut Scratch) -> Result<()> {
    let (year, month, day) = civil(days);
    if !(0..=9999).contains(&year) {
        out.extend(if year < 0 { b"-" } else { b"+" })?;
    }
    padded(year.unsigned_abs(), 4, out)?;
    out.extend(b"-")?;
    padded(month, 2, out)?;
    out.extend(b"-")?;
    padded(day, 2, out)
}

/// Milliseconds since 1970-01-01: a date, or a timestamp where they are no whole day.
pub fn date_or_timestamp(milliseconds: i64, out: &mut Scratch) -> Result<()> {
    if milliseconds.rem_euclid(DAY_SECONDS * 1000) == 0 {
        date(milliseconds.div_euclid(DAY_SECONDS * 1000), out)
    } else {
        timestamp(milliseconds, TimeUnit::Millisecond, None, out)
    }
}

/// `2024-01-01T00:00:00` with 3, 6 or 9 digits of a fraction as needed. With an offset (seconds east of UTC) the clock
/// there and `Z` or `+02:00`.
pub fn timestamp(value: i64, unit: TimeUnit, offset: Option<i32>, out: &mut Scratch) -> Result<()> {
    let (seconds, nanoseconds) = split(value, unit);
    let seconds = seconds.saturating_add(offset.unwrap_or(0).into());
    date(seconds.div_euclid(DAY_SECONDS), out)?;
    out.extend(b"T")?;
    clock(seconds.rem_euclid(DAY_SECONDS).unsigned_abs(), nanoseconds, out)?;
    match offset {
        None => Ok(()),
        Some(0) => out.extend(b"Z"),
        Some(offset) => {
            out.extend(if offset < 0 { b"-" } else { b"+" })?;
            let minutes = u64::from(offset.unsigned_abs() / 60);
            padded(minutes / 60, 2, out)?;
            out.extend(b":")?;
            padded(minutes % 60, 2, out)
        }
    }
}

/// `2024-01-01T00:00:00.000`: the clock in UTC, cut to milliseconds.
pub fn timestamp_milliseconds(value: i64, unit: TimeUnit, out: &mut Scratch) -> Result<()> {
    let (seconds, nanoseconds) = split(value, unit);
    date(seconds.div_euclid(DAY_SECONDS), out)?;
    out.extend(b"T")?;
    clock(seconds.rem_euclid(DAY_SECONDS).unsigned_abs(), 0, out)?;
    out.extend(b".")?;
    padded(nanoseconds / 1_000_000, 3, out)
}

/// `12:30:00`; what is not within a day keeps its sign and its hours.
pub fn time(value: i64, unit: TimeUnit, out: &mut Scratch) -> Result<()> {
    if value < 0 {
        out.extend(b"-")?;
    }
    let (seconds, nanoseconds) = magnitude(value, unit);
    clock(seconds, nanoseconds, out)
}

/// `PT90S`, `-PT0.500S`.
pub fn duration(value: i64, unit: TimeUnit, out: &mut Scratch) -> Result<()> {
    if value < 0 {
        out.extend(b"-")?;
    }
    let (seconds, nanoseconds) = magnitude(value, unit);
    out.extend(b"PT")?;
    unsigned(seconds, out)?;
    fraction(nanoseconds, out)?;
    out.extend(b"S")
}

/// Months: `P1Y2M`.
pub fn interval_months(months: i32, out: &mut Scratch) -> Result<()> {
    out.extend(b"P")?;
    signed((months / 12).into(), out)?;
    out.extend(b"Y")?;
    signed((months % 12).into(), out)?;
    out.extend(b"M")
}

/// `P1M2DT3.500S`, each part with its own sign.
pub fn interval(months: i32, days: i32, nanoseconds: i64, out: &mut Scratch) -> Result<()> {
    out.extend(b"P")?;
    if months != 0 {
        signed(months.into(), out)?;
        out.extend(b"M")?;
    }
    signed(days.into(), out)?;
    out.extend(b"DT")?;
    if nanoseconds < 0 {
        out.extend(b"-")?;
    }
    let (seconds, nanoseconds) = magnitude(nanoseconds, TimeUnit::Nanosecond);
    unsigned(seconds, out)?;
    fraction(nanoseconds, out)?;
    out.extend(b"S")
}

/// Whole seconds, rounded down, and the nanoseconds that remain.
fn split(value: i64, unit: TimeUnit) -> (i64, u64) {
    let per_second = unit.per_second();
    let rest = value.rem_euclid(per_second) * (1_000_000_000 / per_second);
    (value.div_euclid(per_second), rest.unsigned_abs())
}

fn magnitude(value: i64, unit: TimeUnit) -> (u64, u64) {
    let per_second = unit.per_second().unsigned_abs();
    let value = value.unsigned_abs();
    (value / per_second, value % per_second * (1_000_000_000 / per_second))
}

fn clock(seconds: u64, nanoseconds: u64, out: &mut Scratch) -> Result<()> {
    padded(seconds / 3600, 2, out)?;
    out.extend(b":")?;
    padded(seconds / 60 % 60, 2, out)?;
    out.extend(b":")?;
    padded(seconds % 60, 2, out)?;
    fraction(nanoseconds, out)
}

fn fraction(nanoseconds: u64, out: &mut Scratch) -> Result<()> {
    let (value, digits) = match nanoseconds {
        0 => return Ok(()),
        _ if nanoseconds.is_multiple_of(1_000_000) => (nanoseconds / 1_000_000, 3),
        _ if nanoseconds.is_multiple_of(1_000) => (nanoseconds / 1_000, 6),
        _ => (nanoseconds, 9),
    };
    out.extend(b".")?;
    padded(value, digits, out)
}

/// Year, month and day of the proleptic Gregorian calendar (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
/// `civil_from_days`): years begin in March, so that the leap day is the last, and 400 of them repeat.
fn civil(days: i64) -> (i64, u64, u64) {
    const ERA_DAYS: i64 = 146_097;
    let days = days + 719_468;
    let era = days.div_euclid(ERA_DAYS);
    let day_of_era = days.rem_euclid(ERA_DAYS).unsigned_abs();
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era as i64 + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::written;

    #[test]
    fn every_day_of_eight_centuries_follows_the_one_before() {
        let (mut year, mut month, mut day) = (1600i64, 1u64, 1u64);
        let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for days in -135_140..157_054 {
            assert_eq!(civil(days), (year, month, day));
            let length = match month {
                2 => 28 + u64::from(leap(year)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        assert_eq!(civil(0), (1970, 1, 1));
    }

    #[test]
    fn dates_and_timestamps() {
        use TimeUnit::*;
        assert_eq!(written(|out| date(19_723, out)), "2024-01-01");
        assert_eq!(written(|out| date(-719_529, out)), "-0001-12-31");
        assert_eq!(written(|out| date(2_932_897, out)), "+10000-01-01");
        assert_eq!(written(|out| date_or_timestamp(86_400_000, out)), "1970-01-02");
        assert_eq!(written(|out| timestamp_milliseconds(0, Second, out)), "1970-01-01T00:00:00.000");
        assert_eq!(written(|out| timestamp_milliseconds(-1, Nanosecond, out)), "1969-12-31T23:59:59.999");
        assert_eq!(written(|out| timestamp_milliseconds(86_399_012_999, Microsecond, out)), "1970-01-01T23:59:59.012");
        assert_eq!(written(|out| date_or_timestamp(-1, out)), "1969-12-31T23:59:59.999");
        for (value, unit, offset, text) in [
            (0, Second, None, "1970-01-01T00:00:00"),
            (1_704_067_200_500, Millisecond, None, "2024-01-01T00:00:00.500"),
            (-1, Microsecond, None, "1969-12-31T23:59:59.999999"),
            (1, Nanosecond, Some(0), "1970-01-01T00:00:00.000000001Z"),
            (0, Second, Some(7200), "1970-01-01T02:00:00+02:00"),
            (0, Second, Some(-19_800), "1969-12-31T18:30:00-05:30"),
            (i64::MAX, Nanosecond, None, "2262-04-11T23:47:16.854775807"),
            (i64::MIN, Nanosecond, None, "1677-09-21T00:12:43.145224192"),
            (i64::MAX, Second, Some(60), "+292277026596-12-04T15:30:07+00:01"),
        ] {
            assert_eq!(written(|out| timestamp(value, unit, offset, out)), text);
        }
    }

    #[test]
    fn times_and_spans() {
        use TimeUnit::*;
        assert_eq!(written(|out| time(45_000, Second, out)), "12:30:00");
        assert_eq!(written(|out| time(1, Microsecond, out)), "00:00:00.000001");
        assert_eq!(written(|out| time(-1, Millisecond, out)), "-00:00:00.001");
        assert_eq!(written(|out| duration(90, Second, out)), "PT90S");
        assert_eq!(written(|out| duration(-500, Millisecond, out)), "-PT0.500S");
        assert_eq!(written(|out| duration(i64::MIN, Nanosecond, out)), "-PT9223372036.854775808S");
        assert_eq!(written(|out| interval_months(14, out)), "P1Y2M");
        assert_eq!(written(|out| interval(0, 3, 4_500_000_000, out)), "P3DT4.500S");
        assert_eq!(written(|out| interval(1, -2, -3, out)), "P1M-2DT-0.000000003S");
    }
}
