//! The metadata of record batch and dictionary batch messages.

use crate::compression::Codec;

/// Length and null count, or offset and length.
pub type Pair = [u64; 2];

/// Bytes of the framed metadata of a record batch without its nodes and buffers: the offsets in [`write`].
const METADATA: usize = 8 + 80;

/// Bytes that the metadata of a dictionary batch take besides those of the record batch inside of it.
const DICTIONARY: usize = 32;

/// Bytes that those of a compressed one take more: a field of the record batch, padded, and the `BodyCompression` at the end.
const COMPRESSION: usize = 8 + 16;

/// Bytes of the framed metadata of a message with so many nodes and buffers.
pub fn size(nodes: usize, buffers: usize, dictionary: Option<u32>, codec: Option<Codec>) -> usize {
    METADATA
        + 16 * (nodes + buffers)
        + if dictionary.is_some() { DICTIONARY } else { 0 }
        + if codec.is_some() { COMPRESSION } else { 0 }
}

/// The frame (continuation marker, length) and the flatbuffer `Message { RecordBatch }`, or that with the record batch
/// inside of `DictionaryBatch`. All of its objects but the two vectors have fixed places, so it is written out by place;
/// positions are relative to the flatbuffer's start.
pub fn write(
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
