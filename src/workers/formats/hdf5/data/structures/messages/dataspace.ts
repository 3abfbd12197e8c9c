import { fault } from '../../../../fault.ts'
import type { Cursor } from '../cursor.ts'

/** The elements that a dataset has. */
export interface Dataspace {
  readonly shape: readonly number[]
  /** The greatest size along each dimension. Null: it is not limited. */
  readonly maximumShape: readonly (number | null)[]
}

/** HDF5 has at most so many dimensions. */
const MAX_RANK = 32

/** Whether greatest sizes follow the sizes. */
const HAS_MAXIMUM = 1

/** The kind of a dataspace without elements, in version 2. */
const NO_ELEMENTS = 2

/** Reads a dataspace message. Null: there are no elements, not even one. Throws `unreadable_file`. */
export function readDataspace(body: Cursor, lengthBytes: number): Dataspace | null {
  const version = body.uint(1)
  const rank = body.uint(1)
  const flags = body.uint(1)
  if (version !== 1 && version !== 2) throw fault(`a dataspace of version ${version} is not read`)
  if (rank > MAX_RANK) throw fault(`it has ${rank} dimensions`)
  if (version === 1) body.skip(5)
  else if (body.uint(1) === NO_ELEMENTS) return null
  const shape: number[] = []
  while (shape.length < rank) shape.push(body.length())
  if ((flags & HAS_MAXIMUM) === 0) return { shape, maximumShape: shape }
  return { shape, maximumShape: shape.map(() => limit(body.take(lengthBytes))) }
}

/** A greatest size. More than any file has is no limit. */
function limit(bytes: Uint8Array): number | null {
  let size = 0
  for (let at = bytes.length - 1; at >= 0; at--) size = size * 256 + (bytes[at] ?? 0)
  // All bits set, which is no limit, are more than any file has in 8 bytes.
  return size <= Number.MAX_SAFE_INTEGER && !(bytes.length < 8 && size === 256 ** bytes.length - 1)
    ? size
    : null
}
