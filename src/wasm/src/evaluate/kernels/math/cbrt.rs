//! Cube roots.

/// The cube root.
pub fn cbrt(x: f64) -> f64 {
    const OF_NORMAL: u32 = 715_094_163;
    const OF_SUBNORMAL: u32 = 696_219_795;
    const P: [f64; 5] = [
        1.875_951_824_271_770_1,
        -1.884_979_795_433_771_7,
        1.621_429_720_105_354_5,
        -0.758_397_934_778_766,
        0.145_996_192_886_612_45,
    ];
    let mut bits = x.to_bits();
    let mut high = (bits >> 32) as u32 & 0x7fff_ffff;
    if high >= 0x7ff0_0000 {
        return x + x;
    }
    // To 5 bits: the exponent is divided by 3.
    if high < 0x0010_0000 {
        bits = (x * 2f64.powi(54)).to_bits();
        high = (bits >> 32) as u32 & 0x7fff_ffff;
        if high == 0 {
            return x;
        }
        high = high / 3 + OF_SUBNORMAL;
    } else {
        high = high / 3 + OF_NORMAL;
    }
    let t = f64::from_bits(bits & 1 << 63 | u64::from(high) << 32);
    // To 23 bits, by a polynomial that is near to the inverse of the cube root.
    let r = (t * t) * (t / x);
    let t = t * ((P[0] + r * (P[1] + r * P[2])) + ((r * r) * r) * (P[3] + r * P[4]));
    // Rounded away from 0 to so many, so that its square is exact.
    let t = f64::from_bits(t.to_bits().wrapping_add(0x8000_0000) & 0xffff_ffff_c000_0000);
    // One step of Newton's method.
    let r = x / (t * t);
    let r = (r - t) / (t + t + r);
    t + t * r
}
