//! Three-valued truth of rows, and Kleene's logic on it.

use crate::array::{Array, Data};
use crate::bitmap::{Bitmap, set_bits, word_count, zeroed_words};
use crate::error::{Error, Result};
use crate::run::Run;

/// For each row true, false or unknown. `truth` is set only where `known` is; without `known` every row is known.
pub struct Mask {
    truth: Bitmap,
    known: Option<Bitmap>,
}

impl Mask {
    /// From bits that are set only where the row is known.
    pub fn new(truth: Bitmap, known: Option<Bitmap>) -> Self {
        debug_assert!(known.as_ref().is_none_or(|known| {
            known.len() == truth.len() && truth.words().iter().zip(known.words()).all(|(t, k)| t & !k == 0)
        }));
        Mask { truth, known }
    }

    /// `len` times the same.
    pub fn filled(len: usize, value: bool) -> Result<Self> {
        Ok(Mask { truth: Bitmap::filled(len, value)?, known: None })
    }

    /// Unknown in each of `len` rows.
    pub fn unknown(len: usize) -> Result<Self> {
        Ok(Mask { truth: Bitmap::filled(len, false)?, known: Some(Bitmap::filled(len, false)?) })
    }

    /// True in runs of rows, false in the others. A run is its first row and the one behind its last.
    pub fn in_runs(len: usize, runs: impl Iterator<Item = (usize, usize)>) -> Result<Self> {
        let mut words = zeroed_words(word_count(len))?;
        for (from, to) in runs {
            if from > to || to > len {
                return Err(Error::Misuse("a run of rows beyond the mask"));
            }
            set_bits(&mut words, from, to - from);
        }
        Ok(Mask { truth: Bitmap::from_words(words, len), known: None })
    }

    /// `value` where the row is not null, unknown where it is.
    pub fn unless_null(array: &Array, value: bool) -> Result<Self> {
        let Some(validity) = validity(array)? else {
            return Mask::filled(array.len, value);
        };
        let truth = if value { validity.try_clone()? } else { Bitmap::filled(array.len, false)? };
        Ok(Mask { truth, known: Some(validity) })
    }

    /// True where the row is null, else false.
    pub fn is_null(array: &Array) -> Result<Self> {
        match validity(array)? {
            Some(validity) => Ok(Mask { truth: validity.map(|word| !word)?, known: None }),
            None => Mask::filled(array.len, false),
        }
    }

    /// True where the row is not null, else false.
    pub fn is_not_null(array: &Array) -> Result<Self> {
        match validity(array)? {
            Some(truth) => Ok(Mask { truth, known: None }),
            None => Mask::filled(array.len, true),
        }
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.truth.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.truth.is_empty()
    }

    /// Rows that are true.
    pub fn truth(&self) -> &Bitmap {
        &self.truth
    }

    /// Rows that are known; none: all.
    pub fn known(&self) -> Option<&Bitmap> {
        self.known.as_ref()
    }

    /// Whether a row from `from` up to `to` is true.
    pub fn any_true(&self, from: usize, to: usize) -> Result<bool> {
        if from > to || to > self.len() {
            return Err(Error::Misuse("rows beyond the mask"));
        }
        Ok((from..to).step_by(64).any(|at| self.truth.bits(at, (to - at).min(64)) != 0))
    }

    /// True where both are, false where one is.
    pub fn and(&self, other: &Mask) -> Result<Mask> {
        self.check_same_length(other)?;
        let truth = self.truth.zip(&other.truth, |a, b| a & b)?;
        let known = match (&self.known, &other.known) {
            (None, None) => None,
            _ => {
                let mut known = self.falsehood()?.zip(&other.falsehood()?, |a, b| a | b)?;
                known = known.zip(&truth, |falsehood, truth| falsehood | truth)?;
                Some(known)
            }
        };
        Ok(Mask { truth, known })
    }

    /// True where one is, false where both are.
    pub fn or(&self, other: &Mask) -> Result<Mask> {
        self.check_same_length(other)?;
        let truth = self.truth.zip(&other.truth, |a, b| a | b)?;
        let known = match (&self.known, &other.known) {
            (None, None) => None,
            _ => {
                let mut known = self.falsehood()?.zip(&other.falsehood()?, |a, b| a & b)?;
                known = known.zip(&truth, |falsehood, truth| falsehood | truth)?;
                Some(known)
            }
        };
        Ok(Mask { truth, known })
    }

