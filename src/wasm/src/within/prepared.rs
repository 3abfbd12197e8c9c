//! The last geometries with an index: the units of a query all ask about the same ones.

use super::geometry::Geometry;
use super::index::Index;
use crate::error::Result;

/// Geometries that are kept.
const KEPT: usize = 4;
/// Bytes that they take together, unless it is one.
const KEPT_BYTES: usize = 16 << 20;
/// Edges that are gone through as quickly as a cell is found.
const FEW_EDGES: usize = 8;
/// Points that an index pays for: to make it takes as long as to test about so many.
const FEW_POINTS: usize = 256;

/// Geometries, the last one used first.
#[derive(Default)]
pub struct Prepared {
    entries: Vec<Entry>,
}

struct Entry {
    bytes: Vec<u8>,
    /// None: it can have no index.
    index: Option<Index>,
}

impl Prepared {
    /// None.
    pub const fn new() -> Self {
        Prepared { entries: Vec::new() }
    }

    /// The index of a geometry that came as `bytes`, where it pays for `points` points; made where it is not there yet.
    pub fn index(&mut self, bytes: &[u8], geometry: &Geometry, points: usize) -> Result<Option<&Index>> {
        if geometry.edges() <= FEW_EDGES || geometry.rectangle().is_some() {
            return Ok(None);
        }
        let place = match self.entries.iter().position(|entry| entry.bytes == bytes) {
            Some(place) => place,
            None if points < FEW_POINTS => return Ok(None),
            None => {
                self.make_room(bytes.len());
                let mut entry = Entry { bytes: Vec::new(), index: Index::new(geometry)? };
                entry.bytes.try_reserve_exact(bytes.len())?;
                entry.bytes.extend_from_slice(bytes);
                self.entries.try_reserve(1)?;
                self.entries.push(entry);
                self.entries.len() - 1
            }
        };
        self.entries[..=place].rotate_right(1);
        Ok(self.entries[0].index.as_ref())
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    fn make_room(&mut self, bytes: usize) {
        let taken = |entry: &Entry| entry.bytes.capacity() + entry.index.as_ref().map_or(0, Index::allocated);
        while self.entries.len() >= KEPT || self.entries.iter().map(taken).sum::<usize>() + bytes > KEPT_BYTES {
            if self.entries.pop().is_none() {
                return;
            }
        }
    }
}
