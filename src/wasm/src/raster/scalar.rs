//! Sums of bytes where there are no vectors.

/// Writes to `out` the sum of each byte and all before it. Both have as many bytes.
pub fn running_sums(bytes: &[u8], out: &mut [u8]) {
    let mut sum = 0u8;
    for (out, byte) in out.iter_mut().zip(bytes) {
        sum = sum.wrapping_add(*byte);
        *out = sum;
    }
}
