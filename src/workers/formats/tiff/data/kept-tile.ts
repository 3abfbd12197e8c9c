import type { Core } from '../../../../wasm/core/core.ts'
import { toOwnBuffer } from '../../codecs/inflate.ts'
import type { TileValues } from './tile-values.ts'

/** The pixels of a tile, or of rows of one. */
export interface TilePixels {
  readonly count: number
  /** Samples of a pixel. */
  readonly samples: number
  readonly valueBytes: number
}

/** So many bytes are put apart at once in the core, whose memory never shrinks. */
const MOST_AT_ONCE = 4 << 20

/**
 * A tile as it is kept for all of its bands, each of which reads its own part: the values of the first sample, then those of the second one, and
 * so on, and behind them the validity.
 */
export function keepTile(
  core: Core,
  { bytes, isPlanar, validity }: TileValues,
  pixels: TilePixels,
): ArrayBuffer {
  const { count, samples, valueBytes } = pixels
  const length = count * samples * valueBytes
  const isApart = isPlanar || samples === 1
  if (validity === null && isApart) return bytes instanceof Uint8Array ? toOwnBuffer(bytes) : bytes.copy()
  // There are more bytes if the last strip is filled up.
  if (validity === null && !(bytes instanceof Uint8Array) && bytes.length === length)
    return core.rasters.planes(samples, valueBytes).copy()
  const memory = new Uint8Array(length + (validity?.length ?? 0))
  const whole = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes.copy())
  if (isApart) memory.set(whole)
  else putApart(core, whole.subarray(0, length), pixels, memory)
  if (validity !== null) memory.set(validity, length)
  return memory.buffer
}

/**
 * Puts the samples of pixels apart, of which `bytes` are those from number `from` on: in `target` the first sample of all pixels comes first,
 * then the second one of all, and so on.
 */
export function putApart(
  core: Core,
  bytes: Uint8Array,
  { count, samples, valueBytes }: TilePixels,
  target: Uint8Array,
  from = 0,
): void {
  const pixelBytes = samples * valueBytes
  const end = from + bytes.length / pixelBytes
  const step = Math.max(1, Math.floor(MOST_AT_ONCE / pixelBytes))
  for (let first = from; first < end; first += step) {
    const some = Math.min(step, end - first)
    const place = (first - from) * pixelBytes
    const part = bytes.subarray(place, place + some * pixelBytes)
    core.rasters.filled(part.length, (room) => room.set(part))
    const apart = new Uint8Array(core.rasters.planes(samples, valueBytes).copy())
    for (let sample = 0; sample < samples; sample++) {
      const plane = apart.subarray(sample * some * valueBytes, (sample + 1) * some * valueBytes)
      target.set(plane, (sample * count + first) * valueBytes)
    }
  }
}
