//! Flat Parquet columns against the rows that were written, whatever the pages, runs and widths.

mod support;

use core_wasm::array::{Array, Data};
use core_wasm::bitmap::Bitmap;
use core_wasm::error::Result;
use core_wasm::parquet::{Codec, Encoding, FlatColumn, Kind, Levels, Page, Read, Stored};
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

/// What stands for a number: itself in some bytes, or a text.
fn cell(kind: Kind, value: u32) -> Vec<u8> {
    match kind.stored {
        Stored::Bits => vec![value as u8 & 1],
        Stored::Fixed { width } => u128::from(value).to_le_bytes()[..width].to_vec(),
        Stored::Bytes => format!("{value} wörter ").repeat(value as usize % 4).into_bytes(),
    }
}

/// The same as a plain page has it.
fn plain(kind: Kind, value: u32) -> Vec<u8> {
    let bytes = cell(kind, value);
    match kind.stored {
        Stored::Bits | Stored::Fixed { .. } => bytes,
        Stored::Bytes => [&(bytes.len() as u32).to_le_bytes()[..], &bytes].concat(),
    }
}

const fn kind(stored: Stored, read: Read) -> Kind {
    Kind { is_optional: true, stored, read }
}

const fn fixed(width: usize) -> Kind {
    kind(Stored::Fixed { width }, Read::Same)
}

const KINDS: [Kind; 7] = [
    fixed(4),
    fixed(8),
    kind(Stored::Bytes, Read::Text),
    kind(Stored::Bytes, Read::Same),
    fixed(12),
    fixed(16),
    fixed(3),
];

/// A page of rows; the dictionary holds the numbers from 0 on, so an index is its own value.
fn write(random: &mut Random, cells: &[Option<u32>], kind: Kind, optional: bool, is_dictionary: bool) -> Written {
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
            bytes.extend(plain(kind, value));
        }
    }
    Written { bytes, rows: cells.len(), levels, is_dictionary }
}

fn read(pages: &[Written], kind: Kind, skip: usize, take: usize) -> Result<Array> {
    read_selected(pages, kind, skip, take, None)
}

fn read_selected(pages: &[Written], kind: Kind, skip: usize, take: usize, wanted: Option<&Bitmap>) -> Result<Array> {
    let mut column = FlatColumn::new(kind, take)?;
    wanted.map_or(Ok(()), |wanted| column.select(wanted))?;
    let dictionary: Vec<u8> = (0..32).flat_map(|value| plain(kind, value)).collect();
    column.page(dictionary.len())?.copy_from_slice(&dictionary);
    column.dictionary(32, Codec::None, dictionary.len())?;
    let mut row = 0;
    for page in pages {
        let from = skip.saturating_sub(row).min(page.rows);
        let to = (skip + take).saturating_sub(row).min(page.rows);
        if from < to {
            column.page(page.bytes.len())?.copy_from_slice(&page.bytes);
            let encoding = if page.is_dictionary { Encoding::Dictionary } else { Encoding::Plain };
            let levels = Levels::Apart { bytes: page.levels.unwrap_or(0) };
            let how = Page { rows: page.rows, encoding, levels, skip: from, take: to - from };
            column.append(&how, Codec::None, page.bytes.len())?;
        }
        row += page.rows;
    }
    column.finish()
}

