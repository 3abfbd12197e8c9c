import { isServiceError } from '../../../../plan/errors.ts'
import type { DecodedSize } from '../../codecs/filter.ts'
import { fault } from '../../fault.ts'
import type { UndoFilter } from '../../provider.ts'
import { type FilterOfLibrary, filterName } from './filters/filters.ts'
import type { StoredFilter } from './structures/messages/pipeline.ts'

/** The most values of a filter. Those that are known have up to 20, and zfp some more. */
const MAX_VALUES = 1024

/**
 * Has the HDF5 library decode a chunk. The library copies as many bytes as its caller says that there are, so this number has to be known.
 * Throws `unreadable_file`.
 */
export function decodeInLibrary(
  stored: Uint8Array,
  { id, values }: StoredFilter,
  { check, checkDecoded }: FilterOfLibrary,
  size: DecodedSize,
  undo: UndoFilter,
): Uint8Array {
  const name = filterName(id)
  if (!size.isExact)
    throw fault(
      `its chunks have passed ${name} after another one that compresses, which is not read; write them anew with one of them`,
    )
  if (values.length > MAX_VALUES) throw fault(`${name} has ${values.length} values`)
  check(stored, size, values)
  try {
    const decoded = new Uint8Array(
      undo({ stored: stored.slice().buffer, filter: { id, values }, bytes: size.bytes }),
    )
    checkDecoded?.(stored, decoded)
    return decoded
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
    throw fault(`a chunk that has passed ${name} is damaged: ${error.message}`, { cause: error })
  }
}
