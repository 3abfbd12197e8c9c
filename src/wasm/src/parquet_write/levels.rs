//! Definition levels: which rows of a page are not null.

use super::hybrid::{write_literals, write_run};
use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, low_bits};
use crate::error::{Error, Result};
use crate::run::Run;
use crate::scratch::Scratch;

/// Which rows of a chunk are not null.
pub enum Levels {
    /// All, in a column that has no levels.
    Required,
    All,
    None,
    Some(Bitmap),
}

impl Levels {
    /// Of a flat column.
    pub fn of(array: &Array, is_optional: bool) -> Result<Self> {
        let nulls = array.null_count();
        if !is_optional {
            return if nulls == 0 { Ok(Levels::Required) } else { Err(REQUIRED) };
        }
        Ok(match (&array.data, &array.validity) {
            _ if nulls == 0 => Levels::All,
            (Data::Null, _) | (_, None) => Levels::None,
            (_, Some(validity)) => Levels::Some(validity.try_clone()?),
        })
    }

    /// How many rows of a run are not null.
    pub fn known(&self, run: Run) -> usize {
        match self {
            Levels::Required | Levels::All => run.len,
            Levels::None => 0,
            Levels::Some(validity) => words(run).map(|(at, len)| validity.bits(at, len).count_ones() as usize).sum(),
        }
    }

    /// Appends the levels of the rows of a page behind the number of their bytes, if the column has any.
    pub fn write(&self, run: Run, out: &mut Scratch) -> Result<()> {
        if let Levels::Required = self {
            return Ok(());
        }
        let start = out.len();
        out.extend(&[0; 4])?;
        match self {
            Levels::Required | Levels::All => write_run(1, run.len, 1, out)?,
            Levels::None => write_run(0, run.len, 1, out)?,
            Levels::Some(validity) => write_bits(validity, run, out)?,
        }
        let bytes = (out.len() - start - 4) as u32;
        out.written_mut()[start..start + 4].copy_from_slice(&bytes.to_le_bytes());
        Ok(())
    }
}

const REQUIRED: Error = Error::invalid("a column whose field has no nulls has one");

/// Rows 64 at a time: where they begin, and how many.
fn words(run: Run) -> impl Iterator<Item = (usize, usize)> {
    (0..run.len).step_by(64).map(move |at| (run.start + at, (run.len - at).min(64)))
}

/// Words of equal bits as runs, and others as they are.
fn write_bits(bits: &Bitmap, run: Run, out: &mut Scratch) -> Result<()> {
    let mut literals: Option<Run> = None;
    let mut same: Option<(bool, usize)> = None;
    for (at, len) in words(run) {
        let word = bits.bits(at, len);
        let bit = word & 1 == 1;
        if word == if bit { low_bits(len) } else { 0 } {
            if let Some(literals) = literals.take() {
                copy_bits(bits, literals, out)?;
            }
            same = match same {
                Some((value, count)) if value == bit => Some((bit, count + len)),
                Some((value, count)) => {
                    write_run(value.into(), count, 1, out)?;
                    Some((bit, len))
                }
                None => Some((bit, len)),
            };
            continue;
        }
        if let Some((value, count)) = same.take() {
            write_run(value.into(), count, 1, out)?;
        }
        literals =
            Some(Run { start: literals.map_or(at, |run| run.start), len: literals.map_or(0, |run| run.len) + len });
    }
    if let Some(literals) = literals {
        copy_bits(bits, literals, out)?;
    }
    match same {
        Some((value, count)) => write_run(value.into(), count, 1, out),
        None => Ok(()),
    }
}

fn copy_bits(bits: &Bitmap, run: Run, out: &mut Scratch) -> Result<()> {
    write_literals(run.len, out)?;
    extend_bits(bits, run, out)
}

/// Appends bits, the first being the lowest of the first byte, filled up with zeros to whole bytes.
pub fn extend_bits(bits: &Bitmap, run: Run, out: &mut Scratch) -> Result<()> {
    for (at, len) in words(run) {
        out.extend(&bits.bits(at, len).to_le_bytes()[..len.div_ceil(8)])?;
    }
    Ok(())
}
