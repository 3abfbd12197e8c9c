//! DELTA_BINARY_PACKED: differences of integers in blocks of miniblocks, each with its width.

use super::hybrid::ENDS;
use super::unpack::{BLOCK, SLACK, unpack, word_at};
use crate::bitmap::low_bits;
use crate::error::{Error, Result};

/// Integers modulo 2^64, one after the other.
pub struct Deltas<'a> {
    bytes: &'a [u8],
    /// Values that have not been taken, the first included.
    left: usize,
    is_first: bool,
    last: u64,
    /// The same in every difference of a block.
    least: u64,
    miniblocks: usize,
    miniblock_values: usize,
    /// Of the miniblocks of the block that are still to come.
    widths: &'a [u8],
    /// The miniblock: its bytes and some behind them, its width, and the values of it that have been taken.
    packed: &'a [u8],
    width: usize,
    at: usize,
}

impl<'a> Deltas<'a> {
    /// Begins with the header.
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        let mut rest = bytes;
        let size = number(&mut rest)?;
        let miniblocks = number(&mut rest)?;
        let count = number(&mut rest)?;
        let last = zigzag(number(&mut rest)?);
        let fits = |value: u64| usize::try_from(value).ok().filter(|&value| value <= i32::MAX as usize);
        let (Some(size), Some(miniblocks), Some(count)) = (fits(size), fits(miniblocks), fits(count)) else {
            return Err(HEADER);
        };
        let values = size.checked_div(miniblocks).unwrap_or(0);
        if values == 0 || !values.is_multiple_of(8) || values * miniblocks != size {
            return Err(HEADER);
        }
        Ok(Deltas {
            bytes: rest,
            left: count,
            is_first: true,
            last,
            least: 0,
            miniblocks,
            miniblock_values: values,
            widths: &[],
            packed: &[],
            width: 0,
            at: values,
        })
    }

    /// The next ones.
    pub fn fill<T>(&mut self, out: &mut [T], from: impl Fn(u64) -> T) -> Result<()> {
        let mut rest = out.iter_mut();
        self.walk(rest.len(), |value| {
            if let Some(out) = rest.next() {
                *out = from(value);
            }
        })
    }

    /// Leaves out `count` of them.
    pub fn skip(&mut self, count: usize) -> Result<()> {
        self.walk(count, |_| {})
    }

    /// What lies behind the last value.
    pub fn rest(mut self) -> Result<&'a [u8]> {
        self.skip(self.left)?;
        // Miniblocks that no value needs may be left out.
        Ok(self.bytes)
    }

    fn walk(&mut self, mut count: usize, mut take: impl FnMut(u64)) -> Result<()> {
        if count > self.left {
            return Err(ENDS);
        }
        self.left -= count;
        if count > 0 && self.is_first {
            self.is_first = false;
            take(self.last);
            count -= 1;
        }
        while count > 0 {
            if self.at == self.miniblock_values {
                self.next_miniblock(count + self.left)?;
            }
            let len = count.min(self.miniblock_values - self.at);
            self.unpack(len, &mut take);
            self.at += len;
            count -= len;
        }
        Ok(())
    }

    fn unpack(&mut self, len: usize, take: &mut impl FnMut(u64)) {
        let (mut last, least, width) = (self.last, self.least, self.width);
        if width == 0 {
            // Where the values are not looked at, this is a product.
            for _ in 0..len {
                last = last.wrapping_add(least);
                take(last);
            }
            self.last = last;
            return;
        }
        for from in (self.at..self.at + len).step_by(BLOCK) {
            let mut deltas = [0; BLOCK];
            let deltas = &mut deltas[..(self.at + len - from).min(BLOCK)];
            unpack_wide(self.packed, width, from, deltas);
            for delta in deltas {
                last = last.wrapping_add(least).wrapping_add(*delta);
                take(last);
            }
        }
        self.last = last;
    }

    /// `left`: values that are still needed, of which the miniblock has one at least.
    fn next_miniblock(&mut self, left: usize) -> Result<()> {
        if self.widths.is_empty() {
            self.least = zigzag(number(&mut self.bytes)?);
            self.widths = take(&mut self.bytes, self.miniblocks)?;
        }
        let (&width, widths) = self.widths.split_first().ok_or(ENDS)?;
        self.widths = widths;
        self.width = usize::from(width);
        if self.width > 64 {
            return Err(Error::invalid_at("a page has values of more than 64 bits, namely", self.width));
        }
        // The last miniblock may be cut short.
        let size = self.miniblock_values as u64 / 8 * self.width as u64;
        let needed = (left.min(self.miniblock_values) as u64 * self.width as u64).div_ceil(8);
        let held = size.min(self.bytes.len() as u64);
        if held < needed {
            return Err(ENDS);
        }
        self.packed = &self.bytes[..self.bytes.len().min(held as usize + SLACK)];
        take(&mut self.bytes, held as usize)?;
        self.at = 0;
        Ok(())
    }
}

