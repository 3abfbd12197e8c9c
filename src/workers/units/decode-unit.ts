import type { Condition } from '../../plan/condition/condition.ts'
import { columnsOf, columnsOfExpressions, type TypedExpression } from '../../plan/expression.ts'
import { conditionMayFail } from '../../plan/kernels/may-fail.ts'
import type { ScanSpec, SourceColumn } from '../../plan/scan.ts'
import { rowsIn } from '../../plan/source/range.ts'
import { segmentsOf } from '../../plan/source/segments.ts'
import type { IndexRange, RunUnit, Unit } from '../../plan/source/unit.ts'
import { columnsOfFirsts, type FirstRows } from '../../plan/task/finish.ts'
import { rowWidth } from '../../plan/types/row-width.ts'
import type { Column, Mask } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { LocatedRows, LocatingOptions, OpenFile, ReadContext } from '../formats/provider.ts'
import type { UnitColumns } from '../state/column-cache.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import { record } from '../store/recording.ts'
import { NO_OBJECTS, type Store } from '../store/store.ts'
import { type ComputedFrom, computedColumns, requireTyped, withColumn } from './computed-column.ts'
import { passConstants, splitByConstants, withoutConstants } from './constant-conditions.ts'
import { evaluate } from './filter.ts'
import { firstRows } from './first-rows.ts'
import { joinMasks } from './join-masks.ts'
import type { LateArguments } from './late-arguments.ts'
import { possibleRows } from './possible-rows.ts'
import { readColumns, storedType } from './read-columns.ts'
import { readRange } from './read-range.ts'

/**
 * Reads and filters a unit. Reads the columns of one condition of the filter after the other, then those of the projection.
 * Of each column only what holds rows is read that have passed so far. Columns have the types to which all files of the scan
 * were widened; a column that the file lacks is null in all rows.
 * With `areValuesEnough`, a single column and no filter, rows may be missing whose values occur in earlier rows.
 * Columns that the cache has are not read. The others are offered to it if all of their rows were read.
 * Of a run of entries it decodes rows from row `from` on, and the unit says where the others begin.
 * With `firsts` only the first rows of each group are left, and the columns that do not tell which these are are read for them alone.
 * With `late` some columns are read for the rows alone that have an extreme key of a group. Other rows have any values in them.
 * With `rows` only these are read. They have passed the filter of another scan; this one has none.
 * The caller releases the unit.
 */
