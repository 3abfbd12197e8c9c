//! Making points.

use super::call;
use super::encoders::KEPT_SCRATCH;
use crate::points::points;
use crate::types::Type;
use crate::within::Coordinates;

/// The points of two columns: a column of their well-known binary. The first result is where [`crate::points::Points::bounds`] lie until the
/// next call.
#[unsafe(no_mangle)]
pub extern "C" fn points_new(x: u32, x_code: u32, x_parameter: i32, y: u32, y_code: u32, y_parameter: i32) -> i32 {
    call(|state| {
        let (x, y) = (state.columns.get(x)?, state.columns.get(y)?);
        let (plain_x, plain_y) = (x.decoded()?, y.decoded()?);
        let x = Coordinates::new(plain_x.as_ref().unwrap_or(x), Type::from_code(x_code, x_parameter)?)?;
        let y = Coordinates::new(plain_y.as_ref().unwrap_or(y), Type::from_code(y_code, y_parameter)?)?;
        let made = points(x, y)?;
        state.scratch.clear(KEPT_SCRATCH);
        for bound in made.bounds {
            state.scratch.space(8)?[..8].copy_from_slice(&bound.to_le_bytes());
            state.scratch.commit(8);
        }
        state.results[0] = state.scratch.written().as_ptr() as usize as u32;
        state.columns.insert(made.array)
    })
}
