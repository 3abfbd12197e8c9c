//! Arrow IPC: encapsulated record batch and dictionary batch messages (Message.fbs, metadata version V5).

use crate::array::{Array, Data, Offset};
use crate::bitmap::{BitWriter, Bitmap};
use crate::compression::{Codec, Compressor};
use crate::copy;
use crate::error::{Error, Result};
use crate::lookup::Lookup;
use crate::rows::{Outgoing, Run, Selection, fixed_item_runs, item_runs, value_runs};
use crate::scratch::Scratch;
use crate::types::Physical;

/// How the buffers of a body are compressed; none: they are not.
pub type Packing<'a> = Option<(Codec, &'a mut Compressor)>;

/// Bytes of a message that lie in a column as they are to leave.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Lent {
    /// Where they belong in the message.
    pub at: u32,
    /// Where they are.
    pub address: u32,
    /// How many.
    pub len: u32,
}

/// Fewer are copied as fast as they are told of.
const LEAST_LENT: usize = 4 << 10;

/// Writes the record batch message of the selected rows of `columns`; returns the bytes before its body. Of long stretches
/// of values in a row only the places are written, to `lent` if there is one.
pub fn encode(
    columns: &[Outgoing],
    selection: &Selection,
    packing: Packing,
    scratch: &mut Scratch,
    lent: Option<&mut Vec<Lent>>,
) -> Result<usize> {
    message(columns, &selection.runs, selection.rows, None, packing, scratch, lent)
}

/// Writes the dictionary batch message of the values of a dictionary column, under the number that its field has in the
/// schema; returns the bytes before its body.
pub fn encode_dictionary(column: &Array, id: u32, packing: Packing, scratch: &mut Scratch) -> Result<usize> {
    let Data::Dictionary { values, .. } = &column.data else {
        return Err(NO_DICTIONARY);
    };
    let all = [Run { start: 0, len: values.len }];
    message(&[Outgoing { array: values, index: None }], &all, values.len, Some(id), packing, scratch, None)
}

const NO_DICTIONARY: Error = Error::Misuse("a column that is no dictionary is encoded as one");

fn message(
    columns: &[Outgoing],
    runs: &[Run],
    rows: usize,
    dictionary: Option<u32>,
    packing: Packing,
    scratch: &mut Scratch,
    lent: Option<&mut Vec<Lent>>,
) -> Result<usize> {
    let (nodes, buffers) = columns.iter().map(outgoing_shape).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let codec = packing.as_ref().map(|(codec, _)| *codec);
    let metadata = METADATA
        + 16 * (nodes + buffers)
        + if dictionary.is_some() { DICTIONARY } else { 0 }
        + if codec.is_some() { COMPRESSION } else { 0 };
    scratch.space(metadata)?;
    scratch.commit(metadata);
    let mut body = Body { scratch, packing, lent, start: metadata, nodes: Vec::new(), buffers: Vec::new() };
    body.nodes.try_reserve_exact(nodes)?;
    body.buffers.try_reserve_exact(buffers)?;
    for column in columns {
        body.column(column, runs, rows)?;
    }
    let Body { nodes, buffers, scratch, .. } = body;
    let body_len = scratch.len() - metadata;
    write_metadata(&mut scratch.written_mut()[..metadata], rows, body_len, &nodes, &buffers, dictionary, codec);
    Ok(metadata)
}

fn outgoing_shape(column: &Outgoing) -> (usize, usize) {
    if column.index.is_some() { (1, 2) } else { shape(column.array) }
}

/// Field nodes and buffers of an array and its children.
fn shape(array: &Array) -> (usize, usize) {
    let children =
        |arrays: &[&Array]| arrays.iter().map(|array| shape(array)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let (own, (nodes, buffers)) = match &array.data {
        Data::Null => (0, (0, 0)),
        Data::Bool(_) | Data::Fixed { .. } => (2, (0, 0)),
        Data::Bytes { .. } => (3, (0, 0)),
        Data::List { items, .. } | Data::LargeList { items, .. } => (2, children(&[items])),
        Data::FixedList { items, .. } => (1, children(&[items])),
        Data::Struct(fields) => (1, fields.iter().map(shape).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))),
        // Leaves as its values.
        Data::Dictionary { values, .. } => return shape(values),
    };
    (1 + nodes, own + buffers)
}

