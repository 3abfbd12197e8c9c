import { FIRST_UNIT_ROWS, UNIT_BYTES, UNIT_ROWS } from '../../../../plan/limits.ts'
import type { SourceColumn } from '../../../../plan/scan.ts'
import type { RunRange } from '../../../../plan/source/range.ts'
import { rowWidth } from '../../../../plan/types/row-width.ts'
import type { DataType, Field } from '../../../../plan/types/schema.ts'
import type { Column } from '../../../../wasm/core/column.ts'
import type { Section } from '../../../../wasm/core/sections/section-column.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import { collect } from '../../collect.ts'
import { locateErrors } from '../../error-location.ts'
import { fault } from '../../fault.ts'
import type { LocatedRows, ReadContext, Selection } from '../../provider.ts'
import { type Archive, openArchive } from '../archive/archive.ts'
import { payloadBytes, readPayload } from '../archive/block.ts'
import { type Directory, groupOf } from '../directory.ts'
import { type PrunedColumn, type Pruning, possibleEntries } from '../pruning/possible-entries.ts'
import { type EntryGrid, gridOf } from './entry-grid.ts'
import { type Dimension, type Group, NO_DIMENSIONS, openGroup } from './group.ts'
import { type Portion, portionAt } from './portions.ts'
import { createSectionMaker } from './sections.ts'

export interface EntryColumn {
  readonly field: Field
  readonly type: DataType
  readonly directory: Directory
}

export interface LocateOptions {
  /** The columns whose arrays make the rows, in the order of the file. */
  readonly columns: readonly EntryColumn[]
  readonly range: RunRange
  /** The row of the run from which on rows are wanted. */
  readonly from: number
  /** As in `LocatingOptions`. */
  readonly asked: readonly SourceColumn[]
  readonly isStreamed: boolean
  readonly deleted: Uint8Array
  readonly pruning: Pruning | null
  prunedColumn(name: string): PrunedColumn | null
  readonly store: Store
  readonly context: ReadContext
}

/** As `LocatedRows`, of columns as the file knows them. */
export interface LocatedEntries extends Pick<LocatedRows, 'from' | 'rows' | 'isLast'> {
  read(columns: readonly EntryColumn[], selection?: Selection): Column[]
}

/** Finds the grids of the entries of a run that are neither deleted nor pruned, and of these the rows that are decoded together. */
export function locateRows(options: LocateOptions): LocatedEntries {
  const { range, from, isStreamed, deleted, pruning, prunedColumn, store, context } = options
  const existing = Array.from({ length: range.to - range.from }, (_, index) => range.from + index).filter(
    (entry) => deleted[entry] === 0,
  )
  const entries = pruning === null ? existing : possibleEntries(existing, pruning, prunedColumn)
  const isFirst = isStreamed && range.from === 0 && from === 0
  const few = isFirst ? portionOf(options, entries.slice(0, FIRST_ENTRIES), FIRST_UNIT_ROWS) : null
  const areFew = few !== null && few.portion.rows > 0
  const { grids, portion } = areFew ? few : portionOf(options, entries, UNIT_ROWS)

  function* sectionsOf(column: EntryColumn, selection: Selection | undefined): Generator<Section> {
    const groups = groupReader(column, store, context)
    const { section } = createSectionMaker()
    let row = 0
    for (const box of portion.boxes) {
      const { index, extent, rows } = box
      const entry = entries[index] ?? 0
      const isWanted = selection?.hasAny(row, row + rows) ?? true
      row += rows
      yield isWanted
        ? inEntry(entry, () => section(groups(entry)?.array(entry) ?? null, grids[index] ?? NO_GRID, box))
        : { shape: extent, dimensions: [], stored: null }
    }
  }

  return {
    from: portion.from,
    rows: portion.rows,
    isLast: portion.isLast && (!areFew || entries.length <= FIRST_ENTRIES),
    // In the other order than grids were read: of groups that do not fit into the cache together, it has the last ones.
    read: (asked, selection) =>
      collect(context.core, (decoded) => {
        for (const column of asked.toReversed()) {
          context.checkCancelled()
          const { field, type } = column
          decoded.push(
            locateErrors(`column ${JSON.stringify(field.name)}`, () =>
              context.stopwatch.time('decode', () =>
                context.core.sectionColumn(type, portion.rows, sectionsOf(column, selection)),
              ),
            ),
          )
        }
      }).toReversed(),
  }
}

