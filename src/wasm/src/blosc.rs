//! Blosc 1 (README_CHUNK_FORMAT.rst of Blosc/c-blosc), from untrusted input into an output of known length.

use crate::box_column::{put_planes_together, unshuffle, unshuffle_bits};
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::repeat::{copy_literals, copy_match};
use crate::{host, lz4, snappy, zlib};

const HEADER_BYTES: usize = 16;

/// The version that Blosc 1 writes. That of Blosc 2 is greater.
const MAX_VERSION: u8 = 2;

/// Bits of the flags. The upper three are the number of the codec.
mod flag {
    pub const SHUFFLED: u8 = 0x01;
    pub const STORED: u8 = 0x02;
    pub const BITS_SHUFFLED: u8 = 0x04;
    pub const ONE_STREAM: u8 = 0x10;
}

/// A block is split into a stream for each byte of an element, up to so many, if each stream has at least so many bytes.
const MAX_STREAMS: usize = 16;
const MIN_STREAM_BYTES: usize = 128;

struct Header {
    flags: u8,
    element_bytes: usize,
    bytes: usize,
    block_bytes: usize,
}

fn header(input: &[u8]) -> Result<Header> {
    let &[version, _, flags, element, b0, b1, b2, b3, k0, k1, k2, k3, ..] =
        input.first_chunk::<HEADER_BYTES>().ok_or(CUT)?;
    if version > MAX_VERSION {
        return Err(Error::invalid("Blosc data of a later version, which is not read"));
    }
    Ok(Header {
        flags,
        element_bytes: usize::from(element),
        bytes: u32::from_le_bytes([b0, b1, b2, b3]) as usize,
        block_bytes: u32::from_le_bytes([k0, k1, k2, k3]) as usize,
    })
}

/// How many bytes the data hold, as they say.
pub fn size(input: &[u8]) -> Result<usize> {
    Ok(header(input)?.bytes)
}

/// Decodes data, which must fill `output`. Elements of `width` bytes whose bytes are shuffled in one block stay so, because whoever needs some
/// of them finds them there; returns whether they do. 0: none do.
pub fn decode(input: &[u8], output: &mut [u8], width: usize) -> Result<bool> {
    let Header { flags, element_bytes, bytes, block_bytes } = header(input)?;
    if bytes != output.len() || (block_bytes == 0 && bytes > 0) {
        return Err(Error::invalid("Blosc data hold more or less than they should"));
    }
    if flags & flag::STORED != 0 {
        output.copy_from_slice(input[HEADER_BYTES..].get(..bytes).ok_or(CUT)?);
        return Ok(false);
    }
    let codec = flags >> 5;
    let are_shuffled = flags & flag::SHUFFLED != 0 && element_bytes > 1;
    let are_bits_shuffled = flags & flag::BITS_SHUFFLED != 0;
    let stay_shuffled = are_shuffled && element_bytes == width && bytes <= block_bytes && bytes.is_multiple_of(width);
    let is_moved = !stay_shuffled && (are_shuffled || are_bits_shuffled);
    let mut scratch = Buffer::empty();
    scratch.resize_unwritten(if is_moved { block_bytes.min(bytes) } else { 0 })?;
    for (number, block) in output.chunks_mut(block_bytes.max(1)).enumerate() {
        let start = number_at(input, HEADER_BYTES + 4 * number)?;
        let is_split = flags & flag::ONE_STREAM == 0
            && block.len() == block_bytes
            && element_bytes <= MAX_STREAMS
            && block_bytes.checked_div(element_bytes).is_some_and(|bytes| bytes >= MIN_STREAM_BYTES);
        let streams = if is_split { element_bytes } else { 1 };
        if !is_moved {
            streams_of_block(input, start, codec, streams, block)?;
            continue;
        }
        let moved = &mut scratch.bytes_mut()[..block.len()];
        if are_shuffled && is_split {
            put_planes_together(&planes_of_block(input, start, codec, streams, moved)?[..streams], block);
            continue;
        }
        streams_of_block(input, start, codec, streams, moved)?;
        if are_shuffled {
            unshuffle(moved, element_bytes, block);
        } else {
            unshuffle_bits(moved, element_bytes, block);
        }
    }
    Ok(stay_shuffled)
}

