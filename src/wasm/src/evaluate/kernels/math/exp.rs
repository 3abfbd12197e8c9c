//! Powers of e.

use super::tables::{EXP, EXP_POLYNOMIAL};
use super::{entry, top12};

/// Parts of a power of 2.
const PARTS: u64 = 128;

/// Where the sign of a result lies in the number of a part.
pub const SIGN: u64 = 0x800 * PARTS;

/// e to the power of `x`.
pub fn exp(x: f64) -> f64 {
    exp_of_sum(x, 0.0, 0)
}

/// e to the power of the sum of `x` and the much smaller `rest`; with [`SIGN`], less than 0.
pub fn exp_of_sum(x: f64, rest: f64, sign: u64) -> f64 {
    let mut exponent = top12(x) & 0x7ff;
    let (least, greatest) = (top12(2f64.powi(-54)), top12(512.0));
    if exponent.wrapping_sub(least) >= greatest - least {
        if exponent.wrapping_sub(least) >= 0x8000_0000 {
            let one = 1.0 + x;
            return if sign == 0 { one } else { -one };
        }
        if exponent >= top12(1024.0) {
            return match x {
                _ if x.is_nan() => x,
                _ if x > 0.0 && sign != 0 => f64::NEG_INFINITY,
                _ if x > 0.0 => f64::INFINITY,
                _ if sign != 0 => -0.0,
                _ => 0.0,
            };
        }
        // Large values are looked at below.
        exponent = 0;
    }
    const SHIFT: f64 = f64::from_bits(0x4338_0000_0000_0000);
    let z = f64::from_bits(0x4067_1547_652b_82fe) * x;
    let shifted = z + SHIFT;
    let ki = shifted.to_bits();
    let kd = shifted - SHIFT;
    let r = x + kd * f64::from_bits(0xbf76_2e42_fefa_0000) + kd * f64::from_bits(0xbd0c_f79a_bc9e_3b3a);
    let r = if sign == 0 && rest == 0.0 { r } else { r + rest };
    let index = 2 * (ki % PARTS) as usize;
    let top = ki.wrapping_add(sign) << (52 - 7);
    let tail = entry(&EXP, index);
    let bits = EXP[index + 1].wrapping_add(top);
    let c = |i| entry(&EXP_POLYNOMIAL, i);
    let r2 = r * r;
    let part = tail + r + r2 * (c(0) + r * c(1)) + r2 * r2 * (c(2) + r * c(3));
    if exponent == 0 {
        return near_the_ends(part, bits, ki);
    }
    let scale = f64::from_bits(bits);
    scale + scale * part
}

/// The result where it may overflow or underflow.
fn near_the_ends(part: f64, bits: u64, ki: u64) -> f64 {
    if ki & 0x8000_0000 == 0 {
        let scale = f64::from_bits(bits.wrapping_sub(1009 << 52));
        return 2f64.powi(1009) * (scale + scale * part);
    }
    let bits = bits.wrapping_add(1022 << 52);
    let scale = f64::from_bits(bits);
    let mut y = scale + scale * part;
    if y.abs() < 1.0 {
        // Rounded before it is scaled into the subnormal numbers, so that it is rounded once.
        let one = 1f64.copysign(y);
        let low = scale - y + scale * part;
        let high = one + y;
        let low = one - high + y + low;
        y = high + low - one;
        if y == 0.0 {
            y = f64::from_bits(bits & 1 << 63);
        }
    }
    2f64.powi(-1022) * y
}
