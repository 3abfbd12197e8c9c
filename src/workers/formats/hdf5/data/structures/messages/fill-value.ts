import { fault } from '../../../../fault.ts'
import type { Cursor } from '../cursor.ts'

/**
 * Reads a message of a fill value: the bytes of an element, in the type of the file. Null: none is defined, or it is the default, whose
 * bytes are zeros. Throws `unreadable_file`.
 */
export function readFill(body: Cursor): Uint8Array | null {
  const version = body.uint(1)
  if (version === 1 || version === 2) {
    body.skip(2)
    const isDefined = body.uint(1) === 1
    return version === 1 || isDefined ? readOldFill(body) : null
  }
  if (version !== 3) throw fault(`a fill value of version ${version} is not read`)
  const hasValue = (body.uint(1) & 0x20) !== 0
  return hasValue ? readOldFill(body) : null
}

/** The message before there were versions: a size and as many bytes. A size that is negative means that none is defined. */
export function readOldFill(body: Cursor): Uint8Array | null {
  if (body.remainingBytes < 4) return null
  const bytes = body.uint(4)
  return bytes === 0 || bytes > 0x7fffffff ? null : body.take(bytes)
}
