//! Values that are true or false.

use super::fills::{unless_all, words};
use crate::array::{Array, Data};
use crate::bitmap::Bitmap;
use crate::error::Result;

/// The column of stored bytes. 0 is false, all others are true, and a fill is one of both.
pub fn decode(stored: &[u8], fills: &[Vec<u8>]) -> Result<Array> {
    let fills = words(fills, |[byte]| byte != 0)?;
    let bits = Bitmap::from_fn(stored.len(), |row| stored[row] != 0)?;
    let validity = match fills[..] {
        [] => None,
        _ => unless_all(Bitmap::from_fn(stored.len(), |row| !fills.contains(&bits.get(row)))?),
    };
    Ok(Array { len: stored.len(), validity, data: Data::Bool(bits) })
}
