//! Functions of 64-bit floats, to the last bit as in DuckDB, whose build for WebAssembly has those of musl: ports of exp, log, log2, pow,
//! cbrt, sinh, cosh and tanh of musl 1.2.3 (`src/math`). The functions of Rust differ in the last bit of some results.
//!
//! exp, log, log2 and pow: Copyright (c) 2018, Arm Limited. SPDX-License-Identifier: MIT.
//! sinh, cosh, tanh: Copyright (c) 2005-2020 Rich Felker, et al. SPDX-License-Identifier: MIT.
//! cbrt: origin FreeBSD /usr/src/lib/msun/src/s_cbrt.c. Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at
//! SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is freely granted,
//! provided that this notice is preserved.
//!
//! The MIT license: Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
//! documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use,
//! copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
//! is furnished to do so, subject to the following conditions: The above copyright notice and this permission notice shall be included
//! in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
//! IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO
//! EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
//! TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

mod cbrt;
mod exp;
mod hyperbolic;
mod log;
mod power;
mod tables;

pub use cbrt::cbrt;
pub use exp::exp;
pub use hyperbolic::{cosh, sinh, tanh};
pub use log::{log, log2};
pub use power::power;

/// The float of an entry of a table.
#[inline(always)]
fn entry(table: &[u64], index: usize) -> f64 {
    f64::from_bits(table[index])
}

/// The exponent and the sign of a float.
#[inline(always)]
fn top12(x: f64) -> u32 {
    (x.to_bits() >> 52) as u32
}