/// Length and null count, or offset and length.
type Pair = [u64; 2];

struct Body<'a> {
    scratch: &'a mut Scratch,
    packing: Packing<'a>,
    lent: Option<&'a mut Vec<Lent>>,
    start: usize,
    nodes: Vec<Pair>,
    buffers: Vec<Pair>,
}

impl Body<'_> {
    fn column(&mut self, column: &Outgoing, runs: &[Run], rows: usize) -> Result<()> {
        let Some(index) = column.index else {
            return self.array(column.array, runs, rows);
        };
        let Data::Dictionary { indices, .. } = &column.array.data else {
            return Err(NO_DICTIONARY);
        };
        self.validity(column.array, runs, rows)?;
        let indices = indices.numbers();
        self.buffer(rows * index.width(), |out| match index {
            Physical::I8 => narrow(indices, runs, out, |index| i8::try_from(index).map(i8::to_le_bytes)),
            Physical::I16 => narrow(indices, runs, out, |index| i16::try_from(index).map(i16::to_le_bytes)),
            Physical::I32 => narrow(indices, runs, out, |index| i32::try_from(index).map(i32::to_le_bytes)),
            Physical::U8 => narrow(indices, runs, out, |index| u8::try_from(index).map(u8::to_le_bytes)),
            Physical::U16 => narrow(indices, runs, out, |index| u16::try_from(index).map(u16::to_le_bytes)),
            Physical::U32 => narrow(indices, runs, out, |index| Ok::<_, std::convert::Infallible>(index.to_le_bytes())),
            Physical::I64 | Physical::U64 => {
                narrow(indices, runs, out, |index| Ok::<_, std::convert::Infallible>(u64::from(index).to_le_bytes()))
            }
            _ => Err(Error::Misuse("unknown index type")),
        })
    }

    fn array(&mut self, array: &Array, runs: &[Run], rows: usize) -> Result<()> {
        if let Data::Null = array.data {
            self.nodes.push([rows as u64, rows as u64]);
            return Ok(());
        }
        self.validity(array, runs, rows)?;
        match &array.data {
            Data::Dictionary { indices, values } => match values.lookup() {
                Some(lookup) => self.named(&lookup, indices.numbers(), runs, rows),
                None => self.values(values, &value_runs(indices.numbers(), runs)?, rows),
            },
            _ => self.values(array, runs, rows),
        }
    }

    /// Appends the node and the validity of an array.
    fn validity(&mut self, array: &Array, runs: &[Run], rows: usize) -> Result<()> {
        let validity = match &array.validity {
            Some(validity) => Some(gather_bits(validity, runs, rows)?).filter(|bits| bits.set() < rows),
            None => None,
        };
        let nulls = validity.as_ref().map_or(0, |bits| rows - bits.set());
        self.nodes.push([rows as u64, nulls as u64]);
        match validity {
            Some(bits) => self.bits(bits, rows),
            None => self.buffer(0, |_| Ok(())),
        }
    }

    /// Appends what an array has besides its validity.
    fn values(&mut self, array: &Array, runs: &[Run], rows: usize) -> Result<()> {
        match &array.data {
            Data::Null | Data::Dictionary { .. } => Ok(()),
            Data::Bool(values) => self.bits(gather_bits(values, runs, rows)?, rows),
            Data::Fixed { width, values } => {
                if let [run] = runs {
                    return self.stretch(&values.bytes()[run.start * width..run.end() * width]);
                }
                self.buffer(rows * width, |out| {
                    copy::fixed(values.bytes(), *width, runs, out);
                    Ok(())
                })
            }
            Data::Bytes { offsets, values } => {
                let offsets: &[i32] = offsets.numbers();
                let end = self.offsets(offsets, runs, rows)?;
                if let [run] = runs {
                    return self.stretch(&values.bytes()[offsets[run.start].position()..][..end]);
                }
                self.buffer(end, |out| {
                    copy::bytes(offsets, values.bytes(), runs, out);
                    Ok(())
                })
            }
            Data::List { offsets, items } => self.list::<i32>(offsets.numbers(), items, runs, rows),
            Data::LargeList { offsets, items } => self.list::<i64>(offsets.numbers(), items, runs, rows),
            Data::FixedList { size, items } => self.array(items, &fixed_item_runs(*size, runs)?, rows * size),
            Data::Struct(fields) => fields.iter().try_for_each(|field| self.array(field, runs, rows)),
        }
    }

    fn list<O: Offset>(&mut self, offsets: &[O], items: &Array, runs: &[Run], rows: usize) -> Result<()> {
        let end = self.offsets(offsets, runs, rows)?;
        self.array(items, &item_runs(offsets, runs)?, end)
    }

    /// Appends offsets; returns where the last row ends.
    fn offsets<O: Offset>(&mut self, source: &[O], runs: &[Run], rows: usize) -> Result<usize> {
        let mut end = 0;
        self.buffer((rows + 1) * O::WIDTH, |out| {
            out[..O::WIDTH].fill(0);
            end = copy::ends(source, runs, 0, &mut out[O::WIDTH..])?;
            Ok(())
        })?;
        Ok(end)
    }

    /// Appends byte arrays that rows name by their numbers.
    fn named(&mut self, lookup: &Lookup, numbers: &[u32], runs: &[Run], rows: usize) -> Result<()> {
        let mut end = 0;
        self.buffer((rows + 1) * 4, |out| {
            out[..4].fill(0);
            end = lookup.ends(numbers, runs, 0, &mut out[4..])?;
            Ok(())
        })?;
        self.buffer(end, |out| lookup.copy(numbers, runs, end, out))
    }

    fn bits(&mut self, bits: BitWriter, rows: usize) -> Result<()> {
        let bits = bits.finish();
        self.buffer(rows.div_ceil(8), |out| {
            for (out, word) in out.chunks_mut(8).zip(bits.words()) {
                out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
            }
            Ok(())
        })
    }

    /// Appends a buffer of bytes that lie together.
    fn stretch(&mut self, bytes: &[u8]) -> Result<()> {
        let mut is_lent = false;
        if let Some(lent) = &mut self.lent
            && self.packing.is_none()
            && bytes.len() >= LEAST_LENT
        {
            lent.try_reserve(1)?;
            let at = self.scratch.len() as u32;
            lent.push(Lent { at, address: bytes.as_ptr() as usize as u32, len: bytes.len() as u32 });
            is_lent = true;
        }
        self.buffer(bytes.len(), |out| {
            if !is_lent {
                out[..bytes.len()].copy_from_slice(bytes);
            }
            Ok(())
        })
    }

    /// Appends a buffer of `len` bytes, which `write` is given with `SLACK` bytes more, padded to 8.
    fn buffer(&mut self, len: usize, write: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<()> {
        let offset = self.scratch.len() - self.start;
        match &mut self.packing {
            // A buffer of no bytes has no length before it either.
            Some((codec, compressor)) if len > 0 => {
                write(compressor.room(len)?)?;
                let (prefix, bytes) = compressor.pack(len, *codec)?;
                self.scratch.extend(&prefix.to_le_bytes())?;
                self.scratch.extend(bytes)?;
            }
            _ => {
                write(self.scratch.space(len)?)?;
                self.scratch.commit(len);
            }
        }
        let stored = self.scratch.len() - self.start - offset;
        self.scratch.pad();
        self.buffers.push([offset as u64, stored as u64]);
        Ok(())
    }
}

