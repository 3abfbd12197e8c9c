//! Columns that repeat values, looked at as dictionaries.

use crate::array::Array;
use crate::bitmap::Bitmap;
use crate::buffer::Buffer;
use crate::cycle::Cycle;
use crate::error::{Error, Result};
use crate::flat::Flat;
use crate::repeated::Repeated;
use crate::run::Run;

/// The numbers of the values of the rows of some columns, once for those that repeat values in the same cycle: a hundred constants
/// need them once.
pub struct Cycles {
    cycles: Vec<(Cycle, Buffer)>,
    /// Of each column which rows are not null, if it repeats values.
    validity: Vec<Option<Bitmap>>,
}

impl Cycles {
    /// Of columns with equally many rows.
    pub fn new(columns: &[Option<&Array>]) -> Result<Self> {
        Cycles::by_runs(columns, |_, _| false)
    }

    /// The same, but that no row has a number in the columns of which `is_by_runs` says so, which gets their index.
    pub fn by_runs(columns: &[Option<&Array>], is_by_runs: impl Fn(usize, &Repeated) -> bool) -> Result<Self> {
        let mut made = Cycles { cycles: Vec::new(), validity: Vec::new() };
        made.validity.try_reserve_exact(columns.len())?;
        for (at, column) in columns.iter().enumerate() {
            let mut validity = None;
            if let Some(repeated) = column.and_then(Array::repeated) {
                let runs = [Run { start: 0, len: repeated.len }];
                validity = repeated.validity(&runs)?;
                if !is_by_runs(at, &repeated) && made.numbers(repeated.cycle).is_none() {
                    made.cycles.try_reserve(1)?;
                    made.cycles.push((repeated.cycle, repeated.cycle.numbers(&runs)?));
                }
            }
            made.validity.push(validity);
        }
        Ok(made)
    }

    /// The column at `at` of those that were given.
    pub fn flat<'a>(&'a self, at: usize, column: &'a Array) -> Result<Flat<'a>> {
        let Some(repeated) = column.repeated() else { return Flat::of(column) };
        let validity = self.validity.get(at).ok_or(Error::Misuse("a column that was not given"))?.as_ref();
        let indices = self.numbers(repeated.cycle).map(|numbers| &numbers.numbers::<u32>()[..column.len]);
        Ok(Flat { validity, indices, cycle: Some(repeated.cycle), values: repeated.values })
    }

    fn numbers(&self, cycle: Cycle) -> Option<&Buffer> {
        self.cycles.iter().find(|(other, _)| *other == cycle).map(|(_, numbers)| numbers)
    }
}
