//! New arrays of the rows of others.

use crate::array::{Array, Data, Offset};
use crate::bitmap::{BitWriter, Bitmap};
use crate::buffer::{Buffer, SLACK};
use crate::copy::{bits, bytes, ends, fixed};
use crate::error::{Error, Result};
use crate::rows::{fixed_item_runs, item_runs};
use crate::run::{Run, total};
use crate::vectors::{try_collected, with_room};
use std::rc::Rc;

/// Rows of an array; they may repeat and go back.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub array: &'a Array,
    pub runs: &'a [Run],
}

impl Array {
    /// A new array of rows of this one.
    pub fn take(&self, runs: &[Run]) -> Result<Array> {
        gather(&[Source { array: self, runs }])
    }

    /// `len` nulls, laid out as this array.
    pub fn nulls(&self, len: usize) -> Result<Array> {
        let zeroed = |count: usize, width: usize| Buffer::zeroed(count.checked_mul(width).ok_or(Error::Memory)?);
        let data = match &self.data {
            Data::Null => Data::Null,
            Data::Bool(_) => Data::Bool(Bitmap::filled(len, false)?),
            Data::Fixed { width, .. } => Data::Fixed { width: *width, values: zeroed(len, *width)? },
            Data::Bytes { .. } => Data::Bytes { offsets: zeroed(len + 1, 4)?, values: Buffer::empty() },
            Data::List { items, .. } => Data::List { offsets: zeroed(len + 1, 4)?, items: Box::new(items.take(&[])?) },
            Data::LargeList { items, .. } => {
                Data::LargeList { offsets: zeroed(len + 1, 8)?, items: Box::new(items.take(&[])?) }
            }
            Data::FixedList { size, items } => {
                let items = items.nulls(len.checked_mul(*size).ok_or(Error::Memory)?)?;
                Data::FixedList { size: *size, items: Box::new(items) }
            }
            Data::Struct(fields) => Data::Struct(try_collected(fields.iter().map(|field| field.nulls(len)))?),
            Data::Repeat { values, .. } => {
                let null = Array { validity: Some(Bitmap::filled(1, false)?), ..values.nulls(1)? };
                return Array::repeating(null, len.max(1), 0, len);
            }
            Data::Dictionary { values, .. } => {
                let values = if values.len == 0 && len > 0 {
                    Rc::new(Array { validity: None, ..values.nulls(1)? })
                } else {
                    values.clone()
                };
                Data::Dictionary { indices: zeroed(len, 4)?, values }
            }
        };
        Ok(Array { len, validity: Some(Bitmap::filled(len, false)?), data })
    }
}

