import type { Compression } from '../../../plan/source/plain-bytes.ts'
import type { ByteSource } from '../../store/byte-source.ts'

/** As many first bytes as tell what compressed a file. */
export const COMPRESSION_HEAD = 10

/** A byte of a magic number, or any of several. */
type Magic = readonly (number | readonly [least: number, greatest: number])[]

const BZIP2: Magic = [0x42, 0x5a, 0x68, [0x31, 0x39]]

/**
 * The first bytes: of gzip with its only method (RFC 1952), of a Zstandard frame and of a skippable one (RFC 8878), of xz, and of
 * bzip2 with the number of a block or of the end, because a text may begin with the first four.
 */
const MAGIC: readonly (readonly [Compression, Magic])[] = [
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['zstd', [[0x50, 0x5f], 0x2a, 0x4d, 0x18]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['bzip2', [...BZIP2, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59]],
  ['bzip2', [...BZIP2, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90]],
]

/** What a file as a whole is compressed with, by its first bytes. Null: it is not. */
export function compressionOf(source: ByteSource): Compression | null {
  return compressionOfHead(source.read(0, Math.min(COMPRESSION_HEAD, source.size)))
}

/** The same by the first `COMPRESSION_HEAD` bytes of a file, or all of fewer. */
export function compressionOfHead(head: Uint8Array): Compression | null {
  return MAGIC.find(([, magic]) => magic.every((each, index) => isByte(head[index], each)))?.[0] ?? null
}

function isByte(byte: number | undefined, expected: Magic[number]): boolean {
  if (typeof expected === 'number') return byte === expected
  return byte !== undefined && byte >= expected[0] && byte <= expected[1]
}
