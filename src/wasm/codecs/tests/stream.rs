//! Streams are inflated whole, member by member, or are an error.

use codecs_wasm::error::{Error, Result};
use codecs_wasm::stream::Stream;
use std::fs;
use std::io::Cursor;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../test/fixtures/compressed/");
const MEMORY_KIB: u32 = 64 << 10;

fn stored(name: &str) -> Vec<u8> {
    fs::read(format!("{FIXTURES}{name}")).unwrap()
}

fn inflate(mut stream: Stream<Cursor<Vec<u8>>>) -> Result<Vec<u8>> {
    let mut inflated = Vec::new();
    let mut part = vec![0; 4099];
    loop {
        let count = stream.fill(&mut part)?;
        inflated.extend_from_slice(&part[..count]);
        if count < part.len() {
            return Ok(inflated);
        }
    }
}

fn xz(bytes: Vec<u8>) -> Result<Vec<u8>> {
    inflate(Stream::xz(Cursor::new(bytes), MEMORY_KIB))
}

fn bzip2(bytes: Vec<u8>) -> Result<Vec<u8>> {
    inflate(Stream::bzip2(Cursor::new(bytes)))
}

#[test]
fn both_give_the_same_bytes() {
    let table = xz(stored("table.csv.xz")).unwrap();
    assert!(table.starts_with(b"number,square,text\n0,0,\n"));
    assert!(table.ends_with("19999,490,ééé\n".as_bytes()));
    assert_eq!(xz(stored("table-sha256.csv.xz")).unwrap(), table);
    assert_eq!(bzip2(stored("table.csv.bz2")).unwrap(), table);
}

#[test]
fn members_follow_each_other() {
    let one = xz(stored("table.csv.xz")).unwrap();
    assert_eq!(xz(stored("table.csv.xz").repeat(3)).unwrap(), one.repeat(3));
    assert_eq!(bzip2(stored("table.csv.bz2").repeat(3)).unwrap(), one.repeat(3));
}

#[test]
fn what_is_cut_is_damaged() {
    for end in [1, 20, 1000] {
        let (mut a, mut b) = (stored("table.csv.xz"), stored("table.csv.bz2"));
        a.truncate(a.len() - end);
        b.truncate(b.len() - end);
        assert!(matches!(xz(a), Err(Error::Damaged(_))));
        assert!(matches!(bzip2(b), Err(Error::Damaged(_))));
    }
}

#[test]
fn a_dictionary_beyond_the_memory_is_not_made() {
    assert!(matches!(xz(stored("huge-dictionary.csv.xz")), Err(Error::Memory)));
}
