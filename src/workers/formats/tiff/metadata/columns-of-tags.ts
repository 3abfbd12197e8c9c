import type { Attribute, AttributeValue } from '../../arrays/array-file.ts'
import type { Directory } from './directory.ts'
import type { Georeference } from './georeference.ts'
import type { Image } from './image.ts'

/** What tags say of the whole image, as columns that have one value. */
export function columnsOfTags(
  directory: Directory,
  image: Image,
  { epsg, scale, tiepoints, matrix }: Georeference,
): readonly Attribute[] {
  const { width, height, samples, bits, isTiled, tileWidth, tileHeight, across, down } = image
  return [
    integer('image.width', width, 32),
    integer('image.height', height, 32),
    integer('image.samples_per_pixel', samples, 16),
    integer('image.bits_per_sample', bits, 16),
    ...(isTiled
      ? [
          integer('image.tile_width', tileWidth, 32),
          integer('image.tile_height', tileHeight, 32),
          integer('image.tile_count_x', across, 64),
          integer('image.tile_count_y', down, 64),
        ]
      : []),
    ...(epsg === null ? [] : [integer('geo.epsg', epsg, 16), text('geo.crs', `EPSG:${epsg}`)]),
    ...numbers('geo.model_pixel_scale', scale),
    ...numbers('geo.model_tiepoint', tiepoints),
    ...numbers('geo.model_transformation', matrix),
    ...texts('geo.nodata', directory.text('GDAL_NODATA')),
    ...texts('geo.gdal_metadata', directory.text('GDAL_METADATA')),
  ]
}

function integer(name: string, value: number, bits: 16 | 32 | 64): Attribute {
  const element = { kind: 'int', bits, signed: false } as const
  return { name, value: { kind: 'numbers', element, values: [bits === 64 ? BigInt(value) : value] } }
}

function numbers(name: string, values: readonly number[] | null): readonly Attribute[] {
  return values === null ? [] : [text(name, values.join(','))]
}

function texts(name: string, value: string | null): readonly Attribute[] {
  return value === null ? [] : [text(name, value)]
}

function text(name: string, value: string): Attribute {
  const textValue: AttributeValue = { kind: 'text', value }
  return { name, value: textValue }
}