/// Values of up to 64 bits from value `from` on.
fn unpack_wide(bytes: &[u8], width: usize, from: usize, out: &mut [u64]) {
    if width <= 32 {
        let mut narrow = [0; BLOCK];
        unpack(bytes, width, from, &mut narrow[..out.len()]);
        out.iter_mut().zip(narrow).for_each(|(out, value)| *out = u64::from(value));
        return;
    }
    for (i, out) in out.iter_mut().enumerate() {
        let (at, shift) = ((from + i) * width / 8, (from + i) * width % 8);
        let mut value = word_at(bytes, at) >> shift;
        if shift + width > 64 {
            value |= word_at(bytes, at + 8) << (64 - shift);
        }
        *out = value & low_bits(width);
    }
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count).ok_or(ENDS)?;
    *bytes = rest;
    Ok(taken)
}

/// Unsigned LEB128.
fn number(bytes: &mut &[u8]) -> Result<u64> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let byte = take(bytes, 1)?[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(HEADER)
}

fn zigzag(value: u64) -> u64 {
    value >> 1 ^ (value & 1).wrapping_neg()
}

const HEADER: Error = Error::invalid("a page of differences has a damaged header");

#[cfg(test)]
mod tests {
    use super::*;

    /// One block of 128 values in 4 miniblocks of one width each, from a first value of 0 and a least difference of -1.
    fn block(widths: [u8; 4], bytes: &[u8], count: u8) -> Vec<u8> {
        [&[128, 1, 4, count, 0, 1][..], &widths, bytes].concat()
    }

    fn read(page: &[u8], skip: usize, count: usize) -> Result<Vec<i64>> {
        let mut deltas = Deltas::new(page)?;
        deltas.skip(skip)?;
        let mut out = vec![0; count];
        deltas.fill(&mut out, |value| value as i64)?;
        Ok(out)
    }

    #[test]
    fn differences_of_any_width_add_up_from_anywhere() {
        // 2^width - 1 each, less 1.
        for width in 0..=64u8 {
            let page = block([width; 4], &vec![0xff; usize::from(width) * 16], 100);
            let step = low_bits(usize::from(width)).wrapping_sub(1) as i64;
            let all: Vec<i64> = (0..100).map(|i: i64| i.wrapping_mul(step)).collect();
            for skip in [0, 1, 2, 33, 64, 99] {
                assert_eq!(read(&page, skip, 100 - skip).unwrap(), all[skip..], "{width} from {skip}");
            }
            assert!(read(&page, 1, 100).is_err());
            assert!(Deltas::new(&page).unwrap().rest().unwrap().is_empty());
        }
    }

    #[test]
    fn what_follows_the_last_miniblock_that_is_needed_is_the_rest() {
        let page = block([8, 0, 65, 65], &[1; 40], 33);
        assert_eq!(Deltas::new(&page).unwrap().rest().unwrap(), [1; 8]);
        assert!(Deltas::new(&block([8; 4], &[1; 8], 33)).unwrap().rest().is_err());
        assert_eq!(Deltas::new(&[128, 1, 4, 0, 0, 9]).unwrap().rest().unwrap(), [9]);
    }
}
