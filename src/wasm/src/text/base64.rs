//! Bytes as base64 (RFC 4648 §4), with padding.

use crate::error::Result;
use crate::scratch::Scratch;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Four digits for each three bytes, `=` for those that are missing at the end.
pub fn base64(bytes: &[u8], out: &mut Scratch) -> Result<()> {
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let mut digits = [18, 12, 6, 0].map(|shift| DIGITS[(bits >> shift & 63) as usize]);
        digits[three.len() + 1..].fill(b'=');
        out.extend(&digits)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::written;

    /// RFC 4648 §10, and the last digits.
    #[test]
    fn by_hand() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
            (b"fooba", "Zm9vYmE="),
            (b"foobar", "Zm9vYmFy"),
            (b"\xfb\xff\xfe", "+//+"),
        ] {
            assert_eq!(written(|out| base64(bytes, out)), text);
        }
    }
}
