//! The constants of an IN.

use super::kind::{Kind, Lane, View, with_number};
use super::register::Register;
use crate::error::{Error, Result};
use crate::vectors::{copied, with_room};

/// Sorted constants of one kind, none of them null.
pub struct Set {
    kind: Kind,
    /// [`Lane::key`] of numbers.
    keys: Vec<u64>,
    texts: Vec<Vec<u8>>,
}

impl Set {
    /// Of constants of a program, whose text is among `texts`.
    pub fn new(kind: Kind, constants: &[&Register], texts: &[Vec<u8>]) -> Result<Self> {
        if constants.iter().any(|constant| constant.known()[0] == 0) {
            return Err(Error::Misuse("a null in a set of constants"));
        }
        let mut set = Set { kind, keys: with_room(constants.len())?, texts: Vec::new() };
        for constant in constants {
            with_number!(kind, T => set.keys.push(constant.values::<T>()[0].key()), _ => {
                let view = constant.values::<View>().first().ok_or(Error::Misuse("booleans have no sets"))?;
                set.texts.try_reserve(1)?;
                set.texts.push(copied(&texts[*view as u32 as usize])?);
            });
        }
        set.keys.sort_unstable();
        set.texts.sort_unstable();
        Ok(set)
    }

    /// The kind of the constants.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.keys.len() + self.texts.len()
    }

    /// Those that are numbers.
    pub fn numbers<T: Lane>(&self) -> impl Iterator<Item = T> {
        self.keys.iter().map(|key| T::of_key(*key))
    }

    /// Whether a number is among them.
    #[inline]
    pub fn has_number(&self, value: impl Lane) -> bool {
        self.keys.binary_search(&value.key()).is_ok()
    }

    /// Whether a text is among them.
    pub fn has_text(&self, value: &[u8]) -> bool {
        self.texts.binary_search_by(|probe| probe.as_slice().cmp(value)).is_ok()
    }
}
