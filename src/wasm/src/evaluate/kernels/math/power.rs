//! Powers of any base.

use super::exp::{SIGN, exp_of_sum};
use super::tables::{POWER, POWER_POLYNOMIAL};
use super::{entry, top12};

const OFFSET: u64 = 0x3fe6_9555_0000_0000;

/// `x` to the power of `y`.
pub fn power(x: f64, y: f64) -> f64 {
    const INFINITY: u64 = f64::INFINITY.to_bits();
    const ONE: u64 = 1f64.to_bits();
    let (mut ix, iy) = (x.to_bits(), y.to_bits());
    let (mut top_x, top_y) = (top12(x), top12(y));
    let mut sign = 0;
    let is_extreme_y = (top_y & 0x7ff).wrapping_sub(0x3be) >= 0x43e - 0x3be;
    if top_x.wrapping_sub(1) >= 0x7ff - 1 || is_extreme_y {
        let is_special = |bits: u64| bits.wrapping_mul(2).wrapping_sub(1) >= INFINITY.wrapping_mul(2) - 1;
        let (twice_x, twice_y) = (ix.wrapping_mul(2), iy.wrapping_mul(2));
        if is_special(iy) {
            if twice_y == 0 || ix == ONE {
                return 1.0;
            }
            if twice_x > INFINITY.wrapping_mul(2) || twice_y > INFINITY.wrapping_mul(2) {
                return x + y;
            }
            if twice_x == ONE.wrapping_mul(2) {
                return 1.0;
            }
            let is_small = twice_x < ONE.wrapping_mul(2);
            return if is_small == (iy >> 63 == 0) { 0.0 } else { y * y };
        }
        if is_special(ix) {
            let square = if ix >> 63 == 1 && parity(iy) == Parity::Odd { -(x * x) } else { x * x };
            return if iy >> 63 == 1 { 1.0 / square } else { square };
        }
        if ix >> 63 == 1 {
            match parity(iy) {
                Parity::NotWhole => return f64::NAN,
                Parity::Odd => sign = SIGN,
                Parity::Even => {}
            }
            ix &= u64::MAX >> 1;
            top_x &= 0x7ff;
        }
        if is_extreme_y {
            if ix == ONE {
                return 1.0;
            }
            if top_y & 0x7ff < 0x3be {
                return if ix > ONE { 1.0 + y } else { 1.0 - y };
            }
            return if (ix > ONE) == (top_y < 0x800) { f64::INFINITY } else { 0.0 };
        }
        if top_x == 0 {
            // It is subnormal.
            ix = (x * 2f64.powi(52)).to_bits() & u64::MAX >> 1;
            ix = ix.wrapping_sub(52 << 52);
        }
    }
    let (high, low) = log_of(ix);
    let high_bits = |value: f64| f64::from_bits(value.to_bits() & u64::MAX << 27);
    let high_y = high_bits(y);
    let low_y = y - high_y;
    let high_log = high_bits(high);
    let low_log = high - high_log + low;
    exp_of_sum(high_y * high_log, low_y * high_log + y * low_log, sign)
}

/// The logarithm of a number by its bits, and what rounding took from it.
fn log_of(ix: u64) -> (f64, f64) {
    let offset = ix.wrapping_sub(OFFSET);
    let index = (offset >> (52 - 7)) as usize % 128;
    let k = (offset as i64 >> 52) as f64;
    let iz = ix.wrapping_sub(offset & 0xfff << 52);
    let z = f64::from_bits(iz);
    let of = |i| entry(&POWER, 3 * index + i);
    let (inverse, log_c, log_c_tail) = (of(0), of(1), of(2));
    // Split so that the product of the high part and the inverse is exact.
    let high_z = f64::from_bits(iz.wrapping_add(1 << 31) & u64::MAX << 32);
    let low_z = z - high_z;
    let high_r = high_z * inverse - 1.0;
    let low_r = low_z * inverse;
    let r = high_r + low_r;
    let t1 = k * f64::from_bits(0x3fe6_2e42_fefa_3800) + log_c;
    let t2 = t1 + r;
    let low1 = k * f64::from_bits(0x3d2e_f357_93c7_6730) + log_c_tail;
    let low2 = t1 - t2 + r;
    let a = |i| entry(&POWER_POLYNOMIAL, i);
    let ar = a(0) * r;
    let ar2 = r * ar;
    let ar3 = r * ar2;
    let high_ar = a(0) * high_r;
    let high_ar2 = high_r * high_ar;
    let high = t2 + high_ar2;
    let low3 = low_r * (ar + high_ar);
    let low4 = t2 - high + high_ar2;
    let p = ar3 * (a(1) + r * a(2) + ar2 * (a(3) + r * a(4) + ar2 * (a(5) + r * a(6))));
    let low = low1 + low2 + low3 + low4 + p;
    let y = high + low;
    (y, high - y + low)
}

#[derive(PartialEq, Eq)]
enum Parity {
    NotWhole,
    Odd,
    Even,
}

/// Whether a number is whole, and even, by its bits. It is finite and not 0.
fn parity(bits: u64) -> Parity {
    let exponent = (bits >> 52 & 0x7ff) as u32;
    if exponent < 0x3ff {
        return Parity::NotWhole;
    }
    if exponent > 0x3ff + 52 {
        return Parity::Even;
    }
    let one = 1u64 << (0x3ff + 52 - exponent);
    if bits & (one - 1) != 0 {
        Parity::NotWhole
    } else if bits & one != 0 {
        Parity::Odd
    } else {
        Parity::Even
    }
}
