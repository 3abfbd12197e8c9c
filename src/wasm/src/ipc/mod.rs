//! Arrow IPC: encapsulated record batch and dictionary batch messages (Message.fbs, metadata version V5).

mod metadata;

use crate::run::Run;
use metadata::Pair;

use crate::array::{Array, Data, Offset};
use crate::bitmap::{BitWriter, Bitmap};
use crate::compression::{Codec, Compressor};
use crate::copy;
use crate::error::{Error, Result};
use crate::lookup::Lookup;
use crate::rows::{Outgoing, Selection, fixed_item_runs, item_runs, value_runs};
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
    let (Data::Dictionary { values, .. } | Data::Repeat { values, .. }) = &column.data else {
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
    let metadata = metadata::size(nodes, buffers, dictionary, codec);
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
    metadata::write(&mut scratch.written_mut()[..metadata], rows, body_len, &nodes, &buffers, dictionary, codec);
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
        Data::Dictionary { values, .. } | Data::Repeat { values, .. } => return shape(values),
    };
    (1 + nodes, own + buffers)
}

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
        if let Some(repeated) = column.array.repeated() {
            let array = &repeated.take(runs)?;
            return self.column(&Outgoing { array, ..*column }, &[Run { start: 0, len: rows }], rows);
        }
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
            // These two are left by `column` and `array`.
            Data::Null | Data::Dictionary { .. } | Data::Repeat { .. } => Ok(()),
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