/// A new array of the rows of all sources, which have one layout; only some of them may be dictionaries of it.
pub fn gather<'a>(sources: &[Source<'a>]) -> Result<Array> {
    let first = sources.first().ok_or(Error::Misuse("no array to gather from"))?;
    let len = total(sources.iter().flat_map(|source| source.runs))?;
    if sources.iter().any(|source| matches!(source.array.data, Data::Repeat { .. })) {
        return gather_repeated(sources);
    }
    let is_dictionary = |source: &&Source| matches!(source.array.data, Data::Dictionary { .. });
    let dictionaries = sources.iter().filter(is_dictionary).count();
    if dictionaries > 0 && dictionaries < sources.len() {
        let decoded = try_collected(sources.iter().map(|source| source.array.decoded()))?;
        let sources = sources.iter().zip(&decoded);
        return gather(&try_collected(
            sources.map(|(source, decoded)| Ok(Source { array: decoded.as_ref().unwrap_or(source.array), ..*source })),
        )?);
    }
    let data = match &first.array.data {
        Data::Null => each(sources, |data| matches!(data, Data::Null).then_some(())).map(|_| Data::Null)?,
        Data::Bool(_) => {
            let mut out = BitWriter::with_capacity(len)?;
            for (source, values) in
                each(sources, |data| if let Data::Bool(values) = data { Some(values) } else { None })?
            {
                bits(values, source.runs, &mut out);
            }
            Data::Bool(out.finish())
        }
        Data::Fixed { width, .. } => {
            let values = |data: &'a Data| match data {
                Data::Fixed { width: other, values } if other == width => Some(values),
                _ => None,
            };
            let mut out = Buffer::zeroed(with_slack(len, *width)?)?;
            let mut to = 0;
            for (source, values) in each(sources, values)? {
                to += fixed(values.bytes(), *width, source.runs, &mut out.bytes_mut()[to..]);
            }
            out.truncate(to);
            Data::Fixed { width: *width, values: out }
        }
        Data::Bytes { .. } => {
            let parts = |data: &'a Data| match data {
                Data::Bytes { offsets, values } => Some((offsets, values)),
                _ => None,
            };
            let parts = each(sources, parts)?;
            let (offsets, end) = gather_offsets::<i32>(len, parts.iter().map(|(source, part)| (source.runs, part.0)))?;
            let mut out = Buffer::zeroed(with_slack(end, 1)?)?;
            let mut to = 0;
            for (source, (offsets, values)) in parts {
                to += bytes(offsets.numbers(), values.bytes(), source.runs, &mut out.bytes_mut()[to..]);
            }
            out.truncate(end);
            Data::Bytes { offsets, values: out }
        }
        Data::List { .. } => {
            let parts = |data: &'a Data| match data {
                Data::List { offsets, items } => Some((offsets, &**items)),
                _ => None,
            };
            let (offsets, items) = gather_lists::<i32>(len, &each(sources, parts)?)?;
            Data::List { offsets, items }
        }
        Data::LargeList { .. } => {
            let parts = |data: &'a Data| match data {
                Data::LargeList { offsets, items } => Some((offsets, &**items)),
                _ => None,
            };
            let (offsets, items) = gather_lists::<i64>(len, &each(sources, parts)?)?;
            Data::LargeList { offsets, items }
        }
        Data::FixedList { size, .. } => {
            let items = |data: &'a Data| match data {
                Data::FixedList { size: other, items } if other == size => Some(&**items),
                _ => None,
            };
            len.checked_mul(*size).ok_or(Error::Memory)?;
            let parts = each(sources, items)?;
            let runs = try_collected(parts.iter().map(|(source, _)| fixed_item_runs(*size, source.runs)))?;
            let items = parts.iter().zip(&runs).map(|((_, array), runs)| Ok(Source { array, runs }));
            Data::FixedList { size: *size, items: Box::new(gather(&try_collected(items)?)?) }
        }
        Data::Struct(fields) => {
            let parts = |data: &'a Data| match data {
                Data::Struct(others) if others.len() == fields.len() => Some(others),
                _ => None,
            };
            let parts = each(sources, parts)?;
            let field = |i: usize| {
                let sources = parts.iter().map(|(source, fields)| Ok(Source { array: &fields[i], ..**source }));
                gather(&try_collected(sources)?)
            };
            Data::Struct(try_collected((0..fields.len()).map(field))?)
        }
        Data::Dictionary { .. } => {
            let parts = |data: &'a Data| match data {
                Data::Dictionary { indices, values } => Some((indices, values)),
                _ => None,
            };
            gather_dictionaries(len, &each(sources, parts)?)?
        }
        Data::Repeat { .. } => return gather_repeated(sources),
    };
    Ok(Array { len, validity: gather_validity(sources, len)?, data })
}

/// Rows of which some repeat values. Neighbours still repeat them, others become a dictionary.
fn gather_repeated(sources: &[Source]) -> Result<Array> {
    if let [Source { array, runs }] = sources
        && let Some(repeated) = array.repeated()
    {
        return match runs {
            [run] => repeated.slice(*run),
            _ => repeated.take(runs),
        };
    }
    let taken = try_collected(
        sources.iter().map(|source| source.array.repeated().map(|repeated| repeated.take(source.runs)).transpose()),
    )?;
    let whole = try_collected(
        taken.iter().map(|taken| Ok([Run { start: 0, len: taken.as_ref().map_or(0, |taken| taken.len) }])),
    )?;
    let sources = sources.iter().zip(&taken).zip(&whole);
    gather(&try_collected(
        sources.map(|((source, taken), runs)| Ok(taken.as_ref().map_or(*source, |array| Source { array, runs }))),
    )?)
}

