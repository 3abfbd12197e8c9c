import { createLru, type Lru } from '../../../plan/lru.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ArrayFile } from '../arrays/array-file.ts'

/** What the header of a file says. The same object for all files of equal headers and sizes, as one program writes them by thousands. */
interface KnownFile {
  readonly header: Buffer
  readonly file: ArrayFile
}

/** Longer headers are parsed each time. */
const MOST_HEADER_BYTES = 64 << 10

/** What is kept, counted in bytes of headers. What is made of a header takes some ten times as much. */
const KEPT_BYTES = 512 << 10

/** By the size of the file. */
export type KnownFiles = Lru<KnownFile, number>

export function createKnownFiles(): KnownFiles {
  return createLru<KnownFile, number>(KEPT_BYTES, ({ header }) => header.length)
}

/** The file that was made of an equal header, of a file of the same size. Undefined: there is none. */
export function findFile(fileCache: KnownFiles, source: ByteSource): ArrayFile | undefined {
  const earlier = fileCache.get(source.size)
  if (earlier === undefined) return undefined
  const { header, file } = earlier
  const storedHeader = source.view?.(0, header.length) ?? source.read(0, header.length)
  return header.compare(storedHeader) === 0 ? file : undefined
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
  const { header, file } = earlier
  return header.compare(memory, at, at + header.length) === 0 ? file : undefined
}

/** Remembers what was made of the first `bytes` bytes, the header, and the size of a file alone. */
export function rememberFile(
  fileCache: KnownFiles,
  source: ByteSource,
  bytes: number,
  file: ArrayFile,
): void {
  if (bytes > MOST_HEADER_BYTES) return
  const header = Buffer.allocUnsafeSlow(bytes)
  source.readInto(0, header)
  fileCache.put(source.size, { header, file })
}