/// Decodes the streams of a block, which begin at `from`, each behind its stored size.
fn streams_of_block(input: &[u8], from: usize, codec: u8, streams: usize, output: &mut [u8]) -> Result<()> {
    let len = stream_len(output, streams)?;
    let mut at = from;
    for output in output.chunks_exact_mut(len.max(1)) {
        let stream = stream_at(input, &mut at)?;
        if stream.len() == len {
            output.copy_from_slice(stream);
        } else {
            decode_stream(codec, stream, output)?;
        }
    }
    Ok(())
}

/// The streams of a block: those that are stored as they are, where they lie in `input`, and the others in `room`, which is as long as the block.
fn planes_of_block<'a>(
    input: &'a [u8],
    from: usize,
    codec: u8,
    streams: usize,
    room: &'a mut [u8],
) -> Result<[&'a [u8]; MAX_STREAMS]> {
    let len = stream_len(room, streams)?;
    let mut at = from;
    let mut planes = [&[][..]; MAX_STREAMS];
    for (plane, room) in planes.iter_mut().zip(room.chunks_exact_mut(len.max(1))) {
        let stream = stream_at(input, &mut at)?;
        *plane = if stream.len() == len {
            stream
        } else {
            decode_stream(codec, stream, room)?;
            room
        };
    }
    Ok(planes)
}

fn stream_len(block: &[u8], streams: usize) -> Result<usize> {
    let len = block.len() / streams;
    if len * streams != block.len() {
        return Err(Error::invalid("Blosc data whose streams are no equal parts of a block"));
    }
    Ok(len)
}

/// The next stream, which is behind its stored size.
fn stream_at<'a>(input: &'a [u8], at: &mut usize) -> Result<&'a [u8]> {
    let stored = number_at(input, *at)?;
    let stream = input.get(*at + 4..).and_then(|rest| rest.get(..stored)).ok_or(CUT)?;
    *at += 4 + stored;
    Ok(stream)
}

/// Decodes a stream, which must fill `output`.
fn decode_stream(codec: u8, stream: &[u8], output: &mut [u8]) -> Result<()> {
    let is_whole = match codec {
        0 => blosclz(stream, output)? == output.len(),
        1 => lz4::block(stream, output, 0, 0)? == output.len(),
        2 => snappy::decode(stream, output).map(|()| true)?,
        3 => zlib::inflate(stream, output)? == output.len(),
        4 => host::unzstd(stream, output),
        _ => return Err(Error::invalid("Blosc data of an unknown codec")),
    };
    if is_whole { Ok(()) } else { Err(CUT) }
}

fn number_at(input: &[u8], at: usize) -> Result<usize> {
    let bytes = input.get(at..).and_then(<[u8]>::first_chunk).ok_or(CUT)?;
    Ok(u32::from_le_bytes(*bytes) as usize)
}

/// Matches up to this distance have 13 bits for it. Those beyond add 16 bits to it.
const NEAR_DISTANCE: usize = 8191;

