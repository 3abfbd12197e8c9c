import { isServiceError } from '../../../plan/errors.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { fieldOfEntry, type WholeColumns } from '../../../plan/source/whole.ts'
import { ENTRY_BYTES } from '../../../plan/source/whole-entry.ts'
import type { FileBounds } from '../../../plan/task/inspect.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { WholePlace } from '../../formats/arrays/element-place.ts'
import { createElementRuns, type ElementRuns } from '../../formats/arrays/element-runs.ts'
import type { HeldBytes, ReadContext } from '../../formats/provider.ts'
import { HELD_BYTES, heldMemory } from '../../store/held-memory.ts'
import { openHeld } from '../../store/open-held.ts'
import type { ReadSmall } from '../../store/read-small.ts'
import type { OpenStore, Store } from '../../store/store.ts'

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

/** A column of several files, whose elements are stored alike. For each of them: its rows, the index of the file, and its field. */
interface Together {
  readonly type: DataType
  readonly runs: ElementRuns
  readonly lengths: number[]
  readonly files: number[]
  readonly fields: number[]
}

/** Entries that follow each other, and for each of them the index of its file and its field. */
interface Entries extends Pick<Together, 'files' | 'fields'> {
  readonly bytes: WholeColumns
}

export function createBoundsTogether(
  openStore: OpenStore,
  readSmall: ReadSmall,
  isCaching: boolean,
  { core, stopwatch }: ReadContext,
): BoundsTogether {
  const columns = new Map<string, Together>()
  let bytes = 0
  const all: Entries[] = []

  function compute(): void {
    // What is computed is removed at once: if memory runs out, the rest is computed again.
    for (const [key, together] of columns) {
      const entries = boundsOf(together)
      if (entries !== null) all.push({ bytes: entries, files: together.files, fields: together.fields })
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
      return {
        memory,
        at,
        size,
        file,
        isCaching,
        get store() {
          store ??= openHeld(openStore, file, memory.subarray(at, at + size), stopwatch)
          return store
        },
        [Symbol.dispose]() {
          store?.[Symbol.dispose]()
        },
      }
    },
    addPlaces(index, places, { memory, at }) {
      for (const place of places) {
        const { field, key, rows } = place
        let column = columns.get(key)
        if (column === undefined) {
          column = { type: place.type, runs: createElementRuns(), lengths: [], files: [], fields: [] }
          columns.set(key, column)
        }
        column.runs.add(place, memory, at, rows)
        column.lengths.push(rows)
        column.files.push(index)
        column.fields.push(field)
      }
    },
    addEntries(index, whole) {
      const count = whole.length / ENTRY_BYTES
      if (count === 0) return
      const fields = Array.from({ length: count }, (_, entry) => fieldOfEntry(whole, entry))
      all.push({ bytes: whole, files: fields.map(() => index), fields })
    },
    take(files) {
      compute()
      const bounds = joinEntries(all, files)
      all.length = 0
      return bounds
    },
  }
}

/** The words of 32 bits of an entry. The first one is its field. */
const WORDS = ENTRY_BYTES / 4

/** The entries of each file by ascending fields. Of a column that has several, the last one. They are copied by words: a view for each takes longer. */
function joinEntries(all: readonly Entries[], files: number): FileBounds {
  const counts = new Uint32Array(files)
  for (const entries of all) for (const file of entries.files) counts[file] = (counts[file] ?? 0) + 1
  // Each file gets room for all of its entries, in which they are sorted by insertion: most come in their order.
  const starts = new Uint32Array(files + 1)
  for (let file = 0; file < files; file++) starts[file + 1] = (starts[file] ?? 0) + (counts[file] ?? 0)
  const room = new Uint32Array(WORDS * (starts[files] ?? 0))
  counts.fill(0)
  for (const { bytes, files: filesOfEntries, fields } of all) {
    const words = wordsOf(bytes)
    for (let entry = 0; entry < filesOfEntries.length; entry++) {
      const file = filesOfEntries[entry] ?? 0
      const field = fields[entry] ?? 0
      const first = starts[file] ?? 0
      const end = first + (counts[file] ?? 0)
      let at = end
      while (at > first && (room[(at - 1) * WORDS] ?? 0) >= field) at--
      const isThere = at < end && room[at * WORDS] === field
      if (!isThere) {
        if (at < end) room.copyWithin((at + 1) * WORDS, at * WORDS, end * WORDS)
        counts[file] = end - first + 1
      }
      room[at * WORDS] = field
      for (let word = 1; word < WORDS; word++) room[at * WORDS + word] = words[entry * WORDS + word] ?? 0
    }
  }
  return withoutRoom(room, starts, counts)
}

/** The words of entries, which are little-endian as the machine is. */
function wordsOf(bytes: WholeColumns): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4)
}

/** The entries one file after the other. */
function withoutRoom(room: Uint32Array, starts: Uint32Array, counts: Uint32Array): FileBounds {
  const ends = new Uint32Array(counts.length)
  let end = 0
  for (let file = 0; file < counts.length; file++) {
    const [from, words] = [(starts[file] ?? 0) * WORDS, (counts[file] ?? 0) * WORDS]
    if (from !== end) room.copyWithin(end, from, from + words)
    end += words
    ends[file] = 4 * end
  }
  const entries = end === room.length ? room : room.slice(0, end)
  return { ends, entries: new Uint8Array(entries.buffer) }
}
