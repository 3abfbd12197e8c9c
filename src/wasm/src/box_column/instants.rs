//! Instants from counts of a unit since an epoch.

/// How counts become nanoseconds since 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instants {
    /// Nanoseconds of a unit.
    pub unit: i64,
    /// The epoch in nanoseconds since 1970-01-01 of the calendar.
    pub epoch: i128,
    pub calendar: Calendar,
    /// Whether counts with a fraction are rounded to microseconds as cftime does. Otherwise they are multiplied as binary64 and
    /// truncated to nanoseconds, as pandas does.
    pub are_microseconds: bool,
}

/// What a number of days since 1970-01-01 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calendar {
    /// The day of ISO 8601.
    Gregorian,
    /// In a calendar without leap years, the day with the same label.
    NoLeap,
}

/// 2^63: the least magnitude that no `i64` has.
const I64_END: f64 = 9_223_372_036_854_775_808.0;
/// Counts of this magnitude are beyond all instants, with any epoch that can be written and in nanoseconds too. The nanoseconds of
/// this many weeks fit 128 bits, and so does any sum with an epoch.
const MOST_COUNT: f64 = 1e23;
const DAY: i128 = 86_400_000_000_000;
const MICROSECOND: i64 = 1_000;
const SECOND: i64 = 1_000_000_000;
const SECOND_MICROSECONDS: f64 = 1e6;

impl Instants {
    /// The instant, none where its nanoseconds do not fit 64 bits.
    pub fn of_signed(&self, count: i64) -> Option<i64> {
        if self.calendar == Calendar::Gregorian
            && let (Ok(epoch), Some(since)) = (i64::try_from(self.epoch), count.checked_mul(self.unit))
            && let Some(instant) = epoch.checked_add(since)
        {
            return bounded(instant.into());
        }
        self.since(i128::from(count) * i128::from(self.unit))
    }

    /// The same of an unsigned count.
    pub fn of_unsigned(&self, count: u64) -> Option<i64> {
        self.since(i128::from(count).checked_mul(self.unit.into())?)
    }

    /// The same of a count that may have a fraction; none where it is not finite.
    pub fn of_float(&self, count: f64) -> Option<i64> {
        if count.is_nan() || count.abs() >= MOST_COUNT {
            return None;
        }
        if self.are_microseconds && self.unit >= MICROSECOND {
            let whole = count.trunc();
            let fraction = (count - whole) * (self.unit / MICROSECOND) as f64;
            let microseconds = rounded_as_cftime(fraction, self.unit >= SECOND);
            return self.since(whole as i128 * i128::from(self.unit) + microseconds as i128 * i128::from(MICROSECOND));
        }
        let since = count * self.unit as f64;
        if since.abs() < I64_END {
            // The conversion truncates.
            return self.since((since as i64).into());
        }
        self.since(since as i128)
    }

    fn since(&self, nanoseconds: i128) -> Option<i64> {
        let instant = self.epoch.checked_add(nanoseconds)?;
        match self.calendar {
            Calendar::Gregorian => bounded(instant),
            Calendar::NoLeap => labelled(instant),
        }
    }
}

/// The least `i64` is what numpy and pandas have for no time.
fn bounded(instant: i128) -> Option<i64> {
    i64::try_from(instant).ok().filter(|&instant| instant != i64::MIN)
}

/// Microseconds as cftime rounds them, from the middle to the even one. With whole seconds a microsecond beside one counts as a
/// rounding error of the count.
fn rounded_as_cftime(microseconds: f64, has_whole_seconds: bool) -> f64 {
    let rounded = microseconds.round_ties_even();
    if !has_whole_seconds {
        return rounded;
    }
    match rounded.rem_euclid(SECOND_MICROSECONDS) {
        1.0 => microseconds.floor(),
        999_999.0 => microseconds.ceil(),
        _ => rounded,
    }
}

