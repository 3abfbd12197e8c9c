import { lastAtMost } from '../../../plan/binary-search.ts'
import { memoize } from '../../../plan/memoize.ts'
import type { ScanSpec } from '../../../plan/scan.ts'
import { type FileSummary, segmentsOf } from '../../../plan/source/segments.ts'
import type { RowsUnit, Unit } from '../../../plan/source/unit.ts'
import type { UnitSpace } from '../../../plan/source/unit-space.ts'
import { STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import { type ColumnsInFile, columnsIn } from '../source/column-in-file.ts'
import { createFileBatches } from './file-batches.ts'
import { gridBatches } from './grid/grid-batches.ts'
import type { Batches, BatchLimits } from './unit-sequence.ts'

/**
 * The least and the greatest limit of a batch's rows. Limits are powers of two, so that every batch of one limit consists of
 * whole batches of a smaller one.
 */
const ROWS = Object.freeze({ least: 1 << 18, most: 1 << 21 })

/** The limit of a batch's estimated decoded bytes. */
const BYTES = 16 << 20

/**
 * The time that a batch should take, if it may have so many rows: ten times what it takes to send a task and receive the
 * answer. Nanoseconds.
 */
const BATCH_NS = 4_000_000

/** The same for arrays, whose units are not kept decoded. With half of it, eight queries at once take 1.08 times as long. */
const GRID_BATCH_NS = 8_000_000

/**
 * The time to inflate and decode a stored byte, and to filter and aggregate a row. Measured on one column of numbers, and on one
 * with a dictionary. Nanoseconds.
 */
const STORED_BYTE_NS = 2.5
const ROW_NS = 1.5

/** The limits of batches of a scan: the fewer bytes its columns have stored for each row, the more rows a batch may have. */
export function* batchLimits(
  scan: Pick<ScanSpec, 'columns'>,
  summaries: readonly FileSummary[],
): Steps<BatchLimits> {
  const stored = storedIn(summaries)
  yield* addColumns(stored, summaries, scan.columns)
  const bytes = scan.columns.reduce((sum, { name }) => sum + (stored.bytes.get(name) ?? 0), 0)
  const rowNs = ROW_NS + (stored.rows === 0 ? 0 : (bytes / stored.rows) * STORED_BYTE_NS)
  let most: number = ROWS.least
  while (most < ROWS.most && 2 * most * rowNs <= BATCH_NS) most *= 2
  return { rows: most, bytes: BYTES }
}

/** What the segments of files have stored together, by the names of columns that were asked for. */
interface Stored {
  rows: number
  readonly bytes: Map<string, number>
}

/** Queries of the same files have the same list of summaries. */
const storedIn = memoize((_summaries: readonly FileSummary[]): Stored => ({ rows: 0, bytes: new Map() }))

/** Adds the columns that have not been asked for. */
function* addColumns(
  stored: Stored,
  summaries: readonly FileSummary[],
  columns: ScanSpec['columns'],
): Steps<void> {
  const missing = columns.filter(({ name }) => !stored.bytes.has(name))
  if (missing.length === 0) return
  const bytes = new Float64Array(missing.length)
  let rows = 0
  let at = 0
  for (const summary of summaries) {
    if (at++ % STEP_ITEMS === 0) yield
    if (summary.segments.kind === 'grid') continue
    const indexes = indexesOf(columnsIn(summary, { columns: missing }))
    for (const segment of segmentsOf(summary.segments)) {
      rows += segment.rows ?? 0
      for (let nth = 0; nth < indexes.length; nth++)
        bytes[nth] = (bytes[nth] ?? 0) + (segment.storedBytes[indexes[nth] ?? -1] ?? 0)
    }
    yield
  }
  stored.rows = rows
  for (const [nth, { name }] of missing.entries()) stored.bytes.set(name, bytes[nth] ?? 0)
}

/** The index of each column in the files that have the same ones. Null: they do not have it. */
const indexesOf = memoize((columns: ColumnsInFile): readonly (number | null)[] =>
  [...columns.values()].map(({ index }) => index),
)

/**
 * Groups consecutive units to the batches that one task reads, in file order. The rows of all files are divided into ranges of
 * `most.rows`, and units that begin in the same range belong together. So the batches are the same in every query of the same
 * columns, and go to the worker that has them cached. Text files of one block are grouped by their bytes, and a unit of a longer one is a batch of
 * its own. Those of a grid are grouped by
 * the time that they take, and those of grids with one unit each, which are in as many files, together.
 */
export function* batchesOf(
  { runs }: UnitSpace,
  summaries: readonly FileSummary[],
  most: BatchLimits,
): Steps<Batches> {
  const before = rowCounter(summaries)
  const allBatches: Batches[] = []
  const together = createFileBatches(runs.length, most, GRID_BATCH_NS)
  let at = 0
  for (const run of runs) {
    if (at++ % STEP_ITEMS === 0) yield
    const grid = run.kind === 'grid' ? summaries[run.file]?.segments : undefined
    if (run.kind === 'grid' && grid?.kind === 'grid' && together.addGrid(run, grid)) continue
    allBatches.push(together.take())
    if (run.kind === 'list') allBatches.push(yield* listedBatches(run.units, before, summaries, most))
    else if (grid?.kind === 'grid') allBatches.push(gridBatches(run, grid, most.bytes, GRID_BATCH_NS))
  }
  allBatches.push(together.take())
  return joinedBatches(allBatches)
}

/** Batches that follow each other, as one sequence. */
export function joinedBatches(batches: readonly Batches[]): Batches {
  const batchRuns: BatchRun[] = []
  let count = 0
  for (const each of batches) {
    if (each.count === 0) continue
    batchRuns.push({ first: count, batches: each })
    count += each.count
  }
  return {
    count,
    at(index) {
      const run = batchRuns[lastAtMost(batchRuns.length, (each) => batchRuns[each]?.first ?? 0, index)]
      return run === undefined ? [] : run.batches.at(index - run.first)
    },
  }
}

/** Consecutive batches: those of a list of units, or those of a grid. */
interface BatchRun {
  /** Index of its first batch. */
  readonly first: number
  readonly batches: Batches
}

/** The most text files of a batch, and the number of tasks that a query of many should have, so that all workers have some. */
const MOST_TEXTS = 64
const LEAST_TASKS = 16

/** In place of a range of rows: text files and runs of entries, whose rows are not counted. */
const TEXT_RANGE = -1

/** Whether a unit has all records of its text file, or is a run of entries. The beginning of any other text depends on the unit before it. */
function isWhole({ kind, file }: Unit, summaries: readonly FileSummary[]): boolean {
  if (kind === 'run') return true
  const segments = summaries[file]?.segments
  return kind === 'text' && segments !== undefined && segmentsOf(segments).length === 1
}

function* listedBatches(
  units: readonly Unit[],
  before: (unit: RowsUnit) => number,
  summaries: readonly FileSummary[],
  most: BatchLimits,
): Steps<Batches> {
  const batches: Unit[][] = []
  const mostTexts = Math.min(MOST_TEXTS, Math.ceil(units.length / LEAST_TASKS))
  let range: number | null = null
  let bytes = 0
  for (const [index, unit] of units.entries()) {
    if (index % STEP_ITEMS === 0) yield
    const rangeOfUnit =
      unit.kind === 'rows'
        ? Math.floor((before(unit) + unit.from) / most.rows)
        : isWhole(unit, summaries)
          ? TEXT_RANGE
          : null
    bytes += unit.decodedBytes
    const last = batches.at(-1)
    const isFew = rangeOfUnit !== TEXT_RANGE || (last?.length ?? 0) < mostTexts
    if (last !== undefined && range !== null && rangeOfUnit === range && bytes <= most.bytes && isFew)
      last.push(unit)
    else {
      batches.push([unit])
      bytes = unit.decodedBytes
    }
    range = rangeOfUnit
  }
  return { count: batches.length, at: (index) => batches[index] ?? [] }
}

/** Counts the rows before the segment of a unit. To be called with units in file order. */
function rowCounter(summaries: readonly FileSummary[]): (unit: RowsUnit) => number {
  let rows = 0
  let file = 0
  let segment = 0
  return (unit) => {
    while (file < unit.file || (file === unit.file && segment < unit.segment)) {
      const summary = summaries[file]
      const segments = summary === undefined ? [] : segmentsOf(summary.segments)
      if (segment < segments.length) rows += segments[segment++]?.rows ?? 0
      else {
        file++
        segment = 0
      }
    }
    return rows
  }
}
