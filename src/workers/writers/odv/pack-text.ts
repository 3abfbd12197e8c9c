import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { OdvCompression } from '../../../plan/output/odv-plan.ts'

/** Text as it goes into the archive. */
export interface PackedText {
  readonly chunks: readonly ArrayBuffer[]
  readonly size: number
  readonly crc: number
}

/**
 * Packs texts, which follow each other. Deflated blocks end with a full flush, at a whole byte and without references to what
 * came before, so that those of several tasks follow each other in one stream. A frame of Zstandard has to be made in one go: it is left
 * to main.
 */
export function packText(texts: Iterable<ArrayBuffer>, compression: OdvCompression): PackedText {
  const chunks: ArrayBuffer[] = []
  let [size, crc] = [0, 0]
  for (const text of texts) {
    const bytes = new Uint8Array(text)
    size += bytes.length
    crc = crc32(bytes, crc)
    chunks.push(compression === 'deflate' ? deflate(bytes) : text)
  }
  return { chunks, size, crc }
}

function deflate(bytes: Uint8Array): ArrayBuffer {
  const packed = deflateRawSync(bytes, DEFLATE)
  return packed.buffer.byteLength === packed.length && packed.buffer instanceof ArrayBuffer
    ? packed.buffer
    : new Uint8Array(packed).buffer
}

/** Level 5 takes little more than half the time of the default, 6, for 1 % more bytes of sorted rows of stations. */
const DEFLATE = Object.freeze({ level: 5, finishFlush: constants.Z_FULL_FLUSH, chunkSize: 1 << 20 })
