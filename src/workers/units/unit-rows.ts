import type { ScanSpec, SourceColumn } from '../../plan/scan.ts'
import { segmentsOf } from '../../plan/source/segments.ts'
import type { Unit } from '../../plan/source/unit.ts'
import { rowWidth } from '../../plan/types/row-width.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { FoundRows, LocatedRows, OpenFile, ReadContext } from '../formats/provider.ts'
import type { UnitColumns } from '../state/column-cache.ts'
import { record } from '../store/recording.ts'
import { NO_OBJECTS, type Store } from '../store/store.ts'
import type { ComputedFrom } from './computed-column.ts'
import { readColumns, storedType } from './read-columns.ts'
import { readRange } from './read-range.ts'

/** What the rows of a unit are read from. */
export interface UnitSource {
  readonly scan: ScanSpec
  readonly unit: Unit
  readonly file: OpenFile
  readonly cachedColumns: UnitColumns | null
  readonly store: Store
  readonly context: ReadContext
  readonly areValuesEnough: boolean
  /** Of text: its records. */
  readonly textRows: FoundRows | undefined
  /** Of a run of entries: its rows. */
  readonly located: LocatedRows | undefined
}

/** The rows of a unit while it is filtered: which have passed so far, and the columns that were read. */
export interface UnitRows {
  readonly rows: number
  /** The rows that have passed. Null: all. */
  readonly mask: Mask | null
  /** Reads columns that were not read before, where rows have passed. */
  load(names: readonly string[]): void
  /** A column that was read. */
  column(name: string): Column
  /** Frees a column that was read, as if it had not been. */
  drop(name: string): void
  /** What expressions over these rows are computed from. */
  computedFrom(): ComputedFrom
  /** Whether so few rows have passed that what is done for each row is done for these alone. */
  areFew(): boolean
  /** How many bytes of a column have to be read; 0 if the cache has it, or the table gives its value. */
  storedBytes(name: string): number
  /**
   * From now on the rows have passed that are true in a mask, which these rows own then. Returns how many they are. Of text, others are left out,
   * and of the columns only those that are named are kept.
   */
  pass(passes: Mask, names: readonly string[]): number
  /** From now on these rows alone count as having passed. No column was read yet. */
  restrict(rows: Mask): void
  /** Calls `work` as if those rows had passed that are true in a mask. */
  among<T>(mask: Mask, work: () => T): T
  /** Takes the rows that have passed out of the columns that are named, so that there are no others. */
  keepPassing(names: readonly string[]): void
  /** Frees the columns that were read, but for those that others have. */
  freeColumns(others?: readonly Column[]): void
  freeMask(): void
}

