//! Decimal numbers to the nearest float.

use super::digits::{append, digit};
use crate::vectors::collected;

/// Integers up to here, and powers of ten up to the last of [`POWERS`], are floats without rounding, so that their
/// quotient is rounded once (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
const EXACT: u64 = 1 << 53;
const POWERS: [f64; 20] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19];

/// Digits that always fit into 64 bits.
const DIGITS: usize = 19;

/// What stands before a fraction.
pub const POINT: u8 = b'.';
pub const COMMA: u8 = b',';

/// The nearest float to a decimal number, with or without an exponent; also `NaN`, `inf` and `infinity` in any case. `MARK`
/// is [`POINT`] or [`COMMA`].
#[inline(always)]
pub fn float64<const MARK: u8>(text: &[u8]) -> Option<f64> {
    let (digits, is_negative) = match text {
        [b'-', digits @ ..] => (digits, true),
        _ => (text, false),
    };
    match plain::<MARK>(digits) {
        Some(value) => Some(if is_negative { -value } else { value }),
        None => other::<_, MARK>(text),
    }
}

/// The nearest 32-bit float.
pub fn float32<const MARK: u8>(text: &[u8]) -> Option<f32> {
    other::<_, MARK>(text)
}

/// A number of at most 19 digits, perhaps with a point among them.
#[inline(always)]
fn plain<const MARK: u8>(text: &[u8]) -> Option<f64> {
    let mut integer = 0u64;
    let mut count = 0;
    while let Some(digit) = text.get(count).and_then(|&byte| digit(byte)) {
        integer = integer.wrapping_mul(10).wrapping_add(digit);
        count += 1;
    }
    let fraction = match &text[count..] {
        [] => &[],
        [mark, fraction @ ..] if *mark == MARK => fraction,
        _ => return None,
    };
    if count + fraction.len() > DIGITS || count + fraction.len() == 0 {
        return None;
    }
    let value = append(integer, fraction)?;
    Some(if value <= EXACT { value as f64 / POWERS[fraction.len()] } else { scaled(value, fraction.len()) })
}

#[cold]
fn other<T: std::str::FromStr, const MARK: u8>(text: &[u8]) -> Option<T> {
    if MARK == POINT {
        return std::str::from_utf8(text).ok()?.parse().ok();
    }
    if text.contains(&POINT) {
        return None;
    }
    let copy = collected(text.len(), text.iter().map(|&byte| if byte == MARK { POINT } else { byte })).ok()?;
    std::str::from_utf8(&copy).ok()?.parse().ok()
}

/// The nearest float to `value / 10^places`, of a value above 2^53 and at most 19 places: the value times the leading 128
/// bits of the power's inverse (Lemire, "Number Parsing at a Gigabyte per Second", 2021, algorithm 1; Mushtak and Lemire,
/// "Fast Number Parsing Without Fallback", 2022, for why these bits always suffice).
fn scaled(value: u64, places: usize) -> f64 {
    let zeros = value.leading_zeros();
    let (high, low) = product(value << zeros, INVERSES[places]);
    let top = (high >> 63) as u32;
    // 53 bits and one to round by.
    let shift = top + 9;
    let mut mantissa = high >> shift;
    // Halfway between two floats only where the quotient has no further bits, which takes a small power: then to the even one.
    if low <= 1 && places <= 4 && mantissa & 3 == 1 && mantissa << shift == high {
        mantissa -= 1;
    }
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    // Adding the mantissa with its leading bit raises the exponent by one, and by one more where it was rounded up to 2^53.
    let exponent = i64::from(binary_exponent(places) + top as i32 - zeros as i32) + 1023 - 1;
    f64::from_bits(((exponent as u64) << 52) + mantissa)
}

/// Of the leading bit of a 64-bit number without leading zeros divided by `10^places`, if that loses one: ⌊−places · log₂ 10⌋ + 63.
const fn binary_exponent(places: usize) -> i32 {
    ((-(places as i32) * 217_706) >> 16) + 63
}

/// The leading 128 bits of a product, perhaps one too low where that cannot matter for 53 bits.
fn product(a: u64, (high, low): (u64, u64)) -> (u64, u64) {
    let (mut first, mut second) = wide(a, high);
    // Only where all bits behind the mantissa are set can those further right carry into it.
    if first & 0x1ff == 0x1ff {
        let carry;
        (second, carry) = second.overflowing_add(wide(a, low).0);
        first += u64::from(carry);
    }
    (first, second)
}

