import { fault } from '../../../src/workers/formats/fault.ts'
import type { Cursor } from '../../../src/workers/formats/hdf5/data/structures/cursor.ts'

/** The name of an attribute, and where the type of its values is. */
export interface AttributeType {
  readonly name: string
  /** A datatype message, or what says where it is. */
  readonly message: Uint8Array
  readonly isShared: boolean
}

/** Reads the beginning of an attribute message. Throws `unreadable_file`. */
export function readAttributeType(body: Cursor): AttributeType {
  const version = body.uint(1)
  if (version < 1 || version > 3) throw fault(`an attribute of version ${version} is not read`)
  const flags = body.uint(1)
  const [nameBytes, typeBytes] = [body.uint(2), body.uint(2)]
  body.skip(version === 3 ? 3 : 2)
  const name = body.take(nameBytes)
  // Before version 2 each part is filled up to a multiple of 8 bytes.
  if (version === 1) body.skip((8 - (nameBytes % 8)) % 8)
  const end = name.indexOf(0)
  return {
    name: Buffer.from(end < 0 ? name : name.subarray(0, end)).toString(),
    message: body.take(typeBytes),
    isShared: version > 1 && (flags & 1) !== 0,
  }
}
