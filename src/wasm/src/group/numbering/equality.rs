//! Values of at most 64 bits, and which of them are one.

use crate::buffer::Number;

/// When two values of one width are one.
#[derive(Clone, Copy)]
pub enum Equality {
    /// Where their bytes are.
    Bytes,
    /// Of floats: where their words are once NaN is brought to one form; if `zeros`, −0.0 and 0.0 to one as well.
    Floats { bits: u8, zeros: bool },
}

impl Equality {
    /// The word that equal values share.
    #[inline(always)]
    pub fn key(self, word: u64) -> u64 {
        let Equality::Floats { bits, zeros } = self else {
            return word;
        };
        let (sign, infinity) = match bits {
            16 => (1 << 15, 0x7c00),
            32 => (1 << 31, 0x7f80_0000),
            _ => (1 << 63, 0x7ff0_0000_0000_0000),
        };
        let magnitude = word & !sign;
        if magnitude > infinity {
            infinity + 1
        } else if magnitude == 0 && zeros {
            0
        } else {
            word
        }
    }
}

/// Values of at most 64 bits.
pub trait Word: Number {
    /// The bits, those above being zero.
    fn word(self) -> u64;
    /// Steps upwards from the word of another one; the greatest number for more.
    fn steps_from(self, base: u64) -> usize;
    /// The bits as a float's: as an integer, if it is whole and has at most 32 bits. −0.0 is whole if `zeros`.
    fn whole(self, zeros: bool) -> Option<u32>;
}

macro_rules! words {
    ($($type:ty, |$word:ident, $zeros:ident| $whole:expr;)*) => {
        $(impl Word for $type {
            #[inline(always)]
            fn word(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn steps_from(self, base: u64) -> usize {
                self.wrapping_sub(base as $type).try_into().unwrap_or(usize::MAX)
            }

            #[inline(always)]
            fn whole(self, $zeros: bool) -> Option<u32> {
                let $word = self;
                $whole
            }
        })*
    };
}
words! {
    u8, |_word, _zeros| None;
    u16, |_word, _zeros| None;
    u32, |word, zeros| {
        let (float, whole) = (f32::from_bits(word), f32::from_bits(word) as i32);
        let is_whole = if zeros { whole as f32 == float } else { (whole as f32).to_bits() == word };
        is_whole.then_some(whole as u32)
    };
    u64, |word, zeros| {
        let (float, whole) = (f64::from_bits(word), f64::from_bits(word) as i32);
        let is_whole = if zeros { whole as f64 == float } else { (whole as f64).to_bits() == word };
        is_whole.then_some(whole as u32)
    };
}
