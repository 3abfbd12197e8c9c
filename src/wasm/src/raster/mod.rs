//! Tiles of rasters as TIFF stores them: two compressions, what predictors did, and samples that are not whole bytes.

pub mod lzw;
pub mod packbits;
mod planes;
mod predictor;
mod samples;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

pub use planes::planes;
pub use predictor::{Predictor, Rows, undo};
pub use samples::{Samples, widen};