export function decodeUnit(
  scan: ScanSpec,
  unit: Unit,
  file: OpenFile,
  cachedColumns: UnitColumns | null,
  store: Store,
  context: ReadContext,
  areValuesEnough = false,
  { from = 0, isStreamed = false, firsts, rows: wantedRows, keepsNumbers = false, late }: Wanted = {},
): DecodedUnit {
  const { core, stopwatch } = context
  using textRows = unit.kind === 'text' ? file.find?.(store, unit, context, scan.columns) : undefined
  const located =
    unit.kind === 'run' ? locatedRows(scan, unit, file, store, context, { from, isStreamed }) : undefined
  /** To be called at the end: which station rows of text were read below is known after that. */
  const place = () => ({
    from: located?.from ?? 0,
    span: textRows?.span ?? null,
    ...(located?.isLast === false && { next: located.from + located.rows }),
  })
  const rowCount = textRows?.rows ?? located?.rows ?? rowsIn(unit)
  if (rowCount === null) throw new TypeError(`a block of text of "${store.file.path}", which is no text file`)
  let rows = rowCount
  let rowsScanned = rows
  /** Null: all rows. */
  let rowsPassed: number | null = null
  const loaded = new Map<string, Column>()
  const computed: Column[] = []
  let mask: Mask | null = null

  /** Whether so few rows have passed so far that what is done for each row is done for these alone. */
  const areFew = (): boolean => mask !== null && core.count(mask) < rows * FEW

  const load = (names: readonly string[]): void => {
    const wanted = scan.columns.filter(({ name }) => names.includes(name) && !loaded.has(name))
    const passing = mask
    const cache = textRows ? null : cachedColumns
    const wouldKeep = (column: SourceColumn): boolean =>
      cache?.wouldKeep(column, rows * rowWidth(column.type)) ?? false
    const selection = passing
      ? {
          hasAny: (from: number, to: number) => core.anyTrue(passing, from, to),
          wouldKeep: ({ name }: SourceColumn) => wanted.some((each) => each.name === name && wouldKeep(each)),
          few: areFew() ? passing : undefined,
        }
      : undefined
    let isWhole = true
    const recorded = store.file.folder === undefined ? null : record(store)
    const read = (stored: readonly SourceColumn[]): readonly Column[] => {
      if (textRows) return textRows.read(stored)
      if (located) return located.read(stored, selection)
      const isSingleColumn = scan.filter === null && scan.columns.length === 1
      const isFew = areValuesEnough && isSingleColumn && !wanted.some(wouldKeep)
      const read = readRange(file, recorded?.store ?? store, unit, stored, context, selection, isFew)
      isWhole = read.rows === rows && !read.hasGaps
      rows = read.rows
      return read.columns
    }
    const missing = wanted.filter((column) => {
      const cachedColumn = storedType(column, file, store) === null ? undefined : cache?.get(column)
      if (cachedColumn !== undefined) loaded.set(column.name, cachedColumn)
      return cachedColumn === undefined
    })
    const decoded = readColumns(missing, rows, file, read, store, context)
    for (const column of missing) {
      const decodedColumn = decoded.get(column.name)
      if (decodedColumn === undefined) continue
      loaded.set(column.name, decodedColumn)
      if (isWhole && storedType(column, file, store) !== null)
        cache?.offer(column, decodedColumn, recorded?.objects() ?? NO_OBJECTS)
    }
  }
  const column = (name: string): Column => {
    const loadedColumn = loaded.get(name)
    if (loadedColumn === undefined) throw new TypeError(`column ${name} is not part of the scan`)
    return loadedColumn
  }

  const computedFrom = (): ComputedFrom => ({
    rows,
    mask,
    column(name) {
      const type = scan.columns.find((each) => each.name === name)?.type
      if (typeof name !== 'string' || type === undefined) throw new TypeError('a column that is not scanned')
      return { column: column(name), type }
    },
    checkCancelled: context.checkCancelled,
  })

  const isConstant = (name: string): boolean => Object.hasOwn(store.file.constants ?? {}, name)
  /** How many bytes of a column have to be read; 0 if the cache has it, or the table gives its value. */
  const storedBytes = (name: string): number => {
    const asked = scan.columns.find((each) => each.name === name)
    if (asked === undefined || cachedColumns?.has(asked) || isConstant(name)) return 0
    if (unit.kind === 'box' || unit.kind === 'run') return rowWidth(asked.type)
    const index = file.schema.fields.findIndex((each) => each.name === name)
    const segments = segmentsOf(file.segments([], store, context))
    return segments[unit.segment]?.storedBytes[index] ?? 0
  }

  /** Whether most rows at the beginning are the first ones of groups. Then it is of no use to look for those of all rows. */
  const areMany = (first: () => Mask): boolean => {
    if (rows <= 2 * SAMPLED_ROWS) return false
    const passing = mask
    const beginning = core.inRuns(rows, [{ from: 0, to: SAMPLED_ROWS }])
    mask = beginning
    try {
      if (passing !== null) mask = core.and(beginning, passing)
      const firstMask = first()
      const isMost = core.count(firstMask) > core.count(mask) * MOST
      core.freeMask(firstMask)
      return isMost
    } finally {
      if (mask !== beginning) core.freeMask(mask)
      core.freeMask(beginning)
      mask = passing
    }
  }

  /** Reads late arguments, unless one of them is null where a key is extreme: then the row with another key counts. */
  const loadLate = ({ columns, firsts }: LateArguments): void => {
    const expressions = scan.projection.map(({ expression }) => requireTyped(expression))
    const passing = mask
    let extreme: Mask | null = null
    try {
      for (const each of firsts) {
        const asked = columnsOfFirsts(each)
        load(columnsOfExpressions(asked.flatMap((index) => expressions[index] ?? [])))
        const first = () =>
          stopwatch.time('group', () => firstOf(core, each, expressions, asked, computedFrom()))
        if (extreme === null && areMany(first)) return
        const some = first()
        extreme = extreme === null ? some : joinMasks(core, 'or', extreme, some)
      }
      if (extreme === null) return
      mask = extreme
      load(columns)
      for (const name of columns) {
        if (!hasNull(core, column(name), extreme, rows)) continue
        for (const each of columns) {
          core.free(column(each))
          loaded.delete(each)
        }
        return
      }
    } finally {
      mask = passing
      if (extreme !== null) core.freeMask(extreme)
    }
  }

  /** Whether columns have so many bytes stored that it is worth it to read them late. */
  const areLong = (names: readonly string[]): boolean => {
    if (unit.kind !== 'rows' || textRows !== undefined) return false
    const segmentRows = segmentsOf(file.segments([], store, context))[unit.segment]?.rows ?? 0
    return names.reduce((sum, name) => sum + storedBytes(name), 0) >= LATE_BYTES * segmentRows
  }

  const projected = columnsOfExpressions(scan.projection.map(({ expression }) => expression))
  try {
    const { filter } = scan
    const { constant, others } = splitByConstants(filter, store.file)
    if (!passConstants(constant, scan.columns, store.file, core))
      return { ...place(), rows: 0, columns: [], mask, order: null, rowsScanned: 0, rowsPassed: 0 }
    const filtered = filter === null ? [] : columnsOf(filter)
    // Statistics are read only if a column of the filter has to be read. They must not be used for a column of which the table
    // gives a constant: the file may have other values under its name.
    const canPrune = unit.kind === 'box' ? file.chunked !== undefined : file.prune !== undefined
    const isRead = canPrune && filtered.some((name) => storedBytes(name) > 0)
    const stored = isRead ? withoutConstants(filter, store.file) : null
    const runs = stored === null ? null : possibleRuns(stored, scan.columns, unit, file, store, context)
    if (runs) {
      rowsScanned = runs.reduce((sum, { from, to }) => sum + to - from, 0)
      if (rowsScanned === 0)
        return { ...place(), rows: 0, columns: [], mask, order: null, rowsScanned, rowsPassed: 0 }
      mask = core.inRuns(rows, runs)
    }
    if (wantedRows !== undefined) {
      mask = core.inRuns(rows, runsOf(wantedRows))
      rowsScanned = wantedRows.length
    }
    // The sizes of a text file's columns are not known here, because another worker may have inferred them.
    const conditions = inOrder(others, (name) => (textRows ? 0 : storedBytes(name)))
    /** Leaves out the rows that are not true in `passes`, and returns how many are left. */
    const leave = (passes: Mask): number => {
      mask = passes
      const passing = core.count(passes)
      if (textRows && passing < rows) {
        textRows.keep(passes)
        const wanted = [...projected, ...conditions.flatMap(columnsOf)]
        for (const [name, each] of loaded) {
          if (wanted.includes(name)) loaded.set(name, core.filter(each, passes))
          else loaded.delete(name)
          core.free(each)
        }
      }
      if (textRows || passing === rows) {
        core.freeMask(passes)
        mask = null
      }
      if (textRows) rows = passing
      return passing
    }
    /** Takes the rows that have passed out of the columns, so that the unit has no others. */
    const keepPassing = (): void => {
      const passing = mask
      if (passing === null) return
      for (const [name, each] of loaded) {
        if (projected.includes(name)) loaded.set(name, core.filter(each, passing))
        else loaded.delete(name)
        core.free(each)
      }
      rows = core.count(passing)
      core.freeMask(passing)
      mask = null
    }
    for (let condition = conditions.shift(); condition; condition = conditions.shift()) {
      load(columnsOf(condition))
      const passes = stopwatch.time('filter', () => evaluate(core, condition, computedFrom()))
      rowsPassed = leave(mask === null ? passes : joinMasks(core, 'and', mask, passes))
      if (rowsPassed > 0) continue
      for (const each of loaded.values()) core.free(each)
      if (mask !== null) core.freeMask(mask)
      return { ...place(), rows: 0, columns: [], mask: null, order: null, rowsScanned, rowsPassed: 0 }
    }
    const expressions = scan.projection.map(({ expression }) => requireTyped(expression))
    const isComputed = ({ kind }: TypedExpression): boolean => kind === 'call' || kind === 'constant'
    if (firsts !== undefined && rows > 0) {
      const asked = columnsOfFirsts(firsts)
      load(columnsOfExpressions(asked.flatMap((index) => expressions[index] ?? [])))
      const firstMask = stopwatch.time('group', () =>
        firstOf(core, firsts, expressions, asked, computedFrom()),
      )
      if (mask !== null) core.freeMask(mask)
      leave(firstMask)
    }
    if (late !== undefined && rows > 0 && areLong(late.columns)) loadLate(late)
    load(projected)
    // Of a run of entries, which is encoded from any of its rows on, rows keep their numbers.
    const mayRenumber = located === undefined && !keepsNumbers
    if (mayRenumber && expressions.some(isComputed) && areFew()) keepPassing()
    computed.push(
      ...stopwatch.time('compute', () =>
        computedColumns(core, expressions.filter(isComputed), computedFrom()),
      ),
    )
    const columns: Column[] = []
    const values = computed.values()
    for (const expression of expressions) {
      const value = expression.kind === 'column' ? column(expression.column) : values.next().value
      if (value !== undefined) columns.push(value)
    }
    for (const each of loaded.values()) if (!columns.includes(each)) core.free(each)
    return {
      ...place(),
      rows,
      columns,
      mask,
      order: null,
      rowsScanned,
      rowsPassed: rowsPassed ?? rowsScanned,
    }
  } catch (error) {
    for (const each of loaded.values()) core.free(each)
    for (const each of computed) core.free(each)
    if (mask !== null) core.freeMask(mask)
    throw error
  }
}

