//! Characters of one byte each, as UTF-8, and texts that may have either.

/// What bytes from 128 on mean; the others are ASCII.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Encoding {
    #[default]
    Utf8,
    /// ISO 8859-1: each byte is the code point.
    Latin1,
    Windows1252,
    /// UTF-8, or windows-1252 in fields that are no UTF-8.
    Either,
}

/// The most bytes that a character takes.
pub const MOST_BYTES: usize = 3;

/// The characters of windows-1252 from 0x80 to 0x9f (https://encoding.spec.whatwg.org/index-windows-1252.txt). Bytes that
/// mean nothing are control characters, as in ISO 8859-1.
const WINDOWS: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}',
    '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}',
    '\u{17e}', '\u{178}',
];

impl Encoding {
    /// By its number in the loader.
    pub fn from_code(code: u8) -> Option<Self> {
        [Encoding::Utf8, Encoding::Latin1, Encoding::Windows1252, Encoding::Either].get(usize::from(code)).copied()
    }

    /// Whether a field may be UTF-8.
    pub fn may_be_utf8(self) -> bool {
        matches!(self, Encoding::Utf8 | Encoding::Either)
    }

    /// The character of a byte, of an encoding that has one for each, or in a field that is no UTF-8.
    pub fn character(self, byte: u8) -> char {
        match byte {
            0x80..=0x9f if self != Encoding::Latin1 => WINDOWS[usize::from(byte - 0x80)],
            _ => char::from(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters() {
        for (byte, latin, windows) in [
            (b'a', 'a', 'a'),
            (0x80, '\u{80}', '€'),
            (0x9f, '\u{9f}', 'Ÿ'),
            (0xa0, '\u{a0}', '\u{a0}'),
            (0xff, 'ÿ', 'ÿ'),
        ] {
            assert_eq!(Encoding::Latin1.character(byte), latin);
            assert_eq!(Encoding::Windows1252.character(byte), windows);
            assert_eq!(Encoding::Either.character(byte), windows);
        }
        assert!((0..=255).all(|byte| Encoding::Windows1252.character(byte).len_utf8() <= MOST_BYTES));
        assert!(Encoding::from_code(4).is_none());
    }
}
