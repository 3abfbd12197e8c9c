import type { KnownColumn } from '../../../plan/condition/bounds.ts'
import type { Condition } from '../../../plan/condition/condition.ts'
import { mayMatch, mustMatch } from '../../../plan/condition/prune.ts'
import { ServiceError } from '../../../plan/errors.ts'
import { columnsOf } from '../../../plan/expression.ts'
import { FIRST_UNIT_ROWS, UNIT_BYTES, UNIT_ROWS } from '../../../plan/limits.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import type { Grid } from '../../../plan/source/grid.ts'
import type { ScannedGrid } from '../../../plan/source/scanned-grid.ts'
import { type FileSummary, type Segment, segmentsOf } from '../../../plan/source/segments.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { NO_UNITS, type UnitRun, type UnitSpace } from '../../../plan/source/unit-space.ts'
import { isNothing, NO_WHOLE_COLUMNS, type WholeOfFile } from '../../../plan/source/whole.ts'
import { STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import { type ColumnInFile, columnsIn, knownInSegment } from '../source/column-in-file.ts'
import { fileTest } from '../source/whole/file-test.ts'
import { filterInFile } from './filter-in-file.ts'
import { type CutGrid, cutGrid, unitsBetween } from './grid/cut-grid.ts'
import { scannedGrid } from './grid/scanned-grid.ts'
import { bytesOfGridRow, bytesOfRows } from './row-bytes.ts'

/** The units of a plan that have to be read. */
export interface CutUnits {
  readonly units: UnitSpace
  /** The number of units that are not read. None of their rows can be in the answer, or their rows are counted below. */
  readonly pruned: number
  /** The plan's offset, less the rows of units that lie wholly before it. */
  readonly skip: number
  /** The rows of segments that are not read because all of them pass and only their number is wanted. */
  readonly counted: number
  /** What is read of the grids of the first files. */
  readonly grids: readonly ScannedGrid[]
  /** The number of chunks of grids in which no row can pass. */
  readonly chunksSkipped: number
  /** Whether it is known that all rows of the units pass the filter. It is not tried to find out for other units than those of grids. */
  readonly isAllPassing: boolean
}

export interface CutOptions {
  /** Whether rows are sent as they are read. Then the first unit is small, so that its rows are sent soon. */
  readonly isStreamed: boolean
  /** Whether only the number of rows is wanted. */
  readonly isCounted: boolean
}

type CutPlan = Pick<ScanPlan, 'scan' | 'offset' | 'limit'> & Partial<Pick<ScanPlan, 'files'>>

/** A grid that is cut, and from what. */
interface GridCut {
  readonly filter: Condition | null
  readonly columns: ReadonlyMap<string, ColumnInFile>
  readonly wanted: number
  readonly cut: CutGrid
  readonly scanned: Omit<ScannedGrid, 'path'>
}

/** Rows of a segment that are cut, what they take decoded, and whether some may pass. */
interface RowsOfSegment {
  readonly file: number
  readonly index: number
  readonly rows: number
  readonly bytes: number
  readonly mayPass: boolean
}

const STREAMED: CutOptions = Object.freeze({ isStreamed: true, isCounted: false })

/** The most grids of which EXPLAIN prints what is read. */
const MOST_GRIDS = 16

/** The most units of segments in one query. Each takes about 100 bytes on main. Units of grids are not kept, so any number may be. */
const MAX_UNITS = 2_000_000

/**
 * Cuts the rows of a plan's files into units of limited rows and bytes, in file order. It leaves out segments in which no row can
 * pass the filter by their statistics and, if rows are only counted, those in which all rows pass. Without a filter it also
 * leaves out units that lie wholly before the offset or after the limit. `summaries` are those of `plan.files`, with the
 * statistics of the filter's columns. Throws `memory_limit` if there are too many units.
 */
export function* cutInSteps(
  { scan, offset, limit, files = [] }: CutPlan,
  summaries: readonly FileSummary[],
  { isStreamed, isCounted }: CutOptions = STREAMED,
): Steps<CutUnits> {
  const { filter } = scan
  const compared = filter === null ? [] : columnsOf(filter)
  const builder = spaceMaker()
  let pruned = 0
  let passed = 0
  let skip = offset
  /** Whether it is known which rows of the answer a unit has: only without a filter, and while no unit is text. */
  let areCounted = filter === null
  let counted = 0
  let items = 0
  const grids: ScannedGrid[] = []
  const cuts = new Map<Grid, GridCut>()
  let chunksSkipped = 0
  let isAllPassing = true

  /** Cuts a segment. Null: it has been done; a generator for each of very many small files would take as long as the rest. */
  function cutSegment(
    file: number,
    summary: FileSummary,
    index: number,
    segment: Segment,
    columns: ReadonlyMap<string, ColumnInFile>,
  ): Steps<void> | null {
    isAllPassing = false
    const bytes = bytesOfRows(columns, segment.decodedBytes, segment.rows ?? 0)
    if (segment.rows === null) {
      requireFew(builder.listed + pruned + 1)
      areCounted = false
      const { entries } = segment
      if (entries === undefined)
        builder.add({ kind: 'text', file, segment: index, begin: null, decodedBytes: bytes })
      else if (filter !== null && !mayMatch(filter, knownOfEntries(summary, columns, index), SOME_ROWS))
        pruned++
      else
        builder.add({
          kind: 'run',
          file,
          segment: index,
          ...entries,
          rowsOf: scan.rowsOf ?? [],
          decodedBytes: bytes,
        })
      return null
    }
    const { rows } = segment
    const count = Math.max(1, Math.ceil(Math.max(rows / UNIT_ROWS, bytes / UNIT_BYTES)))
    const step = Math.max(1, Math.ceil(rows / count))
    requireFew(builder.listed + pruned + rows / step)
    const statisticsOf = (name: string): KnownColumn | null => {
      const column = columns.get(name)
      return column === undefined ? null : knownInSegment(summary, column, index)
    }
    const whole = filter === null ? null : wholeOf(summary, compared)
    const mayPass =
      filter === null ||
      (whole === null ? mayMatch(filter, statisticsOf, rows) : fileTest(columns, filter).mayMatch(whole))
    if (isCounted && mayPass && (filter === null || mustMatch(filter, statisticsOf, rows))) {
      passed += rows
      pruned += Math.ceil(rows / step)
      return null
    }
    const rowsOfSegment = { file, index, rows, bytes, mayPass }
    if (rows > step || (isStreamed && areCounted)) return cutRows(rowsOfSegment, step)
    if (rows > 0) addRows(rowsOfSegment, 0, rows)
    return null
  }

  function* cutRows(segment: RowsOfSegment, step: number): Steps<void> {
    const { rows } = segment
    for (let from = 0, to = 0; from < rows; from = to) {
      if (++items % STEP_ITEMS === 0) yield
      // With a filter it is not known which unit has the first rows, so none of them is made small.
      const isFirst = isStreamed && areCounted && builder.isEmpty
      const most = isStreamed && areCounted ? fewRows(offset + limit - counted) : step
      to = Math.min(rows, from + Math.min(step, most, isFirst ? FIRST_UNIT_ROWS : step))
      addRows(segment, from, to)
    }
  }

  /** Adds the rows `from`..`to` of a segment as a unit, or leaves them out. */
  function addRows({ file, index, rows, bytes, mayPass }: RowsOfSegment, from: number, to: number): void {
    const isBefore = areCounted && counted + to - from <= offset
    const isBehind = areCounted && counted >= offset + limit
    counted += to - from
    if (isBefore) skip -= to - from
    if (isBefore || isBehind || !mayPass) {
      pruned++
      return
    }
    const decodedBytes = Math.ceil((bytes / rows) * (to - from))
    builder.add({ kind: 'rows', file, segment: index, from, to, decodedBytes })
  }

  /** The cut of a grid that another file has, of whose filter the same conditions are left. Undefined: there is none yet. */
  function earlierCut(
    grid: Grid,
    filter: Condition | null,
    columns: ReadonlyMap<string, ColumnInFile>,
    wanted: number,
  ): GridCut | undefined {
    const earlier = cuts.get(grid)
    return earlier?.filter === filter && earlier.columns === columns && earlier.wanted === wanted
      ? earlier
      : undefined
  }

  function* cutAnew(
    grid: Grid,
    filter: Condition | null,
    columns: ReadonlyMap<string, ColumnInFile>,
    wanted: number,
  ): Steps<GridCut> {
    const bytesOfRow = (axisRanges: CutGrid['axisRanges']) => bytesOfGridRow(grid, columns, axisRanges)
    const cut = yield* cutGrid(grid, filter, columns, bytesOfRow, wanted)
    const scanned = scannedGrid(grid, cut.axisRanges, columns, compared)
    const gridCut = { filter, columns, wanted, cut, scanned }
    cuts.set(grid, gridCut)
    return gridCut
  }

  /** Adds the units of a grid, or leaves them out. */
  function addGrid(file: number, { cut, scanned }: GridCut): void {
    if (grids.length < MOST_GRIDS) grids.push({ ...scanned, path: files[file]?.path ?? '' })
    chunksSkipped += scanned.chunks - scanned.chunksLeft
    pruned += cut.pruned
    isAllPassing &&= cut.isAllPassing
    if (isCounted && cut.passing !== null) {
      passed += cut.passing
      pruned += cut.units
      return
    }
    const remainingRows = areCounted ? Math.max(0, offset + limit - counted) : Number.POSITIVE_INFINITY
    const before = areCounted ? Math.max(0, offset - counted) : 0
    const { from, to, rowsBefore } = unitsBetween(cut, before, remainingRows - before)
    if (areCounted) {
      counted += cut.rows
      skip -= Math.min(before, rowsBefore)
    }
    pruned += cut.units - (to - from)
    builder.addRun({
      kind: 'grid',
      first: builder.beginRun(),
      count: to - from,
      skipped: from,
      file,
      axes: cut.axes,
      rowBytes: cut.rowBytes,
      tileBytes: cut.tileBytes,
      chunk: cut.chunk,
    })
  }

  let at = 0
  for (const summary of summaries) {
    const file = at++
    const columns = columnsIn(summary, scan)
    if (summary.segments.kind === 'grid') {
      const grid = summary.segments
      const inFile = filterInFile(summary, filter, columns)
      const wanted = isStreamed && areCounted ? limit : Number.POSITIVE_INFINITY
      // A generator for each of very many small files would take as long as the rest.
      const earlier = earlierCut(grid, inFile, columns, wanted)
      addGrid(file, earlier ?? (yield* cutAnew(grid, inFile, columns, wanted)))
    }
    const segments = segmentsOf(summary.segments)
    for (let index = 0; index < segments.length; index++) {
      const segment = segments[index]
      const steps = segment === undefined ? null : cutSegment(file, summary, index, segment, columns)
      if (steps !== null) yield* steps
      else if (++items % STEP_ITEMS === 0) yield
    }
    if (at % STEP_FILES === 0) yield
  }
  return { units: builder.space(), pruned, skip, counted: passed, grids, chunksSkipped, isAllPassing }
}

/** The least rows of a unit that is made small. */
const LEAST_UNIT_ROWS = 1024

/**
 * The rows of a unit of which so many are wanted, and none behind it. A power of two, so that queries with limits which differ a little read
 * the same unit, whose columns a worker keeps.
 */
function fewRows(wanted: number): number {
  if (wanted >= UNIT_ROWS) return UNIT_ROWS
  return Math.max(LEAST_UNIT_ROWS, 2 ** Math.ceil(Math.log2(Math.max(1, wanted))))
}

/** Small files that are cut in one step: an object is made for each. */
const STEP_FILES = 8

/** Stands for a number of rows that is not known. Statistics of columns that have only nulls have as many. */
const SOME_ROWS = 1

/** The statistics of columns in a run of entries. */
function knownOfEntries(
  { statistics }: FileSummary,
  columns: ReadonlyMap<string, ColumnInFile>,
  segment: number,
): (name: string) => KnownColumn | null {
  return (name) => {
    const column = columns.get(name)
    const ofColumn = Object.hasOwn(statistics, name) ? (statistics[name]?.[segment] ?? null) : null
    return column === undefined ? null : column.of(ofColumn, SOME_ROWS)
  }
}

/**
 * What is known of all values of the compared columns of a file of one segment, which says all that is known of the segment. Null: there are
 * other statistics, or more segments.
 */
function wholeOf(
  { segments, statistics, whole = NO_WHOLE_COLUMNS }: FileSummary,
  compared: readonly string[],
): WholeOfFile | null {
  if (isNothing(whole) || segments.kind !== 'list' || segments.segments.length !== 1) return null
  return compared.some((name) => Object.hasOwn(statistics, name)) ? null : whole
}

/** Collects units: single ones, and the units of grids. */
function spaceMaker() {
  const runs: UnitRun[] = []
  let units: Unit[] = []
  let count = 0
  let listed = 0

  function endList(): void {
    if (units.length > 0) runs.push({ kind: 'list', first: count, units })
    count += units.length
    units = []
  }
  return {
    /** The number of units that were added one by one. */
    get listed() {
      return listed
    },
    get isEmpty() {
      return count + units.length === 0
    },
    add(unit: Unit): void {
      units.push(unit)
      listed++
    },
    /** Returns the index of the first unit of a run that is added next. */
    beginRun(): number {
      endList()
      return count
    },
    addRun(run: UnitRun & { readonly count: number }): void {
      if (run.count > 0) runs.push(run)
      count += run.count
    },
    space(): UnitSpace {
      endList()
      return count === 0 ? NO_UNITS : { count, runs }
    },
  }
}

function requireFew(units: number): void {
  if (units > MAX_UNITS)
    throw new ServiceError('memory_limit', `The query has over ${MAX_UNITS} units; name fewer files.`)
}
