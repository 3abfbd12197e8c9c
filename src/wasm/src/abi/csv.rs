//! Reading CSV.

use super::{State, call};
use crate::csv_reader::{Column, Dialect, Progress, Text};
use crate::error::Result;
use crate::types::Type;

/// Begins a stretch of a file in the dialect of the arguments ([`Dialect::read`]). `fields` is what every record has; 0: what
/// the first one has.
#[unsafe(no_mangle)]
pub extern "C" fn csv_new(fields: usize) -> i32 {
    call(|state| {
        let dialect = Dialect::read(&state.arguments)?;
        state.is_memory_short = false;
        let text = Text::new(dialect, fields, state.spare_text.take());
        state.texts.insert(text)
    })
}

/// Room for the next bytes; the first result is where.
#[unsafe(no_mangle)]
pub extern "C" fn csv_room(text: u32, bytes: usize) -> i32 {
    call(|state| {
        state.results[0] = state.texts.get_mut(text)?.room(bytes)?.as_mut_ptr() as usize as u32;
        Ok(0)
    })
}

/// [`Text::guess`]. Returns 1 where something fits; the first result is where records begin.
#[unsafe(no_mangle)]
pub extern "C" fn csv_guess(text: u32, is_last: u32) -> i32 {
    call(|state| {
        let text = state.texts.get_mut(text)?;
        let found = text.guess(is_last != 0)?;
        state.results[0] = text.records().line() as u32;
        Ok(found.into())
    })
}

/// [`Text::find`]. Returns 0 where more bytes are needed, 1 where all records are known, 2 where a line has another number
/// of fields, 3 where the text ends between quotes. Results: records; where the next line begins, or the one at fault;
/// fields of a record; fields of that line.
#[unsafe(no_mangle)]
pub extern "C" fn csv_find(text: u32, limit: usize, most: usize, is_last: u32) -> i32 {
    call(|state| {
        let text = state.texts.get_mut(text)?;
        let progress = text.find(limit, most, is_last != 0)?;
        let records = text.records();
        state.results[..3].copy_from_slice(&[
            records.starts().len() as u32,
            records.line() as u32,
            records.fields() as u32,
        ]);
        Ok(match progress {
            Progress::More => 0,
            Progress::Done => 1,
            Progress::WrongFields { found } => {
                state.results[3] = found as u32;
                2
            }
            Progress::OpenQuote => 3,
        })
    })
}

/// [`Text::keep`] of the records that are true in a mask.
#[unsafe(no_mangle)]
pub extern "C" fn csv_keep(text: u32, mask: u32) -> i32 {
    call(|state| {
        let State { texts, masks, .. } = state;
        texts.get_mut(text)?.keep(masks.get(mask)?.truth())?;
        Ok(0)
    })
}

/// A column of the records found. Returns 0 where a field has no value of the type; the results are its first byte and its
/// end.
#[unsafe(no_mangle)]
pub extern "C" fn csv_column(text: u32, column: usize, code: u32, parameter: i32) -> i32 {
    call(|state| {
        let read = state.texts.get(text)?.column(column, Type::from_code(code, parameter)?)?;
        column_or_misfit(state, read)
    })
}

fn column_or_misfit(state: &mut State, read: Column) -> Result<u32> {
    match read {
        Column::Values(array) => state.columns.insert(array),
        Column::Misfit { start, end } => {
            state.results[..2].copy_from_slice(&[start as u32, end as u32]);
            Ok(0)
        }
    }
}

/// [`Text::find_stations`] by the columns of the arguments, four bytes each, little endian. Returns 1 where there is a station.
/// Results: where the last one begins; 1 where the first record takes values of one before all records.
#[unsafe(no_mangle)]
pub extern "C" fn csv_stations(text: u32) -> i32 {
    call(|state| {
        let State { texts, arguments, results, .. } = state;
        let keys: Vec<usize> =
            arguments.as_chunks::<4>().0.iter().map(|key| u32::from_le_bytes(*key) as usize).collect();
        let stations = texts.get_mut(text)?.find_stations(&keys)?;
        results[..2].copy_from_slice(&[stations.last().unwrap_or(0) as u32, stations.needs_lead().into()]);
        Ok(stations.last().is_some().into())
    })
}

/// [`Text::lead`] by the record in the arguments. Returns 0 where it is none.
#[unsafe(no_mangle)]
pub extern "C" fn csv_lead(text: u32) -> i32 {
    call(|state| {
        let State { texts, arguments, .. } = state;
        Ok(texts.get_mut(text)?.lead(arguments)?.into())
    })
}

/// [`Text::carried`]; returns as [`csv_column`].
#[unsafe(no_mangle)]
pub extern "C" fn csv_carried(text: u32, column: usize, code: u32, parameter: i32) -> i32 {
    call(|state| {
        let read = state.texts.get(text)?.carried(column, Type::from_code(code, parameter)?)?;
        column_or_misfit(state, read)
    })
}

/// [`Text::names`]. Returns 0 where there are none. Results: where the offsets are, how many, where the bytes are, how many.
#[unsafe(no_mangle)]
pub extern "C" fn csv_names(text: u32, row: usize) -> i32 {
    call(|state| {
        let State { texts, results, .. } = state;
        let Some((offsets, bytes)) = texts.get_mut(text)?.names(row)? else { return Ok(0) };
        *results = [
            offsets.as_ptr() as usize as u32,
            offsets.len() as u32,
            bytes.as_ptr() as usize as u32,
            bytes.len() as u32,
        ];
        Ok(1)
    })
}

/// [`Text::sample`]. Results: where the columns are, pairs of kinds and bytes, and how many.
#[unsafe(no_mangle)]
pub extern "C" fn csv_sample(text: u32) -> i32 {
    call(|state| {
        let State { texts, results, .. } = state;
        let seen = texts.get_mut(text)?.sample()?;
        results[..2].copy_from_slice(&[seen.as_ptr() as usize as u32, seen.len() as u32]);
        Ok(0)
    })
}

/// Gives up a stretch.
#[unsafe(no_mangle)]
pub extern "C" fn csv_free(text: u32) -> i32 {
    call(|state| {
        let text = state.texts.remove(text)?;
        state.spare_text = (!state.is_memory_short).then_some(text);
        Ok(0)
    })
}
