//! The order of stored values (parquet.thrift, `ColumnOrder`).

use crate::array::{Array, Data};
use crate::half;
use crate::types::{Physical, Type};
use std::cmp::Ordering;

/// How values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// They have no order.
    None,
    Bool,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
    /// Unsigned, byte by byte.
    Bytes,
    /// The same of text, which is cut between characters.
    Text,
    /// Integers whose highest byte comes first.
    Signed,
}

impl Order {
    /// Of the stored values of a type.
    pub fn of(ty: Type, stored: &Array) -> Self {
        let width = match &stored.data {
            Data::Fixed { width, .. } => *width,
            _ => 0,
        };
        match (ty, ty.physical()) {
            (Type::Bool, _) => Order::Bool,
            (Type::Utf8, _) => Order::Text,
            (Type::Binary | Type::Uuid, _) => Order::Bytes,
            (Type::Decimal { .. }, _) => match width {
                4 => Order::I32,
                8 => Order::I64,
                _ => Order::Signed,
            },
            (Type::DateMillisecond, _) => Order::I32,
            (_, Some(Physical::I8 | Physical::I16 | Physical::I32)) => Order::I32,
            (_, Some(Physical::U8 | Physical::U16 | Physical::U32)) => Order::U32,
            (_, Some(Physical::I64)) => Order::I64,
            (_, Some(Physical::U64)) => Order::U64,
            (_, Some(Physical::F16)) => Order::F16,
            (_, Some(Physical::F32)) => Order::F32,
            (_, Some(Physical::F64)) => Order::F64,
            _ => Order::None,
        }
    }

    /// Compares two values, none of them NaN, by their bytes.
    pub fn compare(self, a: &[u8], b: &[u8]) -> Ordering {
        fn by<const WIDTH: usize, T: PartialOrd>(a: &[u8], b: &[u8], of: impl Fn([u8; WIDTH]) -> T) -> Ordering {
            let value = |bytes: &[u8]| bytes.first_chunk().map(|bytes| of(*bytes));
            value(a).partial_cmp(&value(b)).unwrap_or(Ordering::Equal)
        }
        match self {
            Order::I32 => by(a, b, i32::from_le_bytes),
            Order::U32 => by(a, b, u32::from_le_bytes),
            Order::I64 => by(a, b, i64::from_le_bytes),
            Order::U64 => by(a, b, u64::from_le_bytes),
            Order::F16 => by(a, b, |bytes| half::to_f32(u16::from_le_bytes(bytes))),
            Order::F32 => by(a, b, f32::from_le_bytes),
            Order::F64 => by(a, b, f64::from_le_bytes),
            Order::Signed => {
                let sign = |bytes: &[u8]| bytes.first().map(|&byte| byte as i8 >= 0);
                sign(a).cmp(&sign(b)).then_with(|| a.cmp(b))
            }
            Order::None | Order::Bool | Order::Bytes | Order::Text => a.cmp(b),
        }
    }
}
