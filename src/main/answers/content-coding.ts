import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, gzip, zstdCompress } from 'node:zlib'

/** Content codings (RFC 9110 §8.4.1), the better one first. */
export const CONTENT_CODINGS = ['zstd', 'gzip'] as const

export type ContentCoding = (typeof CONTENT_CODINGS)[number]

/** Fewer bytes are one packet, coded or not. */
export const FEWEST_BYTES = 1024

/** What is not made shorter by a fifth is not worth the client's time. */
const MOST_OF_ITS_LENGTH = 0.8

/** Codes bytes in the thread pool; null: it does not pay. */
export async function coded(bytes: Buffer, coding: ContentCoding): Promise<Buffer | null> {
  if (bytes.length < FEWEST_BYTES) return null
  const shorter = await CODERS[coding].whole(bytes)
  return shorter.length <= bytes.length * MOST_OF_ITS_LENGTH ? shorter : null
}

/** Codes a body as it comes. It breaks when the body does, and the body is destroyed with it. */
export function codedStream(body: Readable, coding: ContentCoding): Readable {
  const coder = CODERS[coding].stream()
  // Whoever reads the coder hears of errors.
  pipeline(body, coder, () => {})
  return coder
}

const CODERS = {
  zstd: {
    whole: promisify(zstdCompress),
    // What was given leaves at once: a first row does not wait for the next ones.
    stream: () =>
      createZstdCompress({
        flush: constants.ZSTD_e_flush,
        params: { [constants.ZSTD_c_compressionLevel]: 1 },
      }),
  },
  gzip: {
    whole: promisify(gzip),
    stream: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 1 }),
  },
} as const
