//! Lines that are left out.

/// What lines begin with that are left out. Empty: none are.
#[derive(Clone, Copy, Default)]
pub struct Comment {
    text: [u8; MOST],
    len: usize,
}

/// The most bytes that it has.
const MOST: usize = 16;

impl Comment {
    /// None: it is too long.
    pub fn new(text: &[u8]) -> Option<Self> {
        let mut comment = Comment { text: [0; MOST], len: text.len() };
        comment.text.get_mut(..text.len())?.copy_from_slice(text);
        Some(comment)
    }

    /// Whether no lines are left out.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a line begins with it; a line that is cut short may.
    #[inline(always)]
    pub fn may_begin(&self, line: &[u8]) -> bool {
        !self.is_empty() && line.iter().zip(&self.text[..self.len]).all(|(byte, expected)| byte == expected)
    }

    /// Whether a line begins with it.
    pub fn begins(&self, line: &[u8]) -> bool {
        self.may_begin(line) && line.len() >= self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let comment = Comment::new(b"//").unwrap();
        for (line, may, does) in
            [("", true, false), ("/", true, false), ("//", true, true), ("//x", true, true), ("/x", false, false)]
        {
            assert_eq!((comment.may_begin(line.as_bytes()), comment.begins(line.as_bytes())), (may, does), "{line}");
        }
        assert!(!Comment::default().may_begin(b"") && !Comment::default().begins(b"x"));
        assert!(Comment::new(&[b'#'; MOST]).is_some() && Comment::new(&[b'#'; MOST + 1]).is_none());
    }
}
