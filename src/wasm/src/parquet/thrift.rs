//! Thrift's compact protocol (thrift-compact-protocol.md of Apache Thrift), as far as headers of pages and footers need it.

/// Bytes of a value, and what follows it. `None` where they end too early, or are no value: the caller knows what to do then.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    rest: &'a [u8],
}

/// The deepest nesting of a skipped value, as in `compact.ts`.
const MAX_DEPTH: u32 = 32;

/// The types of fields that are read.
pub mod wire {
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const I32: u8 = 5;
    pub const I64: u8 = 6;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const STRUCT: u8 = 12;
}

impl<'a> Input<'a> {
    /// From its first byte on.
    pub fn new(bytes: &'a [u8]) -> Self {
        Input { rest: bytes }
    }

    /// Bytes that have not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads a struct: calls `read` with the id and the type of each field. What `read` leaves alone, by `Some(false)`, is skipped.
    pub fn fields(&mut self, mut read: impl FnMut(&mut Self, i64, u8) -> Option<bool>) -> Option<()> {
        let mut id = 0;
        loop {
            let header = self.byte()?;
            if header == 0 {
                return Some(());
            }
            id = if header >> 4 == 0 { self.limited(i16::MAX.into())? } else { id + i64::from(header >> 4) };
            let wire = header & 15;
            if !read(self, id, wire)? {
                self.skip(wire, 0)?;
            }
        }
    }

    /// The number of elements of a list, and their type. Each takes a byte at least.
    pub fn list(&mut self) -> Option<(usize, u8)> {
        let header = self.byte()?;
        let len = if header >> 4 == 15 { usize::try_from(self.varint()?).ok()? } else { usize::from(header >> 4) };
        (len <= self.rest.len()).then_some((len, header & 15))
    }

    /// A whole number that is not negative, of a field of type `i64`.
    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.integer()?).ok()
    }

    /// A whole number that is not negative, of a field of type `i32`.
    pub fn size_of_32(&mut self) -> Option<usize> {
        usize::try_from(self.limited(i32::MAX.into())?).ok()
    }

    /// A whole number of a field of type `i64`. Parquet's are sizes, counts and offsets: one beyond 2⁵² is damage, as in `thrift.ts`.
    pub fn integer(&mut self) -> Option<i64> {
        self.limited((1 << 52) - 1)
    }

    /// A whole number of at most `greatest`, and of `-greatest - 1` at least.
    pub fn limited(&mut self, greatest: i64) -> Option<i64> {
        let zigzag = self.varint()?;
        let value = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        (-greatest - 1..=greatest).contains(&value).then_some(value)
    }

    /// Bytes, or text.
    pub fn binary(&mut self) -> Option<&'a [u8]> {
        let len = usize::try_from(self.varint()?).ok()?;
        let (bytes, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(bytes)
    }

    /// The bytes of a value.
    pub fn encoded(&mut self, wire: u8) -> Option<&'a [u8]> {
        let before = self.rest;
        self.skip(wire, 0)?;
        Some(&before[..before.len() - self.rest.len()])
    }

    fn skip(&mut self, wire: u8, depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        match wire {
            wire::TRUE | wire::FALSE => {}
            3 => {
                self.byte()?;
            }
            4..=6 => {
                self.varint()?;
            }
            7 => self.rest = self.rest.get(8..)?,
            wire::BINARY => {
                self.binary()?;
            }
            wire::LIST | 10 => {
                let (len, item) = self.list()?;
                for _ in 0..len {
                    self.skip_element(item, depth + 1)?;
                }
            }
            11 => {
                let len = self.varint()?;
                let types = if len == 0 { 0 } else { self.byte()? };
                for _ in 0..len {
                    self.skip_element(types >> 4, depth + 1)?;
                    self.skip_element(types & 15, depth + 1)?;
                }
            }
            wire::STRUCT => loop {
                let header = self.byte()?;
                if header == 0 {
                    break;
                }
                if header >> 4 == 0 {
                    self.varint()?;
                }
                self.skip(header & 15, depth + 1)?;
            },
            _ => return None,
        }
        Some(())
    }

    /// An element of a list is a byte where a field would have its value in its header.
    fn skip_element(&mut self, wire: u8, depth: u32) -> Option<()> {
        self.skip(if wire == wire::TRUE || wire == wire::FALSE { 3 } else { wire }, depth)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{ 1: i32 5, 3: binary "ab", 4: list<i32> [1, -1], 20: bool true, 21: { 1: i64 300 } }`.
    const BYTES: &[u8] =
        &[0x15, 10, 0x28, 2, b'a', b'b', 0x19, 0x25, 2, 1, 0x01, 40, 0x1c, 0x16, 0xd8, 0x04, 0x00, 0x00, 9];

    fn ids(bytes: &[u8]) -> Option<(Vec<(i64, u8)>, usize)> {
        let mut input = Input::new(bytes);
        let mut ids = Vec::new();
        input.fields(|_, id, wire| {
            ids.push((id, wire));
            Some(false)
        })?;
        Some((ids, input.rest().len()))
    }

    #[test]
    fn fields_that_nobody_reads_are_skipped() {
        let (ids, rest) = ids(BYTES).unwrap();
        assert_eq!(ids, [(1, wire::I32), (3, wire::BINARY), (4, wire::LIST), (20, wire::TRUE), (21, wire::STRUCT)]);
        assert_eq!(rest, 1);
    }

    #[test]
    fn values_are_read_as_they_were_written() {
        let mut values = (0, Vec::new(), 0);
        let read = Input::new(BYTES).fields(|input, id, _| {
            match id {
                1 => values.0 = input.size()?,
                3 => values.1 = input.binary()?.to_vec(),
                21 => input.fields(|input, _, _| {
                    values.2 = input.integer()?;
                    Some(true)
                })?,
                _ => return Some(false),
            }
            Some(true)
        });
        assert_eq!(read, Some(()));
        assert_eq!(values, (5, b"ab".to_vec(), 300));
    }

    #[test]
    fn what_ends_too_early_is_no_value() {
        for len in 0..BYTES.len() - 1 {
            assert!(ids(&BYTES[..len]).is_none(), "{len} bytes");
        }
    }

    #[test]
    fn nested_values_and_long_lists_are_bounded() {
        assert!(ids(&[0x1c; 1000]).is_none());
        assert!(ids(&[0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x0f]).is_none());
    }
}
