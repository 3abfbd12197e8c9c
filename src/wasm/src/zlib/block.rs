//! Compressed blocks.

use super::bits::Bits;
use super::code::{Code, END, EXCEPTION, LITERAL, Symbols, take_value};
use super::header::{LengthCode, Lengths};
use super::pairs::{self, Pairs};
use super::vectors::repeated;
use super::{DAMAGED, MORE};
use crate::error::Result;
use crate::repeat::copy_match;

/// Bytes that are copied at once. A fast copy may write so many too much, which are written over by what comes next.
const STEP: usize = 16;

/// The codes of a block.
pub struct Codes {
    literals: Code<{ pairs::FIRST }>,
    pairs: Pairs,
    distances: Code<256>,
    lengths: LengthCode,
    /// Whether the codes are those of a block that has none of its own.
    are_fixed: bool,
}

enum Symbol {
    Literal(u8),
    Match(Match),
    End,
}

/// `len` bytes are those that came `distance` bytes before. A distance of 0 is no code.
struct Match {
    len: usize,
    distance: usize,
}

impl Codes {
    /// No codes yet.
    pub const fn new() -> Self {
        Codes {
            literals: Code::new(),
            pairs: Pairs::new(),
            distances: Code::new(),
            lengths: LengthCode::new(),
            are_fixed: false,
        }
    }

    /// Makes the fixed codes (RFC 1951 §3.2.6).
    pub fn fixed(&mut self) -> Result<()> {
        if !self.are_fixed {
            let mut lengths = [8; 288];
            lengths[144..256].fill(9);
            lengths[256..280].fill(7);
            self.read(&lengths, &[5; 32])?;
            self.are_fixed = true;
        }
        Ok(())
    }

    /// Reads the codes of a block that has its own.
    pub fn dynamic(&mut self, bits: &mut Bits) -> Result<()> {
        let lengths = Lengths::read(bits, &mut self.lengths)?;
        self.read(lengths.literals(), lengths.distances())
    }

    fn read(&mut self, literals: &[u8], distances: &[u8]) -> Result<()> {
        self.are_fixed = false;
        self.literals.read(literals, Symbols::Literals)?;
        self.pairs.read(self.literals.first());
        self.distances.read(distances, Symbols::Distances)
    }

    /// Writes the block from `to` on; returns where it ends.
    #[inline(always)]
    pub fn block(&self, bits: &mut Bits, output: &mut [u8], mut to: usize) -> Result<usize> {
        loop {
            let found = match self.fast(bits, output, &mut to) {
                Some(found) => found,
                None => match self.symbol(bits)? {
                    Symbol::Match(found) => found,
                    Symbol::End => return Ok(to),
                    Symbol::Literal(byte) => {
                        *output.get_mut(to).ok_or(MORE)? = byte;
                        to += 1;
                        continue;
                    }
                },
            };
            let Match { len, distance } = found;
            if distance == 0 || distance > to {
                return Err(DAMAGED);
            }
            if len > output.len() - to {
                return Err(MORE);
            }
            copy_match(output, to, distance, len);
            to += len;
        }
    }

    /// The next symbol, whatever it is.
    fn symbol(&self, bits: &mut Bits) -> Result<Symbol> {
        bits.refill();
        let entry = self.literals.second(self.literals.entry(bits.held()), bits);
        if entry & EXCEPTION != 0 {
            bits.skip(entry);
            return if entry & END != 0 { bits.check().map(|()| Symbol::End) } else { Err(DAMAGED) };
        }
        if entry & LITERAL != 0 {
            bits.skip(entry);
            return Ok(Symbol::Literal((entry >> 16) as u8));
        }
        let len = take_value(entry, bits);
        let entry = self.distances.second(self.distances.entry(bits.held()), bits);
        let distance = if entry & EXCEPTION != 0 { 0 } else { take_value(entry, bits) };
        Ok(Symbol::Match(Match { len, distance }))
    }

    /// Writes literals and matches from `to` on, until there is something else, or the end of the stream or of the output is near. If
    /// that is in a match, returns it: it is checked and copied by the caller. Nothing in this loop is a call, so that V8 keeps
    /// the bits in registers.
    #[inline(always)]
    fn fast(&self, bits_before: &mut Bits, output: &mut [u8], to_before: &mut usize) -> Option<Match> {
        let (mut bits, mut to) = (*bits_before, *to_before);
        let mut found = None;
        while bits.refill_inside() {
            let step = self.pairs.step(bits.held());
            if step != 0 {
                let Some(window) = output.get_mut(to..to + 8).and_then(|window| window.first_chunk_mut()) else {
                    break;
                };
                let (written, are_all) = self.literals(&mut bits, window, step);
                to += written;
                if are_all {
                    continue;
                }
                if !bits.refill_inside() {
                    break;
                }
            }
            let entry = self.literals.entry(bits.held());
            if entry & (EXCEPTION | LITERAL) != 0 {
                break;
            }
            let len = take_value(entry, &mut bits);
            let entry = self.distances.second(self.distances.entry(bits.held()), &mut bits);
            if entry & EXCEPTION != 0 {
                found = Some(Match { len, distance: 0 });
                break;
            }
            let distance = take_value(entry, &mut bits);
            let window = to.checked_sub(distance).and_then(|start| output.get_mut(start..to + len + STEP));
            let Some(window) = window else {
                found = Some(Match { len, distance });
                break;
            };
            copy_in_window(window, distance);
            to += len;
        }
        (*bits_before, *to_before) = (bits, to);
        found
    }

    /// Writes up to six literals. `step` is the first step, and not 0. Returns how many literals there are, and whether there may be
    /// more of them.
    #[inline(always)]
    fn literals(&self, bits: &mut Bits, window: &mut [u8; 8], mut step: u8) -> (usize, bool) {
        let mut written = 0;
        for _ in 0..3 {
            let (literals, count) = self.pairs.literals(bits.held());
            window[written] = literals[0];
            window[written + 1] = literals[1];
            written += count;
            bits.skip(step.into());
            step = self.pairs.step(bits.held());
            if step == 0 {
                return (written, false);
            }
        }
        (written, true)
    }
}

/// Fills the window behind its first `distance` bytes with what these repeat. Its last [`STEP`] bytes may be filled or not.
#[inline(always)]
fn copy_in_window(window: &mut [u8], distance: usize) {
    let mut to = distance;
    if distance >= STEP {
        while to + STEP <= window.len() {
            window.copy_within(to - distance..to - distance + STEP, to);
            to += STEP;
        }
    } else if let Some(start) = window.first_chunk() {
        let (period, len) = repeated(start, distance);
        while let Some(target) = window.get_mut(to..to + STEP) {
            target.copy_from_slice(&period);
            to += len;
        }
    }
}
