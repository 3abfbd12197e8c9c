//! Where fields and records end: 64 bytes at a time, and byte by byte where quotes stand in odd places.

use crate::bitmap::low_bits;
use crate::compare::Lanes;

/// Bytes that are looked at together.
pub const BLOCK: usize = 64;

/// What the next byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A field that has no byte yet: only here does a quote open.
    FieldStart,
    /// A field without quotes, or what follows its closing quote: a quote is a character.
    Unquoted,
    /// Between quotes: everything but a quote is a character.
    Quoted,
    /// After a quote between quotes: another one makes it a character, else it closes.
    QuoteEnd,
}

/// What has to be known of the bytes before.
#[derive(Clone, Copy)]
pub struct Scan {
    delimiter: u8,
    /// Runs of blanks lie between fields, and not each delimiter.
    has_runs: bool,
    /// Of runs: all bytes of the line so far are blanks, which lie before its first field; or it has no bytes yet.
    in_margin: bool,
    /// Of runs: the last byte is a blank behind a field.
    after_gap: bool,
    quote: Option<u8>,
    place: Place,
    /// The last byte was a carriage return.
    after_return: bool,
}

/// Bits of a block: bytes that end a field, and those of them that end a record. Of CR LF it is the CR. Where runs of blanks lie between
/// fields, a field that is not the last of its record ends with the first byte of the next one, and has blanks around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Separators {
    pub fields: u64,
    pub records: u64,
}

impl Scan {
    /// Begins at a place; the delimiter is ASCII and no quote.
    pub fn new(delimiter: u8, quote: Option<u8>, place: Place) -> Self {
        let in_margin = place == Place::FieldStart;
        Scan { delimiter, has_runs: false, in_margin, after_gap: false, quote, place, after_return: false }
    }

    /// The same where runs of spaces and tabs lie between fields, if `has_runs`.
    pub fn with_runs(self, has_runs: bool) -> Self {
        Scan { has_runs, ..self }
    }

    /// The same at the beginning of a line.
    pub fn at_line(self) -> Self {
        Scan { place: Place::FieldStart, after_return: false, in_margin: true, after_gap: false, ..self }
    }

    /// Whether runs of blanks lie between fields.
    pub fn has_runs(&self) -> bool {
        self.has_runs
    }

    /// Whether the bytes so far end between quotes.
    pub fn is_quoted(&self) -> bool {
        self.place == Place::Quoted
    }

    /// The delimiter.
    pub fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The first `count` bytes of a block, `count` not 0.
    #[inline(always)]
    pub fn next(&mut self, block: &[u8; BLOCK], count: usize) -> Separators {
        if self.has_runs {
            return self.next_of_runs(block, count);
        }
        let delimiters = u8::between(block, self.delimiter, self.delimiter) & low_bits(count);
        self.split(block, count, delimiters).0
    }

    /// The same where runs of blanks lie between fields.
    #[inline(never)]
    fn next_of_runs(&mut self, block: &[u8; BLOCK], count: usize) -> Separators {
        let which = |byte| u8::between(block, byte, byte) & low_bits(count);
        // A line feed behind a carriage return ends no record, and is no text either.
        let breaks = which(b'\n') | which(b'\r');
        let blanks = which(b' ') | which(b'\t');
        let (Separators { records, .. }, quoted) = self.split(block, count, blanks);
        let (blanks, breaks) = (blanks & !quoted, breaks & !quoted);
        let texts = low_bits(count) & !blanks & !breaks;
        // A sum carries through the blanks that begin a line, and turns them to zeros.
        let line_starts = breaks << 1 | u64::from(self.in_margin);
        let margin = blanks & !blanks.wrapping_add(line_starts & blanks);
        let gaps = blanks & !margin;
        let begun = texts & (gaps << 1 | u64::from(self.after_gap));
        let last = 1 << (count - 1);
        self.in_margin = (breaks | margin) & last != 0;
        self.after_gap = gaps & last != 0;
        Separators { fields: begun | records, records }
    }

    /// [`Scan::next`] of a block with these delimiters, and the bytes between quotes.
    #[inline(always)]
    fn split(&mut self, block: &[u8; BLOCK], count: usize, delimiters: u64) -> (Separators, u64) {
        let which = |byte| u8::between(block, byte, byte) & low_bits(count);
        let quotes = self.quote.map_or(0, which);
        let (feeds, returns) = (which(b'\n') & !delimiters, which(b'\r') & !delimiters);
        let records = returns | feeds & !(returns << 1 | u64::from(self.after_return));
        let ends = delimiters | feeds | returns;
        self.after_return = returns >> (count - 1) & 1 == 1;
        let was_quoted = self.place == Place::Quoted;
        // Between quotes: after an odd number of them.
        let quoted = if quotes == 0 { 0 } else { running_parity(quotes) } ^ if was_quoted { u64::MAX } else { 0 };
        if quotes != 0 {
            let may_open = self.place == Place::FieldStart || self.place == Place::QuoteEnd;
            if quotes & quoted & !((ends | quotes) << 1 | u64::from(may_open)) != 0 {
                return self.next_odd(count, quotes, ends, Separators { fields: delimiters | records, records });
            }
        }
        let last = 1 << (count - 1);
        self.place = if quoted & last != 0 {
            Place::Quoted
        } else if ends & last != 0 {
            Place::FieldStart
        } else if quotes & last != 0 {
            Place::QuoteEnd
        } else {
            Place::Unquoted
        };
        (Separators { fields: (delimiters | records) & !quoted, records: records & !quoted }, quoted)
    }