/** The rows of a unit of `rowCount` rows, of which no column has been read. */
export function createUnitRows(source: UnitSource, rowCount: number): UnitRows {
  const { scan, unit, file, cachedColumns, store, context, textRows, located } = source
  const { core } = context
  const cache = textRows ? null : cachedColumns
  const loaded = new Map<string, Column>()
  let rows = rowCount
  let mask: Mask | null = null

  const areFew = (): boolean => mask !== null && core.count(mask) < rows * FEW
  const wouldKeep = (column: SourceColumn): boolean =>
    cache?.wouldKeep(column, rows * rowWidth(column.type)) ?? false
  const isStored = (column: SourceColumn): boolean => storedType(column, file, store) !== null

  function load(names: readonly string[]): void {
    const wanted = scan.columns.filter(({ name }) => names.includes(name) && !loaded.has(name))
    if (wanted.length === 0) return
    const missing = wanted.filter((column) => {
      const cachedColumn = isStored(column) ? cache?.get(column) : undefined
      if (cachedColumn !== undefined) loaded.set(column.name, cachedColumn)
      return cachedColumn === undefined
    })
    let isWhole = true
    const recorded = cache === null || store.file.folder === undefined ? null : record(store)
    const read = (stored: readonly SourceColumn[]): readonly Column[] => {
      if (textRows) return textRows.read(stored)
      const selection = selectionOf(wanted)
      if (located) return located.read(stored, selection)
      const isSingleColumn = scan.filter === null && scan.columns.length === 1
      const isFew = source.areValuesEnough && isSingleColumn && !wanted.some(wouldKeep)
      const set = readRange(file, recorded?.store ?? store, unit, stored, context, selection, isFew)
      isWhole = set.rows === rows && !set.hasGaps
      ;({ rows } = set)
      return set.columns
    }
    for (const [name, decoded] of readColumns(missing, rows, file, read, store, context)) {
      loaded.set(name, decoded)
      const column = missing.find((each) => each.name === name)
      if (column !== undefined && isWhole && isStored(column))
        cache?.offer(column, decoded, recorded?.objects() ?? NO_OBJECTS)
    }
  }

  /** The rows of columns that are to be read. Undefined: all. */
  function selectionOf(wanted: readonly SourceColumn[]) {
    const passing = mask
    if (passing === null) return undefined
    return {
      hasAny: (from: number, to: number) => core.anyTrue(passing, from, to),
      wouldKeep: ({ name }: SourceColumn) => wanted.some((each) => each.name === name && wouldKeep(each)),
      few: areFew() ? passing : undefined,
    }
  }

  function column(name: string): Column {
    const loadedColumn = loaded.get(name)
    if (loadedColumn === undefined) throw new TypeError(`column ${name} is not part of the scan`)
    return loadedColumn
  }

  /** Of the columns that are named only the rows that are true in a mask are left, and no others. */
  function filterColumns(passes: Mask, names: readonly string[]): void {
    for (const [name, each] of loaded) {
      if (names.includes(name)) loaded.set(name, core.filter(each, passes))
      else loaded.delete(name)
      core.free(each)
    }
  }

  function freeMask(): void {
    if (mask !== null) core.freeMask(mask)
    mask = null
  }

  return {
    get rows() {
      return rows
    },
    get mask() {
      return mask
    },
    load,
    column,
    drop(name) {
      core.free(column(name))
      loaded.delete(name)
    },
    computedFrom: () => ({
      rows,
      mask,
      column(name) {
        const type = scan.columns.find((each) => each.name === name)?.type
        if (typeof name !== 'string' || type === undefined)
          throw new TypeError('a column that is not scanned')
        return { column: column(name), type }
      },
      checkCancelled: context.checkCancelled,
    }),
    areFew,
    storedBytes(name) {
      const asked = scan.columns.find((each) => each.name === name)
      const isConstant = Object.hasOwn(store.file.constants ?? {}, name)
      if (asked === undefined || cachedColumns?.has(asked) || isConstant) return 0
      if (unit.kind === 'box' || unit.kind === 'run') return rowWidth(asked.type)
      const index = file.schema.fields.findIndex((each) => each.name === name)
      return segmentsOf(file.segments([], store, context))[unit.segment]?.storedBytes[index] ?? 0
    },
    pass(passes, names) {
      mask = passes
      const passing = core.count(passes)
      if (textRows && passing < rows) {
        textRows.keep(passes)
        filterColumns(passes, names)
      }
      if (textRows || passing === rows) freeMask()
      if (textRows) rows = passing
      return passing
    },
    restrict(some) {
      mask = some
    },
    among(some, work) {
      const passing = mask
      mask = some
      try {
        return work()
      } finally {
        mask = passing
      }
    },
    keepPassing(names) {
      if (mask === null) return
      filterColumns(mask, names)
      rows = core.count(mask)
      freeMask()
    },
    freeColumns(others = []) {
      for (const each of loaded.values()) if (!others.includes(each)) core.free(each)
      loaded.clear()
    },
    freeMask,
  }
}

/** The share of rows below which they are few. */
const FEW = 1 / 3
