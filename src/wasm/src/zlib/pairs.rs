//! Literals, two in one step.
//!
//! Each step waits for the one before, which says where its code begins. But where the next literal's code ends is mostly known from
//! fewer bits than what it is, because codes of the same length follow each other. So the bits that the first table is looked up by
//! tell the lengths of two codes, and the second literal is looked up while the next step is under way.

use super::code::LITERAL;

/// Entries of the first table of literals. More of them find a few more pairs, but take longer to make.
pub const FIRST: usize = 1024;

/// The most bits of a step. Three of them are held at once.
const MAX_STEP: u8 = 18;

/// What the next bits begin with. Each member has an entry for the next bits, as the first table of literals has.
pub struct Pairs {
    /// Bits of the literals, one or two. 0: no literal of the first table.
    steps: [u8; FIRST],
    counts: [u8; FIRST],
    /// The first literal.
    literals: [u8; FIRST],
    /// From 2ⁿ on, for each value of the next n bits: the length of the code that they begin, if it is that of a literal and these bits
    /// tell. Else 0.
    lengths: [u8; 2 * FIRST],
}

impl Pairs {
    /// No code yet.
    pub const fn new() -> Self {
        Pairs { steps: [0; FIRST], counts: [0; FIRST], literals: [0; FIRST], lengths: [0; 2 * FIRST] }
    }

    /// Bits of the literals that come next, one or two. 0: no literal, or one with a long code.
    #[inline(always)]
    pub const fn step(&self, held: u64) -> u8 {
        self.steps[index(held)]
    }

    /// The literals of a step, and how many they are. If there is one, the second byte means nothing.
    #[inline(always)]
    pub const fn literals(&self, held: u64) -> ([u8; 2], usize) {
        let at = index(held);
        let second = held >> (self.lengths[FIRST + at] & 63);
        ([self.literals[at], self.literals[index(second)]], (self.counts[at] & 3) as usize)
    }

    /// Takes in the first table of a code of literals.
    pub fn read(&mut self, entries: &[u32; FIRST]) {
        let all = &mut self.lengths[FIRST..];
        for ((literal, length), &entry) in self.literals.iter_mut().zip(all).zip(entries) {
            *literal = (entry >> 16) as u8;
            *length = if entry & LITERAL == 0 { 0 } else { entry as u8 & 15 };
        }
        let mut half = FIRST / 2;
        while half > 0 {
            // The last one of the bits does not matter where both of its values have the same length.
            let (fewer, more) = self.lengths.split_at_mut(2 * half);
            let (clear, set) = more[..2 * half].split_at(half);
            for ((length, &clear), &set) in fewer[half..].iter_mut().zip(clear).zip(set) {
                *length = if clear == set { clear } else { 0 };
            }
            half /= 2;
        }
        for (at, (step, count)) in self.steps.iter_mut().zip(&mut self.counts).enumerate() {
            let first = self.lengths[FIRST + at];
            let second = self.lengths[(FIRST + at) >> (first & 15)];
            let is_pair = first != 0 && second != 0 && first + second <= MAX_STEP;
            *step = first + if is_pair { second } else { 0 };
            *count = if is_pair { 2 } else { 1 };
        }
    }
}

#[inline(always)]
const fn index(held: u64) -> usize {
    held as usize & (FIRST - 1)
}
