//! How the values of registers lie in memory.

use super::listed::listed;
use crate::compare::Lanes;
use crate::error::{Error, Result};
use crate::types::{Physical, Type};

/// Rows of a block: a register holds so many values.
pub const BLOCK_ROWS: usize = 2048;

/// Rows of a chunk, for which a word has a bit each. A kernel's loop runs over one chunk, so that its length is fixed.
pub const CHUNK_ROWS: usize = 64;

/// Chunks of a block.
pub const BLOCK_CHUNKS: usize = BLOCK_ROWS / CHUNK_ROWS;

/// The values of 64 rows.
pub type Chunk<T> = [T; CHUNK_ROWS];

/// Text of a row: the number of the column that has it, or that after the last column for the constants, and which of its values
/// it is, in the low 32 bits.
pub type View = u64;

/// The view of a value.
#[inline(always)]
pub const fn view(source: usize, place: u32) -> View {
    (source as u64) << 32 | place as u64
}

listed! {
    /// The kind of a value. Dates, times and timestamps are integers here. In the order of the loader's numbers
    /// (`evaluate/kinds.ts`).
    pub enum Kind {
        /// Two bits a row: whether it is true, and whether it is known.
        Bool,
        I8,
        I16,
        I32,
        I64,
        U8,
        U16,
        U32,
        U64,
        F32,
        F64,
        /// A [`View`] a row.
        Text,
        /// A decimal as it leaves a program. Within it, decimals are 64-bit integers.
        I128,
    }
}

impl Kind {
    /// By the loader's number.
    pub fn from_code(code: u32) -> Result<Self> {
        Kind::ALL.get(code as usize).copied().ok_or(Error::Misuse("unknown kind of values"))
    }

    /// Of the values of a column.
    pub fn of_type(ty: Type) -> Option<Self> {
        Some(match (ty, ty.physical()) {
            (Type::Bool, _) => Kind::Bool,
            (Type::Utf8, _) => Kind::Text,
            (Type::Decimal { .. }, _) => return None,
            (_, Some(Physical::I8)) => Kind::I8,
            (_, Some(Physical::I16)) => Kind::I16,
            (_, Some(Physical::I32)) => Kind::I32,
            (_, Some(Physical::I64)) => Kind::I64,
            (_, Some(Physical::U8)) => Kind::U8,
            (_, Some(Physical::U16)) => Kind::U16,
            (_, Some(Physical::U32)) => Kind::U32,
            (_, Some(Physical::U64)) => Kind::U64,
            (_, Some(Physical::F32)) => Kind::F32,
            (_, Some(Physical::F64)) => Kind::F64,
            _ => return None,
        })
    }

    /// Bytes of a value in a register. Booleans lie in words.
    pub const fn width(self) -> usize {
        match self {
            Kind::Bool => 0,
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::I64 | Kind::U64 | Kind::F64 => 8,
            Kind::Text => size_of::<View>(),
            Kind::I128 => 16,
        }
    }
}

/// What a comparison with a constant asks of a number: whether it lies between two numbers, or whether it does not.
pub struct Test<T> {
    pub low: T,
    pub high: T,
    pub is_negated: bool,
}

impl<T> Test<T> {
    const fn between(low: T, high: T) -> Self {
        Test { low, high, is_negated: false }
    }

    const fn outside(low: T, high: T) -> Self {
        Test { low, high, is_negated: true }
    }
}