fn gather_validity(sources: &[Source], len: usize) -> Result<Option<Bitmap>> {
    if sources.iter().all(|source| source.array.validity.is_none()) {
        return Ok(None);
    }
    let mut out = BitWriter::with_capacity(len)?;
    for source in sources {
        match &source.array.validity {
            Some(validity) => bits(validity, source.runs, &mut out),
            None => out.push_ones(total(source.runs)?),
        }
    }
    Ok((out.set() < len).then(|| out.finish()))
}

fn gather_offsets<'a, O: Offset>(
    rows: usize,
    parts: impl Iterator<Item = (&'a [Run], &'a Buffer)>,
) -> Result<(Buffer, usize)> {
    let mut out = Buffer::zeroed((rows + 1).checked_mul(O::WIDTH).ok_or(Error::Memory)?)?;
    let (mut to, mut end) = (O::WIDTH, 0);
    for (runs, offsets) in parts {
        end = ends::<O>(offsets.numbers(), runs, end, &mut out.bytes_mut()[to..])?;
        to += total(runs)? * O::WIDTH;
    }
    Ok((out, end))
}

fn gather_lists<O: Offset>(rows: usize, parts: &[(&Source, (&Buffer, &Array))]) -> Result<(Buffer, Box<Array>)> {
    let (offsets, _) = gather_offsets::<O>(rows, parts.iter().map(|(source, part)| (source.runs, part.0)))?;
    let runs = try_collected(parts.iter().map(|(source, part)| item_runs::<O>(part.0.numbers(), source.runs)))?;
    let items = parts.iter().zip(&runs).map(|((_, (_, array)), runs)| Ok(Source { array, runs }));
    Ok((offsets, Box::new(gather(&try_collected(items)?)?)))
}

/// One dictionary of all values, those that are shared once; a single one stays as it is.
fn gather_dictionaries(rows: usize, parts: &[(&Source, (&Buffer, &Rc<Array>))]) -> Result<Data> {
    let mut shared: Vec<&Rc<Array>> = with_room(parts.len())?;
    for (_, (_, values)) in parts {
        // Neighbours share them, if any do.
        if !shared.last().is_some_and(|last| Rc::ptr_eq(last, values)) {
            shared.push(values);
        }
    }
    let values = match shared[..] {
        [values] => values.clone(),
        _ => {
            let whole = try_collected(shared.iter().map(|values| Ok([Run { start: 0, len: values.len }])))?;
            let sources = shared.iter().zip(&whole).map(|(array, runs)| Ok(Source { array, runs }));
            Rc::new(gather(&try_collected(sources)?)?)
        }
    };
    let mut indices = Buffer::zeroed(with_slack(rows, 4)?)?;
    let (mut to, mut base, mut current) = (0, 0, 0);
    for (source, (numbers, values)) in parts {
        if !Rc::ptr_eq(shared[current], values) {
            base += shared[current].len as u32;
            current += 1;
        }
        let end = to + fixed(numbers.bytes(), 4, source.runs, &mut indices.bytes_mut()[to * 4..]) / 4;
        if base > 0 {
            indices.numbers_mut::<u32>()[to..end].iter_mut().for_each(|index| *index += base);
        }
        to = end;
    }
    indices.truncate(rows * 4);
    Ok(Data::Dictionary { indices, values })
}

/// Each source with what `part` finds in its data; an error where that is another layout.
fn each<'a, 'p, T>(
    sources: &'p [Source<'a>],
    part: impl Fn(&'a Data) -> Option<T>,
) -> Result<Vec<(&'p Source<'a>, T)>> {
    try_collected(sources.iter().map(|source| {
        let part = part(&source.array.data).ok_or(Error::Misuse("arrays of different layouts"))?;
        Ok((source, part))
    }))
}

fn with_slack(count: usize, width: usize) -> Result<usize> {
    count.checked_mul(width).and_then(|len| len.checked_add(SLACK)).ok_or(Error::Memory)
}
