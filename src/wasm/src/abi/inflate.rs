//! Inflating.

use super::call;
use super::encoders::KEPT_SCRATCH;
use crate::array::{Array, Data};
use crate::error::{Error, Result};
use crate::inflated::Inflated;
use crate::raster::{self, Predictor, Rows, Samples, lzw, packbits};
use crate::run::MAX_ROWS;
use crate::{blosc, box_column, lz4, lzf, zlib};

/// [`lz4::frame`] of the arguments, which hold `size` bytes. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn lz4_frame(size: usize) -> i32 {
    inflated(|stored, output| {
        if !lz4::may_hold(stored.len(), size) {
            return Err(Error::invalid("compressed data claim more than they can hold"));
        }
        lz4::frame(stored, &mut output.room(size)?[..size])?;
        Ok(size)
    })
}

/// [`lz4::block`] of the arguments, which holds `size` bytes. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn lz4_block(size: usize) -> i32 {
    inflated(|stored, output| {
        if !lz4::may_hold(stored.len(), size) {
            return Err(Error::invalid("compressed data claim more than they can hold"));
        }
        match lz4::block(stored, &mut output.room(size)?[..size], 0, 0)? {
            written if written == size => Ok(size),
            _ => Err(Error::invalid("LZ4 data hold less than they claim")),
        }
    })
}

/// [`lz4::blocks`] of the arguments, which hold `most` bytes at most. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn lz4_blocks(most: usize) -> i32 {
    inflated(|stored, output| {
        let size = lz4::size_of_blocks(stored)?;
        if size > most || !lz4::may_hold(stored.len(), size) {
            return Err(Error::invalid("compressed data claim more than they can hold"));
        }
        lz4::blocks(stored, &mut output.room(size)?[..size])?;
        Ok(size)
    })
}

/// [`lzf::decode`] of the arguments, which hold `most` bytes at most. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn inflate_lzf(most: usize) -> i32 {
    inflated(|stored, output| {
        let most = most.min(lzf::most_bytes(stored.len()));
        lzf::decode(stored, &mut output.room(most)?[..most])
    })
}

/// [`blosc::decode`] of the arguments, which hold `most` bytes at most. Returns whether they stay shuffled. The results are as those of
/// [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn inflate_blosc(most: usize, width: usize) -> i32 {
    let mut stay_shuffled = false;
    let status = inflated(|stored, output| {
        let size = blosc::size(stored)?;
        if size > most {
            return Err(Error::invalid("compressed data claim more than they can hold"));
        }
        stay_shuffled = blosc::decode(stored, &mut output.room(size)?[..size], width)?;
        Ok(size)
    });
    if status < 0 { status } else { i32::from(stay_shuffled) }
}

/// [`box_column::unshuffle`] of the arguments. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn inflate_shuffled(width: usize) -> i32 {
    inflated(|stored, output| {
        box_column::unshuffle(stored, width, &mut output.room(stored.len())?[..stored.len()]);
        Ok(stored.len())
    })
}

/// [`zlib::inflate`] of the arguments, which hold `most` bytes at most. The results are where, until something else is inflated, and how
/// many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn zlib(most: usize) -> i32 {
    inflated(|stored, output| {
        let most = most.min(zlib::most_bytes(stored.len()));
        zlib::inflate(stored, &mut output.room(most)?[..most])
    })
}

/// [`lzw::inflate`] of the arguments to `most` bytes at most. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn inflate_lzw(most: usize) -> i32 {
    inflated(|stored, output| {
        let most = most.min(lzw::most_bytes(stored.len()));
        let room = output.room(most.saturating_add(lzw::SPARE))?;
        Ok(lzw::inflate(stored, 0, lzw::is_old(stored), room, most)?.len)
    })
}

/// [`lzw::inflate`] of the arguments, which are a part of a stream that begins with the bit `at`. Returns whether the stream is ended. The
/// results are as those of [`zlib`], and then the bit behind the last CLEAR and the bytes before it.
#[unsafe(no_mangle)]
pub extern "C" fn inflate_lzw_part(most: usize, at: usize, is_old: u32) -> i32 {
    let mut read = lzw::Read::default();
    let status = inflated(|stored, output| {
        read = lzw::inflate(stored, at, is_old != 0, output.room(most.saturating_add(lzw::SPARE))?, most)?;
        Ok(read.len)
    });
    if status < 0 {
        return status;
    }
    call(|state| {
        let (bit, bytes) = read.clear;
        state.results[2..].copy_from_slice(&[bit as u32, bytes as u32]);
        Ok(u32::from(read.is_ended))
    })
}

