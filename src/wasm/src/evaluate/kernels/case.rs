//! Texts in lower and in upper case, character by character as in DuckDB: each becomes one character.

use super::case_table::{LOWER, Range, UPPER};
use crate::error::Result;
use crate::evaluate::texts::Texts;

/// Adds a text in the other case.
pub fn change(text: &[u8], is_upper: bool, out: &mut Texts) -> Result<()> {
    let of_ascii = if is_upper { |byte: u8| byte.to_ascii_uppercase() } else { |byte: u8| byte.to_ascii_lowercase() };
    if text.is_ascii() {
        return out.push_mapped(text, of_ascii);
    }
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            let changed = match character {
                '\0'..='\x7f' => char::from(of_ascii(character as u8)),
                _ => find(if is_upper { UPPER } else { LOWER }, character),
            };
            out.push(changed.encode_utf8(&mut [0; 4]).as_bytes())?;
        }
        out.push(chunk.invalid())?;
    }
    Ok(())
}

/// The character that a table gives, or the same.
fn find(table: &[Range], character: char) -> char {
    let code = character as u32;
    let (first, _, step, distance) = match table.get(table.partition_point(|(_, last, ..)| *last < code)) {
        Some(range) if range.0 <= code => *range,
        _ => return character,
    };
    if (code - first).is_multiple_of(step) {
        char::from_u32(code.wrapping_add_signed(distance)).unwrap_or(character)
    } else {
        character
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, is_upper: bool) -> String {
        let mut out = Texts::default();
        change(text.as_bytes(), is_upper, &mut out).unwrap();
        out.end().unwrap();
        String::from_utf8(out.get(0).to_vec()).unwrap()
    }

    #[test]
    fn each_character_becomes_one() {
        assert_eq!(changed("Straße ǅ aBc", true), "STRAẞE Ǆ ABC");
        assert_eq!(changed("ÄÖÜ İ ABC", false), "äöü i abc");
    }
}
