//! The core: columns as Arrow arrays in one linear memory, three-valued row masks over them, and the bytes that leave.
//!
//! Layers. Each module uses only those before it, which a test compares with the `use` lines:
//! * `error`, `int256`, `half`, `repeat`, `host`: results, wide and half numbers, the call to the host; `cancel`, `pieces`: long calls that end early;
//! * `vectors`, `buffer`, `bitmap`, `handles`, `scratch`: memory whose allocation can fail without a trap; `growth`; `run`, `cycle`: which rows;
//! * `zlib`, `lz4`, `lzf`, `snappy`: inflating; `inflated`: what was inflated last; `lz4_write`, `compression`: compressing;
//! * `types`, `array`: an Arrow array; `repeated`, `flat`, `cycles`: one that repeats values, and one read row by row;
//! * `copy`, `rows`, `lookup`, `gather`, `cast`, `held`: choosing rows, copying them, other types, columns by handle;
//! * `mask`, `compare`, `within`: selection; `bounds`: least and greatest values; `points`: geometries of columns;
//! * `evaluate`: expressions over rows;
//! * `int96`, `interval`, `assemble`, `parquet`: arrays made from foreign buffers, and from pages;
//! * `csv_reader`: arrays from text; `copy_reader`: arrays from rows of databases; `box_column`: arrays from boxes of stored arrays; `raster`: tiles of pixels; `blosc`;
//! * `group`, `order`, `grid`: what is made of rows;
//! * `text`, `csv`, `odv`, `json`, `ipc`: encoding; `duckdb`: the form of DuckDB's vectors; `parquet_write`: column chunks of Parquet;
//! * `section_column`: arrays from sections of many stored arrays;
//! * `abi`: the functions that the loader calls.
//!
//! `unsafe` occurs in `buffer` (bytes seen as numbers), `host` (the call to the host), `compare::simd128`, `box_column::simd128`,
//! `group::pack`, `raster::simd128` and `zlib::simd128` (vector loads and stores), and `abi` (`no_mangle`) only.

pub mod abi;
pub mod array;
pub mod assemble;
pub mod bitmap;
pub mod blosc;
pub mod bounds;
pub mod box_column;
pub mod buffer;
pub mod cancel;
pub mod cast;
pub mod compare;
pub mod compression;
pub mod copy;
pub mod copy_reader;
pub mod csv;
pub mod csv_reader;
pub mod cycle;
pub mod cycles;
pub mod duckdb;
pub mod error;
pub mod evaluate;
pub mod flat;
pub mod gather;
pub mod grid;
pub mod group;
pub mod growth;
pub mod half;
pub mod handles;
pub mod held;
pub mod host;
pub mod inflated;
pub mod int256;
pub mod int96;
pub mod interval;
pub mod ipc;
pub mod json;
pub mod lookup;
pub mod lz4;
pub mod lz4_write;
pub mod lzf;
pub mod mask;
pub mod odv;
pub mod order;
pub mod parquet;
pub mod parquet_write;
pub mod pieces;
pub mod points;
pub mod raster;
pub mod repeat;
pub mod repeated;
pub mod rows;
pub mod run;
pub mod scratch;
pub mod section_column;
pub mod snappy;
pub mod text;
pub mod types;
pub mod vectors;
pub mod within;
pub mod zlib;
