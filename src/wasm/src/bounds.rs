//! The bounds of runs of rows: the least and the greatest value of each.

use crate::array::{Array, Data};
use crate::buffer::Number;
use crate::error::{Error, Result};
use crate::half;
use crate::types::{Physical, Type};
use std::ops::Range;

/// What is known of the values of some rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The least and the greatest value that is neither null nor NaN, as eight bytes: of a double, or of a 64-bit integer. None: all rows
    /// are null or NaN.
    pub values: Option<[[u8; 8]; 2]>,
    /// Null rows.
    pub nulls: usize,
    /// Whether a row is NaN.
    pub has_nan: bool,
}

/// Little-endian numbers one after the other: a field u32, flags u32, values f64, nulls f64, the least and the greatest value.
pub const ENTRY_BYTES: usize = 40;

/// The flags of an entry: there are bounds; they are doubles; they are unsigned; the least and the greatest value occur.
const BOUNDED: u32 = 1;
pub const DOUBLE: u32 = 2;
pub const UNSIGNED: u32 = 4;
const MIN_EXACT: u32 = 8;
const MAX_EXACT: u32 = 16;

/// An entry of `WholeColumns` (`src/plan/source/whole.ts`).
pub struct Entry {
    pub field: u32,
    pub values: f64,
    /// NaN: it is not known.
    pub nulls: f64,
    /// The least and the greatest value.
    pub bounds: Option<[[u8; 8]; 2]>,
    /// [`DOUBLE`], [`UNSIGNED`] or 0.
    pub kind: u32,
    pub is_min_exact: bool,
    pub is_max_exact: bool,
}

impl Entry {
    pub fn bytes(&self) -> [u8; ENTRY_BYTES] {
        let mut entry = [0; ENTRY_BYTES];
        entry[..4].copy_from_slice(&self.field.to_le_bytes());
        entry[8..16].copy_from_slice(&self.values.to_le_bytes());
        entry[16..24].copy_from_slice(&self.nulls.to_le_bytes());
        let Some([least, greatest]) = self.bounds else { return entry };
        let exact = u32::from(self.is_min_exact) * MIN_EXACT | u32::from(self.is_max_exact) * MAX_EXACT;
        entry[4..8].copy_from_slice(&(BOUNDED | self.kind | exact).to_le_bytes());
        entry[24..32].copy_from_slice(&least);
        entry[32..40].copy_from_slice(&greatest);
        entry
    }
}

impl Bounds {
    /// As an entry of field 0. `rows` is the number of all rows.
    pub fn entry(&self, ty: Type, rows: u32) -> [u8; ENTRY_BYTES] {
        let kind = match (ty, self.values) {
            (Type::Float { .. }, _) => DOUBLE,
            (Type::Int { signed: false, .. }, Some([_, greatest])) if i64::from_le_bytes(greatest) < 0 => UNSIGNED,
            _ => 0,
        };
        let entry = Entry {
            field: 0,
            values: rows.into(),
            nulls: self.nulls as f64,
            bounds: self.values,
            kind,
            is_min_exact: true,
            // NaN is greater than every other value.
            is_max_exact: !self.has_nan,
        };
        entry.bytes()
    }
}

/// Tells the bounds of runs of so many rows each, one after the other, of a column of integers, floats or times of at most 64 bits.
pub fn bounds_of_runs(
    array: &Array,
    ty: Type,
    lengths: impl Iterator<Item = usize>,
    mut tell: impl FnMut(Bounds) -> Result<()>,
) -> Result<()> {
    let mut from = 0usize;
    for rows in lengths {
        let to = from.checked_add(rows).filter(|to| *to <= array.len).ok_or(Error::Misuse("runs of more rows"))?;
        tell(bounds(array, ty, from..to)?)?;
        from = to;
    }
    Ok(())
}

fn bounds(array: &Array, ty: Type, rows: Range<usize>) -> Result<Bounds> {
    match &array.data {
        Data::Null => Ok(Bounds { nulls: rows.len(), ..Bounds::default() }),
        Data::Fixed { width, values } if ty.physical().is_some_and(|physical| physical.width() == *width) => {
            match ty.physical().ok_or(MISMATCH)? {
                Physical::I8 => Ok(of(array, values.numbers::<i8>(), rows, add_integers)),
                Physical::I16 => Ok(of(array, values.numbers::<i16>(), rows, add_integers)),
                Physical::I32 => Ok(of(array, values.numbers::<i32>(), rows, add_integers)),
                Physical::I64 => Ok(of(array, values.numbers::<i64>(), rows, add_integers)),
                Physical::U8 => Ok(of(array, values.numbers::<u8>(), rows, add_integers)),
                Physical::U16 => Ok(of(array, values.numbers::<u16>(), rows, add_integers)),
                Physical::U32 => Ok(of(array, values.numbers::<u32>(), rows, add_integers)),
                Physical::U64 => Ok(of(array, values.numbers::<u64>(), rows, add_integers)),
                Physical::F16 => Ok(of_halves(array, values.numbers::<u16>(), rows)),
                Physical::F32 => Ok(of(array, values.numbers::<f32>(), rows, add_floats::<_, 8>)),
                Physical::F64 => Ok(of(array, values.numbers::<f64>(), rows, add_floats::<_, 4>)),
                Physical::I128 | Physical::I256 => Err(MISMATCH),
            }
        }
        _ => Err(MISMATCH),
    }
}

