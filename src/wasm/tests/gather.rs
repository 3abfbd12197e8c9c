//! Copying rows, into an array and into a message, against copying the cells.

mod support;

use core_wasm::array::{Array, Data};
use core_wasm::assemble::Layout;
use core_wasm::bitmap::Bitmap;
use core_wasm::gather::{Source, gather};
use core_wasm::ipc;
use core_wasm::rows::{Outgoing, advance, select};
use core_wasm::run::Run;
use core_wasm::scratch::Scratch;
use core_wasm::types::Physical;
use support::{Random, Value, assemble, random_array, rows};

const INDEX_TYPES: [Physical; 8] = [
    Physical::I8,
    Physical::I16,
    Physical::I32,
    Physical::I64,
    Physical::U8,
    Physical::U16,
    Physical::U32,
    Physical::U64,
];

fn mask(random: &mut Random, len: usize) -> Bitmap {
    let bits = random.bits(len);
    Bitmap::from_fn(len, |row| bits[row]).unwrap()
}

#[test]
fn rows_are_selected_as_one_by_one() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let len = random.below(400);
        let mask = mask(&mut random, len);
        let (from, most) = (random.below(len + 5), random.below(len + 5));
        let set: Vec<usize> = (from..len).filter(|&row| mask.get(row)).collect();
        let taken = &set[..set.len().min(most)];
        let selection = select(Some(&mask), len, from, most).unwrap();
        let selected: Vec<usize> = selection.runs.iter().flat_map(|run| run.start..run.end()).collect();
        assert_eq!(selected, taken);
        assert_eq!(selection.rows, taken.len());
        let rest: Vec<usize> = (selection.next..len).filter(|&row| mask.get(row)).collect();
        assert_eq!(rest, set[taken.len()..]);
        let (row, skipped) = advance(Some(&mask), len, from, most);
        assert_eq!(skipped, taken.len());
        assert_eq!((from..row).filter(|&row| mask.get(row)).count(), skipped);
        assert_eq!((row..len).filter(|&row| mask.get(row)).count(), set.len() - skipped);
        assert!(skipped < most || skipped == 0 || mask.get(row - 1), "not the first such row");
    }
}

#[test]
fn gathered_rows_are_the_rows() {
    let mut random = Random::new(2);
    for _ in 0..1500 {
        let len = random.below(80) + 1;
        let array = random_array(&mut random, len, 2);
        let runs: Vec<Run> = (0..random.below(20))
            .map(|_| {
                let start = random.below(len);
                Run { start, len: random.below(len - start + 1) }
            })
            .collect();
        let all = rows(&array);
        let expected: Vec<Value> = runs.iter().flat_map(|run| all[run.start..run.end()].to_vec()).collect();
        assert_eq!(rows(&array.take(&runs).unwrap()), expected);
        let (left, right) = runs.split_at(random.below(runs.len() + 1));
        let sources = [Source { array: &array, runs: left }, Source { array: &array, runs: right }];
        assert_eq!(rows(&gather(&sources).unwrap()), expected);
        assert_eq!(rows(&array.nulls(len).unwrap()), vec![Value::Null; len]);
    }
}

#[test]
fn arrays_of_different_layouts_do_not_join() {
    let mut random = Random::new(3);
    let narrow = assemble(Layout::Fixed { width: 4 }, 1, 0, &[None, Some(&[0; 4])], vec![]).unwrap();
    let wide = assemble(Layout::Fixed { width: 8 }, 1, 0, &[None, Some(&[0; 8])], vec![]).unwrap();
    let runs = [Run { start: 0, len: 1 }];
    let source = |array| Source { array, runs: &runs };
    assert!(gather(&[source(&narrow), source(&wide)]).is_err());
    assert!(gather(&[]).is_err());
    let list = loop {
        let array = random_array(&mut random, 1, 1);
        if let Data::List { .. } = array.data {
            break array;
        }
    };
    assert!(gather(&[source(&narrow), source(&list)]).is_err());
}

