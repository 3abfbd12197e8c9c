import { fault } from '../../../../fault.ts'
import type { Cursor } from '../cursor.ts'

/** A filter that chunks pass when they are written. */
export interface StoredFilter {
  /** The number under which the HDF Group has registered it. */
  readonly id: number
  readonly values: readonly number[]
}

/** HDF5 has a mask of 32 bits for filters that were left out. */
const MAX_FILTERS = 32

/** Filters with smaller numbers are those of the library. From version 2 on they have no name. */
const FIRST_NAMED = 256

/** Reads a message of filters, in the order in which writing applies them. Throws `unreadable_file`. */
export function readPipeline(body: Cursor): StoredFilter[] {
  const version = body.uint(1)
  const count = body.uint(1)
  if (version !== 1 && version !== 2) throw fault(`filters of version ${version} are not read`)
  if (count > MAX_FILTERS) throw fault(`it has ${count} filters`)
  if (version === 1) body.skip(6)
  return Array.from({ length: count }, () => {
    const id = body.uint(2)
    const nameBytes = version === 1 || id >= FIRST_NAMED ? body.uint(2) : 0
    body.skip(2)
    const valueCount = body.uint(2)
    body.skip(version === 1 ? Math.ceil(nameBytes / 8) * 8 : nameBytes)
    const values = Array.from({ length: valueCount }, () => body.uint(4))
    if (version === 1 && valueCount % 2 === 1) body.skip(4)
    return { id, values }
  })
}
