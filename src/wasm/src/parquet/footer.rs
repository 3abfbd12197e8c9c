//! Where the chunks of a small file are, by its footer (parquet.thrift of apache/parquet-format).
//!
//! `footer.ts` and `metadata/` read any footer, and say what is wrong with one. This reads footers of one row group that are plain,
//! and leaves all others to them.

use super::thrift::{Input, wire};

/// What files of one layout have in common: the encoded schema, and the Arrow schema among the key-value metadata, if there is one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Layout<'a> {
    pub schema: &'a [u8],
    pub hint: Option<&'a [u8]>,
}

/// What the footer says of a column chunk.
#[derive(Clone, Copy)]
pub struct ChunkMetadata<'a> {
    /// Parquet's number of the codec.
    pub codec: u32,
    /// Parquet's number of the physical type.
    pub physical: u32,
    pub values: usize,
    /// Where the pages are in the file, the dictionary first, and how many bytes they have.
    pub start: usize,
    pub len: usize,
    /// Bytes of the pages when they are inflated, their headers among them.
    pub inflated: usize,
    /// Encoded.
    pub statistics: Option<&'a [u8]>,
    /// Bytes of all texts, if the writer has counted them.
    pub text_bytes: Option<usize>,
}

/// A column chunk.
#[derive(Clone, Copy)]
pub struct Chunk<'a> {
    /// The pages, the dictionary first.
    pub pages: &'a [u8],
    /// Parquet's number of the codec.
    pub codec: u32,
    /// Parquet's number of the physical type.
    pub physical: u32,
    pub values: usize,
}

/// The footer of a file with one row group.
pub struct Footer<'a> {
    pub layout: Layout<'a>,
    /// What the key-value metadata say of geometries.
    pub geometries: Option<&'a [u8]>,
    pub rows: usize,
    chunks: Input<'a>,
    pub chunk_count: usize,
}

/// The length of the footer and the magic number.
const TRAILER: usize = 8;
const MAGIC: &[u8] = b"PAR1";
const HINT_KEY: &[u8] = b"ARROW:schema";
const GEOMETRIES_KEY: &[u8] = b"geo";

impl<'a> Footer<'a> {
    /// The footer of a file, and the bytes before it. `None`: the file has another number of row groups, is encrypted or damaged, or is none of
    /// Parquet.
    pub fn of_file(file: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (rest, trailer) = file.split_last_chunk::<TRAILER>()?;
        let (len, magic) = trailer.split_first_chunk::<4>()?;
        let begin = rest.len().checked_sub(u32::from_le_bytes(*len) as usize).filter(|&begin| begin >= MAGIC.len())?;
        if magic != MAGIC {
            return None;
        }
        Some((Footer::read(&rest[begin..])?, &rest[..begin]))
    }

    /// The same of the footer alone, without its length and the magic number.
    pub fn read(footer: &'a [u8]) -> Option<Self> {
        let (mut schema, mut pairs, mut group, mut required) = (None, Pairs::default(), None, 0);
        Input::new(footer).fields(|input, id, wire| {
            match (id, wire) {
                (1, wire::I32) => {
                    input.limited(i32::MAX.into())?;
                    required |= 0b10;
                }
                (3, wire::I64) => {
                    input.integer()?;
                    required |= 0b1000;
                }
                (2, wire::LIST) => schema = Some(input.encoded(wire)?),
                (4, wire::LIST) => group = Some(read_groups(input)?),
                (5, wire::LIST) => pairs = read_pairs(input)?,
                // Fields of another type than they must have, and encryption.
                (1..=4 | 8, _) => return None,
                _ => return Some(false),
            }
            Some(true)
        })?;
        let (chunks, chunk_count, rows) = group.filter(|_| required == 0b1010)?;
        let layout = Layout { schema: schema?, hint: pairs.hint };
        Some(Footer { layout, geometries: pairs.geometries, rows, chunks, chunk_count })
    }

    /// What is said of the chunks of the leaves of the schema, in their order. `None`: one is damaged, encrypted, or in another file. So are
    /// all behind it then, because nothing tells where they begin.
    pub fn chunks(&self) -> impl Iterator<Item = Option<ChunkMetadata<'a>>> + use<'a> {
        let mut input = Some(self.chunks);
        (0..self.chunk_count).map(move |_| {
            let chunk = read_chunk(input.as_mut()?);
            if chunk.is_none() {
                input = None;
            }
            chunk
        })
    }
}

impl ChunkMetadata<'_> {
    /// The chunk, given the bytes of the file before its footer. `None`: it is not among them.
    pub fn within<'a>(&self, data: &'a [u8]) -> Option<Chunk<'a>> {
        let pages = data.get(self.start..)?.get(..self.len).filter(|_| self.start >= MAGIC.len())?;
        Some(Chunk { pages, codec: self.codec, physical: self.physical, values: self.values })
    }
}

