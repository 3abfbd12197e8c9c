//! Columns in the form in which DuckDB's vectors hold them (DuckDB's C API, "Data Types" and "Vectors").

mod physical;
mod vector;

pub use physical::{Form, physical};
pub use vector::{Rows, descend, long_text, selection};