/// [`packbits::inflate`] of the arguments to `most` bytes at most. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn inflate_packbits(most: usize) -> i32 {
    inflated(|stored, output| {
        let most = most.min(packbits::most_bytes(stored.len()));
        packbits::inflate(stored, &mut output.room(most)?[..most])
    })
}

/// Room for bytes that the caller inflates, and for one more. The results are as those of [`zlib`]; the bytes are there when it has written
/// them.
#[unsafe(no_mangle)]
pub extern "C" fn inflated_room(bytes: usize) -> i32 {
    inflated(|_, output| {
        output.room(bytes)?;
        Ok(bytes)
    })
}

/// Undoes predictor 2 or 3 in what was inflated last: [`raster::undo`].
#[unsafe(no_mangle)]
pub extern "C" fn inflated_unpredict(
    predictor: u32,
    row_bytes: usize,
    samples: usize,
    sample_bytes: usize,
    is_big_endian: u32,
) -> i32 {
    call(|state| {
        let predictor = match predictor {
            2 => Predictor::Horizontal,
            3 => Predictor::Floating,
            _ => return Err(Error::Misuse("no such predictor")),
        };
        let rows = Rows { row_bytes, samples, sample_bytes };
        raster::undo(predictor, state.inflated.bytes_mut(), rows, is_big_endian != 0)?;
        Ok(0)
    })
}

/// Widens the samples of `rows` rows that were inflated last: [`raster::widen`]. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn inflated_widen(
    rows: usize,
    count: usize,
    bits: u32,
    value_bytes: usize,
    is_signed: u32,
    is_reversed: u32,
) -> i32 {
    let copied = inflated_as_arguments();
    if copied < 0 {
        return copied;
    }
    inflated(|stored, output| {
        let samples = Samples { bits, is_signed: is_signed != 0, is_reversed: is_reversed != 0, count, value_bytes };
        let size = rows.checked_mul(count).and_then(|values| values.checked_mul(value_bytes)).ok_or(Error::Memory)?;
        let values = &mut output.room(size)?[..size];
        values.fill(0);
        raster::widen(stored, values, samples)?;
        Ok(size)
    })
}

/// Puts the samples of pixels that were inflated last apart: [`raster::planes`]. The results are as those of [`zlib`].
#[unsafe(no_mangle)]
pub extern "C" fn inflated_planes(samples: usize, value_bytes: usize) -> i32 {
    let copied = inflated_as_arguments();
    if copied < 0 {
        return copied;
    }
    inflated(|pixels, output| {
        raster::planes(pixels, &mut output.room(pixels.len())?[..pixels.len()], samples, value_bytes)?;
        Ok(pixels.len())
    })
}

/// A column of `rows` numbers of `width` bytes, which are the first that were inflated last. The column may take their memory over.
#[unsafe(no_mangle)]
pub extern "C" fn inflated_column(width: usize, rows: usize) -> i32 {
    call(|state| {
        let bytes = rows.checked_mul(width).filter(|_| rows <= MAX_ROWS && matches!(width, 1 | 2 | 4 | 8));
        let values = state.inflated.take(bytes.ok_or(NUMBERS)?)?.ok_or(NUMBERS)?;
        state.columns.insert(Array { len: rows, validity: None, data: Data::Fixed { width, values } })
    })
}

const NUMBERS: Error = Error::Misuse("more numbers than were inflated");

/// Copies what was inflated last, so that something else is made of it.
fn inflated_as_arguments() -> i32 {
    call(|state| {
        let stored = state.inflated.bytes();
        state.arguments.room(stored.len())?.copy_from_slice(stored);
        Ok(0)
    })
}

/// Keeps as many bytes of the room as `inflate` returns.
fn inflated(inflate: impl FnOnce(&[u8], &mut Inflated) -> Result<usize>) -> i32 {
    call(|state| {
        state.inflated.clear(KEPT_SCRATCH);
        let size = inflate(&state.arguments, &mut state.inflated);
        state.arguments.clear(KEPT_SCRATCH);
        state.inflated.commit(size?);
        state.results[0] = state.inflated.bytes().as_ptr() as usize as u32;
        state.results[1] = state.inflated.len() as u32;
        Ok(0)
    })
}
