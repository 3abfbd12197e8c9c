//! Bytes in hexadecimal digits.

use crate::error::Result;
use crate::scratch::Scratch;

/// Two digits for each byte, in lower case.
pub fn hex(bytes: &[u8], out: &mut Scratch) -> Result<()> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().try_for_each(|byte| out.extend(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]))
}

/// The 16 bytes of a UUID in groups of 8, 4, 4, 4 and 12 digits.
pub fn uuid(bytes: &[u8], out: &mut Scratch) -> Result<()> {
    let mut rest = bytes;
    for (i, width) in [4, 2, 2, 2, 6].into_iter().enumerate() {
        if i > 0 {
            out.extend(b"-")?;
        }
        let (group, tail) = rest.split_at(width);
        hex(group, out)?;
        rest = tail;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::uuid;
    use crate::text::written;

    #[test]
    fn a_uuid_has_hyphens() {
        let bytes: Vec<u8> = (0xf0..=0xff).collect();
        assert_eq!(written(|out| uuid(&bytes, out)), "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
    }
}
