import type { ByteSource } from '../../../../../store/byte-source.ts'
import { fault } from '../../../../fault.ts'
import { requireChecksum } from '../checksum.ts'
import { createCursor } from '../cursor.ts'
import type { Superblock } from '../superblock.ts'

/** Bytes of the superblock up to its addresses, by its version. */
const HEAD_BYTES: readonly number[] = Object.freeze([24, 28, 12, 12])

/**
 * The address of the object header of the root group. Throws `unreadable_file`, also for a file that is shorter than its
 * superblock says, or that has a driver of its own. Addresses count from the signature, also if the superblock names another base: a block
 * was put in front of the file, or taken away.
 */
export function rootAddress(source: ByteSource, superblock: Superblock): number {
  const { base, addressBytes } = superblock
  const [version = -1] = source.read(base + 8, 1)
  const headBytes = HEAD_BYTES[version]
  if (headBytes === undefined) throw fault(`a superblock of version ${version} is not read`)
  // Four addresses and a checksum, or four addresses and the first two of an entry for the root.
  const bytes = headBytes + (version < 2 ? 6 * addressBytes : 4 * addressBytes + 4)
  if (bytes > source.size - base) throw fault('its superblock is cut')
  const block = source.read(base, bytes)
  const view = new DataView(block.buffer, block.byteOffset, bytes)
  if (version >= 2) requireChecksum(view, 'a superblock')
  const body = createCursor(view, superblock)
  body.skip(headBytes)
  const writtenBase = body.address()
  if (writtenBase === null) throw fault('its superblock has no base address')
  const second = body.address()
  const end = body.address()
  const driver = version < 2 ? body.address() : null
  if (version < 2) body.address()
  const root = body.address()
  if (version < 2 && second !== null)
    throw fault('its superblock has a list of free space, which is not read')
  if (driver !== null)
    throw fault('its superblock has a driver, which is not read: the file is one of several')
  if (root === null || end === null) throw fault('its superblock has no root group')
  const size = source.size - base
  if (end - writtenBase > size)
    throw fault(
      `it is truncated: its superblock says that it has ${end - writtenBase} bytes, and it has ${size}`,
    )
  return root
}
