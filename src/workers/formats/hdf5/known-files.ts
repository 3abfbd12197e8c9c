import { createLru, type Lru } from '../../../plan/lru.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ArrayFile } from '../arrays/array-file.ts'

/** What the metadata of a small file say. The same object for all files of this size that have equal bytes in these places. */
interface KnownFile {
  readonly bytes: Buffer
  /** The places from which the metadata were read. They do not overlap. */
  readonly places: readonly Place[]
  readonly file: ArrayFile
}

interface Place {
  readonly from: number
  readonly to: number
}

/** What is kept, counted in bytes of files. What is made of metadata takes some times as much. */
const KEPT_BYTES = 2 << 20

/** By the size of the file. One program writes thousands of files that differ in their values alone. */
export type KnownFiles = Lru<KnownFile, number>

/** A source that records which of its bytes were read. */
export interface Traced {
  readonly source: ByteSource
  places(): readonly Place[]
}

export function createKnownFiles(): KnownFiles {
  return createLru<KnownFile, number>(KEPT_BYTES, ({ bytes }) => bytes.length)
}

/**
 * What was made of the metadata of another file, if those of a small one are equal to them. What is read of a file depends on its size and on
 * the bytes that were read before, so its metadata are in the same places. Undefined: there is none.
 */
export function findFile(fileCache: KnownFiles, source: ByteSource): ArrayFile | undefined {
  return fileCache.get(source.size) && findHeldFile(fileCache, viewOf(source), 0, source.size)
}

/** The same of a file whose bytes are in memory, from `at` on. */
export function findHeldFile(
  fileCache: KnownFiles,
  memory: Uint8Array,
  at: number,
  size: number,
): ArrayFile | undefined {
  const earlier = fileCache.get(size)
  if (earlier === undefined) return undefined
  const { bytes, places, file } = earlier
  for (const { from, to } of places)
    if (bytes.compare(memory, at + from, at + to, from, to) !== 0) return undefined
  return file
}

/** Remembers what was made of these places of a small file, and of its size. */
export function rememberFile(fileCache: KnownFiles, { source, places }: Traced, file: ArrayFile): void {
  const bytes = Buffer.allocUnsafeSlow(source.size)
  const read = places()
  source.readInto(0, bytes)
  fileCache.put(source.size, { bytes, places: read, file })
}

/** All bytes. */
function viewOf(source: ByteSource): Uint8Array {
  return source.view?.(0, source.size) ?? source.read(0, source.size)
}

export function traceReads(traceable: ByteSource): Traced {
  // No bytes are read by other calls than the two that are traced.
  const { view: _, ...source } = traceable
  const reads: Place[] = []
  const add = (from: number, length: number): void => {
    reads.push({ from, to: from + length })
  }
  return {
    source: {
      ...source,
      read(offset, length) {
        const bytes = source.read(offset, length)
        add(offset, length)
        return bytes
      },
      readInto(offset, target) {
        source.readInto(offset, target)
        add(offset, target.length)
      },
    },
    places: () => join(reads),
  }
}

/** The places in their order, those that touch each other as one. */
function join(reads: readonly Place[]): readonly Place[] {
  const merged: Place[] = []
  for (const { from, to } of reads.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last === undefined || from > last.to) merged.push({ from, to })
    else if (to > last.to) merged[merged.length - 1] = { from: last.from, to }
  }
  return merged
}
