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
/// Edges that are tested plainly in the time that one cell takes to be made.
const EDGES_PER_CELL: u64 = 8;

/// Geometries, the last one used first.
#[derive(Default)]
pub struct Prepared {
    entries: Vec<Entry>,
}

struct Entry {
    bytes: Vec<u8>,
    /// Points that were asked about so far.
    points: usize,
    /// None: not made yet; or there is none.
    index: Option<Option<Index>>,
}

impl Prepared {
    /// None.
    pub const fn new() -> Self {
        Prepared { entries: Vec::new() }
    }

    /// The index of a geometry that came as `bytes` and is asked about `points` points more; none: it does not pay yet, or
    /// cannot be made.
    pub fn index(&mut self, bytes: &[u8], geometry: &Geometry, points: usize) -> Result<Option<&Index>> {
        let edges = geometry.edges();
        if edges <= FEW_EDGES || geometry.rectangle().is_some() {
            return Ok(None);
        }
        let place = match self.entries.iter().position(|entry| entry.bytes == bytes) {
            Some(place) => place,
            None => {
                self.make_room(bytes.len());
                let mut entry = Entry { bytes: Vec::new(), points: 0, index: None };
                entry.bytes.try_reserve_exact(bytes.len())?;
                entry.bytes.extend_from_slice(bytes);
                self.entries.try_reserve(1)?;
                self.entries.push(entry);
                self.entries.len() - 1
            }
        };
        self.entries[..=place].rotate_right(1);
        let entry = &mut self.entries[0];
        entry.points = entry.points.saturating_add(points);
        let pays = entry.points as u64 * edges as u64 >= EDGES_PER_CELL * Index::cells(edges) as u64;
        if entry.index.is_none() && pays {
            entry.index = Some(Index::new(geometry)?);
        }
        Ok(entry.index.as_ref().and_then(Option::as_ref))
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    fn make_room(&mut self, bytes: usize) {
        let taken =
            |entry: &Entry| entry.bytes.capacity() + entry.index.iter().flatten().map(Index::allocated).sum::<usize>();
        while self.entries.len() >= KEPT || self.entries.iter().map(taken).sum::<usize>() + bytes > KEPT_BYTES {
            if self.entries.pop().is_none() {
                return;
            }
        }
    }
}
