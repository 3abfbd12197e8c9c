//! Texts that stand for null.

use super::characters::trimmed;
use crate::error::Result;
use crate::vectors::copied;

/// Texts that are null. Most fields are told to be none of them by their first byte and their length.
#[derive(Default)]
pub struct Nulls {
    texts: Vec<Box<[u8]>>,
    /// A bit for each first byte.
    firsts: [u64; 4],
    /// A bit for each length; the last one for all that are longer.
    lengths: u64,
}

impl Nulls {
    /// Adds a text. An empty one is null anyway.
    pub fn add(&mut self, text: &[u8]) -> Result<()> {
        let Some(&first) = text.first() else { return Ok(()) };
        let copy = copied(text)?;
        self.texts.try_reserve(1)?;
        self.texts.push(copy.into_boxed_slice());
        self.firsts[usize::from(first / 64)] |= 1 << (first % 64);
        self.lengths |= 1 << text.len().min(63);
        Ok(())
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether the text is one of them, as it is or without blanks around it.
    #[inline(always)]
    pub fn holds_padded(&self, text: &[u8]) -> bool {
        self.holds(text) || {
            let inner = trimmed(text);
            inner.len() < text.len() && self.holds(inner)
        }
    }

    /// Whether the text is one of them.
    #[inline(always)]
    pub fn holds(&self, text: &[u8]) -> bool {
        let Some(&first) = text.first() else { return false };
        self.firsts[usize::from(first / 64)] >> (first % 64) & 1 == 1
            && self.lengths >> text.len().min(63) & 1 == 1
            && self.texts.iter().any(|each| **each == *text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let mut nulls = Nulls::default();
        assert!(nulls.is_empty() && !nulls.holds(b"") && !nulls.holds(b"NA"));
        let long = [b'-'; 80];
        for text in [b"NA".as_slice(), b"-999", b"\xb0", &long, b""] {
            nulls.add(text).unwrap();
        }
        for (text, expected) in [
            (b"NA".as_slice(), true),
            (b"na", false),
            (b"NAN", false),
            (b"-999", true),
            (b"-998", false),
            (b"-99", false),
            (b"\xb0", true),
            (&long, true),
            (&long[..79], false),
            (b"", false),
        ] {
            assert_eq!(nulls.holds(text), expected, "{text:?}");
        }
        assert!(nulls.holds_padded(b"  -999") && nulls.holds_padded(b"NA\t") && !nulls.holds_padded(b"  "));
    }
}
