//! The least and the greatest values of pages.

use super::Values;
use super::cut::{self, Bound};
use super::order::Order;
use crate::array::Data;
use crate::bitmap::Bitmap;
use crate::buffer::{Buffer, Number, bytes_of};
use crate::error::Result;
use crate::flat::value_bytes;
use crate::half;
use std::cmp::Ordering;
use std::ops::Range;

/// What is known of the values of a page.
pub enum Bounds {
    /// None of them has an order.
    None,
    /// They are too long to be told.
    Unknown,
    Known {
        least: Bound,
        greatest: Bound,
    },
}

/// Finds the bounds of the pages of a chunk.
pub struct Finder {
    order: Order,
    /// For each number of a dictionary of byte arrays, the last page that has it.
    seen: Vec<u32>,
    page: u32,
}

impl Finder {
    /// For values of an order.
    pub fn new(order: Order, values: &Values) -> Result<Self> {
        let mut seen = Vec::new();
        if let Some(dictionary) = values.dictionary {
            seen.try_reserve_exact(dictionary.len())?;
            seen.resize(dictionary.len(), 0);
        }
        Ok(Finder { order, seen, page: 0 })
    }

    /// The bounds of the values of the next page.
    pub fn of_page(&mut self, values: &Values, range: Range<usize>) -> Result<Bounds> {
        self.page += 1;
        match (&values.array.data, self.order) {
            (_, Order::None) => Ok(Bounds::None),
            (Data::Fixed { values, .. }, Order::I32) => integers::<i32>(values, range),
            (Data::Fixed { values, .. }, Order::U32) => integers::<u32>(values, range),
            (Data::Fixed { values, .. }, Order::I64) => integers::<i64>(values, range),
            (Data::Fixed { values, .. }, Order::U64) => integers::<u64>(values, range),
            (Data::Fixed { values, .. }, Order::F16) => halves(&values.numbers()[range]),
            (Data::Fixed { values, .. }, Order::F32) => singles(&values.numbers()[range]),
            (Data::Fixed { values, .. }, Order::F64) => doubles(&values.numbers()[range]),
            (Data::Bool(bits), _) => booleans(bits, range),
            _ => self.byte_arrays(values, range),
        }
    }

    /// Of byte arrays; of a dictionary's, each value is compared once for each page.
    fn byte_arrays(&mut self, values: &Values, range: Range<usize>) -> Result<Bounds> {
        let order = self.order;
        let mut found: Option<(&[u8], &[u8])> = None;
        let mut widen = |value| {
            let (least, greatest) = found.unwrap_or((value, value));
            let is_less = order.compare(value, least) == Ordering::Less;
            let is_greater = order.compare(value, greatest) == Ordering::Greater;
            found = Some((if is_less { value } else { least }, if is_greater { value } else { greatest }));
        };
        match values.dictionary {
            Some(dictionary) => {
                for &number in dictionary.numbers(range) {
                    if self.seen[number as usize] != self.page {
                        self.seen[number as usize] = self.page;
                        widen(dictionary.value(number));
                    }
                }
            }
            None => range.for_each(|place| widen(value_bytes(values.array, place))),
        }
        let Some((least, greatest)) = found else { return Ok(Bounds::None) };
        if let (Data::Fixed { width, .. }, true) = (&values.array.data, least.len() > cut::MOST) {
            debug_assert_eq!(*width, least.len());
            return Ok(Bounds::Unknown);
        }
        let is_text = order == Order::Text;
        Ok(match cut::greatest(greatest, is_text)? {
            Some(greatest) => Bounds::Known { least: cut::least(least, is_text)?, greatest },
            None => Bounds::Unknown,
        })
    }
}

fn known(least: &[u8], greatest: &[u8]) -> Result<Bounds> {
    Ok(Bounds::Known { least: Bound::exact(least)?, greatest: Bound::exact(greatest)? })
}

fn integers<T: Number + Ord>(values: &Buffer, range: Range<usize>) -> Result<Bounds> {
    let values = &values.numbers::<T>()[range];
    let Some(&first) = values.first() else { return Ok(Bounds::None) };
    let (least, greatest) = values.iter().fold((first, first), |(least, greatest), &value| {
        (if value < least { value } else { least }, if value > greatest { value } else { greatest })
    });
    known(bytes_of(&[least]), bytes_of(&[greatest]))
}

/// Of floats without the NaNs among them. A least zero is −0.0, a greatest one is 0.0, as either may stand for both.
macro_rules! floats {
    ($name:ident, $type:ty) => {
        fn $name(values: &[$type]) -> Result<Bounds> {
            let (mut least, mut greatest) = (<$type>::INFINITY, <$type>::NEG_INFINITY);
            for &value in values {
                least = if value < least { value } else { least };
                greatest = if value > greatest { value } else { greatest };
            }
            if least > greatest {
                return Ok(Bounds::None);
            }
            let (least, greatest) = (if least == 0.0 { -0.0 } else { least }, greatest + 0.0);
            known(&least.to_le_bytes(), &greatest.to_le_bytes())
        }
    };
}
floats!(singles, f32);
floats!(doubles, f64);

fn halves(values: &[u16]) -> Result<Bounds> {
    let (mut least, mut greatest) = (f32::INFINITY, f32::NEG_INFINITY);
    for value in values.iter().map(|&bits| half::to_f32(bits)).filter(|value| !value.is_nan()) {
        (least, greatest) = (least.min(value), greatest.max(value));
    }
    if least > greatest {
        return Ok(Bounds::None);
    }
    let (least, greatest) = (if least == 0.0 { -0.0 } else { least }, greatest + 0.0);
    known(&half::from_f64(least.into()).to_le_bytes(), &half::from_f64(greatest.into()).to_le_bytes())
}

fn booleans(bits: &Bitmap, range: Range<usize>) -> Result<Bounds> {
    let len = range.len();
    let count: usize = range.map(|row| usize::from(bits.get(row))).sum();
    if len == 0 { Ok(Bounds::None) } else { known(&[u8::from(count == len)], &[u8::from(count > 0)]) }
}
