//! An array from foreign buffers: everything that the rest of the core relies on is checked here, once, and the encodings
//! of one and the same values (large offsets, views, dictionaries) are brought to one.

use crate::array::{Array, Data, MAX_DEPTH, MAX_ROWS, Offset};
use crate::bitmap::{Bitmap, word_count, zeroed_words};
use crate::buffer::{Buffer, Number};
use crate::error::{Error, Result};
use crate::rows::Run;
use crate::types::Physical;

/// Layouts that arrays come in. Buffer 0 is always the validity; what the others are is said at each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// No buffers, not even a validity.
    Null,
    /// 1: bits.
    Bool,
    /// 1: values of `width` bytes.
    Fixed { width: usize },
    /// 1: `i32` offsets (`i64` if `large`), 2: the bytes from the first offset to the last.
    Bytes { large: bool, text: bool },
    /// 1: views of 16 bytes, 2 and following: the data buffers.
    View { text: bool },
    /// 1: `i32` offsets (`i64` if `large`); child: the items from the first offset to the last.
    List { large: bool },
    /// Child: `size` items a row.
    FixedList { size: usize },
    /// Children: the fields.
    Struct,
    /// 1: indices; child: the values.
    Dictionary { index: Physical },
}

impl Layout {
    /// From the loader's two numbers (`assembly.ts`): the layout, and its width, size or index type.
    pub fn from_code(code: u32, parameter: usize) -> Result<Self> {
        Ok(match code {
            0 => Layout::Null,
            1 => Layout::Bool,
            2 => Layout::Fixed { width: parameter },
            3 => Layout::Bytes { large: false, text: false },
            4 => Layout::Bytes { large: false, text: true },
            5 => Layout::Bytes { large: true, text: false },
            6 => Layout::Bytes { large: true, text: true },
            7 => Layout::View { text: false },
            8 => Layout::View { text: true },
            9 => Layout::List { large: false },
            10 => Layout::List { large: true },
            11 => Layout::FixedList { size: parameter },
            12 => Layout::Struct,
            13 => Layout::Dictionary {
                index: match parameter {
                    0 => Physical::I8,
                    1 => Physical::I16,
                    2 => Physical::I32,
                    3 => Physical::I64,
                    4 => Physical::U8,
                    5 => Physical::U16,
                    6 => Physical::U32,
                    7 => Physical::U64,
                    _ => return Err(Error::Misuse("unknown index type")),
                },
            },
            _ => return Err(Error::Misuse("unknown layout code")),
        })
    }
}

/// An array while its buffers and children come in.
pub struct Assembly {
    layout: Layout,
    len: usize,
    /// Bits to skip at the start of the validity and of `Bool` values.
    bit: usize,
    validity: Option<Buffer>,
    /// Buffers 1 and following.
    buffers: Vec<Buffer>,
    children: Vec<Array>,
}

impl Assembly {
    /// An array of `len` rows, bitmaps beginning at bit `bit` (below 8).
    pub fn new(layout: Layout, len: usize, bit: usize) -> Result<Self> {
        if len > MAX_ROWS {
            return Err(Error::invalid("more than 2^31 rows"));
        }
        if bit >= 8 {
            return Err(Error::Misuse("a bit offset above 7"));
        }
        Ok(Assembly { layout, len, bit, validity: None, buffers: Vec::new(), children: Vec::new() })
    }

    /// Room for the next buffer. The validity is number 0 and may be left out.
    pub fn buffer(&mut self, index: usize, bytes: usize) -> Result<&mut [u8]> {
        let buffer = if index == 0 {
            self.validity.insert(Buffer::zeroed(bytes)?)
        } else if index == self.buffers.len() + 1 {
            self.buffers.try_reserve(1)?;
            self.buffers.push_mut(Buffer::zeroed(bytes)?)
        } else {
            return Err(Error::Misuse("buffers out of order"));
        };
        Ok(buffer.bytes_mut())
    }

    /// Adds the next child.
    pub fn child(&mut self, child: Array) -> Result<()> {
        if child.depth() >= MAX_DEPTH {
            return Err(Error::invalid("nested more than 64 levels deep"));
        }
        self.children.try_reserve(1)?;
        self.children.push(child);
        Ok(())
    }

