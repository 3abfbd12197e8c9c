import type { Condition } from '../../plan/condition/condition.ts'
import { columnsOf, columnsOfExpressions, type TypedExpression } from '../../plan/expression.ts'
import { conditionMayFail } from '../../plan/kernels/may-fail.ts'
import type { ScanSpec } from '../../plan/scan.ts'
import { rowsIn } from '../../plan/source/range.ts'
import type { IndexRange, RunUnit, Unit } from '../../plan/source/unit.ts'
import type { FirstRows } from '../../plan/task/finish.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { LocatedRows, OpenFile, ReadContext } from '../formats/provider.ts'
import type { UnitColumns } from '../state/column-cache.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { Store } from '../store/store.ts'
import { computedColumns, requireTyped } from './computed-column.ts'
import { passConstants, splitByConstants, withoutConstants } from './constant-conditions.ts'
import { evaluate } from './filter.ts'
import { joinMasks } from './join-masks.ts'
import { firstOf, loadFirsts } from './late/first-of.ts'
import type { LateArguments } from './late/late-arguments.ts'
import { areLong, loadLate } from './late/load-late.ts'
import { possibleRows } from './possible-rows.ts'
import { createUnitRows, type UnitRows, type UnitSource } from './unit-rows.ts'

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
  wanted: Wanted = {},
): DecodedUnit {
  using textRows = unit.kind === 'text' ? file.find?.(store, unit, context, scan.columns) : undefined
  const located = unit.kind === 'run' ? locatedRows(scan, unit, file, store, context, wanted) : undefined
  const rowCount = textRows?.rows ?? located?.rows ?? rowsIn(unit)
  if (rowCount === null) throw new TypeError(`a block of text of "${store.file.path}", which is no text file`)
  const source = { scan, unit, file, cachedColumns, store, context, areValuesEnough, textRows, located }
  const unitRows = createUnitRows(source, rowCount)
  try {
    const { isNone, ...counts } = filterRows(unitRows, source, wanted.rows)
    const columns = isNone ? [] : projectRows(unitRows, source, wanted)
    unitRows.freeColumns(columns)
    return {
      // Which station rows of text were read is known at the end.
      from: located?.from ?? 0,
      span: textRows?.span ?? null,
      ...(located?.isLast === false && { next: located.from + located.rows }),
      rows: isNone ? 0 : unitRows.rows,
      columns,
      mask: unitRows.mask,
      order: null,
      ...counts,
    }
  } catch (error) {
    unitRows.freeColumns()
    unitRows.freeMask()
    throw error
  }
}

/** How many rows the filter has read and let pass, and whether it leaves none, so that nothing else is read. */
interface Filtered extends Pick<DecodedUnit, 'rowsScanned' | 'rowsPassed'> {
  readonly isNone: boolean
}

/** Filters rows, of which `wantedRows` alone are read if they are given. */
function filterRows(unitRows: UnitRows, source: UnitSource, wantedRows: Int32Array | undefined): Filtered {
  const { scan, store, context, textRows } = source
  const { core, stopwatch } = context
  const { constant, others } = splitByConstants(scan.filter, store.file)
  if (!passConstants(constant, scan.columns, store.file, core))
    return { isNone: true, rowsScanned: 0, rowsPassed: 0 }
  let rowsScanned = unitRows.rows
  const runs = wantedRows === undefined ? possibleRuns(unitRows, source) : runsOf(wantedRows)
  if (runs !== null) {
    rowsScanned = runs.reduce((sum, { from, to }) => sum + to - from, 0)
    if (rowsScanned === 0) return { isNone: true, rowsScanned, rowsPassed: 0 }
    unitRows.restrict(core.inRuns(unitRows.rows, runs))
  }
  // The sizes of a text file's columns are not known here, because another worker may have inferred them.
  const conditions = inOrder(others, (name) => (textRows ? 0 : unitRows.storedBytes(name)))
  let rowsPassed = rowsScanned
  for (const [index, condition] of conditions.entries()) {
    unitRows.load(columnsOf(condition))
    const passes = stopwatch.time('filter', () => evaluate(core, condition, unitRows.computedFrom()))
    const needed = [...projectedColumns(scan), ...conditions.slice(index + 1).flatMap(columnsOf)]
    const { mask } = unitRows
    rowsPassed = unitRows.pass(mask === null ? passes : joinMasks(core, 'and', mask, passes), needed)
    if (rowsPassed > 0) continue
    unitRows.freeMask()
    return { isNone: true, rowsScanned, rowsPassed }
  }
  return { isNone: false, rowsScanned, rowsPassed }
}

