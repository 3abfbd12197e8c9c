import { isServiceError } from '../../plan/errors.ts'
import { getOrMake } from '../../plan/get-or-make.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { copyEntry, ENTRY_BYTES, fieldOfEntry, type WholeColumns } from '../../plan/source/whole.ts'
import type { FileBounds } from '../../plan/task/inspect.ts'
import type { DataType } from '../../plan/types/schema.ts'
import { createElementRuns, type ElementRuns } from '../formats/arrays/element-runs.ts'
import type { WholePlace } from '../formats/element-place.ts'
import type { HeldBytes, ReadContext } from '../formats/provider.ts'
import { HELD_BYTES, heldMemory } from '../store/held-memory.ts'
import type { ReadSmall } from '../store/read-small.ts'
import type { OpenStore, Store } from '../store/store.ts'

/** Collects what is known of all values of the columns of files. Of small ones, columns that are stored alike in several files are decoded together. */
export interface BoundsTogether {
  /** Reads all of a small file into memory that stays as it is until the bounds are computed. Null: there is no room for it. */
  hold(file: FileRef): HeldFile | null
  /** Adds columns of a file that is held. `index` is that of the file in the task. */
  addPlaces(index: number, places: readonly WholePlace[], held: HeldBytes): void
  /** Adds what is known otherwise of columns of a file. */
  addEntries(index: number, whole: WholeColumns): void
  /** Those of so many files. */
  take(files: number): FileBounds
}

/** A file that is held. Its store is closed with it. */
interface HeldFile extends HeldBytes, Disposable {}

/** A column of several files, whose elements are stored alike. */
interface Together {
  readonly type: DataType
  readonly runs: ElementRuns
  readonly lengths: number[]
  readonly places: EntryPlace[]
}

/** Of which column an entry is. */
interface EntryPlace {
  readonly index: number
  readonly field: number
}

/** Entries that follow each other, and of which columns they are. */
interface Entries {
  readonly bytes: WholeColumns
  readonly places: readonly EntryPlace[]
}

export function createBoundsTogether(
  openStore: OpenStore,
  readSmall: ReadSmall,
  { core, stopwatch }: ReadContext,
): BoundsTogether {
  const columns = new Map<string, Together>()
  let bytes = 0
  const all: Entries[] = []

  function compute(): void {
    // What is computed is removed at once: if memory runs out, the rest is computed again.
    for (const [key, together] of columns) {
      const entries = boundsOf(together)
      if (entries !== null) all.push({ bytes: entries, places: together.places })
      columns.delete(key)
    }
    bytes = 0
  }

  /** Null: the elements cannot be read, which a query that reads them says. */
  function boundsOf({ type, runs, lengths }: Together): WholeColumns | null {
    try {
      const column = runs.take(core)
      try {
        return core.boundsOfRuns(column, type, lengths)
      } finally {
        core.free(column)
      }
    } catch (error) {
      if (isServiceError(error) && error.code === 'unreadable_file') return null
      throw error
    }
  }

  return {
    hold(file) {
      const size = Number(file.version.size)
      if (size > HELD_BYTES) return null
      if (bytes + size > HELD_BYTES) compute()
      const [memory, at] = [heldMemory(), bytes]
      stopwatch.time('read', () => readSmall(file, memory, at, stopwatch))
      bytes += size
      let store: Store | null = null
      const open = (): Store => {
        const opened = openStore(file, stopwatch)
        if (opened.adopt !== undefined) opened.adopt(memory.subarray(at, at + size))
        else opened.hold?.(memory.subarray(at, at + size))
        return opened
      }
      return {
        memory,
        at,
        size,
        get store() {
          store ??= open()
          return store
        },
        [Symbol.dispose]() {
          store?.[Symbol.dispose]()
        },
      }
    },
    addPlaces(index, places, { memory, at }) {
      for (const place of places) {
        const { field, type, key, rows } = place
        const column = getOrMake(
          columns,
          key,
          (): Together => ({ type, runs: createElementRuns(), lengths: [], places: [] }),
        )
        column.runs.add(place, memory, at, rows)
        column.lengths.push(rows)
        column.places.push({ index, field })
      }
    },
    addEntries(index, whole) {
      if (whole.length === 0) return
      const places = Array.from({ length: whole.length / ENTRY_BYTES }, (_, entry) => ({
        index,
        field: fieldOfEntry(whole, entry),
      }))
      all.push({ bytes: whole, places })
    },
    take(files) {
      compute()
      const bounds = joinEntries(all, files)
      all.length = 0
      return bounds
    },
  }
}

/** The entries of each file by ascending fields. Of a column that has several, the last one. */
function joinEntries(all: readonly Entries[], files: number): FileBounds {
  const byFile = new Map<
    number,
    { readonly bytes: WholeColumns; readonly entry: number; readonly field: number }[]
  >()
  let count = 0
  for (const { bytes, places } of all)
    for (const [entry, { index, field }] of places.entries()) {
      const ofFile = getOrMake(byFile, index, () => [])
      const at = ofFile.findIndex((each) => each.field >= field)
      const isThere = at >= 0 && ofFile[at]?.field === field
      ofFile.splice(at < 0 ? ofFile.length : at, isThere ? 1 : 0, { bytes, entry, field })
      if (!isThere) count++
    }
  const ends = new Uint32Array(files)
  const entries = new Uint8Array(ENTRY_BYTES * count)
  let at = 0
  for (let index = 0; index < files; index++) {
    for (const { bytes, entry, field } of byFile.get(index) ?? [])
      copyEntry(bytes, entry, entries, at++, field)
    ends[index] = at * ENTRY_BYTES
  }
  return { ends, entries }
}
