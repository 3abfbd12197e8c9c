//! Columns of many small files that are laid out alike.

use super::footer::{Footer, Layout};
use super::kind::Kind;
use super::pages::{is_memory, read_chunk};
use crate::array::Array;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::gather::{Source, gather};
use crate::run::Run;
use crate::vectors::copied;

/// A column of a pack.
pub struct PackColumn {
    /// The index of its leaf in the schema.
    pub leaf: usize,
    /// Parquet's number of its physical type.
    pub physical: u32,
    pub kind: Kind,
}

/// Files of one layout, whose rows follow each other.
pub struct Pack {
    schema: Vec<u8>,
    hint: Option<Vec<u8>>,
    columns: Vec<PackColumn>,
    /// The arrays of each column, one for each file.
    arrays: Vec<Vec<Array>>,
    /// The file that is read next.
    file: Buffer,
    len: usize,
}

impl Pack {
    /// No files yet, of the layout of `file`. `Ok(None)`: the file is not laid out in a way that this reads.
    pub fn new(file: &[u8], columns: Vec<PackColumn>) -> Result<Option<Self>> {
        let Some((Footer { layout: Layout { schema, hint }, .. }, _)) = Footer::of_file(file) else { return Ok(None) };
        let mut arrays = Vec::new();
        arrays.try_reserve_exact(columns.len())?;
        arrays.resize_with(columns.len(), Vec::new);
        let hint = hint.map(copied).transpose()?;
        Ok(Some(Pack { schema: copied(schema)?, hint, columns, arrays, file: Buffer::empty(), len: 0 }))
    }

    /// Room for the bytes of a file.
    pub fn room(&mut self, bytes: usize) -> Result<&mut [u8]> {
        if self.file.len() < bytes {
            self.file = Buffer::empty();
            self.file = Buffer::zeroed(bytes)?;
        }
        self.len = bytes;
        Ok(&mut self.file.bytes_mut()[..bytes])
    }

    /// Appends the rows of the file that was written last, of which there are so many. False: it is laid out in another way, or is not what
    /// it says, so that it has to be read by itself. Nothing of it is kept then.
    pub fn add(&mut self, rows: usize) -> Result<bool> {
        for arrays in &mut self.arrays {
            arrays.try_reserve(1)?;
        }
        let mut added = 0;
        let outcome = self.read(rows, |arrays, array| {
            arrays.push(array);
            added += 1;
        });
        if matches!(outcome, Ok(true)) {
            return outcome;
        }
        for arrays in &mut self.arrays[..added] {
            arrays.pop();
        }
        match outcome {
            Err(error) if is_memory(error) => Err(error),
            _ => Ok(false),
        }
    }

    fn read(&mut self, rows: usize, mut push: impl FnMut(&mut Vec<Array>, Array)) -> Result<bool> {
        let file = &self.file.bytes()[..self.len];
        let Some((footer, data)) = Footer::of_file(file) else { return Ok(false) };
        let layout = Layout { schema: &self.schema, hint: self.hint.as_deref() };
        if footer.layout != layout || footer.rows != rows {
            return Ok(false);
        }
        for (column, arrays) in self.columns.iter().zip(&mut self.arrays) {
            let metadata = footer.chunks().nth(column.leaf).flatten();
            let Some(chunk) = metadata.and_then(|metadata| metadata.within(data)) else { return Ok(false) };
            if chunk.physical != column.physical {
                return Ok(false);
            }
            let Some(array) = read_chunk(&chunk, column.kind, rows)? else { return Ok(false) };
            push(arrays, array);
        }
        Ok(true)
    }

    /// The rows of all files in one column.
    pub fn column(&mut self, index: usize) -> Result<Array> {
        let arrays = self.arrays.get_mut(index).map(std::mem::take).ok_or(UNKNOWN)?;
        let mut runs = Vec::new();
        runs.try_reserve_exact(arrays.len())?;
        runs.extend(arrays.iter().map(|array| [Run { start: 0, len: array.len }]));
        let mut sources = Vec::new();
        sources.try_reserve_exact(arrays.len())?;
        sources.extend(arrays.iter().zip(&runs).map(|(array, runs)| Source { array, runs }));
        gather(&sources)
    }
}

const UNKNOWN: Error = Error::Misuse("a pack has no such column");
