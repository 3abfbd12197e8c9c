/** Tags of an image file directory (TIFF 6.0, libtiff, GeoTIFF 1.1, GDAL) by the names that they have there. */
export const TAG = Object.freeze({
  ImageWidth: 256,
  ImageLength: 257,
  BitsPerSample: 258,
  Compression: 259,
  PhotometricInterpretation: 262,
  FillOrder: 266,
  StripOffsets: 273,
  SamplesPerPixel: 277,
  RowsPerStrip: 278,
  StripByteCounts: 279,
  PlanarConfiguration: 284,
  Predictor: 317,
  TileWidth: 322,
  TileLength: 323,
  TileOffsets: 324,
  TileByteCounts: 325,
  SampleFormat: 339,
  JPEGTables: 347,
  YCbCrSubSampling: 530,
  ModelPixelScale: 33550,
  ModelTiepoint: 33922,
  ModelTransformation: 34264,
  GeoKeyDirectory: 34735,
  GDAL_METADATA: 42112,
  GDAL_NODATA: 42113,
  LercParameters: 50674,
})

export type Tag = keyof typeof TAG

/** How messages name a tag. */
export function tagName(tag: Tag): string {
  return `tag ${TAG[tag]} (${tag})`
}