    /// Checks and normalises.
    pub fn finish(mut self) -> Result<Array> {
        let len = self.len;
        let validity = match self.validity.take() {
            Some(bits) if self.layout != Layout::Null => {
                let bits = bitmap(bits.bytes(), self.bit, len)?;
                (bits.count() < len).then_some(bits)
            }
            _ => None,
        };
        let data = match self.layout {
            Layout::Null => Data::Null,
            Layout::Bool => Data::Bool(bitmap(self.next_buffer()?.bytes(), self.bit, len)?),
            Layout::Fixed { width } => {
                let mut values = self.next_buffer()?;
                let wanted = len.checked_mul(width).ok_or(SHORT)?;
                if values.len() < wanted {
                    return Err(SHORT);
                }
                values.truncate(wanted);
                Data::Fixed { width, values }
            }
            Layout::Bytes { large, text } => {
                let offsets = self.next_buffer()?;
                let offsets = if large { narrow_offsets(offsets, len)? } else { checked_offsets::<i32>(offsets, len)? };
                let end = last::<i32>(&offsets);
                let mut values = self.next_buffer()?;
                if values.len() < end {
                    return Err(Error::invalid("an offset lies past the end of the values"));
                }
                values.truncate(end);
                if text {
                    check_text(offsets.numbers(), values.bytes())?;
                }
                Data::Bytes { offsets, values }
            }
            Layout::View { text } => {
                let views = self.next_buffer()?;
                let data = copy_views(&views, &self.buffers, validity.as_ref(), len)?;
                if text && let Data::Bytes { offsets, values } = &data {
                    check_text(offsets.numbers(), values.bytes())?;
                }
                data
            }
            Layout::List { large: false } => {
                let offsets = checked_offsets::<i32>(self.next_buffer()?, len)?;
                let items = self.items(last::<i32>(&offsets))?;
                Data::List { offsets, items }
            }
            Layout::List { large: true } => {
                let offsets = checked_offsets::<i64>(self.next_buffer()?, len)?;
                let items = self.items(last::<i64>(&offsets))?;
                Data::LargeList { offsets, items }
            }
            Layout::FixedList { size } => {
                let wanted = len.checked_mul(size).ok_or(Error::invalid("too few list items"))?;
                Data::FixedList { size, items: self.items(wanted)? }
            }
            Layout::Struct => {
                if self.children.iter().any(|field| field.len != len) {
                    return Err(Error::invalid("fields of a struct have different lengths"));
                }
                Data::Struct(self.children)
            }
            Layout::Dictionary { index } => {
                let values = self.children.pop().ok_or(Error::Misuse("a dictionary without values"))?;
                return decode(&self.next_buffer()?, index, &values, validity, len);
            }
        };
        Ok(Array { len, validity, data })
    }

    fn next_buffer(&mut self) -> Result<Buffer> {
        if self.buffers.is_empty() { Err(Error::invalid("a buffer is missing")) } else { Ok(self.buffers.remove(0)) }
    }

    fn items(&mut self, wanted: usize) -> Result<Box<Array>> {
        let items = self.children.pop().ok_or(Error::Misuse("a list without items"))?;
        if items.len < wanted {
            return Err(Error::invalid("an offset lies past the end of the list items"));
        }
        Ok(Box::new(items))
    }
}

const SHORT: Error = Error::invalid("fewer values than rows");

