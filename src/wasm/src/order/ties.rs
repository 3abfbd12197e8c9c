//! Rows whose prefixes are equal.

use super::{Key, Ranked};
use crate::cancel::Watch;
use crate::error::Result;
use crate::pieces;
use std::cmp::Ordering;

/// Rows that are sorted by comparing their values: to rank them by the next key would not pay.
const FEW: usize = 24;

/// Keys that are ranked; those after them are compared.
const MOST_RANKED: usize = 8;

/// Puts rows that are sorted by the prefixes of `key` (none: they are all null in it) into the order of its values, and of
/// the keys after it.
pub fn resolve(rows: &mut [Ranked], key: Option<&Key>, rest: &[Key]) -> Result<()> {
    resolve_to(rows, key, rest, MOST_RANKED, &mut Watch::default())
}

fn resolve_to(
    rows: &mut [Ranked],
    key: Option<&Key>,
    rest: &[Key],
    depth: usize,
    watch: &mut Watch,
) -> Result<()> {
    if rest.is_empty() && key.is_none_or(Key::always_decides) {
        return Ok(());
    }
    for ties in rows.chunk_by_mut(|a, b| a.0 == b.0).filter(|ties| ties.len() > 1) {
        watch.passed(ties.len())?;
        let is_equal = key.is_none_or(|key| key.decides(ties[0].0));
        match rest {
            [] if is_equal => {}
            [next, rest @ ..] if is_equal && ties.len() > FEW && depth > 0 => {
                for row in &mut *ties {
                    row.0 = if next.is_null(row.1 as usize) { 0 } else { next.prefix(row.1 as usize) };
                }
                pieces::sort_by_key(ties, |row| (next.null_rank(row.1 as usize), *row))?;
                let second = ties.partition_point(|row| next.null_rank(row.1 as usize) == 0);
                let (first, second) = ties.split_at_mut(second);
                for part in [first, second] {
                    let is_null = part.first().is_some_and(|row| next.is_null(row.1 as usize));
                    resolve_to(part, (!is_null).then_some(next), rest, depth - 1, watch)?;
                }
            }
            _ => pieces::sort_by(ties, |a, b| compare(*a, *b, key, rest))?,
        }
    }
    Ok(())
}

/// The order of two rows whose prefixes are equal.
pub fn compare(a: Ranked, b: Ranked, key: Option<&Key>, rest: &[Key]) -> Ordering {
    let (left, right) = (a.1 as usize, b.1 as usize);
    if let Some(key) = key.filter(|key| !key.decides(a.0)) {
        let order = key.compare_valid(left, right);
        if order != Ordering::Equal {
            return order;
        }
    }
    let order = rest.iter().map(|key| key.compare(left, right)).find(|order| *order != Ordering::Equal);
    order.unwrap_or(a.1.cmp(&b.1))
}
