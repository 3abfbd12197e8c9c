//! The types of fields, and which bytes may be a value of them.

use super::Form;
use crate::error::{Error, Result};
use crate::types::{TimeUnit, Type};

/// Microseconds, and days, from 1970 to 2000, where PostgreSQL begins to count.
pub const MICROSECONDS_TO_2000: i64 = 946_684_800_000_000;
pub const DAYS_TO_2000: i32 = 10_957;

/// Microseconds of a day. PostgreSQL has 24:00:00, too.
const DAY: i64 = 86_400_000_000;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldType {
    /// Of the field, or of the items of a list.
    pub ty: Type,
    /// The greatest number of digits of a decimal.
    pub digits: u32,
    pub is_list: bool,
}

/// What is wrong with a field. The discriminants are the loader's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The row has another number of fields.
    Fields,
    /// A length that no value of the type has.
    Length,
    /// An infinite time.
    Infinite,
    /// A time beyond what 64 bits of microseconds since 1970 reach.
    Range,
    /// A date and a time that no calendar and no clock has.
    Clock,
}

impl FieldType {
    /// Fails for types that are not read.
    pub fn new(form: Form, ty: Type, digits: u32, is_list: bool) -> Result<Self> {
        let is_read = match ty {
            Type::Float { bits: 32 | 64 }
            | Type::Utf8
            | Type::Binary
            | Type::Uuid
            | Type::DateDay
            | Type::Timestamp { unit: TimeUnit::Microsecond, .. }
            | Type::Decimal { bits: 128, scale: 0..=38 } => true,
            Type::Int { bits: 16 | 32 | 64, signed: true } => true,
            Type::Int { .. } => form == Form::Mysql,
            Type::Bool | Type::Time(TimeUnit::Microsecond) | Type::IntervalMonthDayNano => form == Form::Postgres,
            _ => false,
        };
        if is_read && !(is_list && form == Form::Mysql) {
            Ok(FieldType { ty, digits, is_list })
        } else {
            Err(Error::Misuse("a type that the rows of a database have not"))
        }
    }

    /// The bytes of each value. None: they may be any number.
    pub fn width(self) -> Option<usize> {
        if self.is_list { None } else { width(self.ty) }
    }

    /// What is wrong with a value of the right length.
    #[inline]
    pub fn fault(self, value: &[u8]) -> Option<Fault> {
        if self.is_list { None } else { fault(self.ty, value) }
    }
}

/// The bytes of each value of a type. None: they may be any number.
pub const fn width(ty: Type) -> Option<usize> {
    match ty {
        Type::Bool => Some(1),
        Type::Int { bits, .. } | Type::Float { bits } => Some(bits as usize / 8),
        Type::DateDay => Some(4),
        Type::Time(_) | Type::Timestamp { .. } => Some(8),
        Type::IntervalMonthDayNano | Type::Uuid => Some(16),
        _ => None,
    }
}

/// What is wrong with a value of the right length.
#[inline]
pub fn fault(ty: Type, value: &[u8]) -> Option<Fault> {
    match ty {
        Type::Timestamp { .. } => match i64::from_be_bytes(*value.first_chunk()?) {
            i64::MIN | i64::MAX => Some(Fault::Infinite),
            time if time > i64::MAX - MICROSECONDS_TO_2000 => Some(Fault::Range),
            _ => None,
        },
        Type::DateDay => match i32::from_be_bytes(*value.first_chunk()?) {
            i32::MIN | i32::MAX => Some(Fault::Infinite),
            day if day > i32::MAX - DAYS_TO_2000 => Some(Fault::Range),
            _ => None,
        },
        Type::Time(_) if !(0..=DAY).contains(&i64::from_be_bytes(*value.first_chunk()?)) => Some(Fault::Range),
        _ => None,
    }
}
