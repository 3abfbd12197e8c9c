//! IEEE 754 binary16.

/// The value, exactly.
pub fn to_f32(bits: u16) -> f32 {
    let sign = (bits as u32 & 0x8000) << 16;
    let exponent = bits as u32 >> 10 & 0x1f;
    let fraction = bits as u32 & 0x3ff;
    let magnitude = match exponent {
        // Zero and subnormal: fraction × 2^−24.
        0 => return f32::from_bits(sign | (fraction as f32 * 2f32.powi(-24)).to_bits()),
        0x1f => 0xff << 23 | fraction << 13,
        _ => (exponent + 127 - 15) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// The bits of a value that is one of binary16.
pub fn from_f64(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    let magnitude = value.abs();
    if value.is_nan() {
        sign | 0x7e00
    } else if magnitude.is_infinite() {
        sign | 0x7c00
    } else if magnitude < 2f64.powi(-14) {
        sign | (magnitude * 2f64.powi(24)) as u16
    } else {
        sign | ((bits >> 42) as u16).wrapping_sub((1023 - 15) << 10) & 0x7fff
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_hand() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x0001, 5.960_464_5e-8),
            (0x03ff, 6.097_555e-5),
            (0x0400, 6.103_515_6e-5),
            (0x3c00, 1.0),
            (0x3555, 0.333_251_95),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x7c00, f32::INFINITY),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(to_f32(bits), value, "{bits:#06x}");
        }
        for bits in 0..=u16::MAX {
            let value = to_f32(bits);
            assert!(value.is_nan() || from_f64(value as f64) == bits, "{bits:#06x}");
        }
        assert!(to_f32(from_f64(f64::NAN)).is_nan());
        assert!(to_f32(0x8000).is_sign_negative());
        assert!(to_f32(0x7e00).is_nan());
    }
}
