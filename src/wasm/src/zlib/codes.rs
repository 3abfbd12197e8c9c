//! Huffman codes as tables.
//!
//! An entry has in its lowest byte the bits that it takes, extra ones among them; in the next five bits those of the code alone;
//! and from bit 16 on a literal, a base to which the value of the extra bits is added, or where a second table begins.

use super::DAMAGED;
use super::bits::Bits;
use crate::error::Result;

/// A literal.
pub const LITERAL: u32 = 1 << 31;
/// Neither a literal nor a base: the end of a block, a second table, or no code at all.
pub const EXCEPTION: u32 = 1 << 15;
/// The end of a block.
pub const END: u32 = 1 << 14;
const SECOND: u32 = 1 << 13;

const MAX_BITS: usize = 15;

/// What the symbols of a code are.
#[derive(Clone, Copy)]
pub enum Lengths {
    Literals,
    Distances,
    Lengths,
}

/// A code: its first table is looked up by so many bits, and the tables behind it by those that follow.
pub struct Code {
    table: Vec<u32>,
    bits: u32,
}

impl Code {
    /// No code yet.
    pub fn new(bits: u32) -> Result<Self> {
        let mut table = Vec::new();
        table.try_reserve_exact(1 << bits)?;
        table.resize(1 << bits, EXCEPTION);
        Ok(Code { table, bits })
    }

    /// The entry of the next bits.
    #[inline(always)]
    pub fn entry(&self, bits: u64) -> u32 {
        self.table[(bits & ((1 << self.bits) - 1)) as usize]
    }

    /// The entry in a second table, if that is what an entry says. The bits of the first one are passed over then.
    #[inline(always)]
    pub fn second(&self, entry: u32, held: u64, bits: &mut Bits) -> u32 {
        if entry & SECOND == 0 {
            return entry;
        }
        bits.skip(self.bits);
        let place = (entry >> 16) as usize + (held >> self.bits & ((1 << (entry & 0xff)) - 1)) as usize;
        self.table.get(place).copied().unwrap_or(EXCEPTION)
    }

    /// Takes in the length of each symbol's code, as RFC 1951 §3.2.2 makes codes of them. As in zlib, a code must be complete
    /// unless it is of literals or distances and has one symbol of one bit, or none.
    pub fn read(&mut self, lengths: &[u8], of: Lengths) -> Result<()> {
        let mut counts = [0u32; MAX_BITS + 1];
        lengths.iter().for_each(|&length| counts[usize::from(length)] += 1);
        counts[0] = 0;
        let longest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        let mut next = [0u32; MAX_BITS + 2];
        for length in 1..=MAX_BITS {
            next[length + 1] = (next[length] + counts[length]) << 1;
            if next[length] + counts[length] > 1 << length {
                return Err(DAMAGED);
            }
        }
        let is_complete = next[MAX_BITS + 1] == 2 << MAX_BITS;
        if !is_complete && (longest > 1 || matches!(of, Lengths::Lengths)) {
            return Err(DAMAGED);
        }
        let bits = self.bits as usize;
        self.table.clear();
        self.table.resize(1 << bits, EXCEPTION);
        let second_bits = longest.saturating_sub(bits);
        for (symbol, &length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
            let length = usize::from(length);
            let code = (next[length].reverse_bits() >> (32 - length)) as usize;
            next[length] += 1;
            if length <= bits {
                let entry = entry_of(symbol, length as u32, of);
                self.table[code..1 << bits].iter_mut().step_by(1 << length).for_each(|place| *place = entry);
                continue;
            }
            let first = code & ((1 << bits) - 1);
            if self.table[first] & SECOND == 0 {
                let start = self.table.len();
                self.table.try_reserve(1 << second_bits)?;
                self.table.resize(start + (1 << second_bits), EXCEPTION);
                self.table[first] = EXCEPTION | SECOND | (start as u32) << 16 | second_bits as u32;
            }
            let start = (self.table[first] >> 16) as usize;
            let entry = entry_of(symbol, (length - bits) as u32, of);
            let places = &mut self.table[start + (code >> bits)..start + (1 << second_bits)];
            places.iter_mut().step_by(1 << (length - bits)).for_each(|place| *place = entry);
        }
        Ok(())
    }
}

/// The lengths and distances of RFC 1951 §3.2.5: extra bits and base.
const LENGTHS: [(u32, u32); 29] = bases::<29>(4, 3);
const DISTANCES: [(u32, u32); 30] = bases::<30>(2, 1);

/// From `first` on, `each` symbols have the same number of extra bits, the first two times as many of them none.
const fn bases<const N: usize>(each: usize, first: u32) -> [(u32, u32); N] {
    let mut bases = [(0, 0); N];
    let (mut base, mut symbol) = (first, 0);
    while symbol < N {
        let extra = if symbol < 2 * each { 0 } else { (symbol / each - 1) as u32 };
        bases[symbol] = (extra, base);
        base += 1 << extra;
        symbol += 1;
    }
    bases
}

/// The entry of a symbol whose code has so many bits.
fn entry_of(symbol: usize, bits: u32, of: Lengths) -> u32 {
    let based = |bases: &[(u32, u32)], symbol: usize| match bases.get(symbol) {
        Some((extra, base)) => base << 16 | bits << 8 | (bits + extra),
        None => EXCEPTION | bits,
    };
    match of {
        Lengths::Lengths => (symbol as u32) << 16 | bits,
        Lengths::Distances => based(&DISTANCES, symbol),
        Lengths::Literals => match symbol {
            0..256 => LITERAL | (symbol as u32) << 16 | bits << 8 | bits,
            256 => EXCEPTION | END | bits,
            // The last length is the greatest, 258, and has no extra bits.
            285 => 258 << 16 | bits << 8 | bits,
            _ => based(&LENGTHS, symbol - 257),
        },
    }
}
