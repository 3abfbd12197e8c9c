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
    pub rows: usize,
    file: &'a [u8],
    chunks: Input<'a>,
    pub chunk_count: usize,
}

/// The length of the footer and the magic number.
const TRAILER: usize = 8;
const MAGIC: &[u8] = b"PAR1";
const HINT_KEY: &[u8] = b"ARROW:schema";

impl<'a> Footer<'a> {
    /// `None`: the file has another number of row groups, is encrypted or damaged, or is none of Parquet.
    pub fn read(file: &'a [u8]) -> Option<Self> {
        let (rest, trailer) = file.split_last_chunk::<TRAILER>()?;
        let (len, magic) = trailer.split_first_chunk::<4>()?;
        let begin = rest.len().checked_sub(u32::from_le_bytes(*len) as usize).filter(|&begin| begin >= MAGIC.len())?;
        if magic != MAGIC {
            return None;
        }
        let (mut schema, mut hint, mut group) = (None, None, None);
        Input::new(&rest[begin..]).fields(|input, id, wire| {
            match (id, wire) {
                (2, wire::LIST) => schema = Some(input.encoded(wire)?),
                (4, wire::LIST) => group = Some(read_groups(input)?),
                (5, wire::LIST) => hint = read_hint(input)?,
                // Encryption.
                (8, _) => return None,
                _ => return Some(false),
            }
            Some(true)
        })?;
        let (chunks, chunk_count, rows) = group?;
        let layout = Layout { schema: schema?, hint };
        Some(Footer { layout, rows, file: &rest[..begin], chunks, chunk_count })
    }

    /// The chunks of the leaves of the schema, in their order. `None`: one is encrypted, elsewhere, or not in the file.
    pub fn chunks(&self) -> impl Iterator<Item = Option<Chunk<'a>>> + use<'a> {
        let (mut input, file) = (self.chunks, self.file);
        (0..self.chunk_count).map(move |_| read_chunk(&mut input, file))
    }
}

/// The column chunks, their number, and the rows of the only row group.
fn read_groups<'a>(input: &mut Input<'a>) -> Option<(Input<'a>, usize, usize)> {
    let (1, wire::STRUCT) = input.list()? else { return None };
    let (mut chunks, mut rows) = (None, None);
    input.fields(|input, id, wire| {
        match (id, wire) {
            (1, wire::LIST) => {
                let mut list = Input::new(input.encoded(wire)?);
                let (len, wire::STRUCT) = list.list()? else { return None };
                chunks = Some((list, len));
            }
            (3, wire::I64) => rows = Some(input.size()?),
            _ => return Some(false),
        }
        Some(true)
    })?;
    let (list, len) = chunks?;
    Some((list, len, rows?))
}

/// The embedded Arrow schema, which says more of types than the schema of Parquet.
fn read_hint<'a>(input: &mut Input<'a>) -> Option<Option<&'a [u8]>> {
    let (len, wire::STRUCT) = input.list()? else { return None };
    let mut hint = None;
    for _ in 0..len {
        let (mut key, mut value) = (None, None);
        input.fields(|input, id, wire| {
            match (id, wire) {
                (1, wire::BINARY) => key = Some(input.binary()?),
                (2, wire::BINARY) => value = Some(input.binary()?),
                _ => return Some(false),
            }
            Some(true)
        })?;
        if key? == HINT_KEY && hint.is_none() {
            hint = Some(value?);
        }
    }
    Some(hint)
}

fn read_chunk<'a>(input: &mut Input<'a>, file: &'a [u8]) -> Option<Chunk<'a>> {
    let mut chunk = None;
    input.fields(|input, id, wire| {
        match (id, wire) {
            (3, wire::STRUCT) => chunk = Some(read_metadata(input, file)?),
            // The path of another file, and encryption.
            (1 | 8 | 9, _) => return None,
            _ => return Some(false),
        }
        Some(true)
    })?;
    chunk
}

fn read_metadata<'a>(input: &mut Input<'a>, file: &'a [u8]) -> Option<Chunk<'a>> {
    let (mut physical, mut codec, mut values, mut len, mut data, mut dictionary) = (None, None, None, None, None, 0);
    input.fields(|input, id, wire| {
        match (id, wire) {
            (1, wire::I32) => physical = Some(input.size()?),
            (4, wire::I32) => codec = Some(input.size()?),
            (5, wire::I64) => values = Some(input.size()?),
            (7, wire::I64) => len = Some(input.size()?),
            (9, wire::I64) => data = Some(input.size()?),
            (11, wire::I64) => dictionary = input.size()?,
            _ => return Some(false),
        }
        Some(true)
    })?;
    let data = data?;
    // Some writers set the offset to 0 if there is no dictionary.
    let start = if dictionary > 0 && dictionary < data { dictionary } else { data };
    let pages = file.get(start..)?.get(..len?).filter(|_| start >= MAGIC.len())?;
    Some(Chunk { pages, codec: u32::try_from(codec?).ok()?, physical: u32::try_from(physical?).ok()?, values: values? })
}
