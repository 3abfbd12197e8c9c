//! The lengths of a block's codes, which are compressed too (RFC 1951 §3.2.7).

use super::DAMAGED;
use super::bits::Bits;
use super::code::{Code, EXCEPTION, Symbols};
use crate::error::Result;

/// The code of lengths.
pub type LengthCode = Code<128>;

/// In which order the lengths of the code of lengths come.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const MAX_LITERALS: usize = 286;
const MAX_DISTANCES: usize = 30;

/// The lengths of the codes of literals and distances.
pub struct Lengths {
    all: [u8; MAX_LITERALS + MAX_DISTANCES],
    literals: usize,
    distances: usize,
}

impl Lengths {
    pub fn literals(&self) -> &[u8] {
        &self.all[..self.literals]
    }

    pub fn distances(&self) -> &[u8] {
        &self.all[self.literals..self.literals + self.distances]
    }

    /// Reads them. `code` is where the code of lengths is made.
    pub fn read(bits: &mut Bits, code: &mut LengthCode) -> Result<Lengths> {
        let literals = bits.take(5) as usize + 257;
        let distances = bits.take(5) as usize + 1;
        let count = bits.take(4) as usize + 4;
        if literals > MAX_LITERALS || distances > MAX_DISTANCES {
            return Err(DAMAGED);
        }
        let mut of_lengths = [0; ORDER.len()];
        for &symbol in &ORDER[..count] {
            of_lengths[symbol] = bits.take(3) as u8;
        }
        code.read(&of_lengths, Symbols::Lengths)?;
        let mut all = [0u8; MAX_LITERALS + MAX_DISTANCES];
        let mut known = 0;
        while known < literals + distances {
            bits.refill();
            let entry = code.entry(bits.held());
            if entry & EXCEPTION != 0 {
                return Err(DAMAGED);
            }
            bits.skip(entry);
            let (length, times) = match (entry >> 16, known) {
                (16, 0) => return Err(DAMAGED),
                (16, _) => (all[known - 1], 3 + bits.take(2)),
                (17, _) => (0, 3 + bits.take(3)),
                (18, _) => (0, 11 + bits.take(7)),
                (length, _) => (length as u8, 1),
            };
            all[..literals + distances].get_mut(known..known + times as usize).ok_or(DAMAGED)?.fill(length);
            known += times as usize;
        }
        // The end of the block has no code.
        if all[256] == 0 {
            return Err(DAMAGED);
        }
        Ok(Lengths { all, literals, distances })
    }
}