#[test]
fn a_message_reads_back_as_the_selected_rows_within_its_bytes() {
    let mut random = Random::new(4);
    let mut scratch = Scratch::new();
    for _ in 0..1500 {
        let len = random.below(300);
        let columns: Vec<Array> = (0..random.below(4)).map(|_| random_array(&mut random, len, 2)).collect();
        let columns: Vec<Outgoing> = columns
            .iter()
            .map(|array| {
                let is_kept = matches!(array.data, Data::Dictionary { .. } | Data::Repeat { .. }) && random.chance(2);
                Outgoing { array, index: is_kept.then(|| INDEX_TYPES[random.below(8)]) }
            })
            .collect();
        let mask = (!random.chance(4)).then(|| mask(&mut random, len));
        let most = random.below(4000);
        let (mut from, mut seen) = (0, 0);
        while from < len {
            let most_rows = random.below(len) + 1;
            let mut selection = select(mask.as_ref(), len, from, most_rows).unwrap();
            selection.limit_bytes(&columns, most);
            let selected: Vec<usize> = selection.runs.iter().flat_map(|run| run.start..run.end()).collect();
            assert_eq!(selected.len(), selection.rows);
            scratch.clear(1 << 20);
            let metadata = ipc::encode(&columns, &selection, None, &mut scratch, None).unwrap();
            let message = scratch.written();
            assert_eq!(message.len() % 8, 0);
            assert!(selection.rows <= 1 || message.len() - metadata <= most, "{} > {most}", message.len() - metadata);
            let mut reader = Reader::new(message, metadata);
            assert_eq!(reader.rows, selection.rows);
            for column in &columns {
                let all = rows(column.array);
                let expected: Vec<Value> = selected.iter().map(|&row| all[row].clone()).collect();
                assert_eq!(rows(&reader.column(column)), expected);
            }
            assert!(reader.nodes.is_empty() && reader.buffers.is_empty());
            assert!(selection.next > from);
            from = selection.next;
            seen += selection.rows;
        }
        assert_eq!(seen, mask.map_or(len, |mask| mask.count()));
    }
}

#[test]
fn dictionaries_join_and_keep_what_they_share() {
    let mut random = Random::new(5);
    for _ in 0..500 {
        let dictionary = |random: &mut Random| loop {
            let array = random_array(random, 20, 1);
            if let Data::Dictionary { values, .. } = &array.data
                && matches!(values.data, Data::Bytes { .. })
            {
                break array;
            }
        };
        let (first, second) = (dictionary(&mut random), dictionary(&mut random));
        let plain = first.decoded().unwrap().unwrap();
        assert_eq!(rows(&plain), rows(&first));
        let arrays: Vec<&Array> =
            (0..random.below(5) + 1).map(|_| [&first, &second, &plain][random.below(3)]).collect();
        let runs = [Run { start: 3, len: 10 }, Run { start: 0, len: 5 }];
        let sources: Vec<Source> = arrays.iter().map(|array| Source { array, runs: &runs }).collect();
        let joined = gather(&sources).unwrap();
        let expected: Vec<Value> = arrays
            .iter()
            .flat_map(|array| runs.iter().flat_map(|run| rows(array)[run.start..run.end()].to_vec()))
            .collect();
        assert_eq!(rows(&joined), expected);
        let is_plain = arrays.iter().any(|array| std::ptr::eq(*array, &plain));
        assert_eq!(matches!(joined.data, Data::Dictionary { .. }), !is_plain);
        if let (Data::Dictionary { values: of, .. }, Data::Dictionary { values, .. }) = (&joined.data, &first.data) {
            let is_one = arrays.iter().all(|array| std::ptr::eq(*array, &first));
            assert_eq!(std::rc::Rc::ptr_eq(of, values), is_one);
        }
    }
}

#[test]
fn the_values_of_a_dictionary_leave_as_a_message() {
    let mut random = Random::new(6);
    let mut scratch = Scratch::new();
    for id in 0..200 {
        let array = random_array(&mut random, 10, 1);
        scratch.clear(1 << 20);
        let (Data::Dictionary { values, .. } | Data::Repeat { values, .. }) = &array.data else {
            assert!(ipc::encode_dictionary(&array, id, None, &mut scratch).is_err());
            continue;
        };
        let metadata = ipc::encode_dictionary(&array, id, None, &mut scratch).unwrap();
        let mut reader = Reader::new(scratch.written(), metadata);
        assert_eq!((reader.id, reader.rows), (id as usize, values.len));
        assert_eq!(rows(&reader.array(values)), rows(values));
        assert!(reader.nodes.is_empty() && reader.buffers.is_empty());
    }
}

#[test]
fn an_index_that_its_type_cannot_hold_is_an_error() {
    let values = assemble(Layout::Fixed { width: 1 }, 200, 0, &[None, Some(&[0; 200])], vec![]).unwrap();
    let layout = Layout::Dictionary { index: Physical::U8 };
    let array = assemble(layout, 2, 0, &[None, Some(&[127, 128])], vec![values]).unwrap();
    let encode = |index, rows| {
        let columns = [Outgoing { array: &array, index: Some(index) }];
        ipc::encode(&columns, &select(None, 2, 0, rows).unwrap(), None, &mut Scratch::new(), None)
    };
    assert!(encode(Physical::I8, 1).is_ok());
    assert!(encode(Physical::I8, 2).is_err());
    assert!(encode(Physical::U8, 2).is_ok());
}

/// A flatbuffer reader that follows the offsets, as any reader must.
struct Reader<'a> {
    body: &'a [u8],
    /// Of a dictionary.
    id: usize,
    rows: usize,
    nodes: Vec<[usize; 2]>,
    buffers: Vec<[usize; 2]>,
}

