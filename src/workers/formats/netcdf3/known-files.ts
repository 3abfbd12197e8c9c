import { createLru, type Lru } from '../../../plan/lru.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ArrayFile } from '../arrays/array-file.ts'

/** What the header of a file says. The same object for all files of equal headers and sizes, as one program writes them by thousands. */
interface KnownFile {
  readonly header: Uint8Array
  readonly file: ArrayFile
}

/** Longer headers are parsed each time. */
const MOST_HEADER_BYTES = 64 << 10

/** What is kept, counted in bytes of headers. What is made of a header takes some ten times as much. */
const KEPT_BYTES = 512 << 10

/** By the size of the file. */
export type KnownFiles = Lru<KnownFile>

export function createKnownFiles(): KnownFiles {
  return createLru<KnownFile>(KEPT_BYTES, ({ header }) => header.length)
}

/** The file that was made of an equal header, of a file of the same size. Undefined: there is none. */
export function findFile(fileCache: KnownFiles, source: ByteSource): ArrayFile | undefined {
  const earlier = fileCache.get(String(source.size))
  if (earlier === undefined) return undefined
  const { header, file } = earlier
  const storedHeader = source.view?.(0, header.length) ?? source.read(0, header.length)
  return Buffer.compare(storedHeader, header) === 0 ? file : undefined
}

/** Remembers what was made of the first `bytes` bytes, the header, and the size of a file alone. */
export function rememberFile(
  fileCache: KnownFiles,
  source: ByteSource,
  bytes: number,
  file: ArrayFile,
): void {
  if (bytes <= MOST_HEADER_BYTES) fileCache.put(String(source.size), { header: source.read(0, bytes), file })
}
