import type { ByteSource } from '../../../../store/byte-source.ts'
import { fault } from '../../../fault.ts'
import { signatureOffset } from '../../signature.ts'
import { addressAt, type NumberSizes } from './cursor.ts'

export interface Superblock extends NumberSizes {
  /** The place in the file from which addresses count. */
  readonly base: number
  /** The address of the object header with what the superblock has no place for. Null: there is none. */
  readonly extension: number | null
}

/** The bytes from the signature to behind the sizes of numbers, in all versions. */
const SUPERBLOCK_BYTES = 15

/** Throws `unreadable_file`. */
export function readSuperblock(source: ByteSource): Superblock {
  const base = signatureOffset(source)
  if (base === null || base + SUPERBLOCK_BYTES > source.size) throw fault('it has no superblock')
  const [version = -1, ...rest] = source.read(base + 8, SUPERBLOCK_BYTES - 8)
  if (version > 3) throw fault(`a superblock of version ${version} is not read`)
  const at = version < 2 ? 4 : 0
  const [addressBytes = 0, lengthBytes = 0] = rest.slice(at, at + 2)
  if (![2, 4, 8].includes(addressBytes) || ![2, 4, 8].includes(lengthBytes))
    throw fault(`addresses of ${addressBytes} bytes and lengths of ${lengthBytes} bytes are not read`)
  // The superblock has the base too. The library believes the place of the signature if they differ.
  const extension = version < 2 ? null : extensionIn(source, base, addressBytes)
  return { base, addressBytes, lengthBytes, extension }
}

/** Bytes of a superblock of version 2 or 3 before its addresses. */
const HEAD_BYTES = 12

function extensionIn(source: ByteSource, base: number, addressBytes: number): number | null {
  const at = base + HEAD_BYTES + addressBytes
  if (at + addressBytes > source.size) throw fault('it has no superblock')
  const bytes = source.read(at, addressBytes)
  return addressAt(new DataView(bytes.buffer, bytes.byteOffset, addressBytes), 0, addressBytes)
}