const MISMATCH: Error = Error::Misuse("the bounds of a column that is no plain column of numbers");

/// A number whose bounds are told.
trait Bounded: Number + PartialOrd {
    const LEAST: Self;
    const GREATEST: Self;
    fn is_nan(self) -> bool;
    fn told(self) -> [u8; 8];
}

macro_rules! integers {
    ($($ty:ident => $wide:ident),*) => {$(
        impl Bounded for $ty {
            const LEAST: Self = $ty::MIN;
            const GREATEST: Self = $ty::MAX;
            fn is_nan(self) -> bool {
                false
            }
            fn told(self) -> [u8; 8] {
                (self as $wide).to_le_bytes()
            }
        }
    )*};
}

integers!(i8 => i64, i16 => i64, i32 => i64, i64 => i64, u8 => u64, u16 => u64, u32 => u64, u64 => u64);

macro_rules! floats {
    ($($ty:ident),*) => {$(
        impl Bounded for $ty {
            const LEAST: Self = $ty::NEG_INFINITY;
            const GREATEST: Self = $ty::INFINITY;
            fn is_nan(self) -> bool {
                $ty::is_nan(self)
            }
            fn told(self) -> [u8; 8] {
                f64::from(self).to_le_bytes()
            }
        }
    )*};
}

floats!(f32, f64);

/// Least and greatest value so far, and whether there was NaN. Without a value the least one is above the greatest.
struct Fold<T> {
    least: T,
    greatest: T,
    has_nan: bool,
}

impl<T: Bounded> Fold<T> {
    fn new() -> Self {
        Fold { least: T::GREATEST, greatest: T::LEAST, has_nan: false }
    }

    /// Comparisons with NaN are false, so that it is in no bound.
    #[inline(always)]
    fn add(&mut self, value: T) {
        self.least = if value < self.least { value } else { self.least };
        self.greatest = if value > self.greatest { value } else { self.greatest };
        self.has_nan |= value.is_nan();
    }

    fn bounds(self, nulls: usize) -> Bounds {
        let values = (self.least <= self.greatest).then(|| [self.least.told(), self.greatest.told()]);
        Bounds { values, nulls, has_nan: self.has_nan }
    }
}

/// A loop of vectors, as the compiler makes it.
fn add_integers<T: Bounded>(fold: &mut Fold<T>, values: &[T]) {
    for &value in values {
        fold.add(value);
    }
}

/// Each of `N` lanes has bounds of its own, and NaN is looked for in a loop of its own, so that both are loops of vectors. The compiler does not
/// make one of [`Fold::add`], because it must not change the order in which floats are compared.
fn add_floats<T: Bounded, const N: usize>(fold: &mut Fold<T>, values: &[T]) {
    fold.has_nan |= values.iter().fold(false, |any, value| any | value.is_nan());
    let (blocks, rest) = values.as_chunks::<N>();
    let (mut least, mut greatest) = ([T::GREATEST; N], [T::LEAST; N]);
    for block in blocks {
        for lane in 0..N {
            least[lane] = if block[lane] < least[lane] { block[lane] } else { least[lane] };
            greatest[lane] = if block[lane] > greatest[lane] { block[lane] } else { greatest[lane] };
        }
    }
    for lane in 0..N {
        fold.least = if least[lane] < fold.least { least[lane] } else { fold.least };
        fold.greatest = if greatest[lane] > fold.greatest { greatest[lane] } else { fold.greatest };
    }
    for &value in rest {
        fold.add(value);
    }
}

/// `add_all` adds values that lie in memory one behind the other.
fn of<T: Bounded>(array: &Array, values: &[T], rows: Range<usize>, add_all: impl Fn(&mut Fold<T>, &[T])) -> Bounds {
    let mut fold = Fold::new();
    let Some(validity) = &array.validity else {
        add_all(&mut fold, &values[rows]);
        return fold.bounds(0);
    };
    let mut nulls = 0;
    for from in rows.clone().step_by(64) {
        let count = (rows.end - from).min(64);
        let mut valid = validity.bits(from, count);
        let valid_count = valid.count_ones() as usize;
        nulls += count - valid_count;
        if valid_count == count {
            add_all(&mut fold, &values[from..from + count]);
            continue;
        }
        while valid != 0 {
            fold.add(values[from + valid.trailing_zeros() as usize]);
            valid &= valid - 1;
        }
    }
    fold.bounds(nulls)
}

