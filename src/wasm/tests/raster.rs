//! Tiles of rasters are what was encoded, and hostile ones are an error or other bytes, never a crash.

mod support;

use core_wasm::raster::{Predictor, Rows, Samples, lzw, packbits, planes, undo, widen};
use support::Random;

/// Encodes as TIFF 6.0 says, or as older programs did.
fn encode(bytes: &[u8], is_new: bool) -> Vec<u8> {
    let (mut out, mut held, mut count) = (Vec::new(), 0u64, 0u32);
    let mut put = |code: usize, width: u32| {
        if is_new {
            held = held << width | code as u64;
        } else {
            held |= (code as u64) << count;
        }
        count += width;
        while count >= 8 {
            count -= 8;
            if is_new {
                out.push((held >> count) as u8);
                held &= (1 << count) - 1;
            } else {
                out.push(held as u8);
                held >>= 8;
            }
        }
    };
    let mut table = std::collections::HashMap::new();
    let (mut width, mut next) = (9, 258);
    let mut string: Vec<u8> = Vec::new();
    let code_of = |table: &std::collections::HashMap<Vec<u8>, usize>, string: &[u8]| match string {
        [byte] => usize::from(*byte),
        _ => table[string],
    };
    put(256, 9);
    for &byte in bytes {
        let mut longer = string.clone();
        longer.push(byte);
        if longer.len() == 1 || table.contains_key(&longer) {
            string = longer;
            continue;
        }
        put(code_of(&table, &string), width);
        table.insert(longer, next);
        next += 1;
        // The decoder has one string less.
        if next - 1 + usize::from(is_new) == 1 << width {
            width += 1;
        }
        if next == 4095 {
            put(256, width);
            table.clear();
            (width, next) = (9, 258);
        }
        string = vec![byte];
    }
    if !string.is_empty() {
        put(code_of(&table, &string), width);
        if next + usize::from(is_new) == 1 << width && width < 12 {
            width += 1;
        }
    }
    put(257, width);
    put(0, 7);
    out
}

fn decoded(stream: &[u8], most: usize) -> Result<Vec<u8>, core_wasm::error::Error> {
    let mut output = vec![0; most + lzw::SPARE];
    let len = lzw::inflate(stream, 0, lzw::is_old(stream), &mut output, most)?.len;
    output.truncate(len);
    Ok(output)
}

fn bytes(random: &mut Random, len: usize) -> Vec<u8> {
    let alphabet = 1 + random.below(6) * random.below(50);
    (0..len).map(|_| random.below(alphabet.max(1)) as u8).collect()
}

#[test]
fn lzw_gives_what_was_encoded() {
    let mut random = Random::new(1);
    for round in 0..300 {
        let len = random.below(if round % 10 == 0 { 60_000 } else { 500 });
        let original = bytes(&mut random, len);
        for is_new in [true, false] {
            let stream = encode(&original, is_new);
            assert_eq!(decoded(&stream, len).unwrap(), original);
            let most = random.below(len + 1);
            assert_eq!(decoded(&stream, most).unwrap(), original[..most]);
        }
    }
    let zeros = vec![0; 100_000];
    assert_eq!(decoded(&encode(&zeros, true), zeros.len()).unwrap(), zeros);
}

#[test]
fn lzw_is_read_on_behind_any_clear() {
    let mut random = Random::new(5);
    for is_new in [true, false] {
        let original: Vec<u8> = (0..60_000).map(|at| (random.below(7) * (at / 9000)) as u8).collect();
        let stream = encode(&original, is_new);
        let (mut at, mut decoded) = (0, Vec::new());
        loop {
            let end = stream.len().min(at / 8 + 8000);
            let mut output = vec![0; 40_000 + lzw::SPARE];
            let read = lzw::inflate(&stream[at / 8..end], at % 8, !is_new, &mut output, 40_000).unwrap();
            let len = if read.is_ended { read.len } else { read.clear.1 };
            decoded.extend_from_slice(&output[..len]);
            if read.is_ended {
                break;
            }
            at = at / 8 * 8 + read.clear.0;
        }
        assert_eq!(decoded, original);
    }
}

#[test]
fn damaged_streams_are_no_crash() {
    let mut random = Random::new(2);
    for _ in 0..3000 {
        let len = random.below(300);
        let mut stream = encode(&bytes(&mut random, len), random.below(2) == 0);
        for _ in 0..1 + random.below(8) {
            let at = random.below(stream.len());
            stream[at] = random.below(256) as u8;
        }
        stream.truncate(random.below(stream.len() + 1));
        let most = random.below(2 * len + 1);
        let _ = decoded(&stream, most);
        let mut output = vec![0; most];
        let _ = packbits::inflate(&stream, &mut output);
    }
}

