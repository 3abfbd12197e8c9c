import type { Lru } from '../../../plan/lru.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ArrayFile } from './array-file.ts'

/** What the metadata of a file say. The same object for all files of its size that have equal bytes in these places. */
export interface KnownFile {
  /** The first bytes of the file, to the end of the last place or further. */
  readonly bytes: Buffer
  /** The places of the metadata. They do not overlap. */
  readonly places: readonly Place[]
  readonly file: ArrayFile
}

export interface Place {
  readonly from: number
  readonly to: number
}

/** By the size of the file. One program writes thousands of files that differ in their values alone. */
export type KnownFiles = Lru<KnownFile, number>

/**
 * What was made of the metadata of another file, if those of this one are equal to them. What is read of a file depends on its size and on
 * the bytes that were read before, so its metadata are in the same places. Undefined: there is none.
 */
export function findFile(fileCache: KnownFiles, source: ByteSource): ArrayFile | undefined {
  const earlier = fileCache.get(source.size)
  if (earlier === undefined) return undefined
  const { length } = earlier.bytes
  return ifEqual(earlier, source.view?.(0, length) ?? source.read(0, length), 0)
}

/** The same of a file whose bytes are in memory, from `at` on. */
export function findHeldFile(
  fileCache: KnownFiles,
  memory: Uint8Array,
  at: number,
  size: number,
): ArrayFile | undefined {
  const earlier = fileCache.get(size)
  return earlier && ifEqual(earlier, memory, at)
}

function ifEqual({ bytes, places, file }: KnownFile, memory: Uint8Array, at: number): ArrayFile | undefined {
  for (const { from, to } of places)
    if (bytes.compare(memory, at + from, at + to, from, to) !== 0) return undefined
  return file
}
