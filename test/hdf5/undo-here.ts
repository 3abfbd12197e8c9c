import { createHash } from 'node:crypto'
import type { FilteredBytes } from '../../src/plan/task/filtered-bytes.ts'
import { undoFilter } from '../../src/workers/formats/hdf5/library/undo-filter.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'

/** Thrown where a thread of the pool would wait for the annex. */
class NotUndone extends Error {
  readonly filtered: FilteredBytes
  readonly key: string

  constructor(filtered: FilteredBytes, key: string) {
    super('a filter is not undone')
    this.filtered = filtered
    this.key = key
  }
}

/** Reads with an annex in this thread: again and again, until every filter that it meets is undone. `onUndo` is told each of them. */
export async function undoingHere<T>(
  context: ReadContext,
  read: (context: ReadContext) => T,
  onUndo: (filtered: FilteredBytes) => void = () => {},
): Promise<T> {
  const known = new Map<string, ArrayBuffer>()
  const undoing: ReadContext = {
    ...context,
    undoFilter(filtered) {
      const { filter, stored } = filtered
      const hash = createHash('sha256').update(new Uint8Array(stored)).update(`${filter.id} ${filter.values}`)
      const key = hash.digest('hex')
      const found = known.get(key)
      if (found === undefined) throw new NotUndone(filtered, key)
      return found.slice()
    },
  }
  for (;;) {
    try {
      return read(undoing)
    } catch (error) {
      const missing = missingIn(error)
      if (missing === null) throw error
      onUndo(missing.filtered)
      known.set(missing.key, await undoFilter(missing.filtered))
    }
  }
}

function missingIn(error: unknown): NotUndone | null {
  if (error instanceof NotUndone) return error
  return error instanceof Error && error.cause !== undefined ? missingIn(error.cause) : null
}
