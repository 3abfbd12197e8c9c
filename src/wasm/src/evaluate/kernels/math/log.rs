//! Logarithms.

use super::entry;
use super::tables::{
    LOG, LOG_CENTERS, LOG_NEAR_ONE, LOG_POLYNOMIAL, LOG2, LOG2_CENTERS, LOG2_NEAR_ONE, LOG2_POLYNOMIAL,
};

const OFFSET: u64 = 0x3fe6_0000_0000_0000;

/// The natural logarithm.
pub fn log(x: f64) -> f64 {
    let ix = x.to_bits();
    const LOW: u64 = 0x3fee_0000_0000_0000;
    const HIGH: u64 = 0x3ff1_0900_0000_0000;
    if ix.wrapping_sub(LOW) < HIGH - LOW {
        if x == 1.0 {
            return 0.0;
        }
        let b = |i| entry(&LOG_NEAR_ONE, i);
        let r = x - 1.0;
        let r2 = r * r;
        let r3 = r * r2;
        let y = r3
            * (b(1)
                + r * b(2)
                + r2 * b(3)
                + r3 * (b(4) + r * b(5) + r2 * b(6) + r3 * (b(7) + r * b(8) + r2 * b(9) + r3 * b(10))));
        let w = r * 2f64.powi(27);
        let high_r = r + w - w;
        let low_r = r - high_r;
        let w = high_r * high_r * b(0);
        let high = r + w;
        let low = r - high + w + b(0) * low_r * (high_r + r);
        return y + low + high;
    }
    let Some((k, index, z)) = split(x, 7) else { return outside(x) };
    let (inverse, log_c) = (entry(&LOG, 2 * index), entry(&LOG, 2 * index + 1));
    let r = (z - entry(&LOG_CENTERS, 2 * index) - entry(&LOG_CENTERS, 2 * index + 1)) * inverse;
    let w = k * f64::from_bits(0x3fe6_2e42_fefa_3800) + log_c;
    let high = w + r;
    let low = w - high + r + k * f64::from_bits(0x3d2e_f357_93c7_6730);
    let a = |i| entry(&LOG_POLYNOMIAL, i);
    let r2 = r * r;
    low + r2 * a(0) + r * r2 * (a(1) + r * a(2) + r2 * (a(3) + r * a(4))) + high
}

/// The logarithm to the base 2.
pub fn log2(x: f64) -> f64 {
    const INVERSE_HIGH: f64 = f64::from_bits(0x3ff7_1547_6520_0000);
    const INVERSE_LOW: f64 = f64::from_bits(0x3de7_05fc_2eef_a200);
    let high_part = |r: f64| f64::from_bits(r.to_bits() & u64::MAX << 32);
    let ix = x.to_bits();
    const LOW: u64 = 0x3fee_a4af_0000_0000;
    const HIGH: u64 = 0x3ff0_b559_0000_0000;
    if ix.wrapping_sub(LOW) < HIGH - LOW {
        if x == 1.0 {
            return 0.0;
        }
        let b = |i| entry(&LOG2_NEAR_ONE, i);
        let r = x - 1.0;
        let high_r = high_part(r);
        let low_r = r - high_r;
        let high = high_r * INVERSE_HIGH;
        let low = low_r * INVERSE_HIGH + r * INVERSE_LOW;
        let r2 = r * r;
        let r4 = r2 * r2;
        let p = r2 * (b(0) + r * b(1));
        let y = high + p;
        let low = low + (high - y + p);
        let low =
            low + r4 * (b(2) + r * b(3) + r2 * (b(4) + r * b(5)) + r4 * (b(6) + r * b(7) + r2 * (b(8) + r * b(9))));
        return y + low;
    }
    let Some((k, index, z)) = split(x, 6) else { return outside(x) };
    let (inverse, log_c) = (entry(&LOG2, 2 * index), entry(&LOG2, 2 * index + 1));
    let r = (z - entry(&LOG2_CENTERS, 2 * index) - entry(&LOG2_CENTERS, 2 * index + 1)) * inverse;
    let high_r = high_part(r);
    let low_r = r - high_r;
    let t1 = high_r * INVERSE_HIGH;
    let t2 = low_r * INVERSE_HIGH + r * INVERSE_LOW;
    let t3 = k + log_c;
    let high = t3 + t1;
    let low = t3 - high + t1 + t2;
    let a = |i| entry(&LOG2_POLYNOMIAL, i);
    let r2 = r * r;
    let r4 = r2 * r2;
    let p = a(0) + r * a(1) + r2 * (a(2) + r * a(3)) + r4 * (a(4) + r * a(5));
    low + r2 * p + high
}

/// `k`, the index of a center among `2^bits`, and `z` so that the number is `2^k z`. None: it is 0, less, infinite or NaN.
fn split(x: f64, bits: u32) -> Option<(f64, usize, f64)> {
    let mut ix = x.to_bits();
    let top = (ix >> 48) as u32;
    if top.wrapping_sub(0x0010) >= 0x7ff0 - 0x0010 {
        if x <= 0.0 || !x.is_finite() {
            return None;
        }
        // It is subnormal.
        ix = (x * 2f64.powi(52)).to_bits().wrapping_sub(52 << 52);
    }
    let offset = ix.wrapping_sub(OFFSET);
    let index = (offset >> (52 - bits)) as usize % (1 << bits);
    let z = f64::from_bits(ix.wrapping_sub(offset & 0xfff << 52));
    Some(((offset as i64 >> 52) as f64, index, z))
}

fn outside(x: f64) -> f64 {
    match x {
        _ if x == 0.0 => f64::NEG_INFINITY,
        _ if x < 0.0 => f64::NAN,
        _ => x,
    }
}