/// The indices of `runs` in a type that has them all, to the front of `out`.
fn narrow<const N: usize, E>(
    indices: &[u32],
    runs: &[Run],
    out: &mut [u8],
    to: impl Fn(u32) -> std::result::Result<[u8; N], E>,
) -> Result<()> {
    let indices = runs.iter().flat_map(|run| &indices[run.start..run.end()]);
    for (out, &index) in out.as_chunks_mut::<N>().0.iter_mut().zip(indices) {
        *out = to(index)
            .map_err(|_| Error::Unsupported("a dictionary has more values than its type of index can number"))?;
    }
    Ok(())
}

fn gather_bits(source: &Bitmap, runs: &[Run], rows: usize) -> Result<BitWriter> {
    let mut bits = BitWriter::with_capacity(rows)?;
    copy::bits(source, runs, &mut bits);
    Ok(bits)
}

/// Bytes of the framed metadata of a record batch without its nodes and buffers: the offsets in [`write_metadata`].
const METADATA: usize = 8 + 80;

/// Bytes that the metadata of a dictionary batch take besides those of the record batch inside of it.
const DICTIONARY: usize = 32;

/// Bytes that those of a compressed one take more: a field of the record batch, padded, and the `BodyCompression` at the end.
const COMPRESSION: usize = 8 + 16;

