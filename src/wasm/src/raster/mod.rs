//! Tiles of rasters as TIFF stores them: two compressions, what predictors did, and samples that are not whole bytes.

pub mod lzw;
pub mod packbits;
mod planes;
mod predictor;
mod samples;

pub use planes::planes;
pub use predictor::{Predictor, Rows, undo};
pub use samples::{Samples, widen};
