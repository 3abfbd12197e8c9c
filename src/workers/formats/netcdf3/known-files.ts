import { createLru } from '../../../plan/lru.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ArrayFile } from '../arrays/array-file.ts'
import type { KnownFile, KnownFiles } from '../arrays/known-file.ts'

/** Longer headers are parsed each time. */
const MOST_HEADER_BYTES = 64 << 10

/** What is kept, counted in bytes of headers. What is made of a header takes some ten times as much. */
const KEPT_BYTES = 512 << 10

export function createKnownFiles(): KnownFiles {
  return createLru<KnownFile, number>(KEPT_BYTES, ({ bytes }) => bytes.length)
}

/** Remembers what was made of the first `length` bytes, the header, and the size of a file alone. */
export function rememberFile(
  fileCache: KnownFiles,
  source: ByteSource,
  length: number,
  file: ArrayFile,
): void {
  if (length > MOST_HEADER_BYTES) return
  const bytes = Buffer.allocUnsafeSlow(length)
  source.readInto(0, bytes)
  fileCache.put(source.size, { bytes, places: [{ from: 0, to: length }], file })
}