    /// The same with a quote in it that does not open a field: it is a character there.
    #[cold]
    fn next_odd(&mut self, count: usize, quotes: u64, ends: u64, all: Separators) -> (Separators, u64) {
        let mut quoted = 0;
        for i in 0..count {
            let (is_quote, is_end) = (quotes >> i & 1 == 1, ends >> i & 1 == 1);
            self.place = match self.place {
                Place::Quoted => {
                    quoted |= 1 << i;
                    if is_quote { Place::QuoteEnd } else { Place::Quoted }
                }
                _ if is_end => Place::FieldStart,
                Place::FieldStart | Place::QuoteEnd if is_quote => Place::Quoted,
                _ => Place::Unquoted,
            };
        }
        (Separators { fields: all.fields & !quoted, records: all.records & !quoted }, quoted)
    }
}

/// Bit `i` is set where bits 0 to `i` hold an odd number of ones.
fn running_parity(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Byte by byte.
    fn oracle(text: &[u8], quote: Option<u8>, mut place: Place) -> (Vec<usize>, Vec<usize>) {
        let (mut fields, mut records) = (Vec::new(), Vec::new());
        for (i, &byte) in text.iter().enumerate() {
            let is_end = matches!(byte, b',' | b'\n' | b'\r');
            if place != Place::Quoted && is_end && !(byte == b'\n' && i > 0 && text[i - 1] == b'\r') {
                fields.push(i);
                if byte != b',' {
                    records.push(i);
                }
            }
            place = match (place, Some(byte) == quote) {
                (Place::Quoted, true) => Place::QuoteEnd,
                (Place::Quoted, _) => Place::Quoted,
                _ if is_end => Place::FieldStart,
                (Place::FieldStart | Place::QuoteEnd, true) => Place::Quoted,
                _ => Place::Unquoted,
            };
        }
        (fields, records)
    }

    /// Byte by byte, where runs of blanks lie between fields.
    fn oracle_of_runs(text: &[u8], quote: Option<u8>, mut place: Place) -> (Vec<usize>, Vec<usize>) {
        let (mut fields, mut records) = (Vec::new(), Vec::new());
        let (mut in_margin, mut after_gap) = (place == Place::FieldStart, false);
        for (i, &byte) in text.iter().enumerate() {
            let is_free = place != Place::Quoted;
            let is_blank = matches!(byte, b' ' | b'\t');
            let is_break = matches!(byte, b'\n' | b'\r');
            if is_free && is_break {
                if !(byte == b'\n' && i > 0 && text[i - 1] == b'\r') {
                    fields.push(i);
                    records.push(i);
                }
                (in_margin, after_gap) = (true, false);
            } else if is_free && is_blank {
                after_gap = !in_margin;
            } else {
                if after_gap {
                    fields.push(i);
                }
                (in_margin, after_gap) = (false, false);
            }
            place = match (place, Some(byte) == quote) {
                (Place::Quoted, true) => Place::QuoteEnd,
                (Place::Quoted, _) => Place::Quoted,
                _ if is_blank || is_break => Place::FieldStart,
                (Place::FieldStart | Place::QuoteEnd, true) => Place::Quoted,
                _ => Place::Unquoted,
            };
        }
        (fields, records)
    }

    #[test]
    fn any_bytes_split_as_byte_by_byte() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..20_000 {
            let has_runs = round % 2 == 1;
            let letters: &[u8] = match has_runs {
                false => [b"\",\n\rx".as_slice(), b"xxxxxx\",\n", b"\"\"\"x,"][round / 2 % 3],
                true => [b"\" \t\n\rx".as_slice(), b"        x\n", b"xxxxx \"\t\n"][round / 2 % 3],
            };
            let text: Vec<u8> = (0..random(200)).map(|_| letters[random(letters.len() as u64) as usize]).collect();
            let quote = [Some(b'"'), Some(b'x'), None][random(3) as usize];
            let place = [Place::FieldStart, Place::Unquoted, Place::Quoted, Place::QuoteEnd][random(4) as usize];
            let place = if quote.is_some() { place } else { Place::FieldStart };
            let mut scan = Scan::new(if has_runs { b' ' } else { b',' }, quote, place).with_runs(has_runs);
            let (mut fields, mut records) = (Vec::new(), Vec::new());
            for (i, chunk) in text.chunks(BLOCK).enumerate() {
                let mut block = [b','; BLOCK];
                block[..chunk.len()].copy_from_slice(chunk);
                let found = scan.next(&block, chunk.len());
                for bit in 0..BLOCK {
                    if found.fields >> bit & 1 == 1 {
                        fields.push(i * BLOCK + bit);
                    }
                    if found.records >> bit & 1 == 1 {
                        records.push(i * BLOCK + bit);
                    }
                }
            }
            let text_shown = String::from_utf8_lossy(&text);
            let expected = if has_runs { oracle_of_runs(&text, quote, place) } else { oracle(&text, quote, place) };
            assert_eq!((fields, records), expected, "{text_shown:?} {quote:?} {place:?}");
        }
    }
}