/// The frame (continuation marker, length) and the flatbuffer `Message { RecordBatch }`, or that with the record batch
/// inside of `DictionaryBatch`. All of its objects but the two vectors have fixed places, so it is written out by place;
/// positions are relative to the flatbuffer's start.
fn write_metadata(
    out: &mut [u8],
    rows: usize,
    body_len: usize,
    nodes: &[Pair],
    buffers: &[Pair],
    dictionary: Option<u32>,
    codec: Option<Codec>,
) {
    out.fill(0);
    let (frame, out) = out.split_at_mut(8);
    frame[..4].copy_from_slice(&u32::MAX.to_le_bytes());
    frame[4..].copy_from_slice(&(out.len() as u32).to_le_bytes());

    let mut u16s_at = |at: usize, values: &[u16]| {
        for (out, value) in out[at..].chunks_mut(2).zip(values) {
            out.copy_from_slice(&value.to_le_bytes());
        }
    };
    // Table of fields of Message: its size, the object's size, then version, header_type, header, bodyLength.
    u16s_at(4, &[12, 20, 16, 18, 4, 8]);
    u16s_at(32, &[4]); // version: V5
    u16s_at(34, &[if dictionary.is_some() { 2 } else { 3 }]); // header_type (one byte): DictionaryBatch or RecordBatch
    // Table of fields of DictionaryBatch: its size, the object's size, then id, data; isDelta is false.
    if dictionary.is_some() {
        u16s_at(36, &[8, 16, 8, 4]);
    }
    // The record batch: what follows lies so much further inside of a dictionary batch.
    let shift = if dictionary.is_some() { DICTIONARY } else { 0 };
    let batch_at = 48 + shift;
    let nodes_at = if codec.is_some() { 76 } else { 68 } + shift;
    let buffers_at = nodes_at + 8 + 16 * nodes.len();
    let compression_at = buffers_at + 4 + 16 * buffers.len();
    // Table of fields of RecordBatch: its size, the object's size, then length, nodes, buffers, compression.
    if let Some(codec) = codec {
        u16s_at(36 + shift, &[12, 24, 8, 4, 16, 20]);
        // Table of fields of BodyCompression: its size, the object's size, then codec; its method is that of buffers.
        u16s_at(compression_at, &[6, 8, 4]);
        u16s_at(compression_at + 12, &[codec as u16]);
    } else {
        u16s_at(36 + shift, &[10, 20, 8, 4, 16]);
    }
    let mut u32_at = |at: usize, value: usize| out[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
    u32_at(0, 16); // root: Message at 16
    u32_at(16, 16 - 4); // Message: back to its table of fields
    u32_at(20, 48 - 20); // header: RecordBatch or DictionaryBatch at 48
    if let Some(id) = dictionary {
        u32_at(48, 48 - 36); // DictionaryBatch: back to its table of fields
        u32_at(52, batch_at - 52); // data
        u32_at(56, id as usize); // id, of which the upper half is zero
    }
    u32_at(batch_at, 48 - 36); // RecordBatch: back to its table of fields
    u32_at(batch_at + 4, nodes_at - (batch_at + 4)); // nodes
    u32_at(batch_at + 16, buffers_at - (batch_at + 16)); // buffers
    if codec.is_some() {
        u32_at(batch_at + 20, compression_at + 8 - (batch_at + 20)); // compression
        u32_at(compression_at + 8, 8); // BodyCompression: back to its table of fields
    }
    u32_at(nodes_at, nodes.len());
    u32_at(buffers_at, buffers.len());
    let mut u64_at = |at: usize, value: u64| out[at..at + 8].copy_from_slice(&value.to_le_bytes());
    u64_at(24, body_len as u64);
    u64_at(batch_at + 8, rows as u64);
    for (at, pairs) in [(nodes_at + 4, nodes), (buffers_at + 4, buffers)] {
        for (i, pair) in pairs.iter().enumerate() {
            u64_at(at + 16 * i, pair[0]);
            u64_at(at + 16 * i + 8, pair[1]);
        }
    }
}
