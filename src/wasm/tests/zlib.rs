//! zlib streams of every kind of block give what they were made of, and hostile ones an error.

mod support;

use core_wasm::error::Error;
use core_wasm::zlib::inflate;
use support::Random;

/// Bits of a deflate stream.
#[derive(Clone, Default)]
struct Writer {
    bytes: Vec<u8>,
    bits: usize,
}

impl Writer {
    /// The lowest `count` bits of a value; zeros beyond its 32.
    fn put(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.bits % 8 == 0 {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= ((value.checked_shr(bit).unwrap_or(0) & 1) as u8) << (self.bits % 8);
            self.bits += 1;
        }
    }

    /// A code, whose highest bit comes first.
    fn code(&mut self, (code, length): (u32, u32)) {
        assert!(length > 0, "a symbol without a code");
        self.put(code.reverse_bits() >> (32 - length), length);
    }

    fn align(&mut self) {
        self.bits = self.bytes.len() * 8;
    }

    fn stored(&mut self, is_last: bool, bytes: &[u8]) {
        self.put(is_last.into(), 1);
        self.put(0, 2);
        self.align();
        let len = bytes.len() as u16;
        self.bytes.extend(len.to_le_bytes());
        self.bytes.extend((!len).to_le_bytes());
        self.bytes.extend(bytes);
        self.align();
    }

    fn fixed(&mut self, is_last: bool, tokens: &[Token]) {
        self.put(is_last.into(), 1);
        self.put(1, 2);
        let mut lengths = [8; 288];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        self.tokens(tokens, &lengths, &[5; 30]);
    }

    /// The lengths of codes are written one by one, each as 5 bits.
    fn dynamic(&mut self, is_last: bool, tokens: &[Token], literals: &[u32], distances: &[u32]) {
        self.put(is_last.into(), 1);
        self.put(2, 2);
        self.put(literals.len() as u32 - 257, 5);
        self.put(distances.len() as u32 - 1, 5);
        self.put(15, 4);
        let of_lengths: Vec<u32> = (0..19).map(|symbol| if symbol < 13 { 4 } else { 5 }).collect();
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] {
            self.put(of_lengths[symbol], 3);
        }
        let codes = codes_of(&of_lengths);
        for &length in literals.iter().chain(distances) {
            self.code(codes[length as usize]);
        }
        self.tokens(tokens, literals, distances);
    }

    fn tokens(&mut self, tokens: &[Token], literals: &[u32], distances: &[u32]) {
        let (literals, distances) = (codes_of(literals), codes_of(distances));
        for token in tokens {
            match *token {
                Token::Literal(byte) => self.code(literals[usize::from(byte)]),
                Token::Match { len, distance } => {
                    let (symbol, extra, bits) = length_of(len);
                    self.code(literals[symbol]);
                    self.put(extra, bits);
                    let (symbol, extra, bits) = distance_of(distance);
                    self.code(distances[symbol]);
                    self.put(extra, bits);
                }
            }
        }
        if literals[256].1 > 0 {
            self.code(literals[256]);
        }
    }

    /// The stream, with the checksum of what it is said to hold.
    fn stream(&self, plain: &[u8]) -> Vec<u8> {
        let mut stream = vec![0x78, 0x9c];
        stream.extend(&self.bytes);
        stream.extend(adler32(plain).to_be_bytes());
        stream
    }
}

#[derive(Clone, Copy, Debug)]
enum Token {
    Literal(u8),
    Match { len: usize, distance: usize },
}