/** What of a unit is decoded. */
export interface Wanted {
  /** Of a run of entries: rows from this one on, and of the first rows of a file few, if they are streamed. */
  readonly from?: number | undefined
  readonly isStreamed?: boolean | undefined
  readonly firsts?: FirstRows | undefined
  /** The rows to read, in ascending order. Absent: all. */
  readonly rows?: Int32Array | undefined
  /** Whether the rows of the decoded unit are all those of the unit, if any of them pass. */
  readonly keepsNumbers?: boolean | undefined
  readonly late?: LateArguments | undefined
}

/** Rows in ascending order as runs. */
function runsOf(rows: Int32Array): IndexRange[] {
  const runs: { from: number; to: number }[] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last?.to === row) last.to = row + 1
    else runs.push({ from: row, to: row + 1 })
  }
  return runs
}

/** The first rows of each group. Of the projection only the columns `asked` are there, or are computed for it. */
function firstOf(
  core: Core,
  firsts: FirstRows,
  expressions: readonly TypedExpression[],
  asked: readonly number[],
  from: ComputedFrom,
): Mask {
  const types = expressions.map(({ type }) => type)
  const read = (index: number, columns: readonly Column[]): Mask => {
    const place = asked[index]
    const expression = place === undefined ? undefined : expressions[place]
    if (place === undefined || expression === undefined)
      return firstRows(core, { ...firsts, isNumbered: false }, { ...from, columns }, types).mask
    return withColumn(core, expression, from, (column) => read(index + 1, columns.with(place, column)))
  }
  return read(
    0,
    expressions.map(() => NO_COLUMN),
  )
}

