//! What an aggregate makes of the rows of a group, and of which argument.

use super::{Quantile, Share};
use crate::error::{Error, Result};
use crate::flat::Shape;
use crate::types::Type;

/// What is made of the rows of a group (`src/plan/finish.ts`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All rows; every other kind passes over nulls, but `First`.
    CountRows,
    Count,
    CountDistinct,
    Sum,
    Min,
    Max,
    Avg,
    StddevSamp,
    StddevPop,
    VarSamp,
    VarPop,
    /// The value of the first row, also a null.
    First,
    Quantile(Quantile),
    /// A sum, an average or a spread of what another aggregate, by its number, adds up.
    OfSame(Added, u32),
    /// The value of the row in which the key is greatest. Rows in which either is null do not count.
    ArgMax(Argument),
    ArgMin(Argument),
}

impl Kind {
    /// From the loader's number (`groups.ts`). `by`, `share` and `values_of` are those of the kinds that have one.
    pub fn from_code(code: u32, by: Argument, share: Share, values_of: Option<u32>) -> Result<Self> {
        use Kind::*;
        let quantile = |is_continuous, is_distinct| {
            Kind::Quantile(super::Quantile { is_continuous, is_distinct, share, values_of })
        };
        [CountRows, Count, CountDistinct, Sum, Min, Max, Avg, StddevSamp, StddevPop, VarSamp, VarPop, First]
            .into_iter()
            .chain([quantile(true, false), quantile(false, false), quantile(true, true), quantile(false, true)])
            .chain([ArgMax(by), ArgMin(by)])
            .nth(code as usize)
            .map(|kind: Kind| match (Added::of(kind), values_of) {
                (Some(added), Some(other)) => OfSame(added, other),
                _ => kind,
            })
            .ok_or(Error::Misuse("unknown aggregate"))
    }

    /// The number of the aggregate that knows the values of this one. None: it is this one.
    pub const fn values_of(&self) -> Option<u32> {
        match *self {
            Kind::Quantile(Quantile { values_of, .. }) => values_of,
            Kind::OfSame(_, other) => Some(other),
            _ => None,
        }
    }

    /// Whether what is known for this kind is enough for one that says so, of the same argument.
    pub fn is_enough_for(&self, other: Kind) -> bool {
        match (*self, other) {
            (Kind::Quantile(own), Kind::Quantile(_)) => own.values_of.is_none(),
            (own, Kind::OfSame(added, _)) => Added::of(own).is_some_and(|own| own.is_spread() == added.is_spread()),
            _ => false,
        }
    }

    /// The key by which a row is chosen, if one is.
    pub const fn by(&self) -> Option<Argument> {
        match *self {
            Kind::ArgMax(by) | Kind::ArgMin(by) => Some(by),
            _ => None,
        }
    }
}

/// What is made of sums, or of spreads: the others of the same argument need no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    Sum,
    Avg,
    StddevSamp,
    StddevPop,
    VarSamp,
    VarPop,
}

impl Added {
    /// Of a kind that knows its values itself.
    const fn of(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::Sum => Added::Sum,
            Kind::Avg => Added::Avg,
            Kind::StddevSamp => Added::StddevSamp,
            Kind::StddevPop => Added::StddevPop,
            Kind::VarSamp => Added::VarSamp,
            Kind::VarPop => Added::VarPop,
            _ => return None,
        })
    }

    /// The kind that knows its values itself.
    pub const fn kind(self) -> Kind {
        match self {
            Added::Sum => Kind::Sum,
            Added::Avg => Kind::Avg,
            Added::StddevSamp => Kind::StddevSamp,
            Added::StddevPop => Kind::StddevPop,
            Added::VarSamp => Kind::VarSamp,
            Added::VarPop => Kind::VarPop,
        }
    }

    const fn is_spread(self) -> bool {
        !matches!(self, Added::Sum | Added::Avg)
    }
}

/// What an aggregate is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    pub ty: Type,
    /// None: values are nested, which only counts take.
    pub shape: Option<Shape>,
    /// Whether its type is that of a dictionary.
    pub is_dictionary: bool,
}
