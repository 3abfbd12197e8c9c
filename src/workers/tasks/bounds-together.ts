import { isServiceError } from '../../plan/errors.ts'
import { getOrMake } from '../../plan/get-or-make.ts'
import { copyEntry, ENTRY_BYTES, type WholeColumns } from '../../plan/source/whole.ts'
import type { BoxSlab } from '../../wasm/core/boxes/box-column.ts'
import type { OpenFile, ReadContext, WholeSlab } from '../formats/provider.ts'
import { HELD_BYTES, heldMemory } from '../store/held-memory.ts'
import type { Store } from '../store/store.ts'

/** Finds the bounds of columns of small files: those that are stored alike in several files are decoded together. */
export interface BoundsTogether {
  /** Reads a file as a whole, into memory that stays as it is until the bounds are computed. `file` is its index in the task. */
  hold(file: number, store: Store): void
  /** Adds the columns of the file that was held last. Returns the fields of those that are read together with others. */
  add(opened: OpenFile, store: Store): ReadonlySet<number>
  /** The bounds of the columns that were added, by the index of the file. */
  take(): ReadonlyMap<number, WholeColumns>
}

/** A column of several files, whose elements are stored alike. */
interface Together extends Pick<WholeSlab, 'spec' | 'type'> {
  readonly slabs: BoxSlab[]
  readonly lengths: number[]
  readonly places: { readonly file: number; readonly field: number }[]
  rows: number
}

/** Where an entry is among those that were computed together. */
interface Entry {
  readonly of: WholeColumns
  readonly index: number
}

export const NO_FIELDS: ReadonlySet<number> = new Set()

export function createBoundsTogether(context: ReadContext): BoundsTogether {
  const { core } = context
  let columns = new Map<string, Together>()
  /** The file that was held last. Null: it was not. */
  let held: number | null = null
  let bytes = 0
  /** The entries of each file by field, as they were computed. */
  const entries = new Map<number, Map<number, Entry>>()

  function compute(): void {
    for (const together of columns.values()) {
      const of = boundsOf(together)
      if (of === null) continue
      for (const [index, { file, field }] of together.places.entries()) {
        getOrMake(entries, file, () => new Map<number, Entry>()).set(field, { of, index })
      }
    }
    columns = new Map()
    bytes = 0
  }

  /** Null: the elements cannot be read, which a query that reads them says. */
  function boundsOf({ spec, type, slabs, lengths, rows }: Together): WholeColumns | null {
    try {
      const column = core.boxColumn({ ...spec, shape: [rows], axes: [0], origin: [0] }, slabs)
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
    hold(file, store) {
      const size = Number(store.file.version.size)
      held = null
      if (store.hold === undefined || size > HELD_BYTES) return
      if (bytes + size > HELD_BYTES) compute()
      store.hold(heldMemory().subarray(bytes, bytes + size))
      bytes += size
      held = file
    },
    add(opened, store) {
      const slabs = held === null ? [] : (opened.wholeSlabs?.(store, context) ?? [])
      if (held === null || slabs.length === 0) return NO_FIELDS
      for (const { field, type, key, spec, slab, rows } of slabs) {
        const column = getOrMake(
          columns,
          key,
          (): Together => ({ spec, type, slabs: [], lengths: [], places: [], rows: 0 }),
        )
        column.slabs.push({ ...slab, origin: [column.rows] })
        column.lengths.push(rows)
        column.places.push({ file: held, field })
        column.rows += rows
      }
      return new Set(slabs.map(({ field }) => field))
    },
    take() {
      compute()
      const count = [...entries.values()].reduce((sum, { size }) => sum + size, 0)
      // Of one buffer, which is copied once into the answer.
      const all = new Uint8Array(ENTRY_BYTES * count)
      let at = 0
      const bounds = new Map<number, WholeColumns>()
      for (const [file, byField] of entries) {
        const packed = all.subarray(at, at + byField.size * ENTRY_BYTES)
        at += packed.length
        const sorted = [...byField].toSorted(([a], [b]) => a - b)
        for (const [place, [field, { of, index }]] of sorted.entries())
          copyEntry(of, index, packed, place, field)
        bounds.set(file, packed)
      }
      entries.clear()
      return bounds
    },
  }
}
