import { createLru } from '../../../plan/lru.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ArrayFile } from '../arrays/array-file.ts'
import type { KnownFile, KnownFiles, Place } from '../arrays/known-file.ts'

/** What is kept, counted in bytes of files. What is made of metadata takes some times as much. */
const KEPT_BYTES = 2 << 20

/** A source that records which of its bytes were read. */
export interface Traced {
  readonly source: ByteSource
  places(): readonly Place[]
}

export function createKnownFiles(): KnownFiles {
  return createLru<KnownFile, number>(KEPT_BYTES, ({ bytes }) => bytes.length)
}

/** Remembers what was made of these places of a small file, and of its size. */
export function rememberFile(fileCache: KnownFiles, { source, places }: Traced, file: ArrayFile): void {
  const bytes = Buffer.allocUnsafeSlow(source.size)
  const read = places()
  source.readInto(0, bytes)
  fileCache.put(source.size, { bytes, places: read, file })
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
