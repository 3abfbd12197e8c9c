//! LZF (liblzf), from untrusted input into an output of known length.

use crate::error::{Error, Result};
use crate::repeat::{copy_literals, copy_match};

/// Output bytes that one byte of input can stand for: a match of 264 bytes takes three.
const MAX_RATIO: usize = 88;

/// The most bytes that so many may hold.
pub fn most_bytes(stored: usize) -> usize {
    stored.saturating_mul(MAX_RATIO)
}

/// Literals have a control byte below this one.
const FIRST_MATCH: usize = 32;

/// A length that is as great has a byte more.
const LONG_MATCH: usize = 9;

/// Writes to `output` what the data hold. Returns the number of bytes.
pub fn decode(input: &[u8], output: &mut [u8]) -> Result<usize> {
    let (mut at, mut end) = (0, 0);
    while let Some(&control) = input.get(at) {
        let control = usize::from(control);
        at += 1;
        if control < FIRST_MATCH {
            let len = control + 1;
            if len > input.len() - at {
                return Err(CUT);
            }
            if len > output.len() - end {
                return Err(LONG);
            }
            copy_literals(input, at, output, end, len);
            at += len;
            end += len;
            continue;
        }
        let mut next = || {
            let byte = input.get(at).copied().map(usize::from).ok_or(CUT);
            at += 1;
            byte
        };
        let mut len = (control >> 5) + 2;
        if len == LONG_MATCH {
            len += next()?;
        }
        let distance = ((control & 31) << 8) + next()? + 1;
        if distance > end {
            return Err(Error::invalid_at("LZF data refer to what is not there", at));
        }
        if len > output.len() - end {
            return Err(LONG);
        }
        copy_match(output, end, distance, len);
        end += len;
    }
    Ok(end)
}

const CUT: Error = Error::invalid("LZF data end in the middle");
const LONG: Error = Error::invalid("LZF data hold more than they claim");

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(input: &[u8], most: usize) -> Result<Vec<u8>> {
        let mut output = vec![0; most];
        let len = decode(input, &mut output)?;
        output.truncate(len);
        Ok(output)
    }

    #[test]
    fn literals_and_matches_give_what_they_stand_for() {
        assert_eq!(decoded(&[], 0), Ok(vec![]));
        assert_eq!(decoded(&[2, 1, 2, 3], 9), Ok(vec![1, 2, 3]));
        // Three bytes at a distance of 2.
        assert_eq!(decoded(&[1, 1, 2, 32, 1], 5), Ok(vec![1, 2, 1, 2, 1]));
        // The longest match, at a distance of 1.
        assert_eq!(decoded(&[0, 7, 224, 255, 0], 265), Ok(vec![7; 265]));
    }

    #[test]
    fn whatever_is_cut_off_or_changed_is_an_error_and_never_a_panic() {
        assert!(decoded(&[0, 7, 224, 255, 0], 264).is_err());
        assert!(decoded(&[0, 7, 32, 1], 9).is_err());
        let whole = [1, 1, 2, 32, 1, 0, 9, 224, 3, 1];
        for len in [1, 2, 4, 6, 8, 9] {
            assert!(decoded(&whole[..len], 99).is_err(), "{len}");
        }
        for at in 0..whole.len() {
            for value in 0..=255 {
                let mut changed = whole;
                changed[at] = value;
                let _ = decoded(&changed, 40);
            }
        }
    }
}
