//! The characters of one field: quotes and blanks around them.

use crate::error::Result;

/// A text without spaces and tabs around it, with which columns are aligned.
#[inline(always)]
pub fn trimmed(text: &[u8]) -> &[u8] {
    match text {
        [b' ' | b'\t', ..] | [.., b' ' | b'\t'] => without_blanks(text),
        _ => text,
    }
}

/// Whether columns are aligned with a byte.
#[inline(always)]
pub fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cold]
fn without_blanks(text: &[u8]) -> &[u8] {
    let from = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let to = text.iter().rposition(|byte| !is_blank(byte)).map_or(from, |last| last + 1);
    &text[from..to]
}

/// Whether a field begins with a quote.
#[inline(always)]
pub fn is_quoted(raw: &[u8], quote: Option<u8>) -> bool {
    matches!((raw, quote), ([first, ..], Some(quote)) if *first == quote)
}

/// A field without its quotes; `scratch` holds it where that takes more than to leave out the first and last byte.
pub fn unquoted<'a>(raw: &'a [u8], quote: Option<u8>, scratch: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    let ([first, rest @ ..], Some(quote)) = (raw, quote) else { return Ok(raw) };
    if *first != quote {
        return Ok(raw);
    }
    let is_quote = |byte: &u8| *byte == quote;
    let end = rest.iter().position(is_quote).unwrap_or(rest.len());
    if end + 1 >= rest.len() {
        return Ok(&rest[..end]);
    }
    scratch.clear();
    scratch.try_reserve(rest.len())?;
    let mut rest = rest;
    // Between quotes another quote is either doubled or closes them; from there on all are characters.
    while let Some(end) = rest.iter().position(is_quote) {
        scratch.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.split_first() {
            Some((byte, after)) if *byte == quote => {
                scratch.push(quote);
                rest = after;
            }
            _ => break,
        }
    }
    scratch.extend_from_slice(rest);
    Ok(scratch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        for (raw, text) in [
            ("", ""),
            ("a", "a"),
            ("\"\"", ""),
            ("\"a,b\"", "a,b"),
            ("\"a\"\"b\"", "a\"b"),
            ("\"\"\"\"", "\""),
            ("\"\"\"a\"\"\"", "\"a\""),
            ("\"a\"b", "ab"),
            ("\"a\"b\"c\"", "ab\"c\""),
            ("5\" pipe", "5\" pipe"),
        ] {
            assert_eq!(unquoted(raw.as_bytes(), Some(b'"'), &mut Vec::new()).unwrap(), text.as_bytes(), "{raw}");
            let [raw, text] = [raw, text].map(|each| each.replace('"', "'"));
            assert_eq!(unquoted(raw.as_bytes(), Some(b'\''), &mut Vec::new()).unwrap(), text.as_bytes(), "{raw}");
            assert_eq!(unquoted(raw.as_bytes(), None, &mut Vec::new()).unwrap(), raw.as_bytes(), "{raw}");
        }
    }
}
