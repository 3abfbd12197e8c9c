//! The one loop that a comparison is.

use crate::buffer::Number;
use crate::int256::Int256;

/// Numbers that are tested 64 at a time.
pub trait Lanes: Number + PartialOrd {
    /// Bit `i` is set where `low <= block[i] <= high`.
    fn between(block: &[Self; 64], low: Self, high: Self) -> u64 {
        block.iter().enumerate().fold(0, |word, (i, &value)| word | ((low <= value && value <= high) as u64) << i)
    }
}

impl Lanes for i128 {}
impl Lanes for Int256 {}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar {
    macro_rules! scalar {
        ($($type:ty),*) => { $(impl super::Lanes for $type {})* };
    }
    scalar!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
}
