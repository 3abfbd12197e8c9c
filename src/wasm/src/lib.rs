//! The core: columns as Arrow arrays in one linear memory, three-valued row masks over them, and the bytes that leave.
//!
//! Layers, each using only those before it:
//! * `error`, `buffer`, `bitmap`, `scratch`, `slab`: memory whose allocation can fail without a trap;
//! * `array`, `assemble`, `parquet`: an Arrow array, and how one is checked and made from foreign buffers or pages;
//! * `rows`, `copy`, `gather`, `lookup`, `repeated`, `flat`, `cast`, `held`: which rows, copying them, and columns by handle;
//! * `mask`, `compare`, `within`: selection;
//! * `group`, `order`, `grid`: what is made of the rows selected; `points`: geometries of columns;
//! * `csv_reader`: arrays from text; `box_column`: arrays from boxes of stored arrays;
//! * `ipc`, `text`, `csv`, `odv`, `json`: encoding; `duckdb`: the form of DuckDB's vectors;
//! * `parquet_write`: column chunks of Parquet;
//! * `lz4`, `snappy`, `zlib`, `repeat`: inflating; `lz4_write`, `compression`, `host`: compressing;
//! * `abi`: the functions that the loader calls.
//!
//! `unsafe` occurs in `buffer` (bytes seen as numbers), `host` (the call to the host), `compare::simd128`, `box_column::simd128` and
//! `zlib::simd128` (vector loads and stores) only.

pub mod abi;
pub mod array;
pub mod assemble;
pub mod bitmap;
pub mod box_column;
pub mod buffer;
pub mod cast;
pub mod compare;
pub mod compression;
pub mod copy;
pub mod csv;
pub mod csv_reader;
pub mod cycles;
pub mod duckdb;
pub mod error;
pub mod flat;
pub mod gather;
pub mod grid;
pub mod group;
pub mod half;
pub mod held;
pub mod host;
pub mod int256;
pub mod ipc;
pub mod json;
pub mod lookup;
pub mod lz4;
pub mod lz4_write;
pub mod mask;
pub mod odv;
pub mod order;
pub mod parquet;
pub mod parquet_write;
pub mod points;
pub mod repeat;
pub mod repeated;
pub mod rows;
pub mod scratch;
pub mod slab;
pub mod snappy;
pub mod text;
pub mod types;
pub mod within;
pub mod zlib;
