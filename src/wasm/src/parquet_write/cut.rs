//! Bounds of byte arrays, of which only the first bytes are told.

use crate::error::Result;
use crate::vectors::copied;

/// Bytes of a bound at most.
pub const MOST: usize = 64;

/// A value, or one that lies beyond it.
pub struct Bound {
    pub bytes: Vec<u8>,
    pub is_exact: bool,
}

impl Bound {
    /// A value itself.
    pub fn exact(value: &[u8]) -> Result<Self> {
        Ok(Bound { bytes: copied(value)?, is_exact: true })
    }
}

/// The value, or its first bytes, which are less.
pub fn least(value: &[u8], is_text: bool) -> Result<Bound> {
    let first = first(value, is_text);
    Ok(Bound { bytes: copied(first)?, is_exact: first.len() == value.len() })
}

/// The value, or the next greater one of its first bytes. None: there is none.
pub fn greatest(value: &[u8], is_text: bool) -> Result<Option<Bound>> {
    if value.len() <= MOST {
        return Bound::exact(value).map(Some);
    }
    let first = first(value, is_text);
    let next = match std::str::from_utf8(first) {
        Ok(text) if is_text => next_text(text)?,
        _ => next_bytes(first)?,
    };
    Ok(next.map(|bytes| Bound { bytes, is_exact: false }))
}

/// The first bytes, of text without part of a character.
fn first(value: &[u8], is_text: bool) -> &[u8] {
    if value.len() <= MOST {
        return value;
    }
    let is_inside = |at: usize| is_text && value[at] & 0xc0 == 0x80;
    let mut len = MOST;
    // A character has four bytes at most.
    while is_inside(len) && len > MOST - 3 {
        len -= 1;
    }
    &value[..len]
}

/// The text whose last character that has a next one is that, and which ends there.
fn next_text(text: &str) -> Result<Option<Vec<u8>>> {
    for (at, character) in text.char_indices().rev() {
        let next = match character {
            // Surrogates are no characters.
            '\u{d7ff}' => Some('\u{e000}'),
            _ => char::from_u32(character as u32 + 1),
        };
        if let Some(next) = next {
            let mut bytes = copied(&text.as_bytes()[..at])?;
            let mut room = [0; 4];
            let encoded = next.encode_utf8(&mut room).as_bytes();
            bytes.try_reserve(encoded.len())?;
            bytes.extend_from_slice(encoded);
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

/// The same of bytes.
fn next_bytes(value: &[u8]) -> Result<Option<Vec<u8>>> {
    let Some(at) = value.iter().rposition(|&byte| byte != u8::MAX) else { return Ok(None) };
    let mut bytes = copied(&value[..=at])?;
    bytes[at] += 1;
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_enclose_what_they_are_cut_from() {
        let long = |head: &str, tail: &str| format!("{}{tail}", head.repeat(70));
        for text in
            [long("a", ""), long("é", ""), long("\u{d7ff}", "x"), long("\u{10ffff}", ""), long("z\u{10ffff}", "")]
        {
            let value = text.as_bytes();
            let low = least(value, true).unwrap();
            assert!(low.bytes.as_slice() < value && !low.is_exact && low.bytes.len() <= MOST);
            assert!(std::str::from_utf8(&low.bytes).is_ok());
            if let Some(high) = greatest(value, true).unwrap() {
                assert!(high.bytes.as_slice() > value && !high.is_exact && high.bytes.len() <= MOST);
                assert!(std::str::from_utf8(&high.bytes).is_ok());
            } else {
                assert!(text.chars().all(|character| character == char::MAX));
            }
        }
        let bytes = [[7; 40], [0xff; 40]].concat();
        assert_eq!(greatest(&bytes, false).unwrap().unwrap().bytes, [[7; 39].as_slice(), &[8]].concat());
        assert!(greatest(&[0xff; 65], false).unwrap().is_none());
        assert!(greatest(&[0xff; 64], false).unwrap().unwrap().is_exact);
    }
}
