import { createLocalStores } from '../../../src/workers/store/local-stores.ts'
import { createStopwatch } from '../../../src/workers/store/stopwatch.ts'
import { NO_FOLDERS, type OpenStore } from '../../../src/workers/store/store.ts'

/** A grid of a million chunks: the number of cells along each of its sides, and along each side of a chunk. */
export const MADE = Object.freeze({ side: 200, chunk: 2, chunks: 100 ** 3, chunkBytes: 8 * 2 ** 3 })

/** The value of a cell. */
export function madeValue(x: number, y: number, z: number): number {
  return (x * MADE.side + y) * MADE.side + z
}

const VERSION = { device: 1n, inode: 1n, size: BigInt(MADE.chunkBytes), mtimeNs: 1n, ctimeNs: 1n }

/**
 * Opens folders whose chunks are made when they are read: a million objects that are not on a disk. Only the document of a
 * folder is a file. The stopwatch counts the bytes of chunks alone.
 */
export function madeStores(): OpenStore {
  const local = createLocalStores()
  return (file, stopwatch) => {
    const documents = local(file, createStopwatch())
    const opened = new Map<string, typeof VERSION | null>()
    return {
      file,
      open(key) {
        const place = /^v\/(\d+)\.(\d+)\.(\d+)$/.exec(key)
        if (place === null) return documents.open(key)
        opened.set(`${file.location}/${key}`, VERSION)
        const read = (): Uint8Array => {
          stopwatch.addBytesRead(MADE.chunkBytes)
          return chunkBytes(place.slice(1).map(Number))
        }
        return {
          version: VERSION,
          size: MADE.chunkBytes,
          read: (offset, length) => read().subarray(offset, offset + length),
          readInto: (offset, target) => target.set(read().subarray(offset, offset + target.length)),
          release() {},
        }
      },
      foldersIn: () => NO_FOLDERS,
      isStill: () => true,
      verify: () => documents.verify(),
      objects: () => [
        ...documents.objects(),
        ...[...opened].map(([location, version]) => ({ location, version })),
      ],
      [Symbol.dispose]: () => documents[Symbol.dispose](),
    }
  }
}

function chunkBytes([i = 0, j = 0, k = 0]: readonly number[]): Uint8Array {
  // All values fit into the lower half of 64 bits.
  const halves = new Int32Array(2 * MADE.chunk ** 3)
  let cell = 0
  for (let x = 0; x < MADE.chunk; x++)
    for (let y = 0; y < MADE.chunk; y++)
      for (let z = 0; z < MADE.chunk; z++)
        halves[2 * cell++] = madeValue(i * MADE.chunk + x, j * MADE.chunk + y, k * MADE.chunk + z)
  return new Uint8Array(halves.buffer)
}
