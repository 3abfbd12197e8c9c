//! What instructions compute: a file for each family of operations.

pub mod arithmetic;
mod case;
mod case_table;
pub mod choosing;
pub mod comparing;
pub mod convert;
pub mod dates;
pub mod day_table;
pub mod decimals;
mod finding;
pub mod functions;
pub mod logic;
mod loops;
pub mod matching;
mod math;
pub mod rounding;
pub mod spans;
pub mod texts;
pub mod time_reading;
pub mod time_texts;
mod wholes;
pub mod zones;
