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
            id = if header >> 4 == 0 { self.integer()? } else { id + i64::from(header >> 4) };
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

    /// A whole number that is not negative, of a field of type `i32` or `i64`.
    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.integer()?).ok()
    }

    /// A whole number, of a field of type `i16`, `i32` or `i64`.
    pub fn integer(&mut self) -> Option<i64> {
        let zigzag = self.varint()?;
        Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
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
