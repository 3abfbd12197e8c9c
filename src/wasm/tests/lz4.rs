//! LZ4 data give what they were made of, and hostile ones an error.

mod support;

use core_wasm::lz4::{block, frame};
use core_wasm::lz4_write;
use support::Random;

/// A block of random literals and matches behind the history in `plain`, which grows by what the block holds.
fn random_block(random: &mut Random, plain: &mut Vec<u8>, floor: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..random.below(40) {
        let literals: Vec<u8> = (0..length_below(random)).map(|_| random.next() as u8).collect();
        plain.extend(&literals);
        let reach = (plain.len() - floor).min(65_535);
        if reach == 0 {
            continue;
        }
        let near = if random.below(2) == 0 { reach.min(20) } else { reach };
        let offset = 1 + random.below(near);
        let size = 4 + length_below(random);
        sequence(&mut out, &literals, Some((offset, size)));
        for _ in 0..size {
            plain.push(plain[plain.len() - offset]);
        }
    }
    let literals: Vec<u8> = (0..length_below(random)).map(|_| random.next() as u8).collect();
    plain.extend(&literals);
    sequence(&mut out, &literals, None);
    out
}

fn length_below(random: &mut Random) -> usize {
    let limit = [1, 16, 40, 700][random.below(4)];
    random.below(limit)
}

fn sequence(out: &mut Vec<u8>, literals: &[u8], repeat: Option<(usize, usize)>) {
    let size = repeat.map_or(0, |(_, size)| size - 4);
    out.push((literals.len().min(15) << 4 | size.min(15)) as u8);
    extend_length(out, literals.len());
    out.extend(literals);
    if let Some((offset, _)) = repeat {
        out.extend((offset as u16).to_le_bytes());
        extend_length(out, size);
    }
}

fn extend_length(out: &mut Vec<u8>, length: usize) {
    if length >= 15 {
        out.extend(vec![255; (length - 15) / 255]);
        out.push(((length - 15) % 255) as u8);
    }
}

#[test]
fn any_block_gives_what_it_was_made_of() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let mut plain: Vec<u8> = (0..random.below(100)).map(|i| i as u8).collect();
        let before = plain.clone();
        let floor = if random.below(2) == 0 { before.len() } else { 0 };
        let packed = random_block(&mut random, &mut plain, floor);
        let mut output = before.clone();
        output.resize(plain.len(), 0);
        assert_eq!(block(&packed, &mut output, floor, before.len()), Ok(plain.len()));
        assert_eq!(output, plain, "seed {seed}");
        if plain.len() > before.len() {
            output.pop();
            assert!(block(&packed, &mut output, floor, before.len()).is_err(), "seed {seed}: too little room");
        }
    }
}

/// Frames by the lz4 command (1.9.4) of this text, which is longer than two blocks of 64 KiB.
fn text() -> Vec<u8> {
    (0..40_000u32).flat_map(|i| format!("{} ", i % 101 * (i / 997)).into_bytes()).collect()
}

const FRAMES: [&[u8]; 4] = [
    include_bytes!("lz4/independent.lz4"),
    include_bytes!("lz4/linked.lz4"),
    include_bytes!("lz4/block-checksums.lz4"),
    include_bytes!("lz4/content-size.lz4"),
];

#[test]
fn frames_of_another_writer_are_read() {
    let text = text();
    for (i, bytes) in FRAMES.iter().enumerate() {
        let mut output = vec![1; text.len()];
        assert_eq!(frame(bytes, &mut output), Ok(()), "frame {i}");
        assert!(output == text, "frame {i}");
        let padded = [bytes, &[0; 5][..]].concat();
        assert_eq!(frame(&padded, &mut output), Ok(()));
        assert!(frame(&[bytes, &[1][..]].concat(), &mut output).is_err());
        for size in [0, 1, text.len() - 1, text.len() + 1] {
            assert!(frame(bytes, &mut vec![0; size]).is_err(), "frame {i} in {size} bytes");
        }
        for cut in 0..200 {
            assert!(frame(&bytes[..bytes.len() * cut / 200], &mut output).is_err());
        }
    }
}

#[test]
fn a_flipped_bit_is_found() {
    // All four have a checksum of their content.
    let mut random = Random::new(1);
    let mut output = vec![0; text().len()];
    for bytes in FRAMES {
        for _ in 0..500 {
            let mut bytes = bytes.to_vec();
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
            assert!(frame(&bytes, &mut output).is_err(), "bit flipped at {at}");
        }
    }
}

#[test]
fn noise_is_an_error_or_bytes_and_never_a_panic() {
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let noise: Vec<u8> = (0..random.below(60)).map(|_| random.next() as u8 & random.next() as u8).collect();
        let mut output = vec![0; random.below(200)];
        let written = random.below(output.len() + 1);
        let floor = random.below(written + 1);
        let _ = block(&noise, &mut output, floor, written);
        let _ = frame(&noise, &mut output);
    }
}

#[test]
fn what_is_written_is_read_again() {
    let mut table = lz4_write::Table::new().unwrap();
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut plain = Vec::new();
        for _ in 0..random.below(4) {
            random_block(&mut random, &mut plain, 0);
        }
        // Behind other bytes, as in a message.
        let mut written = vec![7; random.below(3)];
        let before = written.len();
        lz4_write::frame(&plain, &mut table, &mut written).unwrap();
        let mut read = vec![0; plain.len()];
        frame(&written[before..], &mut read).unwrap();
        assert!(read == plain, "seed {seed}");
    }
}

#[test]
fn several_blocks_and_noise_are_read_again() {
    let mut table = lz4_write::Table::new().unwrap();
    let mut random = Random::new(1);
    let noise: Vec<u8> = (0..5 << 20).map(|_| random.next() as u8).collect();
    let numbers: Vec<u8> = (0..2u32 << 20).flat_map(|i| (i / 3).to_le_bytes()).collect();
    for plain in [noise, numbers, vec![0; 9 << 20], vec![1; 11], vec![1; 12], vec![1; 13], Vec::new()] {
        let mut written = Vec::new();
        lz4_write::frame(&plain, &mut table, &mut written).unwrap();
        assert!(written.len() <= plain.len() + 35);
        let mut read = vec![0; plain.len()];
        frame(&written, &mut read).unwrap();
        assert!(read == plain);
    }
}
