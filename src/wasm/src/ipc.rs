//! Arrow IPC: one encapsulated record batch message (Message.fbs, metadata version V5, body not compressed).

use crate::array::{Array, Data, Offset};
use crate::bitmap::{BitWriter, Bitmap};
use crate::error::Result;
use crate::gather;
use crate::rows::{Run, Selection, fixed_item_runs, item_runs};
use crate::scratch::Scratch;

/// Writes the message of the selected rows of `columns`; returns the bytes before its body.
pub fn encode(columns: &[&Array], selection: &Selection, scratch: &mut Scratch) -> Result<usize> {
    let (nodes, buffers) = columns.iter().map(|column| shape(column)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let metadata = METADATA + 16 * (nodes + buffers);
    scratch.space(metadata)?;
    scratch.commit(metadata);
    let mut body = Body { scratch, start: metadata, nodes: Vec::new(), buffers: Vec::new() };
    body.nodes.try_reserve_exact(nodes)?;
    body.buffers.try_reserve_exact(buffers)?;
    for column in columns {
        body.array(column, &selection.runs, selection.rows)?;
    }
    let Body { nodes, buffers, scratch, .. } = body;
    let body_len = scratch.len() - metadata;
    write_metadata(&mut scratch.written_mut()[..metadata], selection.rows, body_len, &nodes, &buffers);
    Ok(metadata)
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
    };
    (1 + nodes, own + buffers)
}

/// Length and null count, or offset and length.
type Pair = [u64; 2];

struct Body<'a> {
    scratch: &'a mut Scratch,
    start: usize,
    nodes: Vec<Pair>,
    buffers: Vec<Pair>,
}

impl Body<'_> {
    fn array(&mut self, array: &Array, runs: &[Run], rows: usize) -> Result<()> {
        if let Data::Null = array.data {
            self.nodes.push([rows as u64, rows as u64]);
            return Ok(());
        }
        let validity = match &array.validity {
            Some(validity) => Some(gather_bits(validity, runs, rows)?).filter(|bits| bits.set() < rows),
            None => None,
        };
        let nulls = validity.as_ref().map_or(0, |bits| rows - bits.set());
        self.nodes.push([rows as u64, nulls as u64]);
        match validity {
            Some(bits) => self.bits(bits, rows)?,
            None => self.buffer(0, |_| Ok(()))?,
        }
        match &array.data {
            Data::Null => Ok(()),
            Data::Bool(values) => self.bits(gather_bits(values, runs, rows)?, rows),
            Data::Fixed { width, values } => self.buffer(rows * width, |out| {
                gather::fixed(values.bytes(), *width, runs, out);
                Ok(())
            }),
            Data::Bytes { offsets, values } => {
                let offsets: &[i32] = offsets.numbers();
                let end = self.offsets(offsets, runs, rows)?;
                self.buffer(end, |out| {
                    gather::bytes(offsets, values.bytes(), runs, out);
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
            end = gather::ends(source, runs, 0, &mut out[O::WIDTH..])?;
            Ok(())
        })?;
        Ok(end)
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

    /// Appends a buffer of `len` bytes, which `write` is given with `SLACK` bytes more, padded to 8.
    fn buffer(&mut self, len: usize, write: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<()> {
        let offset = self.scratch.len() - self.start;
        write(self.scratch.space(len)?)?;
        self.scratch.commit(len);
        self.scratch.pad();
        self.buffers.push([offset as u64, len as u64]);
        Ok(())
    }
}

fn gather_bits(source: &Bitmap, runs: &[Run], rows: usize) -> Result<BitWriter> {
    let mut bits = BitWriter::with_capacity(rows)?;
    gather::bits(source, runs, &mut bits);
    Ok(bits)
}

/// Bytes of the framed metadata without its nodes and buffers: the offsets in [`write_metadata`].
const METADATA: usize = 8 + 80;

/// The frame (continuation marker, length) and the flatbuffer `Message { RecordBatch }`. All of its objects but the two
/// vectors have fixed places, so it is written out by place; positions are relative to the flatbuffer's start.
fn write_metadata(out: &mut [u8], rows: usize, body_len: usize, nodes: &[Pair], buffers: &[Pair]) {
    out.fill(0);
    let (frame, out) = out.split_at_mut(8);
    frame[..4].copy_from_slice(&u32::MAX.to_le_bytes());
    frame[4..].copy_from_slice(&(out.len() as u32).to_le_bytes());

    let buffers_at = 76 + 16 * nodes.len();
    let mut u16_at = |at: usize, value: u16| out[at..at + 2].copy_from_slice(&value.to_le_bytes());
    // Table of fields of Message: its size, the object's size, then version, header_type, header, bodyLength.
    for (i, value) in [12, 20, 16, 18, 4, 8].into_iter().enumerate() {
        u16_at(4 + 2 * i, value);
    }
    u16_at(32, 4); // version: V5
    u16_at(34, 3); // header_type: RecordBatch (one byte)
    // Table of fields of RecordBatch: its size, the object's size, then length, nodes, buffers.
    for (i, value) in [10, 20, 8, 4, 16].into_iter().enumerate() {
        u16_at(36 + 2 * i, value);
    }
    let mut u32_at = |at: usize, value: usize| out[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
    u32_at(0, 16); // root: Message at 16
    u32_at(16, 16 - 4); // Message: back to its table of fields
    u32_at(20, 48 - 20); // header: RecordBatch at 48
    u32_at(48, 48 - 36); // RecordBatch: back to its table of fields
    u32_at(52, 68 - 52); // nodes
    u32_at(64, buffers_at - 64); // buffers
    u32_at(68, nodes.len());
    u32_at(buffers_at, buffers.len());
    let mut u64_at = |at: usize, value: u64| out[at..at + 8].copy_from_slice(&value.to_le_bytes());
    u64_at(24, body_len as u64);
    u64_at(56, rows as u64);
    for (at, pairs) in [(72, nodes), (buffers_at + 4, buffers)] {
        for (i, pair) in pairs.iter().enumerate() {
            u64_at(at + 16 * i, pair[0]);
            u64_at(at + 16 * i + 8, pair[1]);
        }
    }
}