impl<'a> Reader<'a> {
    fn new(message: &'a [u8], metadata: usize) -> Self {
        assert_eq!(message[..4], [0xff; 4]);
        assert_eq!(number(message, 4, 4) + 8, metadata);
        let flat = &message[8..metadata];
        let table = number(flat, 0, 4);
        assert_eq!(number(flat, field(flat, table, 0), 2), 4);
        let is_dictionary = number(flat, field(flat, table, 1), 1) == 2;
        assert_eq!(number(flat, field(flat, table, 3), 8), message.len() - metadata);
        let at = field(flat, table, 2);
        let mut batch = at + number(flat, at, 4);
        let mut id = 0;
        if is_dictionary {
            id = number(flat, field(flat, batch, 0), 8);
            let at = field(flat, batch, 1);
            batch = at + number(flat, at, 4);
        } else {
            assert_eq!(number(flat, field(flat, table, 1), 1), 3);
        }
        let pairs = |at: usize| {
            let vector = at + number(flat, at, 4);
            let start = vector + 4;
            assert_eq!(start % 8, 0);
            (0..number(flat, vector, 4))
                .rev()
                .map(|i| [number(flat, start + 16 * i, 8), number(flat, start + 16 * i + 8, 8)])
                .collect()
        };
        Reader {
            body: &message[metadata..],
            id,
            rows: number(flat, field(flat, batch, 0), 8),
            nodes: pairs(field(flat, batch, 1)),
            buffers: pairs(field(flat, batch, 2)),
        }
    }

    /// The next array, of the layout of another; its indices name the values of that.
    fn column(&mut self, like: &Outgoing) -> Array {
        let (Some(index), Data::Dictionary { values, .. } | Data::Repeat { values, .. }) =
            (like.index, &like.array.data)
        else {
            return self.array(like.array);
        };
        let [len, nulls] = self.nodes.pop().unwrap();
        let (validity, indices) = (self.buffer(), self.buffer());
        assert_eq!(indices.len(), len * index.width());
        let all = [Run { start: 0, len: values.len }];
        let buffers = [(!validity.is_empty()).then_some(validity), Some(indices)];
        let array = assemble(Layout::Dictionary { index }, len, 0, &buffers, vec![values.take(&all).unwrap()]).unwrap();
        assert_eq!(array.null_count(), nulls);
        array
    }

    /// The next array, of the layout of another.
    fn array(&mut self, like: &Array) -> Array {
        let [len, nulls] = self.nodes.pop().unwrap();
        if let Data::Null = like.data {
            return assemble(Layout::Null, len, 0, &[], vec![]).unwrap();
        }
        let like = match &like.data {
            Data::Dictionary { values, .. } | Data::Repeat { values, .. } => values,
            _ => like,
        };
        let validity = self.buffer();
        let validity = (!validity.is_empty()).then_some(validity);
        let array = match &like.data {
            Data::Null | Data::Dictionary { .. } | Data::Repeat { .. } => unreachable!(),
            Data::Bool(_) => assemble(Layout::Bool, len, 0, &[validity, Some(self.buffer())], vec![]),
            Data::Fixed { width, .. } => {
                assemble(Layout::Fixed { width: *width }, len, 0, &[validity, Some(self.buffer())], vec![])
            }
            Data::Bytes { .. } => {
                let (offsets, values) = (self.buffer(), self.buffer());
                let layout = Layout::Bytes { large: false, text: false };
                assemble(layout, len, 0, &[validity, Some(offsets), Some(values)], vec![])
            }
            Data::List { items, .. } => {
                let offsets = self.buffer();
                let items = self.array(items);
                assemble(Layout::List { large: false }, len, 0, &[validity, Some(offsets)], vec![items])
            }
            Data::LargeList { items, .. } => {
                let offsets = self.buffer();
                let items = self.array(items);
                assemble(Layout::List { large: true }, len, 0, &[validity, Some(offsets)], vec![items])
            }
            Data::FixedList { size, items } => {
                let items = self.array(items);
                assert_eq!(items.len, len * size);
                assemble(Layout::FixedList { size: *size }, len, 0, &[validity], vec![items])
            }
            Data::Struct(fields) => {
                let fields = fields.iter().map(|field| self.array(field)).collect();
                assemble(Layout::Struct, len, 0, &[validity], fields)
            }
        }
        .unwrap();
        assert_eq!(array.null_count(), nulls);
        array
    }

    fn buffer(&mut self) -> &'a [u8] {
        let [offset, len] = self.buffers.pop().unwrap();
        assert_eq!(offset % 8, 0);
        let end = (offset + len).next_multiple_of(8);
        assert!(self.body[offset + len..end].iter().all(|byte| *byte == 0), "padding is not zero");
        &self.body[offset..offset + len]
    }
}

fn number(bytes: &[u8], at: usize, width: usize) -> usize {
    bytes[at..at + width].iter().rev().fold(0, |value, byte| value << 8 | *byte as usize)
}

/// Where a field of a table is.
fn field(flat: &[u8], table: usize, index: usize) -> usize {
    let fields = table - number(flat, table, 4);
    assert!(4 + 2 * index < number(flat, fields, 2));
    table + number(flat, fields + 4 + 2 * index, 2)
}
