//! On which side of a line a point lies, without rounding (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic
//! and Fast Robust Geometric Predicates", 1997).

/// Relative error bound of the plain determinant, (3 + 16ε)ε with ε = 2⁻⁵³.
const ERROR_BOUND: f64 = 3.330_669_073_875_471_6e-16;

/// Positive where `c` lies left of the line from `a` to `b`, negative right of it, 0.0 on it. Exact unless products of
/// coordinates overflow or underflow.
pub fn orientation(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let left = (a[0] - c[0]) * (b[1] - c[1]);
    let right = (a[1] - c[1]) * (b[0] - c[0]);
    let plain = left - right;
    if plain.abs() > ERROR_BOUND * (left.abs() + right.abs()) { plain } else { exact(a, b, c) }
}

/// The determinant multiplied out, as an expansion: a sum of floats that do not overlap, the greatest last.
fn exact(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let products = [(a[0], b[1]), (-a[0], c[1]), (-c[0], b[1]), (-a[1], b[0]), (a[1], c[0]), (c[1], b[0])];
    let mut expansion = [0.0; 12];
    for (i, (x, y)) in products.into_iter().enumerate() {
        let (high, low) = product(x, y);
        grow(&mut expansion[..2 * i + 1], low);
        grow(&mut expansion[..2 * i + 2], high);
    }
    expansion.into_iter().rev().find(|part| *part != 0.0).unwrap_or(0.0)
}

/// Adds a float to an expansion; the sum takes one place more, which is the last.
fn grow(expansion: &mut [f64], value: f64) {
    let mut carry = value;
    if let Some((last, parts)) = expansion.split_last_mut() {
        for part in parts {
            (carry, *part) = sum(carry, *part);
        }
        *last = carry;
    }
}

/// `a + b` and what rounding took from it.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// `a × b` and what rounding took from it.
fn product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// Two halves of the significand.
fn split(a: f64) -> (f64, f64) {
    let shifted = a * 134_217_729.0; // 2^27 + 1
    let high = shifted - (shifted - a);
    (high, a - high)
}