#[test]
fn packbits_has_literals_and_repetitions() {
    let mut output = [0; 12];
    let stream = [2, 1, 2, 3, 128, 253, 9, 0, 7, 129, 5];
    assert_eq!(packbits::inflate(&stream, &mut output).unwrap(), 12);
    assert_eq!(output, [1, 2, 3, 9, 9, 9, 9, 7, 5, 5, 5, 5]);
    assert!(packbits::inflate(&[3, 1], &mut output).is_err());
    assert!(packbits::inflate(&[200], &mut output).is_err());
}

#[test]
fn predictors_are_undone() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let sample_bytes = [1, 2, 4, 8][random.below(4)];
        let (samples, width, height) = (1 + random.below(4), 1 + random.below(40), 1 + random.below(3));
        let row_bytes = width * samples * sample_bytes;
        let rows = Rows { row_bytes, samples, sample_bytes };
        let original: Vec<u8> = (0..height * row_bytes).map(|_| random.below(256) as u8).collect();
        for is_big_endian in [false, true] {
            let mut stored = original.clone();
            for row in stored.chunks_mut(row_bytes) {
                let value = |at: usize, row: &[u8]| {
                    let mut word = [0; 8];
                    word[..sample_bytes].copy_from_slice(&row[at * sample_bytes..][..sample_bytes]);
                    u64::from_le_bytes(word)
                };
                for at in (0..width * samples).rev() {
                    let before = if at < samples { 0 } else { value(at - samples, row) };
                    let mut word = value(at, row).wrapping_sub(before).to_le_bytes();
                    if is_big_endian {
                        word[..sample_bytes].reverse();
                    }
                    row[at * sample_bytes..][..sample_bytes].copy_from_slice(&word[..sample_bytes]);
                }
            }
            undo(Predictor::Horizontal, &mut stored, rows, is_big_endian).unwrap();
            assert_eq!(stored, original);
        }
        if sample_bytes == 1 {
            continue;
        }
        let mut stored = original.clone();
        for (row, from) in stored.chunks_mut(row_bytes).zip(original.chunks(row_bytes)) {
            for at in 0..width * samples {
                for byte in 0..sample_bytes {
                    row[byte * width * samples + at] = from[at * sample_bytes + sample_bytes - 1 - byte];
                }
            }
            for at in (samples..row.len()).rev() {
                row[at] = row[at].wrapping_sub(row[at - samples]);
            }
        }
        undo(Predictor::Floating, &mut stored, rows, random.below(2) == 0).unwrap();
        assert_eq!(stored, original);
    }
    let rows = Rows { row_bytes: 7, samples: 1, sample_bytes: 2 };
    assert!(undo(Predictor::Horizontal, &mut [0; 14], rows, false).is_err());
}

#[test]
fn samples_are_widened() {
    let mut random = Random::new(4);
    for _ in 0..500 {
        let bits = 1 + random.below(64) as u32;
        let value_bytes = (bits.div_ceil(8) as usize).next_power_of_two();
        let (count, rows) = (1 + random.below(20), 1 + random.below(3));
        let (is_signed, is_reversed) = (random.below(2) == 0, bits % 8 == 0 && random.below(2) == 0);
        let (mut stored, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..rows {
            let (mut held, mut held_bits) = (0u128, 0);
            for _ in 0..count {
                let number = (random.below(1 << 32) as u64) << 32 | random.below(1 << 32) as u64;
                let sample = if bits == 64 { number } else { number & ((1 << bits) - 1) };
                let unused = 64 - bits;
                let value = if is_signed { ((sample << unused) as i64 >> unused) as u64 } else { sample };
                expected.extend_from_slice(&value.to_le_bytes()[..value_bytes]);
                if is_reversed {
                    stored.extend_from_slice(&sample.to_le_bytes()[..bits as usize / 8]);
                    continue;
                }
                held = held << bits | u128::from(sample);
                held_bits += bits;
                while held_bits >= 8 {
                    held_bits -= 8;
                    stored.push((held >> held_bits) as u8);
                    held &= (1 << held_bits) - 1;
                }
            }
            if held_bits > 0 {
                stored.push((held << (8 - held_bits)) as u8);
            }
        }
        let mut values = vec![0; rows * count * value_bytes];
        widen(&stored, &mut values, Samples { bits, is_signed, is_reversed, count, value_bytes }).unwrap();
        assert_eq!(values, expected, "{bits} bits");
    }
}

#[test]
fn samples_are_put_apart() {
    let mut random = Random::new(7);
    for _ in 0..60 {
        let (samples, width, count) = (1 + random.below(9), 1 << random.below(4), random.below(2000));
        let pixels: Vec<u8> = (0..samples * width * count).map(|_| random.below(256) as u8).collect();
        let mut apart = vec![0; pixels.len()];
        planes(&pixels, &mut apart, samples, width).unwrap();
        for pixel in 0..count {
            for sample in 0..samples {
                let (from, to) = ((pixel * samples + sample) * width, (sample * count + pixel) * width);
                assert_eq!(apart[to..to + width], pixels[from..from + width]);
            }
        }
    }
    assert!(planes(&[0; 10], &mut [0; 10], 3, 2).is_err());
}
