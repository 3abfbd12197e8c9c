//! Small integers as runs of equal ones, and the others by their bits (Parquet format, "RLE / Bit-Packing Hybrid").

use super::header::varint;
use crate::error::Result;
use crate::scratch::Scratch;

/// Integers that are packed together: they end at a whole byte, whatever their width is.
const GROUP: usize = 8;

/// Appends numbers, each less than 2^`width`; `width` is 1 to 32.
pub fn write(numbers: &[u32], width: usize, out: &mut Scratch) -> Result<()> {
    let least = least_run(width);
    let (mut at, mut literals) = (0, 0);
    while at < numbers.len() {
        let len = run_len(&numbers[at..], least);
        if len < least {
            at = (at + GROUP).min(numbers.len());
            continue;
        }
        pack(&numbers[literals..at], width, out)?;
        write_run(numbers[at], len, width, out)?;
        at += len;
        literals = at;
    }
    pack(&numbers[literals..], width, out)
}

/// Appends a run of equal numbers.
pub fn write_run(number: u32, len: usize, width: usize, out: &mut Scratch) -> Result<()> {
    varint((len as u64) << 1, out)?;
    out.extend(&number.to_le_bytes()[..width.div_ceil(8)])
}

/// Appends what stands before so many numbers that are packed.
pub fn write_literals(count: usize, out: &mut Scratch) -> Result<()> {
    varint((count.div_ceil(GROUP) as u64) << 1 | 1, out)
}

/// Numbers from which on a run is shorter than their bits are. A run also splits the numbers around it, which costs another header
/// of up to three bytes.
fn least_run(width: usize) -> usize {
    (GROUP * (width.div_ceil(8) + 4)).div_ceil(width).max(GROUP)
}

/// The equal numbers at the front, 0 if they are fewer than a group.
#[inline(always)]
fn run_len(numbers: &[u32], least: usize) -> usize {
    let Some(group) = numbers.first_chunk::<GROUP>() else { return 0 };
    let first = group[0];
    if group.iter().fold(0, |different, number| different | (number ^ first)) != 0 || numbers.len() < least {
        return 0;
    }
    numbers.iter().take_while(|&&number| number == first).count()
}

/// Appends the bits of numbers, the last group filled up with zeros.
fn pack(numbers: &[u32], width: usize, out: &mut Scratch) -> Result<()> {
    if numbers.is_empty() {
        return Ok(());
    }
    write_literals(numbers.len(), out)?;
    let len = numbers.len().div_ceil(GROUP) * width;
    let room = out.space(len)?;
    let (groups, rest) = numbers.as_chunks::<GROUP>();
    for (group, room) in groups.iter().zip(room.chunks_exact_mut(width)) {
        pack_group(group, width, room);
    }
    if !rest.is_empty() {
        let mut last = [0; GROUP];
        last[..rest.len()].copy_from_slice(rest);
        pack_group(&last, width, &mut room[len - width..len]);
    }
    out.commit(len);
    Ok(())
}

/// Packs a group into `width` bytes.
#[inline(always)]
fn pack_group(group: &[u32; GROUP], width: usize, out: &mut [u8]) {
    let (mut word, mut bits, mut to) = (0u64, 0, 0);
    for &number in group {
        word |= u64::from(number) << bits;
        bits += width;
        while bits >= 8 {
            out[to] = word as u8;
            word >>= 8;
            bits -= 8;
            to += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet::hybrid::{Hybrid, Run};

    /// The bits of packed values one by one.
    fn unpacked(bytes: &[u8], width: usize, len: usize) -> Vec<u32> {
        let bit = |at: usize| u32::from(bytes[at / 8] >> (at % 8) & 1);
        (0..len).map(|i| (0..width).fold(0, |value, j| value | bit(i * width + j) << j)).collect()
    }

    fn read(bytes: &[u8], width: usize, len: usize) -> Vec<u32> {
        let (mut hybrid, mut numbers) = (Hybrid::new(bytes, width).unwrap(), vec![]);
        while numbers.len() < len {
            match hybrid.next_run().unwrap() {
                Run::Repeated { value, len } => numbers.extend(vec![value; len]),
                Run::Packed { bytes, len } => numbers.extend(unpacked(bytes, width, len)),
            }
        }
        numbers.truncate(len);
        numbers
    }

    #[test]
    fn numbers_of_any_width_are_read_back() {
        for width in 1..=32 {
            let most = u32::MAX >> (32 - width);
            let noise = |i: u32| i.wrapping_mul(0x9e37_79b9).rotate_left(13) & most;
            let runs = |i: u32| if i / 50 % 3 == 0 { noise(i) } else { most };
            for len in [0, 1, 7, 8, 9, 64, 100, 1000] {
                let cases: [Vec<u32>; 3] =
                    [(0..len).map(noise).collect(), (0..len).map(runs).collect(), vec![most; len as usize]];
                for numbers in cases {
                    let mut out = Scratch::new();
                    write(&numbers, width, &mut out).unwrap();
                    assert_eq!(read(out.written(), width, numbers.len()), numbers, "{width} {len}");
                }
            }
        }
    }

    #[test]
    fn equal_numbers_are_a_run() {
        let mut out = Scratch::new();
        write(&[3; 100_000], 2, &mut out).unwrap();
        assert_eq!(out.len(), 4);
    }
}
