//! Hyperbolic functions. Rust's `exp_m1` is musl's expm1 to the last bit; its `exp` is not.

use super::exp;

/// The exponential of half of a great number, twice: the exponential itself may be too great where its half is not.
fn halved_exp(x: f64, sign: f64) -> f64 {
    // 2043 · ln 2, and 2¹⁰²¹.
    const SUBTRACTED: f64 = f64::from_bits(0x4096_2066_151a_dd8b);
    const SCALE: f64 = f64::from_bits(0x7fc0_0000_0000_0000);
    exp(x - SUBTRACTED) * (sign * SCALE) * SCALE
}

/// The upper 32 bits without the sign.
fn high(x: f64) -> u32 {
    (x.to_bits() >> 32) as u32 & 0x7fff_ffff
}

pub fn sinh(x: f64) -> f64 {
    let half = 0.5f64.copysign(x);
    let (magnitude, high) = (x.abs(), high(x));
    if high >= 0x4086_2e42 {
        return halved_exp(magnitude, 2.0 * half);
    }
    let t = magnitude.exp_m1();
    match high {
        ..0x3e50_0000 => x,
        ..0x3ff0_0000 => half * (2.0 * t - t * t / (t + 1.0)),
        _ => half * (t + t / (t + 1.0)),
    }
}

pub fn cosh(x: f64) -> f64 {
    let (magnitude, high) = (x.abs(), high(x));
    match high {
        ..0x3e50_0000 => 1.0,
        ..0x3fe6_2e42 => {
            let t = magnitude.exp_m1();
            1.0 + t * t / (2.0 * (1.0 + t))
        }
        ..0x4086_2e42 => {
            let t = exp(magnitude);
            0.5 * (t + 1.0 / t)
        }
        _ => halved_exp(magnitude, 1.0),
    }
}

pub fn tanh(x: f64) -> f64 {
    let (magnitude, high) = (x.abs(), high(x));
    let t = match high {
        0x4034_0001.. => 1.0 - 0.0 / magnitude,
        0x3fe1_93eb.. => 1.0 - 2.0 / ((2.0 * magnitude).exp_m1() + 2.0),
        0x3fd0_58af.. => {
            let t = (2.0 * magnitude).exp_m1();
            t / (t + 2.0)
        }
        0x0010_0000.. => {
            let t = (-2.0 * magnitude).exp_m1();
            -t / (t + 2.0)
        }
        _ => magnitude,
    };
    if x.is_sign_negative() { -t } else { t }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_near_those_of_the_processor() {
        let near = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a / b - 1.0).abs() < 1e-14;
        for x in
            [0.0, 1e-30, 1e-9, 0.1, 0.3, 0.6, 1.0, 2.0, 19.0, 25.0, 300.0, 709.9, 710.3, 711.0, f64::INFINITY, f64::NAN]
        {
            for x in [x, -x] {
                assert!(near(sinh(x), x.sinh()), "sinh {x}");
                assert!(near(cosh(x), x.cosh()), "cosh {x}");
                assert!(near(tanh(x), x.tanh()), "tanh {x}");
            }
        }
        assert!(sinh(-0.0).is_sign_negative() && tanh(-0.0).is_sign_negative());
    }
}
