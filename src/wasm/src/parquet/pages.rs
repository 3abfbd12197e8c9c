//! The pages of a chunk of a small file, by their headers (parquet.thrift of apache/parquet-format).

use super::flat::FlatColumn;
use super::footer::Chunk;
use super::inflate::Codec;
use super::kind::{Kind, Stored};
use super::page::{Encoding, Levels, Page};
use super::thrift::{Input, wire};
use crate::array::Array;
use crate::error::{Error, Result};
use crate::host;

/// What a header says of a page.
#[derive(Default)]
struct Header {
    kind: usize,
    size: usize,
    len: usize,
    crc: Option<u32>,
    /// Of a data page or a dictionary.
    values: usize,
    encoding: usize,
    level_encoding: usize,
    /// V2.
    level_bytes: usize,
    repetition_bytes: usize,
    is_plain: bool,
}

const DATA: usize = 0;
const DICTIONARY: usize = 2;
const DATA_V2: usize = 3;
const RLE: usize = 3;

/// The values of a chunk, one for each row. `Ok(None)`: it has a form that `pages.ts` and `flat.ts` have to look at.
pub fn read_chunk(chunk: &Chunk, kind: Kind, rows: usize) -> Result<Option<Array>> {
    let Ok(codec) = Codec::from_code(chunk.codec) else { return Ok(None) };
    if chunk.values != rows {
        return Ok(None);
    }
    let mut column = FlatColumn::new(kind, rows)?;
    let mut rest = chunk.pages;
    let mut filled = 0;
    let mut has_dictionary = false;
    while filled < rows {
        let Some((header, body, after)) = read_page(rest) else { return Ok(None) };
        rest = after;
        let codec = if header.is_plain { Codec::None } else { codec };
        if !may_be_read(&header, body, kind, codec) || (header.kind == DICTIONARY && (has_dictionary || filled > 0)) {
            return Ok(None);
        }
        column.page(body.len())?.copy_from_slice(body);
        if header.kind == DICTIONARY {
            column.dictionary(header.values, codec, header.size)?;
            has_dictionary = true;
            continue;
        }
        let Ok(encoding) = Encoding::from_code(header.encoding as u32) else { return Ok(None) };
        let levels = if header.kind == DATA_V2 { Levels::Apart { bytes: header.level_bytes } } else { Levels::Counted };
        let page = Page { rows: header.values, encoding, levels, skip: 0, take: header.values };
        column.append(&page, codec, header.size)?;
        filled += header.values;
    }
    column.finish().map(Some)
}

fn may_be_read(header: &Header, body: &[u8], kind: Kind, codec: Codec) -> bool {
    let has_levels = match header.kind {
        DATA => !kind.is_optional || header.level_encoding == RLE,
        DATA_V2 => header.repetition_bytes == 0 && header.level_bytes <= header.size.min(body.len()),
        DICTIONARY => kind.stored != Stored::Bits,
        _ => return false,
    };
    let is_whole = codec != Codec::None || header.size == body.len();
    has_levels && is_whole && header.crc.is_none_or(|crc| crc == host::crc32(body))
}

/// The header and the bytes of a page, and what follows it.
fn read_page(bytes: &[u8]) -> Option<(Header, &[u8], &[u8])> {
    let mut header = Header::default();
    let mut has_values = false;
    let mut input = Input::new(bytes);
    input.fields(|input, id, wire| {
        match (id, wire) {
            (1, wire::I32) => header.kind = input.size_of_32()?,
            (2, wire::I32) => header.size = input.size_of_32()?,
            (3, wire::I32) => header.len = input.size_of_32()?,
            (4, wire::I32) => header.crc = Some(input.limited(i32::MAX.into())? as u32),
            (5 | 7 | 8, wire::STRUCT) => {
                has_values = id == [5, 0, 7, 8].get(header.kind).copied().unwrap_or(0);
                read_values(&mut header, input, id == 8)?;
            }
            _ => return Some(false),
        }
        Some(true)
    })?;
    let (body, after) = input.rest().split_at_checked(header.len)?;
    has_values.then_some((header, body, after))
}

/// The struct of a data page, a dictionary page, or a data page of version 2.
fn read_values(header: &mut Header, input: &mut Input, is_v2: bool) -> Option<()> {
    input.fields(|input, id, wire| {
        match (id, wire) {
            (1, wire::I32) => header.values = input.size_of_32()?,
            (2, wire::I32) if !is_v2 => header.encoding = input.size_of_32()?,
            (4, wire::I32) if is_v2 => header.encoding = input.size_of_32()?,
            (3, wire::I32) if !is_v2 => header.level_encoding = input.size_of_32()?,
            (5, wire::I32) if is_v2 => header.level_bytes = input.size_of_32()?,
            (6, wire::I32) if is_v2 => header.repetition_bytes = input.size_of_32()?,
            (7, wire::TRUE | wire::FALSE) if is_v2 => header.is_plain = wire == wire::FALSE,
            _ => return Some(false),
        }
        Some(true)
    })
}

/// Whether an error says that memory is used up, and nothing about the file.
pub fn is_memory(error: Error) -> bool {
    error == Error::Memory
}
