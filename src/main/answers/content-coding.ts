import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, gzip, zstdCompress } from 'node:zlib'

/** Content codings (RFC 9110 §8.4.1), the preferred one first. */
export const CONTENT_CODINGS = ['zstd', 'gzip'] as const

export type ContentCoding = (typeof CONTENT_CODINGS)[number]

/** Shorter bodies are not compressed: with their headers they fit in one packet as they are. */
export const MIN_CODED_BYTES = 1024

/** A body that compression does not shorten by a fifth is sent as it is, which spares the client the decompression. */
const MAX_RATIO = 0.8

/** Compresses bytes in the thread pool. Null: they are too short, or would not get much shorter. */
export async function compress(bytes: Buffer, coding: ContentCoding): Promise<Buffer | null> {
  if (bytes.length < MIN_CODED_BYTES) return null
  const shorter = await CODERS[coding].whole(bytes)
  return shorter.length <= bytes.length * MAX_RATIO ? shorter : null
}

/** Compresses a body while it is made. An error of the body is one of this stream; the body is destroyed with this stream. */
export function codedStream(body: Readable, coding: ContentCoding): Readable {
  const coder = CODERS[coding].stream()
  // `pipeline` destroys the coder with the error of the body, so the reader of the coder gets it.
  pipeline(body, coder, () => {})
  return coder
}

const CODERS = {
  zstd: {
    whole: promisify(zstdCompress),
    // Each chunk is flushed: a first row must not wait for later ones.
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