/// Decodes BloscLZ, the codec that Blosc has of its own. Returns the number of decoded bytes.
fn blosclz(input: &[u8], output: &mut [u8]) -> Result<usize> {
    let (mut at, mut end) = (0, 0);
    // Data begin with literals. The upper bits of the first byte are the number of the codec's level.
    let mut mask = 31;
    while let Some(&first) = input.get(at) {
        let control = usize::from(first & mask);
        mask = 255;
        at += 1;
        if control < 32 {
            let len = control + 1;
            if len > input.len() - at {
                return Err(CUT);
            }
            if len > output.len() - end {
                return Err(LONG);
            }
            copy_literals(input, at, output, end, len);
            at += len;
            end += len;
            continue;
        }
        let mut next = || {
            let byte = input.get(at).copied().map(usize::from).ok_or(CUT);
            at += 1;
            byte
        };
        let mut len = (control >> 5) + 2;
        if len == 9 {
            loop {
                let byte = next()?;
                len += byte;
                if byte < 255 {
                    break;
                }
            }
        }
        let low = next()?;
        let mut distance = ((control & 31) << 8) + low + 1;
        if low == 255 && control & 31 == 31 {
            distance = (next()? << 8) + next()? + NEAR_DISTANCE + 1;
        }
        if distance > end {
            return Err(Error::invalid_at("Blosc data refer to what is not there", at));
        }
        if len > output.len() - end {
            return Err(LONG);
        }
        copy_match(output, end, distance, len);
        end += len;
    }
    Ok(end)
}

const CUT: Error = Error::invalid("Blosc data end in the middle");
const LONG: Error = Error::invalid("Blosc data hold more than they claim");

#[cfg(test)]
mod tests {
    use super::*;

    /// A buffer of one stream in one block.
    fn buffer(flags: u8, element: u8, bytes: u32, stream: &[u8]) -> Vec<u8> {
        let mut all = vec![2, 1, flags, element];
        all.extend(bytes.to_le_bytes());
        all.extend(bytes.to_le_bytes());
        all.extend((HEADER_BYTES as u32 + 8 + stream.len() as u32).to_le_bytes());
        all.extend((HEADER_BYTES as u32 + 4).to_le_bytes());
        all.extend((stream.len() as u32).to_le_bytes());
        all.extend(stream);
        all
    }

    fn decoded(input: &[u8]) -> Result<Vec<u8>> {
        let mut output = vec![0; size(input)?.min(1 << 20)];
        decode(input, &mut output, 0).map(|_| output)
    }

    #[test]
    fn streams_are_decoded_and_unshuffled() {
        let lz4 = [0x40, 1, 2, 3, 4];
        assert_eq!(decoded(&buffer(1 << 5 | flag::ONE_STREAM, 1, 4, &[1, 2, 3, 4])), Ok(vec![1, 2, 3, 4]));
        assert_eq!(decoded(&buffer(1 << 5 | flag::ONE_STREAM, 1, 4, &lz4)), Ok(vec![1, 2, 3, 4]));
        assert_eq!(decoded(&buffer(1 << 5 | 1 | flag::ONE_STREAM, 2, 4, &lz4)), Ok(vec![1, 3, 2, 4]));
        // BloscLZ: a literal 7, then 8 bytes at a distance of 1.
        assert_eq!(decoded(&buffer(flag::ONE_STREAM, 1, 9, &[0, 7, 192, 0])), Ok(vec![7; 9]));
    }

    #[test]
    fn one_block_of_such_elements_stays_shuffled() {
        let whole = buffer(1 << 5 | 1 | flag::ONE_STREAM, 2, 4, &[0x40, 1, 2, 3, 4]);
        for (width, expected) in [(0, [1, 3, 2, 4]), (2, [1, 2, 3, 4]), (4, [1, 3, 2, 4])] {
            let mut output = [0; 4];
            assert_eq!(decode(&whole, &mut output, width), Ok(width == 2));
            assert_eq!(output, expected);
        }
    }

    #[test]
    fn whatever_is_cut_off_or_changed_is_an_error_and_never_a_panic() {
        let whole = buffer(1 << 5 | 1 | flag::ONE_STREAM, 2, 4, &[0x40, 1, 2, 3, 4]);
        for len in 0..whole.len() {
            assert!(decoded(&whole[..len]).is_err(), "{len}");
        }
        for at in 0..whole.len() {
            for value in 0..=255 {
                let mut changed = whole.clone();
                changed[at] = value;
                let _ = decoded(&changed);
            }
        }
    }
}
