//! What [`super::simd128`] does, where there are no vectors.

/// Bytes that repeat every `distance` bytes as the first ones of `start` do, and how many of them are whole periods.
pub fn repeated(start: &[u8; 16], distance: usize) -> ([u8; 16], usize) {
    let period = distance.clamp(1, 16);
    (std::array::from_fn(|at| start[at % period]), 16 - 16 % period)
}

/// The sums of Adler-32 behind so many blocks.
pub fn sums(blocks: &[[u8; 16]], mut a: u32, mut b: u32) -> (u32, u32) {
    for &byte in blocks.as_flattened() {
        a += u32::from(byte);
        b += a;
    }
    (a, b)
}
