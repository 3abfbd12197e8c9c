//! The coarsest unit in which all times of a column are integers.

use crate::types::{TimeUnit, Type};

/// Days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds.
const UNITS: usize = 7;

/// How many units of a column make one of each unit, as far as the column's values have shown that it is exact.
pub struct Units {
    divisors: [i64; UNITS],
    /// The coarsest one that is exact.
    at: usize,
}

impl Units {
    /// Of a column without values; none: it has no times.
    pub fn of(ty: Type) -> Option<Self> {
        let second = match ty {
            Type::Timestamp { unit: TimeUnit::Second, .. } => 1,
            Type::Timestamp { unit: TimeUnit::Millisecond, .. } | Type::DateMillisecond => 1000,
            Type::Timestamp { unit: TimeUnit::Microsecond, .. } => 1_000_000,
            Type::Timestamp { unit: TimeUnit::Nanosecond, .. } => 1_000_000_000,
            _ => return None,
        };
        // What is finer than the column's own unit is never looked for: 1 divides everything.
        let finer = |by: i64| (second / by).max(1);
        let divisors = [86_400 * second, 3600 * second, 60 * second, second, finer(1000), finer(1_000_000), 1];
        Some(Units { divisors, at: 0 })
    }

    /// Takes a value in.
    #[inline(always)]
    pub fn add(&mut self, value: i64) {
        while value % self.divisors[self.at] != 0 {
            self.at += 1;
        }
    }

    /// The number of the unit, days being 0.
    pub fn unit(&self) -> usize {
        self.at
    }

    /// What values are divided by.
    pub fn divisor(&self) -> i64 {
        self.divisors[self.at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_the_coarsest_that_is_exact() {
        let unit = |unit, values: &[i64]| {
            let mut units = Units::of(Type::Timestamp { unit, offset: None }).unwrap();
            values.iter().for_each(|&value| units.add(value));
            (units.unit(), units.divisor())
        };
        assert_eq!(unit(TimeUnit::Second, &[]), (0, 86_400));
        assert_eq!(unit(TimeUnit::Second, &[0, -86_400]), (0, 86_400));
        assert_eq!(unit(TimeUnit::Second, &[86_400, -3600]), (1, 3600));
        assert_eq!(unit(TimeUnit::Second, &[-60]), (2, 60));
        assert_eq!(unit(TimeUnit::Second, &[1]), (3, 1));
        assert_eq!(unit(TimeUnit::Millisecond, &[1000]), (3, 1000));
        assert_eq!(unit(TimeUnit::Millisecond, &[1]), (4, 1));
        assert_eq!(unit(TimeUnit::Nanosecond, &[i64::MIN]), (6, 1));
        assert_eq!(unit(TimeUnit::Nanosecond, &[60_000_000_000, 1_001_000]), (5, 1000));
        assert!(Units::of(Type::DateDay).is_none());
    }
}
