//! Huffman codes as tables.
//!
//! An entry has in its lowest 6 bits how many bits it takes, extra ones among them; from bit 8 on those of the code alone; and from
//! bit 16 on a literal, a base to which the value of the extra bits is added, or where a second table begins.

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
pub enum Symbols {
    Literals,
    Distances,
    Lengths,
}

/// A code: its first table, of `FIRST` entries, is looked up by the first bits, and the tables behind it by those that follow.
pub struct Code<const FIRST: usize> {
    first: [u32; FIRST],
    second: Vec<u32>,
}

impl<const FIRST: usize> Code<FIRST> {
    /// Bits by which the first table is looked up.
    const BITS: usize = FIRST.ilog2() as usize;
    const IS_POWER: () = assert!(FIRST.is_power_of_two());

    /// No code yet.
    pub const fn new() -> Self {
        let () = Self::IS_POWER;
        Code { first: [0; FIRST], second: Vec::new() }
    }

    /// The first table.
    pub const fn first(&self) -> &[u32; FIRST] {
        &self.first
    }

    /// The entry of the next bits.
    #[inline(always)]
    pub const fn entry(&self, held: u64) -> u32 {
        self.first[held as usize & (FIRST - 1)]
    }

    /// The entry in a second table, if that is what an entry says. The bits of the first one are passed over then.
    #[inline(always)]
    pub fn second(&self, entry: u32, bits: &mut Bits) -> u32 {
        if entry & SECOND == 0 {
            return entry;
        }
        bits.skip(Self::BITS as u32);
        let place = (entry >> 16) as usize + (bits.held() & ((1 << (entry & 15)) - 1)) as usize;
        self.second.get(place).copied().unwrap_or(EXCEPTION)
    }

    /// Takes in the length of each symbol's code, as RFC 1951 §3.2.2 makes codes of them. As in zlib, a code must be complete
    /// unless it is of literals or distances and has one symbol of one bit, or none.
    pub fn read(&mut self, lengths: &[u8], of: Symbols) -> Result<()> {
        let mut counts = [0u32; MAX_BITS + 1];
        lengths.iter().for_each(|&length| counts[usize::from(length) & MAX_BITS] += 1);
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
        if !is_complete && (longest > 1 || matches!(of, Symbols::Lengths)) {
            return Err(DAMAGED);
        }
        // The entries of a complete code are all written, but those of second tables are looked at before.
        if !is_complete || longest > Self::BITS {
            self.first.fill(EXCEPTION);
        }
        self.second.clear();
        let second_bits = longest.saturating_sub(Self::BITS);
        for (symbol, &length) in lengths.iter().enumerate().filter(|(_, length)| **length > 0) {
            let length = usize::from(length) & MAX_BITS;
            let code = (next[length].reverse_bits() >> (32 - length)) as usize;
            next[length] += 1;
            if length <= Self::BITS {
                let entry = entry_of(symbol, length as u32, of);
                let mut at = code;
                while at < FIRST {
                    self.first[at] = entry;
                    at += 1 << length;
                }
                continue;
            }
            let first = &mut self.first[code & (FIRST - 1)];
            if *first & SECOND == 0 {
                let start = self.second.len();
                self.second.try_reserve(1 << second_bits)?;
                self.second.resize(start + (1 << second_bits), EXCEPTION);
                *first = EXCEPTION | SECOND | (start as u32) << 16 | second_bits as u32;
            }
            let start = (*first >> 16) as usize;
            let entry = entry_of(symbol, (length - Self::BITS) as u32, of);
            let places = &mut self.second[start + (code >> Self::BITS)..start + (1 << second_bits)];
            places.iter_mut().step_by(1 << (length - Self::BITS)).for_each(|place| *place = entry);
        }
        Ok(())
    }
}

/// Passes over the bits of an entry that is a base. Returns the base and the value of the extra bits together.
#[inline(always)]
pub const fn take_value(entry: u32, bits: &mut Bits) -> usize {
    let extra = (bits.held() & ((1 << (entry & 63)) - 1)) >> (entry >> 8 & 15);
    bits.skip(entry);
    (entry >> 16) as usize + extra as usize
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
fn entry_of(symbol: usize, bits: u32, of: Symbols) -> u32 {
    let based = |bases: &[(u32, u32)], symbol: usize| match bases.get(symbol) {
        Some((extra, base)) => base << 16 | bits << 8 | (bits + extra),
        None => EXCEPTION | bits,
    };
    match of {
        Symbols::Lengths => (symbol as u32) << 16 | bits,
        Symbols::Distances => based(&DISTANCES, symbol),
        Symbols::Literals => match symbol {
            0..256 => LITERAL | (symbol as u32) << 16 | bits << 8 | bits,
            256 => EXCEPTION | END | bits,
            // The last length is the greatest, 258, and has no extra bits.
            285 => 258 << 16 | bits << 8 | bits,
            _ => based(&LENGTHS, symbol - 257),
        },
    }
}
