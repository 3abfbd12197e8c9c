//! The fewest digits that read back as the same float, and of as few digits those nearest to it, by exact integers: with as many
//! digits as always suffice, the float is an integer and a fraction of 2^`shift`, and so are the ends of the interval that reads back.

/// Digits of a float, the first of which is not zero: `digits` / 10^(n − 1) × 10^`exponent`, where n is 17 of 64 bits and 9 of 32.
/// Zeros at the end do not count.
pub struct Shortest {
    pub digits: u64,
    pub exponent: i32,
}

/// 17 digits always suffice, and of 15 at most one number reads back as a float.
///
/// Of numbers between 1e-5 and 2^50. None: two decimals are equally near, or it is another number.
#[inline]
pub fn shortest64(value: f64) -> Option<Shortest> {
    if !(value > 1e-5 && value < LIMIT_64) {
        return None;
    }
    let bits = value.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32 - 1023);
    let decimal = decimal_exponent(exponent, |ten| value >= ten);
    let power = 16 - decimal;
    let five = FIVES[power as usize];
    let shift = (52 - exponent - power) as u32;
    let scaled = u128::from(fraction | 1 << 52) * u128::from(five);
    let rest = scaled as u64 & ((1 << shift) - 1);
    let interval = Interval { shift, rest, width: five, is_power_of_two: fraction == 0 };
    let digits = interval.nearest((scaled >> shift) as u64, [100, 10])?;
    Some(Shortest { digits, exponent: decimal })
}

/// 9 digits always suffice, and of 6 at most one number reads back as a float.
///
/// Of numbers between 1e-6 and 2^21. None: two decimals are equally near, or it is another number.
#[inline]
pub fn shortest32(value: f32) -> Option<Shortest> {
    if !(value > 1e-6 && value < LIMIT_32) {
        return None;
    }
    let bits = value.to_bits();
    let (fraction, exponent) = (bits & ((1 << 23) - 1), (bits >> 23) as i32 - 127);
    let decimal = decimal_exponent(exponent, |ten| value >= ten as f32);
    let power = 8 - decimal;
    let five = FIVES[power as usize];
    let shift = (23 - exponent - power) as u32;
    let scaled = u64::from(fraction | 1 << 23) * five;
    let rest = scaled & ((1 << shift) - 1);
    let interval = Interval { shift, rest, width: five, is_power_of_two: fraction == 0 };
    let digits = interval.nearest(scaled >> shift, [1000, 100, 10])?;
    Some(Shortest { digits, exponent: decimal })
}

/// Below these numbers `shift` is at least 1.
const LIMIT_64: f64 = (1u64 << 50) as f64;
const LIMIT_32: f32 = (1u32 << 21) as f32;

/// The exponent of the first digit, from that of the first bit, and whether the float reaches a power of ten (as such a float).
#[inline(always)]
fn decimal_exponent(exponent: i32, reaches: impl Fn(f64) -> bool) -> i32 {
    // 1233 / 4096 is the logarithm of 2 to base 10, from below; the product is rounded down, and so it is one too small at most.
    let least = (exponent * 1233) >> 12;
    least + i32::from(reaches(TENS[(least + 7) as usize]))
}

/// 10^-6 to 10^15.
const TENS: [f64; 22] = [
    1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
    1e15,
];

/// 5^0 to 5^22.
const FIVES: [u64; 23] = {
    let mut fives = [1; 23];
    let mut power = 1;
    while power < fives.len() {
        fives[power] = fives[power - 1] * 5;
        power += 1;
    }
    fives
};

/// What reads back as a float. Its lengths are in units of 2^−`shift`.
struct Interval {
    shift: u32,
    /// The float without its whole part.
    rest: u64,
    /// From half-way to the float below, to half-way to the float above. It is odd, so that no multiple of 2 is an end.
    width: u64,
    /// Then the float below is only half as far.
    is_power_of_two: bool,
}

impl Interval {
    /// The nearest multiple of the first of `steps` that has one in the interval around `whole` and the rest; or else the nearest integer.
    #[inline(always)]
    fn nearest<const N: usize>(&self, whole: u64, steps: [u64; N]) -> Option<u64> {
        for step in steps {
            let over = whole % step;
            let down = (over << self.shift) + self.rest;
            let up = (step << self.shift) - down;
            let reads_back_down = down << (1 + u32::from(self.is_power_of_two)) < self.width;
            let reads_back_up = up << 1 < self.width;
            if reads_back_down && reads_back_up && down == up {
                return None;
            }
            if reads_back_down && !(reads_back_up && up < down) {
                return Some(whole - over);
            }
            if reads_back_up {
                return Some(whole - over + step);
            }
        }
        let half = 1 << (self.shift - 1);
        if self.rest == half { None } else { Some(whole + u64::from(self.rest > half)) }
    }
}
