import type { ElementType } from '../../arrays/array-file.ts'
import { fault } from '../../fault.ts'
import type { Directory, IntegerTable } from './directory.ts'
import { type Tag, tagName } from './tags.ts'

/** The pixels of the first image of a file, and how they are stored. */
export interface Image {
  readonly isBigEndian: boolean
  readonly width: number
  readonly height: number
  /** Samples of a pixel: the bands. */
  readonly samples: number
  /** Bits of a sample in the file. */
  readonly bits: number
  /** The type of the values: bits in between are widened. */
  readonly element: SampleElement
  readonly compression: number
  readonly predictor: number
  /** Whether the lowest bit of each byte comes first. */
  readonly isBitReversed: boolean
  /** Whether each sample has tiles of its own. Else the samples of a pixel follow each other. */
  readonly isSeparate: boolean
  /** Whether tiles are no strips, which have all pixels of their rows. */
  readonly isTiled: boolean
  /** Pixels of a tile. The last strip may have fewer rows; other tiles are filled up at the edges. */
  readonly tileWidth: number
  readonly tileHeight: number
  readonly across: number
  readonly down: number
  readonly offsets: IntegerTable
  /** Null: the file has none, which pixels that are not compressed do not need. */
  readonly byteCounts: IntegerTable | null
  /** The subsampling of chroma, if it is not 1, 1. */
  readonly subsampling: readonly number[] | null
  /** What data that LERC compressed are compressed by then, as LercParameters says. */
  readonly furtherCompression: number
  /** The tables of JPEG that all tiles use. Null: each has its own. */
  readonly jpegTables: Uint8Array | null
  /** Whether the samples are luma and chroma. */
  readonly isYcc: boolean
}

export type SampleElement = Extract<ElementType, { kind: 'int' | 'float' }>

export const UNCOMPRESSED = 1

const FORMAT = Object.freeze({ unsigned: 1, signed: 2, float: 3, undefined: 4 })
const YCBCR = 6
const MOST_SAMPLES = 65_535

/** The tables of JPEG: four of 64 numbers, and eight of at most 272 bytes, and little else. */
const MOST_TABLE_BYTES = 1 << 16

/** More samples need a number of bits for each, so that a small file has few columns. Some programs write one for all. */
const FEW_SAMPLES = 256

/** Reads how the pixels are stored. Throws `unreadable_file` for what does not fit together, and for samples that no column has. */
export function readImage(directory: Directory): Image {
  const width = requireTag(directory, 'ImageWidth')
  const height = requireTag(directory, 'ImageLength')
  const samples = directory.number('SamplesPerPixel') ?? 1
  if (samples < 1 || samples > MOST_SAMPLES) throw unsupported('SamplesPerPixel', samples)
  const bits = same(directory, 'BitsPerSample') ?? 1
  const bitsCount = directory.table('BitsPerSample')?.count ?? 0
  if (samples > FEW_SAMPLES && bitsCount < samples)
    throw fault(`its ${tagName('BitsPerSample')} has ${bitsCount} values, and pixels have ${samples} samples`)
  const planar = directory.number('PlanarConfiguration') ?? 1
  if (planar !== 1 && planar !== 2) throw unsupported('PlanarConfiguration', planar)
  const fillOrder = directory.number('FillOrder') ?? 1
  if (fillOrder !== 1 && fillOrder !== 2) throw unsupported('FillOrder', fillOrder)
  const isSeparate = planar === 2 && samples > 1
  const image = {
    isBigEndian: directory.isBigEndian,
    width,
    height,
    samples,
    bits,
    element: elementOf(bits, same(directory, 'SampleFormat') ?? FORMAT.unsigned),
    compression: directory.number('Compression') ?? UNCOMPRESSED,
    predictor: directory.number('Predictor') ?? 1,
    isBitReversed: fillOrder === 2,
    isSeparate,
    ...tilesOf(directory, width, height),
    subsampling: subsamplingOf(directory),
    furtherCompression: directory.numbers('LercParameters', 16)?.[1] ?? 0,
    jpegTables: directory.bytes('JPEGTables', MOST_TABLE_BYTES),
    isYcc: directory.number('PhotometricInterpretation') === YCBCR,
  }
  const tiles = image.across * image.down * (isSeparate ? samples : 1)
  for (const table of [image.offsets, image.byteCounts])
    if (table !== null && table.count < tiles)
      throw fault(`its ${tagName(table.tag)} has ${table.count} values, and the image has ${tiles} tiles`)
  return image
}

type Tiles = Pick<
  Image,
  'isTiled' | 'tileWidth' | 'tileHeight' | 'across' | 'down' | 'offsets' | 'byteCounts'
>

function tilesOf(directory: Directory, width: number, height: number): Tiles {
  const isTiled = directory.number('TileWidth') !== null
  const tileWidth = isTiled ? requireTag(directory, 'TileWidth') : width
  const tileHeight = isTiled
    ? requireTag(directory, 'TileLength')
    : Math.min(directory.number('RowsPerStrip') ?? height, height)
  if (tileHeight < 1) throw unsupported('RowsPerStrip', tileHeight)
  const offsetsTag: Tag = isTiled ? 'TileOffsets' : 'StripOffsets'
  const offsets = directory.table(offsetsTag)
  if (offsets === null) throw fault(`it has no ${tagName(offsetsTag)}`)
  return {
    isTiled,
    tileWidth,
    tileHeight,
    across: Math.ceil(width / tileWidth),
    down: Math.ceil(height / tileHeight),
    offsets,
    byteCounts: directory.table(isTiled ? 'TileByteCounts' : 'StripByteCounts'),
  }
}

/** A number that has to be there, and at least 1. */
function requireTag(directory: Directory, tag: Tag): number {
  const value = directory.number(tag)
  if (value === null) throw fault(`it has no ${tagName(tag)}`)
  if (value < 1) throw unsupported(tag, value)
  return value
}

/** The number that a tag has for all samples. Null: there is no such tag. */
function same(directory: Directory, tag: Tag): number | null {
  const values = directory.numbers(tag, MOST_SAMPLES)
  const [first = null] = values ?? []
  if (values?.some((each) => each !== first)) throw unsupported(tag, values.slice(0, 8).join(', '))
  return first
}

function elementOf(bits: number, format: number): SampleElement {
  if (format === FORMAT.float) {
    if (bits !== 16 && bits !== 32 && bits !== 64)
      throw fault(`its ${tagName('BitsPerSample')} is ${bits}, and floats have 16, 32 or 64`)
    return { kind: 'float', bits }
  }
  const isInteger = format === FORMAT.unsigned || format === FORMAT.signed || format === FORMAT.undefined
  if (!isInteger) throw unsupported('SampleFormat', format)
  if (!(bits >= 1 && bits <= 64)) throw unsupported('BitsPerSample', bits)
  const wide = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64
  return { kind: 'int', bits: wide, signed: format === FORMAT.signed }
}

function subsamplingOf(directory: Directory): readonly number[] | null {
  if (directory.number('PhotometricInterpretation') !== YCBCR) return null
  const factors = directory.numbers('YCbCrSubSampling', 16) ?? [2, 2]
  return factors.every((each) => each === 1) ? null : factors
}

/** The error for a tag whose value is not read. */
export function unsupported(tag: Tag, value: number | string): Error {
  return fault(`its ${tagName(tag)} is ${value}, which is not read`)
}
