//! Numbers and flat arrays as bytes, and back.

use crate::array::{Array, Data};
use crate::assemble::{Assembly, Layout};
use crate::buffer::{Buffer, Number, bytes_of};
use crate::error::{Error, Result};
use crate::flat::Shape;
use crate::scratch::Scratch;
use crate::types::{Physical, Type};
use crate::vectors::with_room;

/// What bytes are that no table wrote.
pub const DAMAGED: Error = Error::invalid("damaged groups");

/// Numbers that are copied at a time.
const BATCH: usize = 1024;

/// Appends numbers.
pub fn put<T: Number>(out: &mut Scratch, numbers: &[T]) -> Result<()> {
    out.extend(bytes_of(numbers))?;
    out.pad();
    Ok(())
}

/// Appends a flat array: what follows (its validity, a dictionary), the buffers, the values of a dictionary.
pub fn put_array(out: &mut Scratch, array: &Array) -> Result<()> {
    let entries = match &array.data {
        Data::Dictionary { values, .. } => 1 + values.len as u64,
        _ => 0,
    };
    put(out, &[array.validity.is_some() as u64, entries])?;
    if let Some(validity) = &array.validity {
        put_buffer(out, validity.words())?;
    }
    match &array.data {
        Data::Bool(bits) => put_buffer(out, bits.words()),
        Data::Fixed { values, .. } => put_buffer(out, values.bytes()),
        Data::Bytes { offsets, values } => {
            put_buffer(out, offsets.bytes())?;
            put_buffer(out, values.bytes())
        }
        Data::Dictionary { indices, values } => {
            put_buffer(out, indices.bytes())?;
            put_array(out, values)
        }
        // Groups have no others.
        _ => Ok(()),
    }
}

fn put_buffer<T: Number>(out: &mut Scratch, numbers: &[T]) -> Result<()> {
    put(out, &[size_of_val(numbers) as u64])?;
    put(out, numbers)
}

/// Appends numbers that are as wide as words, or wider.
pub fn put_all<T: Number>(out: &mut Scratch, mut numbers: impl Iterator<Item = T>) -> Result<()> {
    let mut batch = with_room(BATCH)?;
    loop {
        batch.clear();
        batch.extend(numbers.by_ref().take(BATCH));
        if batch.is_empty() {
            return Ok(());
        }
        put(out, &batch)?;
    }
}

/// Bytes that are still to be read.
pub struct Reader<'a> {
    pub bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The next numbers.
    pub fn numbers<T: Number>(&mut self, count: usize) -> Result<Buffer> {
        let bytes = self.take(count.checked_mul(size_of::<T>()).ok_or(DAMAGED)?)?;
        let mut buffer = Buffer::zeroed(bytes.len())?;
        buffer.bytes_mut().copy_from_slice(bytes);
        Ok(buffer)
    }

    /// The next array, of `len` rows.
    pub fn array(&mut self, len: usize, shape: Shape, ty: Type) -> Result<Array> {
        let (has_validity, entries) = self.head()?;
        if entries == 0 {
            return self.plain(len, shape, ty, has_validity);
        }
        let mut assembly = Assembly::new(Layout::Dictionary { index: Physical::U32 }, len, 0)?;
        if has_validity {
            self.buffer(&mut assembly, 0)?;
        }
        self.buffer(&mut assembly, 1)?;
        let values = match self.head()? {
            (false, 0) => self.plain(entries - 1, shape, ty, false)?,
            _ => return Err(DAMAGED),
        };
        assembly.child(values)?;
        assembly.finish()
    }

    fn plain(&mut self, len: usize, shape: Shape, ty: Type, has_validity: bool) -> Result<Array> {
        let (layout, buffers) = match shape {
            Shape::Null => (Layout::Null, 0),
            Shape::Bool => (Layout::Bool, 1),
            Shape::Fixed(width) => (Layout::Fixed { width }, 1),
            Shape::Bytes => (Layout::Bytes { large: false, text: ty == Type::Utf8 }, 2),
        };
        let mut assembly = Assembly::new(layout, len, 0)?;
        for index in (1 - has_validity as usize)..=buffers {
            self.buffer(&mut assembly, index)?;
        }
        assembly.finish()
    }

    /// Whether an array has a validity; how many values its dictionary has plus one, or 0.
    fn head(&mut self) -> Result<(bool, usize)> {
        let head = self.numbers::<u64>(2)?;
        let [has_validity, entries] = head.numbers::<u64>()[..] else { return Err(DAMAGED) };
        Ok((has_validity != 0, usize::try_from(entries).map_err(|_| DAMAGED)?))
    }

    fn buffer(&mut self, assembly: &mut Assembly, index: usize) -> Result<()> {
        let len = self.numbers::<u64>(1)?.numbers::<u64>().first().copied().ok_or(DAMAGED)?;
        let bytes = self.take(usize::try_from(len).map_err(|_| DAMAGED)?)?;
        assembly.buffer(index, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    /// The next bytes; what pads them is passed over.
    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(len).ok_or(DAMAGED)?;
        let padding = len.wrapping_neg() % 8;
        self.bytes = rest.get(padding..).ok_or(DAMAGED)?;
        Ok(taken)
    }
}
