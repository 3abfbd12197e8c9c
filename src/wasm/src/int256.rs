//! Signed 256-bit integers: Decimal256 values, and every constant on its way to a narrower type.

use std::cmp::Ordering;

/// Two's complement, little endian, as Arrow stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Int256 {
    low: u128,
    high: i128,
}

impl Int256 {
    /// The least value, −2^255.
    pub const MIN: Self = Int256 { low: 0, high: i128::MIN };
    /// The greatest value, 2^255 − 1.
    pub const MAX: Self = Int256 { low: u128::MAX, high: i128::MAX };

    /// From 32 bytes, little endian.
    pub fn from_le_bytes(bytes: [u8; 32]) -> Self {
        let (mut low, mut high) = ([0; 16], [0; 16]);
        low.copy_from_slice(&bytes[..16]);
        high.copy_from_slice(&bytes[16..]);
        Int256 { low: u128::from_le_bytes(low), high: i128::from_le_bytes(high) }
    }

    /// One more, unless that is too large.
    pub fn successor(self) -> Option<Self> {
        let (low, carry) = self.low.overflowing_add(1);
        Some(Int256 { low, high: self.high.checked_add(carry as i128)? })
    }

    /// One less, unless that is too small.
    pub fn predecessor(self) -> Option<Self> {
        let (low, borrow) = self.low.overflowing_sub(1);
        Some(Int256 { low, high: self.high.checked_sub(borrow as i128)? })
    }

    /// The sum modulo 2^256.
    pub fn wrapping_add(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Int256 { low, high: self.high.wrapping_add(other.high).wrapping_add(carry as i128) }
    }

    /// The value as a float, within one unit in the last place.
    pub fn to_f64(self) -> f64 {
        let ([a, b, c, d], negative) = self.magnitude();
        let wide = |low: u64, high: u64| (u128::from(high) << 64 | u128::from(low)) as f64;
        let magnitude = wide(c, d) * 2f64.powi(128) + wide(a, b);
        if negative { -magnitude } else { magnitude }
    }

    /// The value as `i128`, if it fits.
    pub fn to_i128(self) -> Option<i128> {
        let value = self.low as i128;
        (self.high == value >> 127).then_some(value)
    }

    /// Magnitude as 64-bit limbs, least first, and whether the value is negative.
    pub fn magnitude(self) -> ([u64; 4], bool) {
        let negative = self.high < 0;
        let (low, high) = if negative {
            let (low, carry) = (!self.low).overflowing_add(1);
            (low, (!self.high as u128).wrapping_add(carry as u128))
        } else {
            (self.low, self.high as u128)
        };
        ([low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64], negative)
    }
}

impl From<i128> for Int256 {
    fn from(value: i128) -> Self {
        Int256 { low: value as u128, high: value >> 127 }
    }
}

impl Ord for Int256 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.high.cmp(&other.high).then(self.low.cmp(&other.low))
    }
}

impl PartialOrd for Int256 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_neighbours_cross_the_middle() {
        let minus_one = Int256::from(-1);
        assert_eq!(minus_one.successor(), Some(Int256::from(0)));
        assert_eq!(Int256::from(0).predecessor(), Some(minus_one));
        let past = Int256::from(i128::MAX).successor().unwrap();
        assert!(past > Int256::from(i128::MAX));
        assert_eq!(past.to_i128(), None);
        assert_eq!(past.predecessor().unwrap().to_i128(), Some(i128::MAX));
        assert_eq!(Int256::MAX.successor(), None);
        assert_eq!(Int256::MIN.predecessor(), None);
        assert!(Int256::MIN < Int256::from(i128::MIN) && minus_one < Int256::from(0));
    }

    #[test]
    fn magnitude_of_the_extremes() {
        assert_eq!(Int256::from(-5).magnitude(), ([5, 0, 0, 0], true));
        assert_eq!(Int256::MIN.magnitude(), ([0, 0, 0, 1 << 63], true));
        assert_eq!(Int256::MAX.magnitude(), ([u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1], false));
    }
}
