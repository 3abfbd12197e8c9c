//! Variances by group: B. P. Welford's update for a row, and T. F. Chan, G. H. Golub and R. J. LeVeque's for two parts
//! ("Updating formulae and a pairwise algorithm for computing sample variances", 1979).

/// What the variance of a set of values is made of.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Spread {
    /// How many.
    pub count: f64,
    pub mean: f64,
    /// Sum of squared distances from the mean.
    pub squares: f64,
}

impl Spread {
    /// With one more value.
    #[inline(always)]
    pub fn with(self, value: f64) -> Self {
        let count = self.count + 1.0;
        let distance = value - self.mean;
        let mean = self.mean + distance / count;
        Spread { count, mean, squares: self.squares + distance * (value - mean) }
    }

    /// Of two parts together.
    pub fn and(self, other: Self) -> Self {
        if self.count == 0.0 {
            return other;
        }
        if other.count == 0.0 {
            return self;
        }
        let count = self.count + other.count;
        let distance = other.mean - self.mean;
        let share = other.count / count;
        Spread {
            count,
            mean: self.mean + distance * share,
            squares: self.squares + other.squares + distance * distance * self.count * share,
        }
    }

    /// The variance of the values themselves or, if `is_sample`, of what they were drawn from; none of too few values.
    pub fn variance(self, is_sample: bool) -> Option<f64> {
        // A value alone has no distance from itself, an infinite one or NaN neither.
        if self.count == 1.0 && !is_sample {
            return Some(0.0);
        }
        let degrees = if is_sample { self.count - 1.0 } else { self.count };
        (degrees > 0.0).then(|| self.squares / degrees)
    }
}

/// Parts that the only group there is has, so that neighbouring rows do not wait for each other.
const LONE_LANES: usize = 4;

/// Takes values in, each into the spread of its group. The order depends on nothing but the rows.
pub fn add(spreads: &mut [Spread], groups: &[u32], values: &[f64]) {
    if let [spread] = spreads {
        let (fours, rest) = values.as_chunks::<LONE_LANES>();
        let mut lanes = [Spread::default(); LONE_LANES];
        for four in fours {
            for (lane, &value) in lanes.iter_mut().zip(four) {
                *lane = lane.with(value);
            }
        }
        rest.iter().for_each(|&value| lanes[0] = lanes[0].with(value));
        let [a, b, c, d] = lanes;
        *spread = spread.and(a.and(b).and(c.and(d)));
        return;
    }
    for (&group, &value) in groups.iter().zip(values) {
        let spread = &mut spreads[group as usize];
        *spread = spread.with(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Spread {
        values.iter().fold(Spread::default(), |spread, &value| spread.with(value))
    }

    #[test]
    fn parts_make_the_whole() {
        let values: Vec<f64> = (0..100).map(|i| 1e3 + (i * i % 37) as f64).collect();
        let whole = of(&values);
        for at in [0, 1, 50, 100] {
            let parts = of(&values[..at]).and(of(&values[at..]));
            assert_eq!(parts.count, whole.count);
            assert!((parts.squares / whole.squares - 1.0).abs() < 1e-9);
        }
        let mean = values.iter().sum::<f64>() / 100.0;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        assert!((whole.variance(true).unwrap() / (squares / 99.0) - 1.0).abs() < 1e-9);
        assert!((whole.variance(false).unwrap() / (squares / 100.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn one_value_has_no_sample_variance() {
        assert_eq!(of(&[3.0]).variance(true), None);
        assert_eq!(of(&[3.0]).variance(false), Some(0.0));
        assert_eq!(of(&[f64::NAN]).variance(false), Some(0.0));
        assert_eq!(of(&[]).variance(false), None);
    }
}