/// A product's high and low half; in 32-bit halves, for 128-bit products are a call in WebAssembly.
fn wide(a: u64, b: u64) -> (u64, u64) {
    const LOW: u64 = 0xffff_ffff;
    let low = (a & LOW) * (b & LOW);
    let left = (a >> 32) * (b & LOW) + (low >> 32);
    let right = (a & LOW) * (b >> 32) + (left & LOW);
    ((a >> 32) * (b >> 32) + (left >> 32) + (right >> 32), right << 32 | low & LOW)
}

/// `10^-places` for up to 19 places: the leading 128 bits of `5^-places`, rounded up; 1 exactly.
const INVERSES: [(u64, u64); DIGITS + 1] = {
    let mut inverses = [(1 << 63, 0); DIGITS + 1];
    let (mut places, mut power) = (1, 5u64);
    while places <= DIGITS {
        let (mut quotient, mut remainder) = (0u128, 1u64);
        // 128 digits from the first that is not zero.
        while quotient >> 127 == 0 {
            remainder *= 2;
            quotient <<= 1;
            if remainder >= power {
                remainder -= power;
                quotient |= 1;
            }
        }
        quotient += 1;
        inverses[places] = ((quotient >> 64) as u64, quotient as u64);
        places += 1;
        power *= 5;
    }
    inverses
};

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_nearest(text: &str) {
        let expected: f64 = text.parse().unwrap();
        assert_eq!(float64::<POINT>(text.as_bytes()).map(f64::to_bits), Some(expected.to_bits()), "{text}");
        let text = text.replace('.', ",");
        assert_eq!(float64::<COMMA>(text.as_bytes()).map(f64::to_bits), Some(expected.to_bits()), "{text}");
    }

    #[test]
    fn by_hand() {
        for text in [
            "0",
            "-0",
            "0.1",
            "1.",
            ".5",
            "1e5",
            "-1E-5",
            "123456789012345678",
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740992.5",
            "0.30000000000000004",
            "1.7976931348623157e308",
            "5e-324",
            "1e999",
            "nan",
            "-inf",
            "Infinity",
            "0.0000000000000000001",
            "+1.5",
            "9999999999999999999",
            "9999999999999999999.",
            "18446744073709551615",
            "12345678901234567890",
            "1.2345678901234567",
            ".0000000000000000000",
            "179.99999237060547",
        ] {
            is_nearest(text);
        }
        for text in
            ["", ".", "-", "1.2.3", "1,5", "1 ", "e5", "0x10", "1e", "--1", "-+1", "12345678.1234567x", "1234567x.5"]
        {
            assert_eq!(float64::<POINT>(text.as_bytes()), None, "{text}");
        }
        for text in ["1.5", "1,2,3", "1.234,5", "1.5e3", ","] {
            assert_eq!(float64::<COMMA>(text.as_bytes()), None, "{text}");
        }
        assert_eq!(float32::<COMMA>(b"-1,5e1"), Some(-15.0));
    }

    #[test]
    fn any_digits() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 20) % below
        };
        for _ in 0..100_000 {
            let digits = 1 + random(19) as u32;
            let mut text = random(10u64.pow(digits).min(1 << 44)).to_string();
            while text.len() < digits as usize {
                text.push((b'0' + random(10) as u8) as char);
            }
            text.insert(random(text.len() as u64 + 1) as usize, '.');
            if random(2) == 0 {
                text.insert(0, '-');
            }
            is_nearest(&text);
        }
        // Floats as they are written, and numbers halfway between two floats or next to that.
        for _ in 0..100_000 {
            let mantissa = 1u64 << 52 | random(1 << 44) << 8 | random(256);
            let shift = random(10) as i32;
            is_nearest(&format!("{}", mantissa as f64 / 10f64.powi(shift)));
            let half = u128::from(mantissa) << 1 | 1;
            for near in [half - 1, half, half + 1] {
                // Times 10^places / 2^places, which is exact.
                let places = random(5) as u32;
                let scaled = near * 5u128.pow(places);
                if scaled < 10u128.pow(19) {
                    let text = format!("{scaled:020}");
                    let (integer, fraction) = text.split_at(20 - places as usize);
                    is_nearest(&format!("{}.{fraction}", integer.trim_start_matches('0')));
                }
            }
        }
    }
}
