//! Bitmaps, offsets and text as they come in.

use crate::array::Offset;
use crate::bitmap::{Bitmap, word_count, zeroed_words};
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// `len` bits from bit `from` on.
pub fn bitmap(bytes: &[u8], from: usize, len: usize) -> Result<Bitmap> {
    let count = from + len;
    if bytes.len() < count.div_ceil(8) {
        return Err(Error::invalid("a bitmap is shorter than the rows"));
    }
    let mut words = zeroed_words(word_count(count))?;
    for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(whole);
    }
    Ok(Bitmap::shifted(words, from, len))
}

/// Offsets that do not decrease, moved so that they begin at 0. An empty array may have none.
pub fn checked_offsets<O: Offset + PartialOrd>(mut buffer: Buffer, len: usize) -> Result<Buffer> {
    let wanted = len.checked_add(1).and_then(|count| count.checked_mul(O::WIDTH)).ok_or(SHORT_OFFSETS)?;
    if len == 0 && buffer.is_empty() {
        return Buffer::zeroed(O::WIDTH);
    }
    if buffer.len() < wanted {
        return Err(SHORT_OFFSETS);
    }
    buffer.truncate(wanted);
    let offsets: &[O] = buffer.numbers();
    if offsets[0] < O::at(0)? {
        return Err(Error::invalid_at("a negative offset", 0));
    }
    if !offsets.is_sorted() {
        let row = offsets.windows(2).position(|pair| pair[1] < pair[0]).unwrap_or(0);
        return Err(Error::invalid_at("a decreasing offset", row));
    }
    O::rebase(buffer.numbers_mut());
    if O::fits_address(buffer.numbers()) {
        Ok(buffer)
    } else {
        Err(Error::invalid("an offset lies past the end of the values"))
    }
}

const SHORT_OFFSETS: Error = Error::invalid("fewer offsets than rows");

pub fn last<O: Offset>(offsets: &Buffer) -> usize {
    offsets.numbers::<O>().last().map_or(0, |offset| offset.position())
}

pub fn narrow_offsets(buffer: Buffer, len: usize) -> Result<Buffer> {
    let wide = checked_offsets::<i64>(buffer, len)?;
    let mut narrow = Buffer::zeroed((len + 1) * 4)?;
    for (narrow, wide) in narrow.numbers_mut::<i32>().iter_mut().zip(wide.numbers::<i64>()) {
        *narrow = i32::try_from(*wide).map_err(|_| Error::TooLong)?;
    }
    Ok(narrow)
}

/// Every value is UTF-8: the whole is, and no offset lies inside a character.
pub fn check_text(offsets: &[i32], bytes: &[u8]) -> Result<()> {
    if bytes.is_ascii() {
        return Ok(());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let row = offsets.partition_point(|offset| offset.position() <= error.valid_up_to());
        Error::invalid_at("text that is not UTF-8", row.saturating_sub(1))
    })?;
    match offsets.iter().position(|offset| !text.is_char_boundary(offset.position())) {
        Some(row) => Err(Error::invalid_at("text that is not UTF-8", row)),
        None => Ok(()),
    }
}
