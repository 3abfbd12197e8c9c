//! Parquet pages, once inflated, as columns (Encodings.md of apache/parquet-format).

mod byte_arrays;
mod flat;
mod hybrid;
mod numbers;
mod texts;

pub use flat::{Encoding, FlatColumn, Kind, Page};