#[test]
fn any_pages_give_the_rows_that_were_written() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let optional = random.below(3) > 0;
        let kind = Kind { is_optional: optional, ..KINDS[random.below(KINDS.len())] };
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
            pages.push(write(&mut random, &page, kind, optional, is_dictionary));
            cells.extend(page);
        }
        let skip = random.below(cells.len() + 1);
        let take = random.below(cells.len() - skip + 1);
        let expected: Vec<Value> = cells[skip..skip + take]
            .iter()
            .map(|number| number.map_or(Value::Null, |number| Value::Bytes(cell(kind, number))))
            .collect();
        let column = read(&pages, kind, skip, take).unwrap();
        let mut row = 0;
        let is_read = |page: &&Written| {
            let begin = row;
            row += page.rows;
            begin < skip + take && row > skip && page.rows > 0
        };
        if kind.stored == Stored::Bytes && pages.iter().filter(is_read).all(|page| page.is_dictionary) {
            assert!(matches!(column.data, Data::Dictionary { .. }));
        }
        assert_eq!(rows(&column), expected, "seed {seed}");
        // Of rows that nobody asks for there may be any values, but the others are the same.
        let rarity = [1, 2, 30, 300][random.below(4)];
        let asked: Vec<bool> = (0..take).map(|_| random.below(rarity) == 0).collect();
        let wanted = Bitmap::from_fn(take, |row| asked[row]).unwrap();
        let column = read_selected(&pages, kind, skip, take, Some(&wanted)).unwrap();
        let asked_of = |rows: Vec<Value>| -> Vec<Value> {
            rows.into_iter().zip(&asked).filter(|(_, asked)| **asked).map(|(row, _)| row).collect()
        };
        assert_eq!(asked_of(rows(&column)), asked_of(expected), "seed {seed}, selected");
    }
}

#[test]
fn rows_without_nulls_are_written_in_place_between_pages() {
    let mut random = Random::new(7);
    let page = write(&mut random, &[Some(3), None, Some(5)], KINDS[0], true, false);
    let mut column = FlatColumn::new(KINDS[0], 5).unwrap();
    column.plain(1).unwrap().copy_from_slice(&[1, 0, 0, 0]);
    column.page(page.bytes.len()).unwrap().copy_from_slice(&page.bytes);
    let levels = Levels::Apart { bytes: page.levels.unwrap() };
    let how = Page { rows: 3, encoding: Encoding::Plain, levels, skip: 0, take: 3 };
    column.append(&how, Codec::None, page.bytes.len()).unwrap();
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
        let (kind, is_dictionary) = (KINDS[random.below(KINDS.len())], random.below(2) == 0);
        let mut page = write(&mut random, &cells, kind, true, is_dictionary);
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
        if let Ok(column) = read(&[page], kind, 10, 80) {
            assert_eq!(rows(&column).len(), 80);
        }
    }
}

#[test]
fn text_is_checked_and_nothing_is_a_dictionary_too() {
    let read = |kind, dictionary: &[u8], page: &[u8]| -> Result<Array> {
        let mut column = FlatColumn::new(kind, 2)?;
        column.page(dictionary.len())?.copy_from_slice(dictionary);
        column.dictionary(usize::from(!dictionary.is_empty()), Codec::None, dictionary.len())?;
        column.page(page.len())?.copy_from_slice(page);
        let levels = Levels::Apart { bytes: 2 };
        let how = Page { rows: 2, encoding: Encoding::Dictionary, levels, skip: 0, take: 2 };
        column.append(&how, Codec::None, page.len())?;
        column.finish()
    };
    let [text, binary] = [KINDS[2], KINDS[3]];
    let both = [4, 1, 0, 4, 0]; // Two ones; indices of no bits: two zeros.
    assert!(read(text, b"\x02\0\0\0\xff\xff", &both).is_err());
    assert!(read(binary, b"\x02\0\0\0\xff\xff", &both).is_ok());
    assert!(read(text, b"\x02\0\0\0a", &both).is_err());
    assert!(read(text, b"\xff\xff\xff\xff", &both).is_err());
    assert!(read(text, b"", &both).is_err());
    let nulls = read(text, b"", &[4, 0, 0, 4, 0]).unwrap();
    assert_eq!(rows(&nulls), [Value::Null, Value::Null]);
    assert_eq!(rows(&nulls.take(&[core_wasm::run::Run { start: 0, len: 2 }]).unwrap()), [Value::Null, Value::Null]);
    let mut column = FlatColumn::new(text, 1).unwrap();
    assert!(column.plain(1).is_err());
    let texts = FlatColumn::new(text, 0).unwrap().finish().unwrap();
    assert_eq!(rows(&texts), []);
}