    /// True and false exchanged.
    pub fn not(&self) -> Result<Mask> {
        let known = self.known.as_ref().map(Bitmap::try_clone).transpose()?;
        Ok(Mask { truth: self.falsehood()?, known })
    }

    /// Bytes taken from the allocator.
    pub fn allocated(&self) -> usize {
        self.truth.allocated() + self.known.as_ref().map_or(0, Bitmap::allocated)
    }

    fn falsehood(&self) -> Result<Bitmap> {
        match &self.known {
            Some(known) => known.zip(&self.truth, |known, truth| known & !truth),
            None => self.truth.map(|truth| !truth),
        }
    }

    fn check_same_length(&self, other: &Mask) -> Result<()> {
        if self.len() == other.len() { Ok(()) } else { Err(Error::Misuse("masks of different lengths")) }
    }
}

/// A copy of the validity; none: no row is null.
pub fn validity(array: &Array) -> Result<Option<Bitmap>> {
    if let Some(repeated) = array.repeated() {
        return repeated.validity(&[Run { start: 0, len: array.len }]);
    }
    match (&array.data, &array.validity) {
        (Data::Null, _) => Ok(Some(Bitmap::filled(array.len, false)?)),
        (_, validity) => validity.as_ref().map(Bitmap::try_clone).transpose(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [Option<bool>; 3] = [Some(true), Some(false), None];

    fn mask(rows: &[Option<bool>]) -> Mask {
        let words = |bit: fn(&Option<bool>) -> bool| {
            rows.chunks(64)
                .map(|chunk| chunk.iter().enumerate().fold(0, |word, (i, row)| word | (bit(row) as u64) << i))
                .collect()
        };
        Mask::new(
            Bitmap::from_words(words(|row| *row == Some(true)), rows.len()),
            Some(Bitmap::from_words(words(Option::is_some), rows.len())),
        )
    }

    fn rows(mask: &Mask) -> Vec<Option<bool>> {
        (0..mask.len()).map(|i| mask.known().is_none_or(|known| known.get(i)).then(|| mask.truth().get(i))).collect()
    }

    #[test]
    fn runs_are_true_and_lie_inside() {
        let in_runs = |runs: &[(usize, usize)]| Mask::in_runs(200, runs.iter().copied());
        let mask = in_runs(&[(0, 1), (3, 3), (60, 70), (128, 200)]).unwrap();
        for row in 0..200 {
            let is_in_run = row == 0 || (60..70).contains(&row) || row >= 128;
            assert_eq!(mask.truth().get(row), is_in_run, "row {row}");
        }
        for (from, to) in (0..200).flat_map(|from| (from..=200).map(move |to| (from, to))) {
            assert_eq!(mask.any_true(from, to).unwrap(), (from..to).any(|row| mask.truth().get(row)));
        }
        assert!(mask.any_true(5, 201).is_err());
        assert_eq!(in_runs(&[]).unwrap().truth().count(), 0);
        assert!(in_runs(&[(199, 201)]).is_err());
        assert!(in_runs(&[(5, 4)]).is_err());
    }

    #[test]
    fn kleene_tables() {
        let pairs: Vec<_> =
            VALUES.iter().flat_map(|a| VALUES.iter().map(move |b| (*a, *b))).cycle().take(150).collect();
        let left = mask(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
        let right = mask(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
        let and: Vec<_> = pairs
            .iter()
            .map(|pair| match pair {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            })
            .collect();
        let or: Vec<_> = pairs
            .iter()
            .map(|pair| match pair {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            })
            .collect();
        assert_eq!(rows(&left.and(&right).unwrap()), and);
        assert_eq!(rows(&left.or(&right).unwrap()), or);
        assert_eq!(rows(&left.not().unwrap()), pairs.iter().map(|pair| pair.0.map(|a| !a)).collect::<Vec<_>>());
        let all = Mask::filled(150, true).unwrap();
        assert_eq!(rows(&all.and(&left).unwrap()), rows(&left));
        assert_eq!(rows(&all.or(&left).unwrap()), vec![Some(true); 150]);
        assert!(all.and(&Mask::filled(3, true).unwrap()).is_err());
    }
}
