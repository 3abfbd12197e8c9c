//! INT96: nanoseconds of the day (64 bits), then the Julian day (32 bits), little endian.

use crate::array::Data;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::types::TimeUnit;

/// Bytes of a value.
pub const WIDTH: usize = 12;

/// 1970-01-01 as a Julian day.
const EPOCH_DAY: i64 = 2_440_588;

/// 1970-01-01T00:00:00 as it is stored.
pub const EPOCH: [u8; WIDTH] = {
    let [a, b, c, d] = (EPOCH_DAY as i32).to_le_bytes();
    [0, 0, 0, 0, 0, 0, 0, 0, a, b, c, d]
};

const DAY_SECONDS: i64 = 86_400;

/// Stored values as timestamps. A row that is not `known` may hold anything, and so does its timestamp.
pub fn timestamps(stored: &[u8], unit: TimeUnit, known: impl Fn(usize) -> bool) -> Result<Data> {
    let values = stored.as_chunks::<WIDTH>().0;
    let mut out = Buffer::zeroed(values.len().checked_mul(size_of::<i64>()).ok_or(Error::Memory)?)?;
    let mut may_be_beyond = false;
    for (out, value) in out.numbers_mut().iter_mut().zip(values) {
        let (timestamp, is_exact) = timestamp(*value, unit);
        *out = timestamp;
        may_be_beyond |= !is_exact;
    }
    if may_be_beyond {
        for (row, (out, value)) in out.numbers_mut().iter_mut().zip(values).enumerate() {
            *out = match exact_timestamp(*value, unit) {
                Some(timestamp) => timestamp,
                None if known(row) => return Err(beyond(unit)),
                None => 0,
            };
        }
    }
    Ok(Data::Fixed { width: size_of::<i64>(), values: out })
}

/// Days and units of the day since 1970.
fn parts(value: [u8; WIDTH], unit: TimeUnit) -> (i64, i64) {
    let [nanoseconds @ .., a, b, c, d] = value;
    let days = i64::from(i32::from_le_bytes([a, b, c, d])) - EPOCH_DAY;
    (days, i64::from_le_bytes(nanoseconds) / (TimeUnit::Nanosecond.per_second() / unit.per_second()))
}

/// Since 1970, and whether it is sure to be right. The first day of all begins before the least timestamp, so it is not.
fn timestamp(value: [u8; WIDTH], unit: TimeUnit) -> (i64, bool) {
    let (days, of_day) = parts(value, unit);
    let day = DAY_SECONDS * unit.per_second();
    let (timestamp, overflows) = days.wrapping_mul(day).overflowing_add(of_day);
    (timestamp, days.abs() <= i64::MAX / day && !overflows)
}

/// Since 1970; none beyond 64 bits.
fn exact_timestamp(value: [u8; WIDTH], unit: TimeUnit) -> Option<i64> {
    let (days, of_day) = parts(value, unit);
    i64::try_from(i128::from(days) * i128::from(DAY_SECONDS * unit.per_second()) + i128::from(of_day)).ok()
}

const fn beyond(unit: TimeUnit) -> Error {
    Error::invalid(match unit {
        TimeUnit::Nanosecond => {
            "an INT96 time lies outside of the years 1677 to 2262, the only ones that nanoseconds reach: write the column \
             as TIMESTAMP in microseconds instead"
        }
        _ => "an INT96 time lies further from 1970 than 64 bits of its unit reach",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(day: i64, nanoseconds: i64) -> [u8; WIDTH] {
        let mut value = EPOCH;
        value[..8].copy_from_slice(&nanoseconds.to_le_bytes());
        value[8..].copy_from_slice(&((EPOCH_DAY + day) as i32).to_le_bytes());
        value
    }

    const DAY: i64 = 86_400_000_000_000;

    /// By way of both.
    fn timestamp(value: [u8; WIDTH], unit: TimeUnit) -> Option<i64> {
        let exact = exact_timestamp(value, unit);
        let (timestamp, is_exact) = super::timestamp(value, unit);
        assert!(!is_exact || exact == Some(timestamp));
        exact
    }

    #[test]
    fn a_unit_reaches_as_far_as_64_bits() {
        assert_eq!(timestamp(EPOCH, TimeUnit::Nanosecond), Some(0));
        for near in [i64::MIN, i64::MIN + 1, -DAY - 1, -1, 0, 1, DAY, i64::MAX - 1, i64::MAX] {
            let value = stored(near.div_euclid(DAY), near.rem_euclid(DAY));
            assert_eq!(timestamp(value, TimeUnit::Nanosecond), Some(near));
            assert_eq!(timestamp(value, TimeUnit::Second), Some(near.div_euclid(1_000_000_000)));
        }
        for far in [i128::from(i64::MIN) - 1, i128::from(i64::MAX) + 1] {
            let value = stored(far.div_euclid(DAY.into()) as i64, far.rem_euclid(DAY.into()) as i64);
            assert_eq!(timestamp(value, TimeUnit::Nanosecond), None);
            assert!(timestamp(value, TimeUnit::Microsecond).is_some());
        }
        for day in [i64::from(i32::MIN) - EPOCH_DAY, i64::from(i32::MAX) - EPOCH_DAY] {
            for (unit, reaches) in
                [(TimeUnit::Second, true), (TimeUnit::Millisecond, true), (TimeUnit::Microsecond, false)]
            {
                assert_eq!(timestamp(stored(day, 0), unit).is_some(), reaches, "{day} {unit:?}");
            }
        }
    }

    #[test]
    fn only_rows_that_are_known_are_beyond() {
        let far = [stored(0, 1), stored(200_000, 0), stored(0, 2)].concat();
        assert!(timestamps(&far, TimeUnit::Nanosecond, |_| true).is_err());
        assert!(timestamps(&far, TimeUnit::Microsecond, |_| true).is_ok());
        let Ok(Data::Fixed { width: 8, values }) = timestamps(&far, TimeUnit::Nanosecond, |row| row != 1) else {
            panic!("refused");
        };
        let values = values.numbers::<i64>();
        assert_eq!((values[0], values[2]), (1, 2));
    }
}
