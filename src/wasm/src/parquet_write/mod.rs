//! Column chunks of Parquet: an optional dictionary page, then data pages of version 1, each compressed by Zstandard and with a
//! checksum; and a summary of them for the footer and the page index.

mod bounds;
mod cut;
mod dictionary;
mod header;
mod hybrid;
mod levels;
mod order;
mod page;
mod plain;
mod stored;
mod summary;

use crate::array::{Array, Data};
use crate::compression::Compressor;
use crate::error::{Error, Result};
use crate::rows;
use crate::run::Run;
use crate::scratch::Scratch;
use crate::types::Type;
use bounds::Finder;
use dictionary::Dictionary;
use levels::Levels;
use order::Order;
use page::Pages;
use summary::{Page, Totals};

/// What is written of a column.
#[derive(Clone, Copy)]
pub struct Chunk {
    pub ty: Type,
    /// Bytes of a stored decimal: 4 and 8 of an integer, else as many with the highest first. Of other types it counts for nothing.
    pub width: usize,
    pub rows: Run,
    /// Whether the column may have nulls: it then has definition levels.
    pub is_optional: bool,
    /// As of [`crate::group::Groups::new`]. The bytes do not depend on it.
    pub seed: u64,
}

/// Writes the pages of a flat column, and their summary (`chunk-summary.ts` reads it). Both are the same however the column is
/// held in memory.
pub fn write(
    array: &Array,
    chunk: &Chunk,
    compressor: &mut Compressor,
    out: &mut Scratch,
    summary: &mut Scratch,
) -> Result<()> {
    let sliced = sliced(array, chunk.rows)?;
    let array = sliced.as_ref().unwrap_or(array);
    let levels = Levels::of(array, chunk.is_optional)?;
    let known = known(array)?;
    let array = known.as_ref().unwrap_or(array);
    let stored = stored::stored(array, chunk.ty, chunk.width)?;
    let array = stored.as_ref().unwrap_or(array);

    let dictionary = Dictionary::of(array, chunk.seed)?;
    let decoded = if dictionary.is_none() { array.decoded()? } else { None };
    let values = Values { array: decoded.as_ref().unwrap_or(array), dictionary: dictionary.as_ref() };
    let mut pages = Pages { compressor, out, plain_bytes: 0 };
    if let Some(dictionary) = values.dictionary {
        pages.dictionary(dictionary)?;
    }
    let dictionary_bytes = pages.out.len();
    let order = Order::of(chunk.ty, values.array);
    let mut bounds = Finder::new(order, &values)?;
    let mut list = Vec::new();
    let (mut row, mut value) = (0, 0);
    while row < chunk.rows.len {
        let (rows, known) = page_rows(&levels, &values, row, value, chunk.rows.len - row);
        let at = pages.out.len();
        let range = value..value + known;
        pages.data(&levels, Run { start: row, len: rows }, &values, range.clone())?;
        list.try_reserve(1)?;
        list.push(Page {
            at,
            bytes: pages.out.len() - at,
            rows,
            nulls: rows - known,
            text_bytes: plain::text_bytes(&values, range.clone()),
            bounds: bounds.of_page(&values, range)?,
        });
        (row, value) = (row + rows, value + known);
    }
    summary::write(&list, &Totals { dictionary_bytes, plain_bytes: pages.plain_bytes, order }, summary)
}

/// The values of a chunk that are not null, as they are stored.
#[derive(Clone, Copy)]
struct Values<'a> {
    /// Of byte arrays that have a dictionary, it may be one itself.
    array: &'a Array,
    dictionary: Option<&'a Dictionary>,
}

/// Rows of a page.
const PAGE_ROWS: usize = 20_000;
/// Bytes of the plain values of a page, unless a single row has more.
const PAGE_BYTES: usize = 1 << 20;

/// The rows of the next page, and how many of them are not null.
fn page_rows(levels: &Levels, values: &Values, row: usize, value: usize, left: usize) -> (usize, usize) {
    let mut rows = left.min(PAGE_ROWS);
    loop {
        let known = levels.known(Run { start: row, len: rows });
        // Numbers of a dictionary are short, whatever the values are.
        if rows == 1 || values.dictionary.is_some() || plain::len(values.array, value..value + known) <= PAGE_BYTES {
            return (rows, known);
        }
        rows /= 2;
    }
}

/// The rows of a run, one by one unless they are byte arrays of a dictionary. None: they are the whole column, and are that already.
fn sliced(array: &Array, run: Run) -> Result<Option<Array>> {
    if run.start.checked_add(run.len).is_none_or(|end| end > array.len) {
        return Err(Error::Misuse("rows past the end of a column"));
    }
    let taken = if run.len == array.len { None } else { Some(array.take(&[run])?) };
    let is_text = match &array.data {
        Data::Dictionary { values, .. } => matches!(values.data, Data::Bytes { .. }),
        _ => false,
    };
    if is_text {
        return Ok(taken);
    }
    let decoded = taken.as_ref().unwrap_or(array).decoded()?;
    Ok(decoded.or(taken))
}

/// The rows that are not null. None: all are.
fn known(array: &Array) -> Result<Option<Array>> {
    match (&array.data, &array.validity) {
        (Data::Null, _) => array.take(&[]).map(Some),
        (_, None) => Ok(None),
        (_, Some(validity)) => array.take(&rows::select(Some(validity), array.len, 0, array.len)?.runs).map(Some),
    }
}
