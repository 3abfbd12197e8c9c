//! Column chunks of Parquet.

use super::call;
use super::encoders::KEPT_SCRATCH;
use crate::error::Error;
use crate::parquet_write::{self, Chunk};
use crate::run::Run;
use crate::types::Type;

/// [`parquet_write::write`] of a column. The arguments are seven 32-bit integers: the type's two numbers, the bytes of a stored decimal,
/// the first row, the rows, 1 if the column may have nulls, and any number. Results: where the chunk is, its length, where its
/// summary is, its length.
#[unsafe(no_mangle)]
pub extern "C" fn parquet_chunk(column: u32) -> i32 {
    call(|state| {
        let words = super::words(&state.arguments)?;
        let &[code, parameter, width, start, len, is_optional, seed] = words.as_slice() else {
            return Err(Error::Misuse("seven arguments were expected"));
        };
        let chunk = Chunk {
            ty: Type::from_code(code, parameter as i32)?,
            width: width as usize,
            rows: Run { start: start as usize, len: len as usize },
            is_optional: is_optional != 0,
            seed: seed.into(),
        };
        state.scratch.clear(KEPT_SCRATCH);
        state.summary.clear(KEPT_SCRATCH);
        state.compressor.clear(KEPT_SCRATCH);
        let array = state.columns.get(column)?;
        parquet_write::write(array, &chunk, &mut state.compressor, &mut state.scratch, &mut state.summary)?;
        let (pages, summary) = (state.scratch.written(), state.summary.written());
        let address = |bytes: &[u8]| bytes.as_ptr() as usize as u32;
        state.results = [address(pages), pages.len() as u32, address(summary), summary.len() as u32];
        Ok(0)
    })
}
