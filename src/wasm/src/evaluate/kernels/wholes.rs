//! Whole numbers as floats and back. The conversions of 64 bits that processors have are not for vectors; these are.

/// The bound 2⁵¹ of what the first two take.
pub const NEAR: f64 = (1u64 << 51) as f64;

/// The float 1.5 · 2⁵², whose sums with whole numbers below 2⁵¹ have these in their last bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// A whole number below 2⁵¹ as a float.
#[inline(always)]
pub fn float_of(whole: i64) -> f64 {
    f64::from_bits(whole.wrapping_add(MAGIC.to_bits() as i64) as u64) - MAGIC
}

/// The whole number next to a float below 2⁵¹, of two the even one.
#[inline(always)]
pub fn whole_of(float: f64) -> i64 {
    ((float + MAGIC).to_bits() as i64).wrapping_sub(MAGIC.to_bits() as i64)
}

/// The float next to a whole number: the sum of those of its upper and its lower 32 bits.
#[inline(always)]
pub fn nearest_float(whole: i64) -> f64 {
    // The bits of 2⁵², of 2⁸⁴ + 2⁶³, and of the sum of both.
    const LOW: u64 = 0x4330_0000_0000_0000;
    const HIGH: u64 = 0x4530_0000_8000_0000;
    const BOTH: u64 = 0x4530_0000_8010_0000;
    let low = f64::from_bits((whole as u64 & 0xffff_ffff) | LOW);
    let high = f64::from_bits((whole as u64 >> 32) ^ HIGH);
    (high - f64::from_bits(BOTH)) + low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_those_of_the_processor() {
        let mut state = 1u64;
        for shift in (0..64).cycle().take(20_000) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let whole = state as i64 >> shift;
            assert_eq!(nearest_float(whole), whole as f64, "{whole}");
            if shift > 12 {
                assert_eq!(float_of(whole), whole as f64);
                let float = whole as f64 / 4.0;
                assert_eq!(whole_of(float), float.round_ties_even() as i64, "{float}");
            }
        }
        assert_eq!(nearest_float(i64::MIN), i64::MIN as f64);
        assert_eq!(nearest_float(i64::MAX), i64::MAX as f64);
    }
}
