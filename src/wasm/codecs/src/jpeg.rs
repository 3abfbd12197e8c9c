//! JPEG images as TIFF has them: samples of 8 bits, whose colours the tags of the file say.

use crate::error::{Error, Result};
use std::num::NonZeroU32;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

/// The most scans of an image, as in libtiff: each takes the time of the whole image, however few bytes it has.
const MOST_SCANS: usize = 100;

/// Samples that are no colour which the decoder knows. It reads them only if it is lenient.
const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();

/// What an image has to be.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub width: usize,
    pub least_height: usize,
    pub most_height: usize,
    /// Samples of a pixel.
    pub samples: usize,
    /// Whether the samples are luma and chroma, of which red, green and blue are made.
    pub is_ycc: bool,
}

/// The samples of an image, pixel by pixel. The markers in it that say what its colours are do not count.
pub fn decode(image: &[u8], shape: Shape) -> Result<Vec<u8>> {
    let scans = image.windows(2).filter(|pair| *pair == [0xff, 0xda]).count();
    if scans > MOST_SCANS {
        return Err(Error::Damaged(format!("it has {scans} scans, more than {MOST_SCANS}")));
    }
    let is_strict = shape.samples != TWO.get() as usize;
    let options = DecoderOptions::default().set_strict_mode(is_strict).jpeg_set_max_scans(MOST_SCANS);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(image), options);
    decoder.decode_headers().map_err(damaged)?;
    let info = decoder.info().ok_or(Error::Misuse("an image without a header"))?;
    let (width, height, samples) = (usize::from(info.width), usize::from(info.height), usize::from(info.components));
    if width != shape.width || !(shape.least_height..=shape.most_height).contains(&height) {
        let Shape { width: wanted, most_height, .. } = shape;
        return Err(Error::Damaged(format!("it has {width} x {height} pixels, and not {wanted} x {most_height}")));
    }
    let colours = match decoder.input_colorspace() {
        // It is found out later.
        Some(_) if samples == TWO.get() as usize => ColorSpace::MultiBand(TWO),
        colours => colours.ok_or(Error::Misuse("an image without a header"))?,
    };
    if samples != shape.samples || colours.num_components() != samples {
        return Err(Error::Damaged(format!("its pixels have {samples} samples, and not {}", shape.samples)));
    }
    decoder.set_options(options.jpeg_set_out_colorspace(colours));
    let size = width * height * samples;
    let mut pixels = Vec::new();
    pixels.try_reserve_exact(size).map_err(|_| Error::Memory)?;
    pixels.resize(size, 0);
    decoder.decode_into(&mut pixels).map_err(damaged)?;
    if shape.is_ycc {
        to_rgb(&mut pixels);
    }
    Ok(pixels)
}

fn damaged(error: DecodeErrors) -> Error {
    Error::Damaged(format!("{error:?}"))
}

/// ITU-R BT.601 with all 256 values, in the integers of libjpeg (`jdcolor.c`): numbers times 2^16.
fn to_rgb(pixels: &mut [u8]) {
    const HALF: i32 = 1 << 15;
    for pixel in pixels.as_chunks_mut::<3>().0 {
        let [y, blue, red] = pixel.map(i32::from);
        let (blue, red) = (blue - 128, red - 128);
        let add = |part: i32| (y + (part >> 16)).clamp(0, 255) as u8;
        *pixel = [add(91_881 * red + HALF), add(-22_554 * blue - 46_802 * red + HALF), add(116_130 * blue + HALF)];
    }
}
