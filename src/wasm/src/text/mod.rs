//! Values as text (docs/guides/output-formats.md).

mod base64;
mod digits;
mod float;
mod hex;
mod instant;
mod integer;
mod shortest;
mod value;

pub use base64::base64;
pub use float::{float32, float64};
pub use hex::{hex, uuid};
pub use instant::{
    date, date_or_timestamp, duration, interval, interval_months, time, timestamp, timestamp_milliseconds,
};
pub use integer::{decimal, signed, unsigned};
pub use value::{boolean, check, fixed, rows};

#[cfg(test)]
pub(crate) fn written(write: impl FnOnce(&mut crate::scratch::Scratch) -> crate::error::Result<()>) -> String {
    let mut out = crate::scratch::Scratch::new();
    write(&mut out).unwrap();
    String::from_utf8(out.written().to_vec()).unwrap()
}
