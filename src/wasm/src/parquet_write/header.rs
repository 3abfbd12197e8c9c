//! Page headers (parquet.thrift, `PageHeader`) in Thrift's compact protocol.

use crate::error::{Error, Result};
use crate::scratch::Scratch;

/// What a page has.
#[derive(Clone, Copy)]
pub enum Content {
    /// Values of a dictionary.
    Dictionary,
    /// Definition levels and plain values.
    Plain,
    /// Definition levels and numbers of a dictionary.
    Numbers,
}

/// The header of a page.
pub struct Header {
    pub content: Content,
    /// Values, nulls among them.
    pub values: usize,
    /// Bytes before and after compression.
    pub plain: usize,
    pub packed: usize,
    /// Of the compressed bytes.
    pub checksum: u32,
}

/// Types of the compact protocol, in the lowest bits of what stands before a field.
const FALSE: u8 = 2;
const I32: u8 = 5;
const STRUCT: u8 = 12;

const PLAIN: i32 = 0;
const RLE: i32 = 3;
const RLE_DICTIONARY: i32 = 8;

impl Header {
    /// Appends the header.
    pub fn write(&self, out: &mut Scratch) -> Result<()> {
        let size = |bytes: usize| i32::try_from(bytes).map_err(|_| Error::TooLong);
        let kind = if let Content::Dictionary = self.content { 2 } else { 0 };
        for number in [kind, size(self.plain)?, size(self.packed)?, self.checksum as i32] {
            field(1, I32, out)?;
            zigzag(number, out)?;
        }
        let values = size(self.values)?;
        match self.content {
            Content::Dictionary => {
                // From field 4 to field 7.
                field(3, STRUCT, out)?;
                numbers(&[values, PLAIN], out)?;
                // Whether the values are sorted.
                field(1, FALSE, out)?;
            }
            Content::Plain => {
                field(1, STRUCT, out)?;
                numbers(&[values, PLAIN, RLE, RLE], out)?;
            }
            Content::Numbers => {
                field(1, STRUCT, out)?;
                numbers(&[values, RLE_DICTIONARY, RLE, RLE], out)?;
            }
        }
        // The ends of both structs.
        out.extend(&[0, 0])
    }
}

/// The first fields of a struct.
fn numbers(numbers: &[i32], out: &mut Scratch) -> Result<()> {
    numbers.iter().try_for_each(|&number| {
        field(1, I32, out)?;
        zigzag(number, out)
    })
}

/// What stands before a field: how far its number is from that of the last one, and its type.
fn field(step: u8, kind: u8, out: &mut Scratch) -> Result<()> {
    out.extend(&[step << 4 | kind])
}

fn zigzag(number: i32, out: &mut Scratch) -> Result<()> {
    varint(u64::from((number << 1 ^ number >> 31) as u32), out)
}

/// Appends an unsigned integer, seven bits in each byte.
pub fn varint(mut number: u64, out: &mut Scratch) -> Result<()> {
    while number >= 0x80 {
        out.extend(&[number as u8 | 0x80])?;
        number >>= 7;
    }
    out.extend(&[number as u8])
}
