//! Columns by handle; several handles may hold one column.

use crate::array::Array;
use crate::error::Result;
use crate::handles::Handles;
use crate::run::Run;
use std::rc::Rc;

/// The live columns. Each is there until its last handle is freed.
#[derive(Default)]
pub struct Columns {
    handles: Handles<Rc<Held>>,
    /// The sum of all `Held::bytes`. Thousands of columns may be live, so that nobody adds them up for each unit.
    bytes: usize,
}

struct Held {
    array: Array,
    /// Bytes taken from the allocator, when the column came in. Of values that several columns have it is a share.
    bytes: usize,
}

impl Columns {
    /// No columns.
    pub const fn new() -> Self {
        Columns { handles: Handles::new(), bytes: 0 }
    }

    /// Takes a column in and names it.
    pub fn insert(&mut self, column: Array) -> Result<u32> {
        let bytes = column.allocated();
        let handle = self.handles.insert(Rc::new(Held { array: column, bytes }))?;
        self.bytes += bytes;
        Ok(handle)
    }

    /// Another handle of the same column.
    pub fn share(&mut self, handle: u32) -> Result<u32> {
        let column = Rc::clone(self.handles.get(handle)?);
        self.handles.insert(column)
    }

    /// The column of a live handle.
    pub fn get(&self, handle: u32) -> Result<&Array> {
        self.handles.get(handle).map(|held| &held.array)
    }

    /// Takes the column out, a copy of it where other handles hold it too; this handle is dead from here on.
    pub fn remove(&mut self, handle: u32) -> Result<Array> {
        match Rc::try_unwrap(self.handles.remove(handle)?) {
            Ok(last) => {
                self.bytes -= last.bytes;
                Ok(last.array)
            }
            Err(shared) => shared.array.take(&[Run { start: 0, len: shared.array.len }]),
        }
    }

    /// Ends a handle.
    pub fn free(&mut self, handle: u32) -> Result<()> {
        if let Some(last) = Rc::into_inner(self.handles.remove(handle)?) {
            self.bytes -= last.bytes;
        }
        Ok(())
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Data;
    use crate::buffer::Buffer;

    fn column(values: &[i32]) -> Array {
        let data = Data::Fixed { width: 4, values: Buffer::of(values).unwrap() };
        Array { len: values.len(), validity: None, data }
    }

    fn values(column: &Array) -> &[i32] {
        let Data::Fixed { values, .. } = &column.data else { panic!("another layout") };
        values.numbers()
    }

    #[test]
    fn a_column_is_there_until_its_last_handle_is_freed() {
        let mut columns = Columns::new();
        let first = columns.insert(column(&[1, 2, 3, 4])).unwrap();
        let bytes = columns.allocated();
        let second = columns.share(first).unwrap();
        assert_eq!(columns.allocated(), bytes);
        columns.free(first).unwrap();
        assert!(columns.get(first).is_err());
        assert_eq!(values(columns.get(second).unwrap()), [1, 2, 3, 4]);
        columns.free(second).unwrap();
        assert_eq!(columns.allocated(), 0);
    }

    #[test]
    fn a_column_that_is_taken_out_stays_for_its_other_handles() {
        let mut columns = Columns::new();
        let first = columns.insert(column(&[1, 2, 3])).unwrap();
        let second = columns.share(first).unwrap();
        let taken = columns.remove(first).unwrap();
        let address = values(columns.get(second).unwrap()).as_ptr();
        assert_eq!(values(&taken), [1, 2, 3]);
        assert_ne!(values(&taken).as_ptr(), address);
        // The last handle gives the column itself.
        assert_eq!(values(&columns.remove(second).unwrap()).as_ptr(), address);
    }
}
