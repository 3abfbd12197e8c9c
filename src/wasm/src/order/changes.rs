//! Where rows differ from those before them.

use super::Key;
use crate::error::Result;
use crate::scratch::Scratch;
use std::cmp::Ordering;

/// Appends a byte for each row: the bits of all keys in which it differs from the row before it. Nulls are equal to each other.
/// The first row has no bits.
pub fn changes(keys: &[(Key, u8)], rows: usize, out: &mut Scratch) -> Result<()> {
    out.space(rows)?.fill(0);
    out.commit(rows);
    for (key, bits) in keys {
        for (before, changed) in out.written_mut().iter_mut().skip(1).enumerate() {
            if key.compare(before, before + 1) != Ordering::Equal {
                *changed |= bits;
            }
        }
    }
    Ok(())
}
