import { type Image, UNCOMPRESSED } from '../metadata/image.ts'

/** How the samples of a tile lie when it is not compressed any more. */
export interface TileForm {
  /** Samples of a pixel in the tile. */
  readonly samples: number
  /** Bytes of a value. */
  readonly valueBytes: number
  /** Bytes of a row as it is stored, in which samples may have any number of bits. Rows begin at whole bytes. */
  readonly storedRowBytes: number
  /** Bytes of a row of values. */
  readonly rowBytes: number
  /** Whether samples are stored as values of whole bytes. */
  readonly isWhole: boolean
}

export function tileForm({ samples, bits, element, isSeparate, tileWidth }: Image): TileForm {
  const samplesInTile = isSeparate ? 1 : samples
  const valueBytes = element.bits / 8
  return {
    samples: samplesInTile,
    valueBytes,
    storedRowBytes: Math.ceil((tileWidth * samplesInTile * bits) / 8),
    rowBytes: tileWidth * samplesInTile * valueBytes,
    isWhole: bits === element.bits,
  }
}

/** Whether the values of a tile lie in the file as they are, so that a part of it can be read. */
export function isPlain(image: Image): boolean {
  const { compression, bits, element, isBitReversed, subsampling } = image
  return compression === UNCOMPRESSED && bits === element.bits && !isBitReversed && subsampling === null
}

/** The pixels of a tile along y and x. Null: strips of which any rows can be read are no chunks. */
export function chunkOf(image: Image): readonly number[] | null {
  return isPlain(image) && !image.isTiled ? null : [image.tileHeight, image.tileWidth]
}
