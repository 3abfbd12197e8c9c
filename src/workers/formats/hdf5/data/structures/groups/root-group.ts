import type { ByteSource } from '../../../../../store/byte-source.ts'
import { requireChecksum } from '../checksum.ts'
import { createCursor } from '../cursor.ts'
import { notPlain } from '../not-plain.ts'
import type { Superblock } from '../superblock.ts'

/** Bytes of the superblock up to its addresses, by its version. */
const HEAD_BYTES: readonly number[] = Object.freeze([24, 28, 12, 12])

/**
 * The address of the object header of the root group. Throws `NotPlain` for a file that is shorter than its superblock says, or that has
 * a driver of its own, and `unreadable_file`.
 */
export function rootAddress(source: ByteSource, superblock: Superblock): number {
  const { base, addressBytes } = superblock
  const [version = -1] = source.read(base + 8, 1)
  const headBytes = HEAD_BYTES[version]
  if (headBytes === undefined) throw notPlain(`a superblock of version ${version}`)
  // Four addresses and a checksum, or four addresses and the first two of an entry for the root.
  const bytes = headBytes + (version < 2 ? 6 * addressBytes : 4 * addressBytes + 4)
  if (bytes > source.size - base) throw notPlain('a superblock that is cut')
  const block = source.read(base, bytes)
  const view = new DataView(block.buffer, block.byteOffset, bytes)
  if (version >= 2) requireChecksum(view, 'a superblock')
  const body = createCursor(view, superblock)
  body.skip(headBytes)
  const told = body.address()
  if (told !== base) throw notPlain('a file with another base than the place of its signature')
  const second = body.address()
  const end = body.address()
  const driver = version < 2 ? body.address() : null
  if (version < 2) body.address()
  const root = body.address()
  if (version < 2 && second !== null) throw notPlain('a list of free space')
  if (driver !== null || root === null || end === null || end > source.size)
    throw notPlain('a file of a driver, or one that is cut')
  return root
}
