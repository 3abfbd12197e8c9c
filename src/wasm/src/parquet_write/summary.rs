//! What is told of a chunk, as little-endian 32-bit integers; bytes of bounds lie between them as they are. `chunk-summary.ts` reads
//! it.

use super::bounds::Bounds;
use super::cut::Bound;
use super::order::Order;
use crate::error::{Error, Result};
use crate::scratch::Scratch;
use std::cmp::Ordering;

/// A data page.
pub struct Page {
    /// Its first byte in the chunk.
    pub at: usize,
    /// With its header.
    pub bytes: usize,
    pub rows: usize,
    pub nulls: usize,
    /// Of byte arrays, without their lengths.
    pub text_bytes: usize,
    pub bounds: Bounds,
}

/// What is told of the whole chunk.
pub struct Totals {
    /// Bytes of the dictionary page, 0: there is none.
    pub dictionary_bytes: usize,
    /// Bytes of all pages if none were compressed.
    pub plain_bytes: usize,
    pub order: Order,
}

/// Appends the totals, the bounds of the chunk, and each page with its bounds.
pub fn write(pages: &[Page], totals: &Totals, out: &mut Scratch) -> Result<()> {
    words(&[totals.dictionary_bytes, totals.plain_bytes, direction(pages, totals.order), pages.len()], out)?;
    bounds(whole(pages, totals.order), out)?;
    for page in pages {
        words(&[page.at, page.bytes, page.rows, page.nulls, page.text_bytes], out)?;
        bounds(ends(page), out)?;
    }
    Ok(())
}

type Ends<'a> = Option<(&'a Bound, &'a Bound)>;

fn ends(page: &Page) -> Ends<'_> {
    match &page.bounds {
        Bounds::Known { least, greatest } => Some((least, greatest)),
        _ => None,
    }
}

/// The bounds of all pages.
fn whole(pages: &[Page], order: Order) -> Ends<'_> {
    if pages.iter().any(|page| matches!(page.bounds, Bounds::Unknown)) {
        return None;
    }
    pages.iter().filter_map(ends).reduce(|(least, greatest), (other_least, other_greatest)| {
        // Of equal ones, a value itself is nearer than one that is beyond another value.
        let is_nearer = |other: &Bound, own: &Bound, side| match order.compare(&other.bytes, &own.bytes) {
            Ordering::Equal => other.is_exact,
            found => found == side,
        };
        (
            if is_nearer(other_least, least, Ordering::Less) { other_least } else { least },
            if is_nearer(other_greatest, greatest, Ordering::Greater) { other_greatest } else { greatest },
        )
    })
}

/// The order of the pages: 0: none, 1: ascending, 2: descending.
fn direction(pages: &[Page], order: Order) -> usize {
    let follow = |side: Ordering| {
        let mut last: Ends = None;
        pages.iter().filter_map(ends).all(|(least, greatest)| {
            let fits = last.is_none_or(|(least_before, greatest_before)| {
                order.compare(&least_before.bytes, &least.bytes) != side
                    && order.compare(&greatest_before.bytes, &greatest.bytes) != side
            });
            last = Some((least, greatest));
            fits
        })
    };
    if follow(Ordering::Greater) {
        1
    } else if follow(Ordering::Less) {
        2
    } else {
        0
    }
}

/// 0 if there are none; else 1, plus 2 if the least is exact, plus 4 if the greatest is; their lengths; their bytes.
fn bounds(ends: Ends, out: &mut Scratch) -> Result<()> {
    let Some((least, greatest)) = ends else { return words(&[0], out) };
    let flags = 1 | usize::from(least.is_exact) << 1 | usize::from(greatest.is_exact) << 2;
    words(&[flags, least.bytes.len(), greatest.bytes.len()], out)?;
    out.extend(&least.bytes)?;
    out.extend(&greatest.bytes)
}

fn words(words: &[usize], out: &mut Scratch) -> Result<()> {
    words.iter().try_for_each(|&word| out.extend(&u32::try_from(word).map_err(|_| Error::TooLong)?.to_le_bytes()))
}
