import { promisify } from 'node:util'
import { constants, crc32, createZstdCompress, deflateRaw } from 'node:zlib'
import type { ZipMethod } from './zip-records.ts'

/** Content on its way into an archive. Blocks of `deflate` are packed already, and end with a full flush. */
export interface ZipContent {
  readonly chunks: readonly Uint8Array[]
  /** Bytes that are not packed, and their CRC-32. */
  readonly size: number
  readonly crc: number
}

/** Packs content of one entry in its order, off the main thread. */
export interface ContentPacker {
  /** The next bytes of the entry. */
  pack(content: ZipContent): Promise<readonly Uint8Array[]>
  /** Its last bytes. */
  end(): Promise<readonly Uint8Array[]>
  /** Gives up. To be called in any case. */
  close(): void
}

/** Some text as content. It is only used for short ones. */
export async function contentOf(text: string, method: ZipMethod): Promise<ZipContent> {
  const bytes = Buffer.from(text)
  const packed = method === 'deflate' ? await promisify(deflateRaw)(bytes, FLUSHED) : bytes
  return { chunks: [packed], size: bytes.length, crc: crc32(bytes) }
}

const FLUSHED = Object.freeze({ finishFlush: constants.Z_FULL_FLUSH })

export function createContentPacker(method: ZipMethod): ContentPacker {
  if (method === 'zstd') return zstdPacker()
  return {
    pack: async ({ chunks }) => chunks,
    end: async () => (method === 'deflate' ? [LAST_BLOCK] : []),
    close() {},
  }
}

/** An empty block that is the last one. */
const LAST_BLOCK = Uint8Array.of(3, 0)

/** One frame: Python's zipfile reads no more. It is made in a thread of libuv, as a frame cannot be put together of several. */
function zstdPacker(): ContentPacker {
  const stream = createZstdCompress()
  let packed: Uint8Array[] = []
  let failure: Error | null = null
  stream.on('data', (bytes: Buffer) => packed.push(bytes))
  stream.on('error', (error) => {
    failure = error
  })
  const taken = (): readonly Uint8Array[] => {
    if (failure !== null) throw failure
    const bytes = packed
    packed = []
    return bytes
  }
  return {
    async pack({ chunks }) {
      for (const chunk of chunks) await new Promise((written) => stream.write(chunk, written))
      return taken()
    },
    async end() {
      if (failure !== null) throw failure
      await new Promise<void>((ended) => {
        stream.once('close', ended)
        stream.end()
      })
      return taken()
    },
    close: () => void stream.destroy(),
  }
}
