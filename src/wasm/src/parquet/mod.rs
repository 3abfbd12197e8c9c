//! Parquet pages, once inflated, as columns (Encodings.md of apache/parquet-format).

mod flat;
mod hybrid;

pub use flat::{Encoding, FlatColumn, Page};