/// The column chunks, their number, and the rows of the only row group.
fn read_groups<'a>(input: &mut Input<'a>) -> Option<(Input<'a>, usize, usize)> {
    let (1, wire::STRUCT) = input.list()? else { return None };
    let (mut chunks, mut rows, mut has_size) = (None, None, false);
    input.fields(|input, id, wire| {
        match (id, wire) {
            (2, wire::I64) => {
                input.integer()?;
                has_size = true;
            }
            (1, wire::LIST) => {
                let mut list = Input::new(input.encoded(wire)?);
                let (len, wire::STRUCT) = list.list()? else { return None };
                chunks = Some((list, len));
            }
            (3, wire::I64) => rows = Some(input.size()?),
            (1..=3, _) => return None,
            _ => return Some(false),
        }
        Some(true)
    })?;
    let (list, len) = chunks.filter(|_| has_size)?;
    Some((list, len, rows?))
}

/// What is read of the key-value metadata.
#[derive(Default)]
struct Pairs<'a> {
    /// The embedded Arrow schema, which says more of types than the schema of Parquet.
    hint: Option<&'a [u8]>,
    geometries: Option<&'a [u8]>,
}

fn read_pairs<'a>(input: &mut Input<'a>) -> Option<Pairs<'a>> {
    let (len, wire::STRUCT) = input.list()? else { return None };
    let mut pairs = Pairs::default();
    for _ in 0..len {
        let (mut key, mut value) = (None, None);
        input.fields(|input, id, wire| {
            match (id, wire) {
                (1, wire::BINARY) => key = Some(input.binary()?),
                (2, wire::BINARY) => value = Some(input.binary()?),
                (1, _) => return None,
                _ => return Some(false),
            }
            Some(true)
        })?;
        let known = match key? {
            HINT_KEY => &mut pairs.hint,
            GEOMETRIES_KEY => &mut pairs.geometries,
            _ => continue,
        };
        if known.is_none() {
            *known = Some(value?);
        }
    }
    Some(pairs)
}

fn read_chunk<'a>(input: &mut Input<'a>) -> Option<ChunkMetadata<'a>> {
    let (mut chunk, mut has_offset) = (None, false);
    input.fields(|input, id, wire| {
        match (id, wire) {
            (2, wire::I64) => {
                input.integer()?;
                has_offset = true;
            }
            (3, wire::STRUCT) => chunk = Some(read_metadata(input)?),
            // The path of another file, an offset of another type, and encryption.
            (1 | 2 | 8 | 9, _) => return None,
            _ => return Some(false),
        }
        Some(true)
    })?;
    chunk.filter(|_| has_offset)
}

fn read_metadata<'a>(input: &mut Input<'a>) -> Option<ChunkMetadata<'a>> {
    let (mut physical, mut codec, mut values, mut inflated, mut len) = (None, None, None, None, None);
    let (mut data, mut dictionary, mut statistics, mut text_bytes) = (None, 0, None, None);
    input.fields(|input, id, wire| {
        match (id, wire) {
            (1, wire::I32) => physical = Some(input.size_of_32()?),
            (4, wire::I32) => codec = Some(input.size_of_32()?),
            (5, wire::I64) => values = Some(input.size()?),
            (6, wire::I64) => inflated = Some(input.size()?),
            (7, wire::I64) => len = Some(input.size()?),
            (9, wire::I64) => data = Some(input.size()?),
            (11, wire::I64) => dictionary = input.size()?,
            (12, wire::STRUCT) => statistics = Some(input.encoded(wire)?),
            (16, wire::STRUCT) => text_bytes = read_text_bytes(input)?,
            (1 | 4..=7 | 9, _) => return None,
            _ => return Some(false),
        }
        Some(true)
    })?;
    let data = data?;
    Some(ChunkMetadata {
        codec: u32::try_from(codec?).ok()?,
        physical: u32::try_from(physical?).ok()?,
        values: values?,
        // Some writers set the offset to 0 if there is no dictionary.
        start: if dictionary > 0 && dictionary < data { dictionary } else { data },
        len: len?,
        inflated: inflated?,
        statistics,
        text_bytes,
    })
}

fn read_text_bytes(input: &mut Input) -> Option<Option<usize>> {
    let mut bytes = None;
    input.fields(|input, id, wire| match (id, wire) {
        (1, wire::I64) => {
            // A number below zero says nothing.
            bytes = usize::try_from(input.integer()?).ok();
            Some(true)
        }
        _ => Some(false),
    })?;
    Some(bytes)
}
