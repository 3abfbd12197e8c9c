import type { InflatedBytes } from '../boxes/box-column.ts'
import type { Instance } from '../instance.ts'

/**
 * What tiles of rasters are decoded with. Each works on the bytes that were inflated last, in the core's memory, or makes them. Throws
 * `unreadable_file` for damaged data.
 */
export interface Rasters {
  /** Decompresses LZW data, up to `most` bytes of them. */
  inflateLzw(stream: Uint8Array, most: number): InflatedBytes
  /** Decompresses the part of an LZW stream that begins with a bit of its first byte, up to `most` bytes of it. */
  inflateLzwPart(part: Uint8Array, most: number, bit: number, isOld: boolean): LzwPart
  /** Decompresses PackBits data, up to `most` bytes of them. */
  inflatePackBits(stream: Uint8Array, most: number): InflatedBytes
  /** Bytes that `fill` writes: it gets room for them and one more, which it must not keep, and must not call the core. */
  filled(bytes: number, fill: (room: Uint8Array) => void): InflatedBytes
  /** Undoes a predictor. Samples are little-endian then. */
  undoPredictor(predictor: 2 | 3, rows: PredictedRows): void
  /** Makes little-endian integers of whole bytes of samples of other sizes. */
  widen(rows: number, samples: NarrowSamples): InflatedBytes
  /** Puts the samples of pixels apart: the first one of all pixels comes first, then the second one of all, and so on. */
  planes(samples: number, valueBytes: number): InflatedBytes
}

interface LzwPart {
  readonly bytes: InflatedBytes
  /** The bit behind the last code that clears the table, and the bytes before it. 0: there is no such code. */
  readonly clear: { readonly bit: number; readonly bytes: number }
  /** Whether the code at the end of the stream was read. */
  readonly isEnded: boolean
}

interface PredictedRows {
  readonly rowBytes: number
  /** Samples of a pixel. */
  readonly samples: number
  readonly sampleBytes: number
  readonly isBigEndian: boolean
}

interface NarrowSamples {
  /** 1 to 64. They lie as a stream of bits, the highest one first. */
  readonly bits: number
  readonly isSigned: boolean
  /** Whether the lowest byte of each sample comes first, of samples of whole bytes. */
  readonly isReversed: boolean
  /** Samples of a row, which begins at a whole byte. */
  readonly count: number
  /** Bytes of a value: 1, 2, 4 or 8. */
  readonly valueBytes: number
}

export function createRasters(instance: Instance): Rasters {
  /** What the last call has inflated. */
  const inflated = (): InflatedBytes => {
    const [address, length] = [instance.result(0), instance.result(1)]
    return { length, isShuffled: false, copy: () => instance.copy(address, length) }
  }
  const inflate = (name: 'inflate_lzw' | 'inflate_packbits', stream: Uint8Array, most: number) => {
    instance.setArguments(stream)
    instance.call(name, most)
    return inflated()
  }
  return {
    inflateLzw: (stream, most) => inflate('inflate_lzw', stream, most),
    inflateLzwPart(part, most, bit, isOld) {
      instance.setArguments(part)
      const isEnded = instance.call('inflate_lzw_part', most, bit, Number(isOld)) === 1
      const clear = { bit: instance.result(2), bytes: instance.result(3) }
      return { bytes: inflated(), clear, isEnded }
    },
    inflatePackBits: (stream, most) => inflate('inflate_packbits', stream, most),
    filled(bytes, fill) {
      instance.call('inflated_room', bytes)
      fill(instance.bytes(instance.result(0), bytes + 1))
      return inflated()
    },
    undoPredictor(predictor, { rowBytes, samples, sampleBytes, isBigEndian }) {
      instance.call('inflated_unpredict', predictor, rowBytes, samples, sampleBytes, Number(isBigEndian))
    },
    widen(rows, { bits, isSigned, isReversed, count, valueBytes }) {
      const flags = [Number(isSigned), Number(isReversed)]
      instance.call('inflated_widen', rows, count, bits, valueBytes, ...flags)
      return inflated()
    },
    planes(samples, valueBytes) {
      instance.call('inflated_planes', samples, valueBytes)
      return inflated()
    },
  }
}