fn adler32(plain: &[u8]) -> u32 {
    let (mut a, mut b) = (1, 0);
    for &byte in plain {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

/// The symbol of a length, its extra bits, and how many.
fn length_of(len: usize) -> (usize, u32, u32) {
    if len == 258 {
        return (285, 0, 0);
    }
    let (mut base, mut symbol) = (3, 257);
    loop {
        let bits = if symbol < 265 { 0 } else { (symbol as u32 - 261) / 4 };
        if len < base + (1 << bits) {
            return (symbol, (len - base) as u32, bits);
        }
        base += 1 << bits;
        symbol += 1;
    }
}

fn distance_of(distance: usize) -> (usize, u32, u32) {
    let (mut base, mut symbol) = (1, 0);
    loop {
        let bits = if symbol < 4 { 0 } else { (symbol as u32 - 2) / 2 };
        if distance < base + (1 << bits) {
            return (symbol, (distance - base) as u32, bits);
        }
        base += 1 << bits;
        symbol += 1;
    }
}

/// RFC 1951 §3.2.2.
fn codes_of(lengths: &[u32]) -> Vec<(u32, u32)> {
    let mut codes = vec![(0, 0); lengths.len()];
    let mut code = 0;
    for length in 1..=15 {
        for (symbol, _) in lengths.iter().enumerate().filter(|(_, each)| **each == length) {
            codes[symbol] = (code, length);
            code += 1;
        }
        code <<= 1;
    }
    codes
}

/// The lengths of a complete code of some of so many symbols: one that halves its leaves at random, down to 15 bits.
fn complete_code(random: &mut Random, symbols: &[usize], count: usize) -> Vec<u32> {
    let mut leaves = vec![0];
    while leaves.len() < symbols.len() {
        // Half of the time the deepest ones, so that long codes occur.
        let at = if random.below(2) == 0 { leaves.len() - 1 } else { random.below(leaves.len()) };
        if leaves[at] < 15 {
            let length = leaves.remove(at) + 1;
            leaves.extend([length, length]);
        }
    }
    let mut lengths = vec![0; count];
    for (&symbol, length) in symbols.iter().zip(leaves) {
        lengths[symbol] = length;
    }
    lengths
}

fn random_tokens(random: &mut Random, plain: &mut Vec<u8>, alphabet: usize) -> Vec<Token> {
    let mut tokens = Vec::new();
    for _ in 0..random.below(400) {
        if plain.is_empty() || random.below(3) > 0 {
            let byte = random.below(alphabet) as u8;
            plain.push(byte);
            tokens.push(Token::Literal(byte));
            continue;
        }
        let near = [1, 20, 40_000][random.below(3)];
        let distance = 1 + random.below(plain.len().min(near).min(32_768));
        let most = [8, 60, 256][random.below(3)];
        let len = 3 + random.below(most);
        tokens.push(Token::Match { len, distance });
        for _ in 0..len {
            plain.push(plain[plain.len() - distance]);
        }
    }
    tokens
}

/// Symbols that tokens may use, the end of the block among them.
fn all_symbols(alphabet: usize) -> Vec<usize> {
    (0..alphabet).chain(256..286).collect()
}

fn inflated(stream: &[u8], most: usize) -> Result<Vec<u8>, Error> {
    let mut output = vec![0xaa; most];
    let len = inflate(stream, &mut output)?;
    output.truncate(len);
    Ok(output)
}

#[test]
fn blocks_of_every_kind_follow_each_other() {
    let mut random = Random::new(17);
    for _ in 0..300 {
        let (mut writer, mut plain) = (Writer::default(), Vec::new());
        for block in (0..1 + random.below(4)).rev() {
            let is_last = block == 0;
            match random.below(3) {
                0 => {
                    let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.next() as u8).collect();
                    writer.stored(is_last, &bytes);
                    plain.extend(bytes);
                }
                1 => {
                    let tokens = random_tokens(&mut random, &mut plain, 256);
                    writer.fixed(is_last, &tokens);
                }
                _ => {
                    let alphabet = [2, 30, 125, 256][random.below(4)];
                    let tokens = random_tokens(&mut random, &mut plain, alphabet);
                    let literals = complete_code(&mut random, &all_symbols(alphabet), 286);
                    let distances = complete_code(&mut random, &(0..30).collect::<Vec<_>>(), 30);
                    writer.dynamic(is_last, &tokens, &literals, &distances);
                }
            }
        }
        let stream = writer.stream(&plain);
        assert_eq!(inflated(&stream, plain.len()).unwrap(), plain);
        assert_eq!(inflated(&stream, plain.len() + 700).unwrap(), plain);
        if !plain.is_empty() {
            assert!(inflated(&stream, plain.len() - 1 - random.below(plain.len())).is_err());
        }
        let mut other = stream.clone();
        *other.last_mut().unwrap() ^= 1;
        assert_eq!(inflated(&other, plain.len()), Err(Error::invalid("a wrong checksum of zlib data")));
        assert!(inflated(&stream[..random.below(stream.len())], plain.len()).is_err());
    }
}

#[test]
fn every_prefix_is_an_error() {
    let (mut writer, mut plain) = (Writer::default(), Vec::new());
    let tokens = random_tokens(&mut Random::new(3), &mut plain, 256);
    writer.stored(false, b"stored");
    plain.splice(0..0, *b"stored");
    writer.fixed(true, &tokens);
    let stream = writer.stream(&plain);
    assert_eq!(inflated(&stream, plain.len()).unwrap(), plain);
    for len in 0..stream.len() {
        assert!(inflated(&stream[..len], plain.len()).is_err(), "{len}");
    }
}

#[test]
fn distances_reach_back_to_the_first_byte_and_no_further() {
    for before in [1usize, 7, 40] {
        for (distance, is_sound) in [(before, true), (before + 1, false)] {
            let mut tokens: Vec<Token> = (0..before).map(|byte| Token::Literal(byte as u8)).collect();
            tokens.push(Token::Match { len: 258, distance });
            let mut plain: Vec<u8> = (0..before).map(|byte| byte as u8).collect();
            (0..258).for_each(|at| plain.push(plain[at]));
            let mut writer = Writer::default();
            writer.fixed(true, &tokens);
            let stream = writer.stream(&plain);
            for room in [0, 1000] {
                let result = inflated(&stream, plain.len() + room);
                assert_eq!(result, if is_sound { Ok(plain.clone()) } else { Err(Error::invalid("damaged zlib data")) });
            }
        }
    }
}

/// A complete code: 126 literals, the end and the last length in 7 bits each.
fn sound_lengths() -> Vec<u32> {
    (0..286).map(|symbol| if symbol < 126 || symbol == 256 || symbol == 285 { 7 } else { 0 }).collect()
}

#[test]
fn codes_that_are_none_are_errors() {
    let sound = sound_lengths();
    let write = |literals: &[u32], distances: &[u32], tokens: &[Token]| {
        let mut writer = Writer::default();
        writer.dynamic(true, tokens, literals, distances);
        writer.stream(b"\x01")
    };
    let tokens = [Token::Literal(1)];
    assert_eq!(inflated(&write(&sound, &[0], &tokens), 1).unwrap(), [1], "no distance");
    assert_eq!(inflated(&write(&sound, &[1], &tokens), 1).unwrap(), [1], "one distance");
    assert_eq!(inflated(&write(&sound, &[1, 1], &tokens), 1).unwrap(), [1]);
    let (mut more, mut fewer, mut endless) = (sound.clone(), sound.clone(), sound.clone());
    more[200] = 7;
    fewer[285] = 0;
    (endless[256], endless[200]) = (0, 7);
    for (what, literals, distances) in [
        ("too many literals", &more, &[0u32][..]),
        ("too few literals", &fewer, &[0]),
        ("no end", &endless, &[0]),
        ("too many distances", &sound, &[1, 1, 1]),
        ("too few distances", &sound, &[2, 2, 2]),
    ] {
        assert_eq!(
            inflated(&write(literals, distances, &tokens), 1),
            Err(Error::invalid("damaged zlib data")),
            "{what}"
        );
    }
}

#[test]
fn symbols_and_blocks_that_mean_nothing_are_errors() {
    let damaged = Err(Error::invalid("damaged zlib data"));
    let mut writer = Writer::default();
    writer.put(0b111, 3);
    assert_eq!(inflated(&writer.stream(b""), 0), damaged, "a block of kind 3");
    // Fixed codes: symbols 286 and 287, and distances 30 and 31.
    for symbol in [0b1100_0110, 0b1100_0111] {
        let mut writer = Writer::default();
        writer.put(0b011, 3);
        writer.code((symbol, 8));
        writer.put(0, 30);
        assert_eq!(inflated(&writer.stream(b""), 600), damaged, "a length of {symbol}");
    }
    for symbol in [30, 31] {
        for padding in [0, 200] {
            let mut writer = Writer::default();
            writer.put(0b011, 3);
            writer.code((0b0011_0000, 8));
            writer.code((1, 7));
            writer.code((symbol, 5));
            writer.put(0, 30 + padding);
            assert_eq!(inflated(&writer.stream(b""), 600), damaged, "a distance of {symbol}");
        }
    }
    let mut writer = Writer::default();
    writer.stored(true, b"four");
    writer.bytes[1] ^= 1;
    assert_eq!(inflated(&writer.stream(b"four"), 4), damaged, "two lengths");
    // Too many literals, too many distances, and a length of codes that repeats none.
    for (literals, distances, length) in [(30, 0, 0), (0, 30, 0), (0, 0, 16)] {
        let mut writer = Writer::default();
        writer.put(0b101, 3);
        writer.put(literals, 5);
        writer.put(distances, 5);
        writer.put(0, 4);
        // Codes of 1 bit for two of the symbols 16, 17, 18 and 0.
        for symbol in [16, 17, 18, 0] {
            writer.put(u32::from(symbol == length || symbol == 18), 3);
        }
        writer.put(0, 60);
        assert_eq!(inflated(&writer.stream(b""), 9), damaged);
    }
}

#[test]
fn headers_that_are_none_are_errors() {
    let mut writer = Writer::default();
    writer.stored(true, b"");
    let stream = writer.stream(b"");
    assert_eq!(inflated(&stream, 0).unwrap(), []);
    for header in [[0x78, 0x9d], [0x79, 0x9c], [0x88, 0x1c], [0x78, 0xbb]] {
        let mut other = stream.clone();
        other[..2].copy_from_slice(&header);
        assert_eq!(inflated(&other, 0), Err(Error::invalid("no zlib stream")), "{header:?}");
    }
}

#[test]
fn noise_is_an_error_or_bytes() {
    let mut random = Random::new(5);
    for _ in 0..20_000 {
        let mut stream = vec![0x78, 0x9c];
        stream.extend((0..random.below(120)).map(|_| random.next() as u8));
        let _ = inflated(&stream, random.below(2000));
    }
}
