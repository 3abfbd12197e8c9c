//! Pages, compressed and with a checksum.

use super::Values;
use super::dictionary::Dictionary;
use super::header::{Content, Header};
use super::levels::Levels;
use super::{hybrid, plain};
use crate::compression::Compressor;
use crate::error::Result;
use crate::host;
use crate::run::Run;
use crate::scratch::Scratch;
use std::ops::Range;

/// Pages on their way out.
pub struct Pages<'a> {
    pub compressor: &'a mut Compressor,
    pub out: &'a mut Scratch,
    /// Bytes of all pages if none were compressed.
    pub plain_bytes: usize,
}

impl Pages<'_> {
    /// Appends a dictionary page.
    pub fn dictionary(&mut self, dictionary: &Dictionary) -> Result<()> {
        dictionary.write(self.compressor.plain())?;
        self.finish(Content::Dictionary, dictionary.len())
    }

    /// Appends a data page of rows, of which `range` are the values that are not null.
    pub fn data(&mut self, levels: &Levels, rows: Run, values: &Values, range: Range<usize>) -> Result<()> {
        let page = self.compressor.plain();
        levels.write(rows, page)?;
        let content = match values.dictionary {
            Some(dictionary) => {
                let width = dictionary.width();
                page.extend(&[width as u8])?;
                hybrid::write(dictionary.numbers(range), width, page)?;
                Content::Numbers
            }
            None => {
                plain::write(values.array, range, page)?;
                Content::Plain
            }
        };
        self.finish(content, rows.len)
    }

    /// Appends the page that the compressor holds.
    fn finish(&mut self, content: Content, values: usize) -> Result<()> {
        let (plain, packed) = self.compressor.zstd()?;
        let header = Header { content, values, plain, packed: packed.len(), checksum: host::crc32(packed) };
        let start = self.out.len();
        header.write(self.out)?;
        self.plain_bytes += self.out.len() - start + plain;
        self.out.extend(packed)
    }
}