/// `len` bits from bit `from` on.
fn bitmap(bytes: &[u8], from: usize, len: usize) -> Result<Bitmap> {
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
fn checked_offsets<O: Offset + PartialOrd>(mut buffer: Buffer, len: usize) -> Result<Buffer> {
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

fn last<O: Offset>(offsets: &Buffer) -> usize {
    offsets.numbers::<O>().last().map_or(0, |offset| offset.position())
}

fn narrow_offsets(buffer: Buffer, len: usize) -> Result<Buffer> {
    let wide = checked_offsets::<i64>(buffer, len)?;
    let mut narrow = Buffer::zeroed((len + 1) * 4)?;
    for (narrow, wide) in narrow.numbers_mut::<i32>().iter_mut().zip(wide.numbers::<i64>()) {
        *narrow = i32::try_from(*wide).map_err(|_| Error::TooLong)?;
    }
    Ok(narrow)
}

/// Every value is UTF-8: the whole is, and no offset lies inside a character.
fn check_text(offsets: &[i32], bytes: &[u8]) -> Result<()> {
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

/// Views to offsets (Arrow columnar format, "Variable-size Binary View Layout"). What a null row's view says is ignored.
fn copy_views(views: &Buffer, data: &[Buffer], validity: Option<&Bitmap>, len: usize) -> Result<Data> {
    let views = views.numbers::<[i32; 4]>().get(..len).ok_or(SHORT)?;
    let is_null = |row| validity.is_some_and(|validity| !validity.get(row));
    let mut offsets = Buffer::zeroed((len + 1).checked_mul(4).ok_or(Error::Memory)?)?;
    let ends = offsets.numbers_mut::<i32>();
    let mut end = 0i32;
    for (row, view) in views.iter().enumerate() {
        if !is_null(row) {
            if view[0] < 0 {
                return Err(Error::invalid_at("a view of negative length", row));
            }
            end = end.checked_add(view[0]).ok_or(Error::TooLong)?;
        }
        ends[row + 1] = end;
    }
    let mut values = Buffer::zeroed(end as usize)?;
    let mut rest = values.bytes_mut();
    for (row, view) in views.iter().enumerate() {
        if is_null(row) {
            continue;
        }
        let (out, tail) = std::mem::take(&mut rest).split_at_mut(view[0] as usize);
        rest = tail;
        if out.len() <= 12 {
            let inline = [view[1].to_le_bytes(), view[2].to_le_bytes(), view[3].to_le_bytes()];
            out.copy_from_slice(&inline.as_flattened()[..out.len()]);
            continue;
        }
        let source = usize::try_from(view[2]).ok().and_then(|index| data.get(index));
        let from = usize::try_from(view[3]).ok();
        let bytes = source.zip(from).and_then(|(source, from)| source.bytes().get(from..)?.get(..out.len()));
        out.copy_from_slice(bytes.ok_or(Error::invalid_at("a view past the end of its data", row))?);
    }
    Ok(Data::Bytes { offsets, values })
}

/// The values that the indices name. Indices of null rows are ignored.
fn decode(indices: &Buffer, index: Physical, values: &Array, validity: Option<Bitmap>, len: usize) -> Result<Array> {
    let runs = match index {
        Physical::I8 => runs_of::<i8>(indices, values.len, validity.as_ref(), len)?,
        Physical::I16 => runs_of::<i16>(indices, values.len, validity.as_ref(), len)?,
        Physical::I32 => runs_of::<i32>(indices, values.len, validity.as_ref(), len)?,
        Physical::I64 => runs_of::<i64>(indices, values.len, validity.as_ref(), len)?,
        Physical::U8 => runs_of::<u8>(indices, values.len, validity.as_ref(), len)?,
        Physical::U16 => runs_of::<u16>(indices, values.len, validity.as_ref(), len)?,
        Physical::U32 => runs_of::<u32>(indices, values.len, validity.as_ref(), len)?,
        _ => runs_of::<u64>(indices, values.len, validity.as_ref(), len)?,
    };
    let Some(runs) = runs else {
        return values.nulls(len);
    };
    let mut array = values.take(&runs)?;
    array.validity = match (array.validity.take(), validity) {
        (Some(of_values), Some(of_rows)) => Some(of_values.zip(&of_rows, |a, b| a & b)?),
        (one, other) => one.or(other),
    };
    Ok(array)
}

/// One run a row; a null row takes the first value. None where there are no values and every row is null.
fn runs_of<I: Number + TryInto<usize>>(
    indices: &Buffer,
    values: usize,
    validity: Option<&Bitmap>,
    len: usize,
) -> Result<Option<Vec<Run>>> {
    let indices = indices.numbers::<I>().get(..len).ok_or(SHORT)?;
    let is_null = |row| validity.is_some_and(|validity: &Bitmap| !validity.get(row));
    if values == 0 && len > 0 && (0..len).all(is_null) {
        return Ok(None);
    }
    let mut runs = Vec::new();
    runs.try_reserve_exact(len)?;
    for (row, &index) in indices.iter().enumerate() {
        let start = match index.try_into() {
            Ok(start) if start < values => start,
            _ if is_null(row) => 0,
            _ => return Err(Error::invalid_at("a dictionary index out of range", row)),
        };
        runs.push(Run { start, len: 1 });
    }
    Ok(Some(runs))
}
