//! Samples of pixels apart from each other.

use crate::error::{Error, Result};

/// Pixels whose samples are taken apart together, so that their bytes stay in the processor's first cache.
const TOGETHER: usize = 512;

/// Writes the first sample of all pixels, then the second one of all, and so on. `planes` has as many bytes as `pixels`, which are whole ones.
pub fn planes(pixels: &[u8], planes: &mut [u8], samples: usize, value_bytes: usize) -> Result<()> {
    if pixels.len() != planes.len() {
        return Err(WRONG);
    }
    match value_bytes {
        1 => apart::<1>(pixels, planes, samples),
        2 => apart::<2>(pixels, planes, samples),
        4 => apart::<4>(pixels, planes, samples),
        8 => apart::<8>(pixels, planes, samples),
        _ => Err(WRONG),
    }
}

const WRONG: Error = Error::Misuse("pixels of other sizes");

fn apart<const N: usize>(pixels: &[u8], planes: &mut [u8], samples: usize) -> Result<()> {
    let (values, rest) = pixels.as_chunks::<N>();
    if samples == 0 || !rest.is_empty() || !values.len().is_multiple_of(samples) {
        return Err(WRONG);
    }
    let count = values.len() / samples;
    let planes = planes.as_chunks_mut::<N>().0;
    for (block, values) in values.chunks(TOGETHER * samples).enumerate() {
        for sample in 0..samples {
            let to = sample * count + block * TOGETHER;
            let plane = &mut planes[to..to + values.len() / samples];
            for (out, pixel) in plane.iter_mut().zip(values.chunks_exact(samples)) {
                *out = pixel[sample];
            }
        }
    }
    Ok(())
}
