//! Integers that stand for names.

use super::fills::unless_all;
use super::texts::Texts;
use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use std::rc::Rc;

/// The names of numbers, ascending by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<Name>);

/// A number, as the 64 bits to which it is extended, and its name in UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub number: i64,
    pub name: Vec<u8>,
}

impl Names {
    /// In the order of the numbers.
    pub fn new(mut names: Vec<Name>) -> Self {
        names.sort_by_key(|name| name.number);
        Names(names)
    }

    fn place(&self, number: i64) -> Option<u32> {
        self.0.binary_search_by_key(&number, |name| name.number).ok().map(|place| place as u32)
    }

    /// The names of numbers, as a dictionary. Null where `known` is false, and where no name has the number.
    pub fn decode<T: Copy>(&self, numbers: &[T], known: Option<Bitmap>, wide: impl Fn(T) -> i64) -> Result<Array> {
        let len = numbers.len();
        let mut indices = Buffer::zeroed(len.checked_mul(4).ok_or(Error::Memory)?)?;
        // Neighbours are mostly the same.
        let mut last = None;
        let mut are_all_named = true;
        for (index, &number) in indices.numbers_mut::<u32>().iter_mut().zip(numbers) {
            let number = wide(number);
            let place = match last {
                Some((earlier, place)) if earlier == number => place,
                _ => self.place(number),
            };
            last = Some((number, place));
            are_all_named &= place.is_some();
            *index = place.unwrap_or(NO_NAME);
        }
        let validity = if are_all_named && known.is_none() {
            None
        } else {
            let places = &indices.numbers::<u32>()[..len];
            let is_known = |row| places[row] != NO_NAME && known.as_ref().is_none_or(|known| known.get(row));
            unless_all(Bitmap::from_fn(len, is_known)?)
        };
        if !are_all_named {
            indices.numbers_mut::<u32>().iter_mut().filter(|index| **index == NO_NAME).for_each(|index| *index = 0);
        }
        let mut texts = Texts::new();
        self.0.iter().try_for_each(|name| texts.push(&name.name))?;
        if self.0.is_empty() {
            texts.push(&[])?;
        }
        Ok(Array { len, validity, data: Data::Dictionary { indices, values: Rc::new(texts.array()?) } })
    }
}

/// The index of a number without a name.
const NO_NAME: u32 = u32::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_a_name_are_null() {
        let name = |number, text: &str| Name { number, name: text.into() };
        let names = Names::new(vec![name(127, "missing"), name(-1, "none"), name(0, "clear")]);
        let column = names.decode(&[0i8, 127, 5, -1, 0], None, i64::from).unwrap();
        let Data::Dictionary { indices, .. } = &column.data else { panic!("no dictionary") };
        assert_eq!(&indices.numbers::<u32>()[..5], [1, 2, 0, 0, 1]);
        assert_eq!((0..5).map(|row| column.is_valid(row)).collect::<Vec<_>>(), [true, true, false, true, true]);
        let known = Bitmap::from_fn(2, |row| row == 1).unwrap();
        let column = names.decode(&[0u64, u64::MAX], Some(known), |number| number as i64).unwrap();
        assert_eq!([column.is_valid(0), column.is_valid(1)], [false, true]);
        assert!(!Names::default().decode(&[7u8], None, i64::from).unwrap().is_valid(0));
    }
}
