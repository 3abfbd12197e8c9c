//! Runs of decimal digits, eight at a time.

/// The number that digits say; none where there are none, one is no digit, or the number needs more than 64 bits.
pub fn number(digits: &[u8]) -> Option<u64> {
    // 19 digits always fit.
    let (front, rest) = digits.split_at(digits.len().min(19));
    if front.is_empty() {
        return None;
    }
    rest.iter().try_fold(append(0, front)?, |value, &byte| value.checked_mul(10)?.checked_add(digit(byte)?))
}

/// `value` with digits written behind it, 19 of them together at most; none where one is no digit.
#[inline(always)]
pub fn append(mut value: u64, digits: &[u8]) -> Option<u64> {
    let (chunks, rest) = digits.as_chunks::<8>();
    for chunk in chunks {
        value = value * 100_000_000 + eight(u64::from_le_bytes(*chunk))?;
    }
    if let (false, Some(last)) = (rest.is_empty(), digits.last_chunk::<8>()) {
        // The last eight, those that were read before made zeros.
        let known = 64 - 8 * rest.len();
        let word = u64::from_le_bytes(*last) >> known << known | ZEROS >> (64 - known);
        return Some(value * POWERS[rest.len()] + eight(word)?);
    }
    for &byte in rest {
        value = value * 10 + digit(byte)?;
    }
    Some(value)
}

/// The digit that a byte is.
#[inline(always)]
pub fn digit(byte: u8) -> Option<u64> {
    let digit = byte.wrapping_sub(b'0');
    (digit <= 9).then_some(digit.into())
}

const POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// `00000000`.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// The number that eight digits say, the first in the lowest byte: neighbours are joined, then pairs, then fours
/// (Lemire, "Quickly parsing eight digits", 2018).
#[inline(always)]
fn eight(word: u64) -> Option<u64> {
    let digits = word.wrapping_sub(ZEROS);
    // Bytes below '0' borrow, bytes above '9' carry: both set a high bit, of this byte or of one that is no digit either.
    if (digits | word.wrapping_add(0x4646_4646_4646_4646)) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = digits * 10 + (digits >> 8);
    let fours = |pairs: u64, high: u64, low: u64| (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(high << 32 | low);
    Some(fours(pairs, 1_000_000, 100).wrapping_add(fours(pairs >> 16, 10_000, 1)) >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_read_as_one_by_one() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..100_000 {
            let mut text: Vec<u8> = (0..random(20)).map(|_| b'0' + random(10) as u8).collect();
            if round % 3 == 0 && !text.is_empty() {
                let at = random(text.len() as u64) as usize;
                text[at] = random(256) as u8;
            }
            let expected = text.iter().try_fold(0, |value, &byte| Some(value * 10 + digit(byte)?));
            assert_eq!(append(0, &text), expected, "{text:?}");
            assert_eq!(number(&text), expected.filter(|_| !text.is_empty()), "{text:?}");
        }
    }

    #[test]
    fn the_last_that_fit() {
        assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(number(b"18446744073709551616"), None);
        assert_eq!(number(b"0000000000000000000000000000018446744073709551615"), Some(u64::MAX));
        assert_eq!(number(b"99999999999999999999999"), None);
    }
}
