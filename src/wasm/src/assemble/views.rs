//! Views, which become offsets.

use super::SHORT;
use crate::array::Data;
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::error::{Error, Result};

/// Views to offsets (Arrow columnar format, "Variable-size Binary View Layout"). What a null row's view says is ignored.
pub fn copy_views(views: &Buffer, data: &[Buffer], validity: Option<&Bitmap>, len: usize) -> Result<Data> {
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