/// Days before each month of a year without a leap day.
const BEFORE_MONTH: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/// The instant that has in ISO 8601 the label that another has in a calendar of 365 days a year.
fn labelled(instant: i128) -> Option<i64> {
    // Years 1677 to 2262 fit.
    let days = i64::try_from(instant.div_euclid(DAY)).ok().filter(|days| days.abs() < 365 * 400)?;
    let (year, day) = (1970 + days.div_euclid(365), days.rem_euclid(365));
    let month = BEFORE_MONTH.partition_point(|&before| before <= day);
    let leaps = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // Leap days from 1970 up to this one: that of this year counts from March on.
    let before = leaps(if month > 2 { year } else { year - 1 }) - leaps(1969);
    bounded(i128::from(days + before) * DAY + instant.rem_euclid(DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAYS: Instants =
        Instants { unit: DAY as i64, epoch: 0, calendar: Calendar::Gregorian, are_microseconds: false };

    #[test]
    fn integers_are_exact_and_what_does_not_fit_is_none() {
        let nanoseconds = Instants { unit: 1, ..DAYS };
        assert_eq!(nanoseconds.of_signed(i64::MAX), Some(i64::MAX));
        assert_eq!(nanoseconds.of_signed(i64::MIN), None);
        assert_eq!(nanoseconds.of_signed(i64::MIN + 1), Some(i64::MIN + 1));
        assert_eq!(nanoseconds.of_unsigned(u64::MAX), None);
        assert_eq!(DAYS.of_signed(106_751), Some(106_751 * DAY as i64));
        assert_eq!(DAYS.of_signed(106_752), None);
        assert_eq!(DAYS.of_signed(i64::MAX), None);
        // The product does not fit, the sum does.
        let early = Instants { epoch: -50_000 * DAY, ..DAYS };
        assert_eq!(early.of_signed(110_000), Some(60_000 * DAY as i64));
        // Days since 0001-01-01.
        let first = Instants { epoch: -719_162 * DAY, ..DAYS };
        assert_eq!(first.of_signed(719_163), Some(DAY as i64));
        assert_eq!(first.of_float(719_162.5), Some(DAY as i64 / 2));
        assert_eq!(first.of_signed(0), None);
    }

    #[test]
    fn fractions_are_multiplied_and_truncated_or_rounded_to_microseconds() {
        let hours = Instants { unit: 3_600_000_000_000, ..DAYS };
        assert_eq!(hours.of_float(0.1), Some((0.1f64 * 3.6e12) as i64));
        assert_eq!(hours.of_float(-1.5), Some(-5_400_000_000_000));
        assert_eq!(hours.of_float(f64::NAN), None);
        assert_eq!(hours.of_float(f64::INFINITY), None);
        assert_eq!(hours.of_float(1e300), None);
        assert_eq!(hours.of_float(1e25), None);
        let rounded = Instants { are_microseconds: true, ..hours };
        assert_eq!(rounded.of_float(1.0 / 3.0), Some(1_200_000_000_000));
        // Beside a whole second the rounding goes towards the second.
        assert_eq!(rounded.of_float(1.0 + 0.8e-6 / 3600.0), Some(3_600_000_000_000));
        assert_eq!(rounded.of_float(-1.0 - 0.8e-6 / 3600.0), Some(-3_600_000_000_000));
        assert_eq!(rounded.of_float(1.0 + 1.8e-6 / 3600.0), Some(3_600_000_002_000));
        assert_eq!(rounded.of_float(-1.5), Some(-5_400_000_000_000));
        assert_eq!(rounded.of_float(1e300), None);
        assert_eq!(rounded.of_float(1e22), None);
        assert_eq!(rounded.of_float(f64::NAN), None);
        assert_eq!(rounded.of_float(f64::MIN_POSITIVE), Some(0));
        assert_eq!(rounded.of_float(-0.0), Some(0));
        let microseconds = Instants { unit: 1_000, are_microseconds: true, ..DAYS };
        assert_eq!(microseconds.of_float(0.5), Some(0));
        assert_eq!(microseconds.of_float(1.5), Some(1_000));
        assert_eq!(microseconds.of_float(1.75), Some(2_000));
        assert_eq!(microseconds.of_float(2.5), Some(2_000));
    }

    #[test]
    fn without_leap_years_the_label_is_kept() {
        let noleap = Instants { calendar: Calendar::NoLeap, ..DAYS };
        // 1972-02-28 and 1972-03-01, between which lies a leap day.
        assert_eq!(noleap.of_signed(2 * 365 + 58), Some((2 * 365 + 58) * DAY as i64));
        assert_eq!(noleap.of_signed(2 * 365 + 59), Some((2 * 365 + 60) * DAY as i64));
        // 2000-12-31T12:00.
        assert_eq!(noleap.of_float(31.0 * 365.0 - 0.5), Some(11_322 * DAY as i64 + DAY as i64 / 2));
        // 1969-12-31 and 1968-01-01.
        assert_eq!(noleap.of_signed(-1), Some(-DAY as i64));
        assert_eq!(noleap.of_signed(-2 * 365), Some(-731 * DAY as i64));
        assert_eq!(noleap.of_signed(365 * 300), None);
        assert_eq!(noleap.of_signed(i64::MAX), None);
    }
}
