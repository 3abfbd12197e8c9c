//! Parquet pages, once inflated, as columns (Encodings.md of apache/parquet-format).

mod flat;
mod hybrid;
mod texts;

pub use flat::{Encoding, FlatColumn, Kind, Page};