/** The columns of the projection, of the rows that have passed. */
function projectRows(
  unitRows: UnitRows,
  source: UnitSource,
  { firsts, late, keepsNumbers = false }: Wanted,
): readonly Column[] {
  const { scan, context, located } = source
  const { core, stopwatch } = context
  const projected = projectedColumns(scan)
  const expressions = scan.projection.map(({ expression }) => requireTyped(expression))
  if (firsts !== undefined && unitRows.rows > 0) {
    loadFirsts(unitRows, scan, firsts)
    const first = firstOf(unitRows, scan, firsts, context)
    unitRows.freeMask()
    unitRows.pass(first, projected)
  }
  if (late !== undefined && unitRows.rows > 0 && areLong(late.columns, unitRows, source))
    loadLate(unitRows, late, scan, context)
  unitRows.load(projected)
  const isComputed = ({ kind }: TypedExpression): boolean => kind === 'call' || kind === 'constant'
  // Of a run of entries, which is encoded from any of its rows on, rows keep their numbers.
  const mayRenumber = located === undefined && !keepsNumbers
  if (mayRenumber && expressions.some(isComputed) && unitRows.areFew()) unitRows.keepPassing(projected)
  const stored = expressions.map((expression) =>
    expression.kind === 'column' ? unitRows.column(expression.column) : null,
  )
  const computed = stopwatch
    .time('compute', () => computedColumns(core, expressions.filter(isComputed), unitRows.computedFrom()))
    .values()
  return stored.flatMap((column) => column ?? computed.next().value ?? [])
}

function projectedColumns({ projection }: ScanSpec): readonly string[] {
  return columnsOfExpressions(projection.map(({ expression }) => expression))
}

/** The rows that statistics do not exclude, as runs. Null: nothing is known. */
function possibleRuns(
  unitRows: UnitRows,
  { scan, unit, file, store, context }: UnitSource,
): readonly IndexRange[] | null {
  const { filter, columns } = scan
  if (filter === null || !(unit.kind === 'box' ? file.chunked : file.prune)) return null
  // Statistics are read only if a column of the filter has to be read. They must not be used for a column of which the table
  // gives a constant: the file may have other values under its name.
  if (!columnsOf(filter).some((name) => unitRows.storedBytes(name) > 0)) return null
  const stored = withoutConstants(filter, store.file)
  if (stored === null) return null
  if (unit.kind === 'rows') return file.prune?.(store, unit, stored, columns, context) ?? null
  return unit.kind === 'box' ? possibleRows(stored, columns, unit, file, store, context) : null
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

/** Locates the next rows of a run of entries. Entries that the filter excludes have none. */
function locatedRows(
  { columns, filter }: ScanSpec,
  unit: RunUnit,
  file: OpenFile,
  store: Store,
  context: ReadContext,
  { from = 0, isStreamed = false }: Wanted,
): LocatedRows | undefined {
  // Statistics must not be used for a column of which the table gives a constant.
  const stored = filter === null ? null : withoutConstants(filter, store.file)
  const pruning = stored && { filter: stored, columns }
  return file.locate?.(store, unit, { from, isStreamed, asked: columns, pruning }, context)
}

/**
 * Sorts conditions: those whose columns have the fewest bytes come first. Those in which a row may fail come last, as they are written, so
 * that rows which others drop do not fail.
 */
function inOrder(
  conditions: readonly Condition[],
  bytesOf: (column: string) => number,
): readonly Condition[] {
  if (conditions.length < 2) return conditions
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