/// Numbers in registers.
pub trait Lane: Lanes + Default + Send + Sync {
    /// Whether two values are equal: NaN is equal to itself, and −0.0 to 0.0.
    fn same(self, other: Self) -> bool;
    /// Whether a value comes before another one. NaN is the greatest.
    fn less(self, other: Self) -> bool;
    /// Whether a number comes before this one, comes after it, or is equal to it, in the same order.
    fn before(self) -> Test<Self>;
    fn after(self) -> Test<Self>;
    fn equal_to(self) -> Test<Self>;
    /// The bits, for the loader to show the value.
    fn bits(self) -> u64;
    /// A number that is in the same order.
    fn key(self) -> u64;
    /// The number that has a key. Of NaN and of zeros it is one.
    fn of_key(key: u64) -> Self;
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(impl Lane for $type {
            #[inline(always)]
            fn same(self, other: Self) -> bool {
                self == other
            }

            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }

            fn before(self) -> Test<Self> {
                // Nothing lies between 1 and 0.
                self.checked_sub(1).map_or(Test::between(1, 0), |high| Test::between(<$type>::MIN, high))
            }

            fn after(self) -> Test<Self> {
                self.checked_add(1).map_or(Test::between(1, 0), |low| Test::between(low, <$type>::MAX))
            }

            fn equal_to(self) -> Test<Self> {
                Test::between(self, self)
            }

            fn bits(self) -> u64 {
                self as i64 as u64
            }

            #[inline(always)]
            fn key(self) -> u64 {
                // The least number becomes 0.
                (self as i64).wrapping_sub(<$type>::MIN as i64) as u64
            }

            fn of_key(key: u64) -> Self {
                key.wrapping_add(<$type>::MIN as u64) as $type
            }
        })*
    };
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! floats {
    ($($type:ty),*) => {
        $(impl Lane for $type {
            #[inline(always)]
            fn same(self, other: Self) -> bool {
                (self == other) | (self.is_nan() & other.is_nan())
            }

            #[inline(always)]
            fn less(self, other: Self) -> bool {
                (self < other) | (!self.is_nan() & other.is_nan())
            }

            fn before(self) -> Test<Self> {
                let high = if self.is_nan() { <$type>::INFINITY } else { self.next_down() };
                // Below −∞ is nothing, and so is between 1 and 0.
                if self == <$type>::NEG_INFINITY { Test::between(1.0, 0.0) } else { Test::between(<$type>::NEG_INFINITY, high) }
            }

            fn after(self) -> Test<Self> {
                if self.is_nan() { Test::between(1.0, 0.0) } else { Test::outside(<$type>::NEG_INFINITY, self) }
            }

            fn equal_to(self) -> Test<Self> {
                let (least, greatest) = (<$type>::NEG_INFINITY, <$type>::INFINITY);
                if self.is_nan() { Test::outside(least, greatest) } else { Test::between(self, self) }
            }

            fn bits(self) -> u64 {
                f64::from(self).to_bits()
            }

            #[inline(always)]
            fn key(self) -> u64 {
                if self.is_nan() {
                    return u64::MAX;
                }
                // 0.0 for −0.0.
                let bits = f64::from(self + 0.0).to_bits();
                if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
            }

            fn of_key(key: u64) -> Self {
                match key >> 63 {
                    _ if key == u64::MAX => <$type>::NAN,
                    0 => f64::from_bits(!key) as $type,
                    _ => f64::from_bits(key ^ 1 << 63) as $type,
                }
            }
        })*
    };
}
floats!(f32, f64);

/// Runs code with `$type` as the number type of a kind. The others, `Bool` and `Text`, give `$other`.
macro_rules! with_number {
    ($kind:expr, $type:ident => $code:expr, _ => $other:expr) => {
        match $kind {
            $crate::evaluate::kind::Kind::F64 => { type $type = f64; $code }
            $crate::evaluate::kind::Kind::F32 => { type $type = f32; $code }
            integer => $crate::evaluate::kind::with_integer!(integer, $type => $code, _ => $other),
        }
    };
}

/// The same for integers alone.
macro_rules! with_integer {
    ($kind:expr, $type:ident => $code:expr, _ => $other:expr) => {
        match $kind {
            $crate::evaluate::kind::Kind::I8 => {
                type $type = i8;
                $code
            }
            $crate::evaluate::kind::Kind::I16 => {
                type $type = i16;
                $code
            }
            $crate::evaluate::kind::Kind::I32 => {
                type $type = i32;
                $code
            }
            $crate::evaluate::kind::Kind::I64 => {
                type $type = i64;
                $code
            }
            $crate::evaluate::kind::Kind::U8 => {
                type $type = u8;
                $code
            }
            $crate::evaluate::kind::Kind::U16 => {
                type $type = u16;
                $code
            }
            $crate::evaluate::kind::Kind::U32 => {
                type $type = u32;
                $code
            }
            $crate::evaluate::kind::Kind::U64 => {
                type $type = u64;
                $code
            }
            _ => $other,
        }
    };
}
pub(crate) use {with_integer, with_number};