/** The stored bytes of a row from which on columns are read late. Texts of few values, in a dictionary, take less than the search for the rows. */
const LATE_BYTES = 16

/** The rows at the beginning of a unit by which it is told whether groups have few rows, and the share of first rows from which on they have. */
const SAMPLED_ROWS = 8192
const MOST = 3 / 4

/** The share of rows below which they are few. */
const FEW = 1 / 3

/** Stands for a column that is not read. */
const NO_COLUMN = 0 as Column

/** Locates the next rows of a run of entries. Entries that the filter excludes have none. */
function locatedRows(
  { columns, filter }: ScanSpec,
  unit: RunUnit,
  file: OpenFile,
  store: Store,
  context: ReadContext,
  place: Pick<LocatingOptions, 'from' | 'isStreamed'>,
): LocatedRows | undefined {
  // Statistics must not be used for a column of which the table gives a constant.
  const stored = filter === null ? null : withoutConstants(filter, store.file)
  return file.locate?.(
    store,
    unit,
    { ...place, asked: columns, pruning: stored && { filter: stored, columns } },
    context,
  )
}

/** The rows of a unit that statistics do not exclude, as runs. Null: nothing is known. */
function possibleRuns(
  filter: Condition,
  columns: readonly SourceColumn[],
  unit: Unit,
  file: OpenFile,
  store: Store,
  context: ReadContext,
): readonly IndexRange[] | null {
  if (unit.kind === 'rows') return file.prune?.(store, unit, filter, columns, context) ?? null
  return unit.kind === 'box' ? possibleRows(filter, columns, unit, file, store, context) : null
}

/**
 * Sorts conditions: those whose columns have the fewest bytes come first. Those in which a row may fail come last, as they are written, so
 * that rows which others drop do not fail.
 */
function inOrder(conditions: readonly Condition[], bytesOf: (column: string) => number): Condition[] {
  if (conditions.length < 2) return [...conditions]
  return conditions
    .map((arg) => ({
      arg,
      bytes: conditionMayFail(arg)
        ? Number.POSITIVE_INFINITY
        : columnsOf(arg).reduce((sum, name) => sum + bytesOf(name), 0),
    }))
    .toSorted((a, b) => (a.bytes === b.bytes ? 0 : a.bytes - b.bytes))
    .map(({ arg }) => arg)
}

/** Whether a column is null in a row that is true in a mask. */
function hasNull(core: Core, column: Column, among: Mask, rows: number): boolean {
  const nulls = core.isNull(column)
  try {
    const both = core.and(nulls, among)
    const hasAny = core.anyTrue(both, 0, rows)
    core.freeMask(both)
    return hasAny
  } finally {
    core.freeMask(nulls)
  }
}
