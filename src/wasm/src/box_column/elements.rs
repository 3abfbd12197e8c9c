//! Stored elements, read run by run.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use super::scalar as vectors;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::simd128 as vectors;
use crate::buffer::Number;
use crate::error::{Error, Result};

/// How the bytes of elements lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One element after the other: bytes from one to the next, and before the first. A stride of 0 repeats one element.
    Strided { stride: usize, offset: usize },
    /// The first bytes of all elements, then the second ones, and so on.
    Shuffled,
}

/// Elements of `width` bytes.
#[derive(Clone, Copy)]
pub struct Elements<'a> {
    bytes: &'a [u8],
    width: usize,
    order: Order,
    is_big_endian: bool,
    /// The elements that the bytes hold, and how many of them are passed over if they are shuffled.
    held: usize,
    passed: usize,
    count: usize,
}

impl<'a> Elements<'a> {
    /// Bytes that hold `count` elements.
    pub fn new(bytes: &'a [u8], count: usize, width: usize, order: Order, is_big_endian: bool) -> Result<Self> {
        let needed = match order {
            Order::Shuffled => count.checked_mul(width),
            Order::Strided { .. } if count == 0 => Some(0),
            Order::Strided { stride, offset } => (count - 1)
                .checked_mul(stride)
                .and_then(|last| last.checked_add(offset))
                .and_then(|last| last.checked_add(width)),
        };
        if !matches!(width, 1 | 2 | 4 | 8) || needed.is_none_or(|needed| needed > bytes.len()) {
            return Err(Error::invalid("fewer bytes than the elements of a chunk take"));
        }
        Ok(Elements { bytes, width, order, is_big_endian, held: count, passed: 0, count })
    }

    /// The elements from number `first` on.
    pub fn from(self, first: usize) -> Result<Self> {
        let count = self.count.checked_sub(first).ok_or(Error::Misuse("elements from behind their end on"))?;
        Ok(match self.order {
            // Within the bytes, as the last element is.
            Order::Strided { stride, offset } if count > 0 => {
                Elements { order: Order::Strided { stride, offset: offset + first * stride }, count, ..self }
            }
            Order::Strided { .. } => Elements { count, ..self },
            Order::Shuffled => Elements { passed: self.passed + first, count, ..self },
        })
    }

    /// Bytes of an element.
    pub const fn width(&self) -> usize {
        self.width
    }

    fn plane(&self, byte: usize) -> &'a [u8] {
        let plane = if self.is_big_endian { self.width - 1 - byte } else { byte };
        &self.bytes[plane * self.held + self.passed..(plane + 1) * self.held]
    }
}

/// Elements by number.
pub trait Source<W: Number> {
    /// How many.
    fn count(&self) -> usize;
    /// Elements `first`, `first + step`, …
    fn read(&self, first: usize, step: usize, out: &mut [W]);
}

/// The numbers of texts.
pub struct Numbered {
    pub first: u32,
    pub count: usize,
}

impl Source<u32> for Numbered {
    fn count(&self) -> usize {
        self.count
    }

    fn read(&self, first: usize, step: usize, out: &mut [u32]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.first + (first + i * step) as u32;
        }
    }
}

impl Source<u8> for Elements<'_> {
    fn count(&self) -> usize {
        self.count
    }

    fn read(&self, first: usize, step: usize, out: &mut [u8]) {
        let (stride, offset) = match self.order {
            Order::Strided { stride, offset } => (stride, offset),
            Order::Shuffled => (1, self.passed),
        };
        if stride * step == 1 {
            out.copy_from_slice(&self.bytes[offset + first..][..out.len()]);
        } else {
            for (i, out) in out.iter_mut().enumerate() {
                *out = self.bytes[offset + (first + i * step) * stride];
            }
        }
    }
}

macro_rules! source {
    ($word:ty, $width:literal, $interleave:ident) => {
        impl Source<$word> for Elements<'_> {
            fn count(&self) -> usize {
                self.count
            }

            fn read(&self, first: usize, step: usize, out: &mut [$word]) {
                let Order::Strided { stride, offset } = self.order else {
                    let planes: [&[u8]; $width] = std::array::from_fn(|byte| &self.plane(byte)[first..]);
                    if step == 1 {
                        return $interleave(planes, out);
                    }
                    for (i, out) in out.iter_mut().enumerate() {
                        *out = <$word>::from_le_bytes(planes.map(|plane| plane[i * step]));
                    }
                    return;
                };
                let bytes = &self.bytes[offset + first * stride..];
                if stride * step == $width {
                    let pairs = out.iter_mut().zip(bytes.as_chunks::<$width>().0);
                    // Two loops, so that each is one of vectors.
                    if self.is_big_endian {
                        pairs.for_each(|(out, chunk)| *out = <$word>::from_be_bytes(*chunk));
                    } else {
                        pairs.for_each(|(out, chunk)| *out = <$word>::from_le_bytes(*chunk));
                    }
                    return;
                }
                for (i, out) in out.iter_mut().enumerate() {
                    let mut chunk = [0; $width];
                    chunk.copy_from_slice(&bytes[i * step * stride..][..$width]);
                    let word = <$word>::from_le_bytes(chunk);
                    *out = if self.is_big_endian { word.swap_bytes() } else { word };
                }
            }
        }

        fn $interleave(planes: [&[u8]; $width], out: &mut [$word]) {
            let planes = planes.map(|plane| &plane[..out.len()]);
            let (blocks, rest) = out.as_chunks_mut();
            let done = blocks.len() * vectors::BLOCK;
            for (block, out) in blocks.iter_mut().enumerate() {
                vectors::$interleave(&planes, block, out);
            }
            let planes = planes.map(|plane| &plane[done..]);
            for (i, out) in rest.iter_mut().enumerate() {
                *out = <$word>::from_le_bytes(planes.map(|plane| plane[i]));
            }
        }
    };
}

source!(u16, 2, interleave_2);
source!(u32, 4, interleave_4);
source!(u64, 8, interleave_8);