fn of_halves(array: &Array, values: &[u16], rows: Range<usize>) -> Bounds {
    let mut fold = Fold::new();
    let mut nulls = 0;
    for row in rows {
        if array.is_valid(row) {
            fold.add(half::to_f32(values[row]));
        } else {
            nulls += 1;
        }
    }
    fold.bounds(nulls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitmap::Bitmap;
    use crate::buffer::Buffer;

    fn column<T: Number>(values: &[T], valid: Option<&[bool]>) -> Array {
        let validity = valid.map(|bits| Bitmap::from_fn(bits.len(), |row| bits[row]).unwrap());
        let data = Data::Fixed { width: size_of::<T>(), values: Buffer::of(values).unwrap() };
        Array { len: values.len(), validity, data }
    }

    fn all(array: &Array, ty: Type, lengths: &[usize]) -> Result<Vec<Bounds>> {
        let mut told = Vec::new();
        bounds_of_runs(array, ty, lengths.iter().copied(), |each| {
            told.push(each);
            Ok(())
        })?;
        Ok(told)
    }

    fn between(least: [u8; 8], greatest: [u8; 8], nulls: usize, has_nan: bool) -> Bounds {
        Bounds { values: Some([least, greatest]), nulls, has_nan }
    }

    #[test]
    fn each_run_has_its_own() {
        let array = column::<i16>(&[3, -5, 9, 100, 7], None);
        let ty = Type::Int { bits: 16, signed: true };
        let told = all(&array, ty, &[2, 0, 3]).unwrap();
        let i = |value: i64| value.to_le_bytes();
        assert_eq!(told, [between(i(-5), i(3), 0, false), Bounds::default(), between(i(7), i(100), 0, false)]);
        assert!(all(&array, ty, &[2, 4]).is_err());
        assert!(all(&array, Type::Utf8, &[2]).is_err());
        assert!(all(&array, Type::Float { bits: 64 }, &[2]).is_err());
    }

    #[test]
    fn nulls_and_nan_are_in_no_bound() {
        let f = |value: f64| value.to_le_bytes();
        let ty = Type::Float { bits: 32 };
        let array = column::<f32>(&[f32::NAN, 2.5, -1.0, f32::NAN, 8.0], Some(&[true, true, true, true, false]));
        let told = all(&array, ty, &[3, 1, 1]).unwrap();
        let nan = Bounds { values: None, nulls: 0, has_nan: true };
        let null = Bounds { values: None, nulls: 1, has_nan: false };
        assert_eq!(told, [between(f(-1.0), f(2.5), 0, true), nan, null]);
        let infinite = column::<f64>(&[f64::INFINITY], None);
        let told = all(&infinite, Type::Float { bits: 64 }, &[1]).unwrap();
        assert_eq!(told, [between(f(f64::INFINITY), f(f64::INFINITY), 0, false)]);
    }

    #[test]
    fn long_runs_have_the_bounds_of_a_plain_loop() {
        for len in [1usize, 3, 4, 8, 9, 63, 64, 65, 129, 200] {
            for gap in [1usize, 2, 7, 70, 500] {
                let values: Vec<f32> = (0..len + 3).map(|row| ((row * 37 + gap) % 101) as f32 - 50.0).collect();
                let values: Vec<f32> = values
                    .iter()
                    .enumerate()
                    .map(|(row, &value)| if row % gap == 5 { f32::NAN } else { value })
                    .collect();
                let valid: Vec<bool> = (0..len + 3).map(|row| row % gap != 1).collect();
                for validity in [None, Some(&valid[..])] {
                    let told = all(&column(&values, validity), Type::Float { bits: 32 }, &[3, len]).unwrap()[1];
                    let rows = (3..len + 3).filter(|&row| validity.is_none_or(|bits| bits[row]));
                    let numbers: Vec<f32> =
                        rows.clone().map(|row| values[row]).filter(|value| !value.is_nan()).collect();
                    let bounds = numbers.iter().copied().reduce(f32::min).zip(numbers.iter().copied().reduce(f32::max));
                    let expected = Bounds {
                        values: bounds.map(|(least, most)| [least, most].map(|each| f64::from(each).to_le_bytes())),
                        nulls: len - rows.clone().count(),
                        has_nan: rows.clone().any(|row| values[row].is_nan()),
                    };
                    assert_eq!(told, expected, "{len} rows, a gap of {gap}");
                }
            }
        }
    }

    #[test]
    fn extremes_of_each_width() {
        let u = column::<u64>(&[u64::MAX, 1], None);
        let told = all(&u, Type::Int { bits: 64, signed: false }, &[2]).unwrap();
        assert_eq!(told, [between(1u64.to_le_bytes(), u64::MAX.to_le_bytes(), 0, false)]);
        let i = column::<i64>(&[i64::MIN, i64::MAX], None);
        let told = all(&i, Type::Int { bits: 64, signed: true }, &[2]).unwrap();
        assert_eq!(told, [between(i64::MIN.to_le_bytes(), i64::MAX.to_le_bytes(), 0, false)]);
        let halves = column::<u16>(&[0x3c00, 0xc000], None);
        let told = all(&halves, Type::Float { bits: 16 }, &[2]).unwrap();
        assert_eq!(told, [between((-2f64).to_le_bytes(), 1f64.to_le_bytes(), 0, false)]);
    }
}
