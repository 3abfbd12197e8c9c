//! Parquet pages as columns (Encodings.md and Compression.md of apache/parquet-format).

mod booleans;
mod byte_arrays;
mod convert;
mod delta;
mod delta_bytes;
mod fixed;
mod flat;
mod footer;
pub(crate) mod hybrid;
mod inflate;
mod kind;
mod pack;
mod page;
mod pages;
mod presence;
mod split;
mod summary;
mod texts;
mod thrift;
mod unpack;

pub use flat::FlatColumn;
pub use inflate::Codec;
pub use kind::{Kind, Read, Stored};
pub use pack::{Pack, PackColumn};
pub use page::{Encoding, Levels, Page};
pub use summary::{Bounds, Summaries, SummaryColumn, Width};
