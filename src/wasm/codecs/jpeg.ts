import { type CodecsInstance, instantiateCodecs } from './instance.ts'

/** What a JPEG image has to be (`src/jpeg.rs`, `Shape`). */
export interface JpegShape {
  readonly width: number
  readonly leastHeight: number
  readonly mostHeight: number
  /** Samples of a pixel, of 8 bits each. */
  readonly samples: number
  /** Whether the samples are luma and chroma, of which red, green and blue are made. */
  readonly isYcc: boolean
}

/** What the decoder takes besides the image and its pixels. */
const OTHER_BYTES = 16 << 20

/** A progressive image has 16 bits of each sample in memory, the pixels of its blocks and those of the answer. */
const MEMORY_FOR_SAMPLE = 4

/** An instance for larger images is not kept, since its memory never shrinks. */
const KEPT_BYTES = 64 << 20

let threadCodecs: CodecsInstance | null = null

/** The samples of a JPEG image, pixel by pixel, which is in parts that follow each other. Throws `unreadable_file` and `memory_limit`. */
export function decodeJpeg(parts: readonly Uint8Array[], shape: JpegShape): Uint8Array {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  const samples = shape.width * shape.mostHeight * shape.samples
  const needed = OTHER_BYTES + bytes + MEMORY_FOR_SAMPLE * samples
  const codecs =
    (needed <= KEPT_BYTES ? threadCodecs : null) ?? instantiateCodecs(Math.max(needed, KEPT_BYTES))
  threadCodecs = null
  let isAlive = false
  try {
    codecs.call('jpeg_room', bytes)
    const room = codecs.bytes(codecs.result(0), bytes)
    let at = 0
    for (const part of parts) {
      room.set(part, at)
      at += part.length
    }
    const { width, leastHeight, mostHeight, isYcc } = shape
    codecs.call('jpeg_decode', width, leastHeight, mostHeight, shape.samples, Number(isYcc))
    const pixels = codecs.bytes(codecs.result(0), codecs.result(1)).slice()
    isAlive = true
    return pixels
  } finally {
    // After an error, which damaged files have, the next image gets a new instance.
    if (isAlive && needed <= KEPT_BYTES) threadCodecs = codecs
  }
}
