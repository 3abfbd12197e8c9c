//! What can go wrong, as data; the text is written where the error leaves the module.

use std::fmt;

/// Every error of the codecs. The loader knows the numbers of [`Error::code`].
#[derive(Debug)]
pub enum Error {
    /// The memory that the instance may use is used up, or a file asks for more than that.
    Memory,
    /// The bytes are not what the format allows.
    Damaged(String),
    /// What the format has and no decoder here reads.
    Unsupported(String),
    /// The loader could not hand over bytes. It knows why.
    Host,
    /// A caller's mistake.
    Misuse(&'static str),
}

/// Result with an error of a codec.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The number under which the loader knows this kind of error; negative.
    pub const fn code(&self) -> i32 {
        match self {
            Error::Memory => -1,
            Error::Damaged(_) => -2,
            Error::Unsupported(_) => -3,
            Error::Host => -4,
            Error::Misuse(_) => -5,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Memory => f.write_str("the memory of a codec is used up"),
            Error::Damaged(what) | Error::Unsupported(what) => f.write_str(what),
            Error::Host => f.write_str("no bytes were handed over"),
            Error::Misuse(what) => f.write_str(what),
        }
    }
}
