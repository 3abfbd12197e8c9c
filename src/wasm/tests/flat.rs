//! Flat Parquet columns against the rows that were written, whatever the pages, runs and widths.

mod support;

use core_wasm::array::Array;
use core_wasm::error::Result;
use core_wasm::parquet::{Encoding, FlatColumn, Page};
use support::{Random, Value, rows};

/// The hybrid of runs and packed groups, chosen at random.
fn hybrid(random: &mut Random, values: &[u32], width: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < values.len() {
        let same = values[at..].iter().take_while(|&&value| value == values[at]).count();
        if same >= 8 && random.below(4) > 0 || values.len() - at < 8 && same == values.len() - at {
            varint(&mut out, (same as u64) << 1);
            out.extend(&values[at].to_le_bytes()[..width.div_ceil(8)]);
            at += same;
            continue;
        }
        let groups = 1 + random.below(4);
        varint(&mut out, (groups as u64) << 1 | 1);
        let start = out.len();
        out.resize(start + groups * width, 0);
        for (i, value) in values[at..].iter().take(groups * 8).enumerate() {
            for bit in 0..width {
                let position = i * width + bit;
                out[start + position / 8] |= ((value >> bit & 1) as u8) << (position % 8);
            }
        }
        at += groups * 8;
    }
    out
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

struct Written {
    bytes: Vec<u8>,
    rows: usize,
    levels: Option<usize>,
    is_dictionary: bool,
}

/// A page of rows; the dictionary holds the numbers from 0 on, so an index is its own value.
fn write(random: &mut Random, cells: &[Option<u32>], width: usize, optional: bool, is_dictionary: bool) -> Written {
    let mut bytes = Vec::new();
    let present: Vec<u32> = cells.iter().map(|cell| cell.is_some() as u32).collect();
    let levels = optional.then(|| {
        bytes = hybrid(random, &present, 1);
        bytes.len()
    });
    let values: Vec<u32> = cells.iter().flatten().copied().collect();
    if is_dictionary {
        let bits = 5 + random.below(12);
        bytes.push(bits as u8);
        bytes.extend(hybrid(random, &values, bits));
    } else {
        for value in values {
            bytes.extend(&u64::from(value).to_le_bytes()[..width]);
        }
    }
    Written { bytes, rows: cells.len(), levels, is_dictionary }
}

fn read(pages: &[Written], width: usize, skip: usize, take: usize) -> Result<Array> {
    let mut column = FlatColumn::new(width, take)?;
    let dictionary: Vec<u8> = (0..32u64).flat_map(|value| value.to_le_bytes()[..width].to_vec()).collect();
    column.dictionary(dictionary.len())?.copy_from_slice(&dictionary);
    let mut row = 0;
    for page in pages {
        let from = skip.saturating_sub(row).min(page.rows);
        let to = (skip + take).saturating_sub(row).min(page.rows);
        if from < to {
            column.page(page.bytes.len())?.copy_from_slice(&page.bytes);
            let encoding = if page.is_dictionary { Encoding::Dictionary } else { Encoding::Plain };
            column.append(&Page { rows: page.rows, levels: page.levels, encoding, skip: from, take: to - from })?;
        }
        row += page.rows;
    }
    column.finish()
}

#[test]
fn any_pages_give_the_rows_that_were_written() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let width = if random.below(2) == 0 { 4 } else { 8 };
        let optional = random.below(3) > 0;
        let rarity = 1 + random.below(40);
        let mut cells = Vec::new();
        let mut pages = Vec::new();
        for _ in 0..1 + random.below(4) {
            let mut value = 0;
            let page: Vec<Option<u32>> = (0..random.below(300))
                .map(|_| {
                    if random.below(6) == 0 {
                        value = random.below(32) as u32;
                    }
                    (!optional || random.below(rarity) > 0).then_some(value)
                })
                .collect();
            let is_dictionary = random.below(2) == 0;
            pages.push(write(&mut random, &page, width, optional, is_dictionary));
            cells.extend(page);
        }
        let skip = random.below(cells.len() + 1);
        let take = random.below(cells.len() - skip + 1);
        let expected: Vec<Value> = cells[skip..skip + take]
            .iter()
            .map(|cell| {
                cell.map_or(Value::Null, |value| Value::Bytes(u64::from(value).to_le_bytes()[..width].to_vec()))
            })
            .collect();
        let column = read(&pages, width, skip, take).unwrap();
        assert_eq!(rows(&column), expected, "seed {seed}");
    }
}

#[test]
fn rows_without_nulls_are_written_in_place_between_pages() {
    let mut random = Random::new(7);
    let page = write(&mut random, &[Some(3), None, Some(5)], 4, true, false);
    let mut column = FlatColumn::new(4, 5).unwrap();
    column.plain(1).unwrap().copy_from_slice(&[1, 0, 0, 0]);
    column.page(page.bytes.len()).unwrap().copy_from_slice(&page.bytes);
    column.append(&Page { rows: 3, levels: page.levels, encoding: Encoding::Plain, skip: 0, take: 3 }).unwrap();
    column.plain(1).unwrap().copy_from_slice(&[9, 0, 0, 0]);
    let value = |value: u8| Value::Bytes(vec![value, 0, 0, 0]);
    let read = rows(&column.finish().unwrap());
    assert_eq!(read, [value(1), value(3), Value::Null, value(5), value(9)]);
}

#[test]
fn damaged_pages_are_errors_or_rows_and_never_more() {
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let cells: Vec<Option<u32>> =
            (0..100).map(|_| (random.below(5) > 0).then(|| random.below(32) as u32)).collect();
        let is_dictionary = random.below(2) == 0;
        let mut page = write(&mut random, &cells, 8, true, is_dictionary);
        for _ in 0..1 + random.below(4) {
            let at = random.below(page.bytes.len());
            page.bytes[at] = random.below(256) as u8;
        }
        if random.below(3) == 0 {
            page.bytes.truncate(random.below(page.bytes.len()));
        }
        if random.below(3) == 0 {
            page.levels = Some(random.below(200));
        }
        if let Ok(column) = read(&[page], 8, 10, 80) {
            assert_eq!(rows(&column).len(), 80);
        }
    }
}
