//! Codecs that few files need, from crates of others. They are a module of their own, which is loaded when a file needs it, with a
//! memory of its own: what a hostile file makes a codec do leaves the core as it was.
//!
//! Layers. Each module uses only those before it:
//! * `error`: what can go wrong;
//! * `host`: compressed bytes, which the loader hands over when they are asked for;
//! * `stream`: the decoders of xz and bzip2;
//! * `jpeg`: the decoder of JPEG images;
//! * `abi`: the functions that the loader calls.
//!
//! `unsafe` occurs in `host` (the call to the loader) and `abi` (`no_mangle`) only.

pub mod abi;
pub mod error;
pub mod host;
pub mod jpeg;
pub mod stream;