/** The most entries of which the first rows of a file are located. Those behind are located with them again, and decoded twice. */
const FIRST_ENTRIES = 1024

/** The portion of entries that has row `from`, of at most `mostRows` rows. */
function portionOf(
  { columns, asked, from, store, context }: LocateOptions,
  entries: readonly number[],
  mostRows: number,
): { readonly grids: readonly EntryGrid[]; readonly portion: Portion } {
  const { grids, areScalar } = gridsOf(columns, entries, store, context)
  // A scalar is stored once for all rows of its entry.
  const rowBytes = asked.reduce((sum, { name, type }) => sum + (areScalar.has(name) ? 0 : rowWidth(type)), 0)
  const most = Math.max(1, Math.min(mostRows, Math.floor(UNIT_BYTES / Math.max(1, rowBytes))))
  return { grids, portion: portionAt(grids, from, most) }
}

const NO_GRID: EntryGrid = Object.freeze({ axes: [], rows: 0, origin: [], extent: [] })

/** What `work` returns. An error that it throws names the entry. */
function inEntry<T>(entry: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    // The location is a text, which would otherwise be made for each entry.
    return locateErrors(`entry ${entry}`, () => {
      throw error
    })
  }
}

/** The grid of each entry, and the columns that have scalars alone. */
function gridsOf(
  columns: readonly EntryColumn[],
  entries: readonly number[],
  store: Store,
  context: ReadContext,
): { readonly grids: readonly EntryGrid[]; readonly areScalar: ReadonlySet<string> } {
  const dimensions: (readonly Dimension[])[][] = columns.map((column) =>
    locateErrors(`column ${JSON.stringify(column.field.name)}`, () => {
      context.checkCancelled()
      const groups = groupReader(column, store, context)
      return entries.map((entry) => inEntry(entry, () => groups(entry)?.dimensions(entry) ?? NO_DIMENSIONS))
    }),
  )
  let grid: EntryGrid = NO_GRID
  let last = -1
  const grids = entries.map((entry, index) => {
    // Entries that follow each other often have the same dimensions.
    const isSame = last >= 0 && dimensions.every((ofColumn) => ofColumn[index] === ofColumn[last])
    if (!isSame)
      grid = inEntry(entry, () => gridOf(dimensions.map((ofColumn) => ofColumn[index] ?? NO_DIMENSIONS)))
    last = index
    return grid
  })
  const scalars = columns.filter((_, place) => dimensions[place]?.every(({ length }) => length === 0))
  return { grids, areScalar: new Set(scalars.map(({ field }) => field.name)) }
}

/**
 * Reads the groups of a column, for entries in ascending order. A group is that of the last call, and its bytes may be gone once another
 * chunk is read. Entries are counted from the first of the file. Null: no group has the entry.
 */
function groupReader(
  { directory }: EntryColumn,
  store: Store,
  context: ReadContext,
): (entry: number) => Group | null {
  let number = -1
  let group: Group | null = null
  return (entry) => {
    if (number >= 0 && entry >= directory.from(number) && entry < directory.to(number)) return group
    const next = groupOf(directory, entry)
    if (next === null) return null
    number = next
    const first = directory.from(next)
    const opened = openGroup(archiveOf(directory, next, store, context), directory.to(next) - first)
    group = {
      dimensions: (each) => opened.dimensions(each - first),
      array: (each) => opened.array(each - first),
    }
    return group
  }
}

function archiveOf(directory: Directory, group: number, store: Store, context: ReadContext): Archive {
  const { chunks } = context
  const place = directory.place(group)
  const source = onlyObject(store)
  const payload = chunks.get(
    store,
    `block ${place.offset}`,
    source.version,
    () => readPayload(source, place, chunks.maxChunkBytes, context, chunks.allocate).buffer,
  )
  // The memory may have been that of a longer payload.
  const size = payloadBytes(source, place)
  if (size > payload.byteLength) throw fault(`the block at byte ${place.offset} has changed`)
  return openArchive(new Uint8Array(payload, 0, size))
}
