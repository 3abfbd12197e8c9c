//! What the values of a column mean, as far as comparing and printing them needs it.

use crate::error::{Error, Result};

/// Unit of a time, timestamp or duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeUnit {
    /// 1 s
    Second,
    /// 10⁻³ s
    Millisecond,
    /// 10⁻⁶ s
    Microsecond,
    /// 10⁻⁹ s
    Nanosecond,
}

impl TimeUnit {
    /// How many make a second.
    pub const fn per_second(self) -> i64 {
        match self {
            TimeUnit::Second => 1,
            TimeUnit::Millisecond => 1_000,
            TimeUnit::Microsecond => 1_000_000,
            TimeUnit::Nanosecond => 1_000_000_000,
        }
    }

    /// In the order of their numbers.
    pub const ALL: [TimeUnit; 4] =
        [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond];
}

/// A logical type. Nested types are told apart by the array itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Only nulls.
    Null,
    /// true or false
    Bool,
    /// Integer of so many bits.
    Int { bits: u8, signed: bool },
    /// IEEE 754 of so many bits.
    Float { bits: u8 },
    /// Integer of so many bits times 10^−scale.
    Decimal { bits: u16, scale: i32 },
    /// UTF-8 text.
    Utf8,
    /// Bytes, of any or of one length.
    Binary,
    /// Days since 1970-01-01, 32 bits.
    DateDay,
    /// Milliseconds since 1970-01-01, 64 bits.
    DateMillisecond,
    /// Time of day; 32 bits for seconds and milliseconds, else 64.
    Time(TimeUnit),
    /// Since 1970-01-01T00:00:00, of the local clock or (with an offset in seconds to print it at) UTC; 64 bits.
    Timestamp { unit: TimeUnit, offset: Option<i32> },
    /// 64 bits.
    Duration(TimeUnit),
    /// Months, 32 bits.
    IntervalYearMonth,
    /// Days and milliseconds, 32 bits each.
    IntervalDayTime,
    /// Months and days, 32 bits each, and nanoseconds, 64 bits.
    IntervalMonthDayNano,
    /// Lists, structs, maps.
    Nested,
    /// 16 bytes, in the order of their text.
    Uuid,
}

impl Type {
    /// From the loader's two numbers (`type-code.ts`): the kind, and the decimal scale or zone offset in seconds
    /// (`i32::MIN`: no zone).
    pub fn from_code(code: u32, parameter: i32) -> Result<Self> {
        let unit = |first: u32| TimeUnit::ALL[(code - first) as usize];
        Ok(match code {
            0 => Type::Null,
            1 => Type::Bool,
            2..=5 => Type::Int { bits: 8 << (code - 2), signed: true },
            6..=9 => Type::Int { bits: 8 << (code - 6), signed: false },
            10..=12 => Type::Float { bits: 16 << (code - 10) },
            13..=16 => Type::Decimal { bits: 32 << (code - 13), scale: parameter },
            17 => Type::Utf8,
            18 => Type::Binary,
            19 => Type::DateDay,
            20 => Type::DateMillisecond,
            21..=24 => Type::Time(unit(21)),
            25..=28 => Type::Timestamp { unit: unit(25), offset: (parameter != i32::MIN).then_some(parameter) },
            29..=32 => Type::Duration(unit(29)),
            33 => Type::IntervalYearMonth,
            34 => Type::IntervalDayTime,
            35 => Type::IntervalMonthDayNano,
            36 => Type::Nested,
            37 => Type::Uuid,
            _ => return Err(Error::Misuse("unknown type code")),
        })
    }

    /// Whether values are byte strings, and compare as such.
    pub const fn is_bytes(self) -> bool {
        matches!(self, Type::Utf8 | Type::Binary | Type::Uuid)
    }

    /// How values compare and lie in memory, if they are of one width and have an order.
    pub const fn physical(self) -> Option<Physical> {
        Some(match self {
            Type::Int { bits: 8, signed: true } => Physical::I8,
            Type::Int { bits: 16, signed: true } => Physical::I16,
            Type::Int { bits: 32, signed: true } => Physical::I32,
            Type::Int { signed: true, .. } => Physical::I64,
            Type::Int { bits: 8, .. } => Physical::U8,
            Type::Int { bits: 16, .. } => Physical::U16,
            Type::Int { bits: 32, .. } => Physical::U32,
            Type::Int { .. } => Physical::U64,
            Type::Float { bits: 16 } => Physical::F16,
            Type::Float { bits: 32 } => Physical::F32,
            Type::Float { .. } => Physical::F64,
            Type::Decimal { bits: 32, .. } => Physical::I32,
            Type::Decimal { bits: 64, .. } => Physical::I64,
            Type::Decimal { bits: 128, .. } => Physical::I128,
            Type::Decimal { .. } => Physical::I256,
            Type::DateDay | Type::Time(TimeUnit::Second | TimeUnit::Millisecond) => Physical::I32,
            Type::DateMillisecond | Type::Time(_) | Type::Timestamp { .. } | Type::Duration(_) => Physical::I64,
            _ => return None,
        })
    }
}

/// Number types of values in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Physical {
    I8,
    I16,
    I32,
    I64,
    I128,
    I256,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

impl Physical {
    /// The type of a dictionary's indices by the loader's number (`assembly.ts`).
    pub fn of_index(code: usize) -> Result<Self> {
        use Physical::*;
        [I8, I16, I32, I64, U8, U16, U32, U64].get(code).copied().ok_or(Error::Misuse("unknown index type"))
    }

    /// Bytes of a value.
    pub const fn width(self) -> usize {
        match self {
            Physical::I8 | Physical::U8 => 1,
            Physical::I16 | Physical::U16 | Physical::F16 => 2,
            Physical::I32 | Physical::U32 | Physical::F32 => 4,
            Physical::I64 | Physical::U64 | Physical::F64 => 8,
            Physical::I128 => 16,
            Physical::I256 => 32,
        }
    }
}
