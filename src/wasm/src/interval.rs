//! INTERVAL: months, days and milliseconds, 32 bits each without a sign, little endian.

use crate::array::Data;
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// Bytes of a value.
pub const WIDTH: usize = 12;

/// Bytes of an interval of months and days, 32 bits each with a sign, and nanoseconds, 64 bits.
const OUT_WIDTH: usize = 16;

const MILLISECOND_NANOSECONDS: i64 = 1_000_000;

/// Stored values as intervals. A row that is not `known` may hold anything, and so does its interval.
pub fn intervals(stored: &[u8], known: impl Fn(usize) -> bool) -> Result<Data> {
    let values = stored.as_chunks::<WIDTH>().0;
    let mut out = Buffer::zeroed(values.len().checked_mul(OUT_WIDTH).ok_or(Error::Memory)?)?;
    for (row, (out, value)) in out.numbers_mut::<i64>().as_chunks_mut::<2>().0.iter_mut().zip(values).enumerate() {
        let [a, b, c, d, e, f, g, h, milliseconds @ ..] = *value;
        let months_and_days = i64::from_le_bytes([a, b, c, d, e, f, g, h]);
        if months_and_days & SIGNS != 0 && known(row) {
            return Err(BEYOND);
        }
        *out = [months_and_days, i64::from(u32::from_le_bytes(milliseconds)) * MILLISECOND_NANOSECONDS];
    }
    Ok(Data::Fixed { width: OUT_WIDTH, values: out })
}

/// The highest bits of the months and of the days.
const SIGNS: i64 = (1 << 63) | (1 << 31);

const BEYOND: Error =
    Error::invalid("an INTERVAL has more than 2147483647 months or days: what reads it takes 32 bits with a sign");

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(months: u32, days: u32, milliseconds: u32) -> Vec<u8> {
        [months, days, milliseconds].into_iter().flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn the_three_parts_stay_apart() {
        let bytes = [stored(1, 2, 3), stored(0, i32::MAX as u32, u32::MAX)].concat();
        let Ok(Data::Fixed { width: 16, values }) = intervals(&bytes, |_| true) else { panic!("refused") };
        assert_eq!(values.numbers::<i32>()[..2], [1, 2]);
        assert_eq!(values.numbers::<i32>()[4..6], [0, i32::MAX]);
        assert_eq!(values.numbers::<i64>()[1], 3_000_000);
        assert_eq!(values.numbers::<i64>()[3], i64::from(u32::MAX) * 1_000_000);
    }

    #[test]
    fn only_rows_that_are_known_are_beyond() {
        for far in [stored(1 << 31, 0, 0), stored(0, 1 << 31, 0)] {
            assert!(intervals(&far, |_| true).is_err());
            assert!(intervals(&far, |_| false).is_ok());
        }
    }
}
