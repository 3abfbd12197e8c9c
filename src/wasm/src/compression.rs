//! Compression of what leaves, buffer by buffer (Arrow columnar format, "Compression of buffers").

use crate::error::{Error, Result};
use crate::scratch::Scratch;
use crate::{host, lz4_write};

/// How buffers are compressed; the numbers are those of `CompressionType` in Message.fbs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    Lz4Frame = 0,
    Zstd = 1,
}

impl Codec {
    /// The codec of a number one higher; 0: none.
    pub fn from_code(code: u32) -> Result<Option<Codec>> {
        match code {
            0 => Ok(None),
            1 => Ok(Some(Codec::Lz4Frame)),
            2 => Ok(Some(Codec::Zstd)),
            _ => Err(Error::Misuse("unknown compression")),
        }
    }
}

/// Of Arrow buffers. The default, 3, takes 1.5 times as long and saves only a few per cent more.
const BUFFER_LEVEL: u32 = 1;
/// Of pages, which are stored and read often: the default.
const PAGE_LEVEL: u32 = 3;

/// Makes compressed bytes, in memory that is used again.
#[derive(Default)]
pub struct Compressor {
    plain: Scratch,
    table: Option<lz4_write::Table>,
    packed: Vec<u8>,
}

impl Compressor {
    /// Nothing used yet.
    pub const fn new() -> Self {
        Compressor { plain: Scratch::new(), table: None, packed: Vec::new() }
    }

    /// Forgets memory beyond `keep` bytes.
    pub fn clear(&mut self, keep: usize) {
        self.plain.clear(keep);
        if self.packed.capacity() > keep {
            self.packed = Vec::new();
        }
    }

    /// Where bytes are written that [`Compressor::zstd`] compresses.
    pub fn plain(&mut self) -> &mut Scratch {
        &mut self.plain
    }

    /// The number of those bytes, and what they are compressed to. None are left to be compressed.
    pub fn zstd(&mut self) -> Result<(usize, &[u8])> {
        let plain = self.plain.len();
        // The most that Zstandard makes of so many bytes (zstd.h, `ZSTD_COMPRESSBOUND`), and one more.
        let most = plain + (plain >> 8) + 64 + 1;
        if self.packed.len() < most {
            self.packed.try_reserve(most - self.packed.len())?;
            self.packed.resize(most, 0);
        }
        let packed = host::zstd(self.plain.written(), &mut self.packed, PAGE_LEVEL);
        self.plain.truncate(0);
        if packed == 0 {
            Err(Error::Misuse("the host compresses nothing"))
        } else {
            Ok((plain, &self.packed[..packed]))
        }
    }

    /// Room for the `len` bytes of a buffer, and some more.
    pub fn room(&mut self, len: usize) -> Result<&mut [u8]> {
        self.plain.truncate(0);
        self.plain.space(len)
    }

    /// What the first `len` bytes of that room are stored as: behind their number, or behind -1 where compression makes them
    /// no shorter.
    pub fn pack(&mut self, len: usize, codec: Codec) -> Result<(i64, &[u8])> {
        self.plain.commit(len);
        let plain = self.plain.written();
        self.packed.clear();
        match codec {
            Codec::Lz4Frame => {
                let table = match &mut self.table {
                    Some(table) => table,
                    none => none.insert(lz4_write::Table::new()?),
                };
                lz4_write::frame(plain, table, &mut self.packed)?;
            }
            Codec::Zstd => {
                self.packed.try_reserve(len)?;
                self.packed.resize(len, 0);
                let packed = host::zstd(plain, &mut self.packed, BUFFER_LEVEL);
                self.packed.truncate(packed);
            }
        }
        let is_shorter = !self.packed.is_empty() && self.packed.len() < len;
        Ok(if is_shorter { (len as i64, &self.packed) } else { (-1, plain) })
    }
}
