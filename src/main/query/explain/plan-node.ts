import { conjunctsOf } from '../../../plan/condition/test.ts'
import type { SourceScan } from '../../../plan/scan.ts'
import type { AnnexArray } from '../../../plan/source/grid.ts'
import type { RemoteScan } from '../../../plan/source/remote-scan.ts'
import type { ScannedAxis, ScannedGrid } from '../../../plan/source/scanned-grid.ts'
import { printExpression } from './print-expression.ts'

/** An operator of a plan, in the form of the JSON that PostgreSQL's EXPLAIN prints (docs/reference/http.md). */
export interface PlanNode {
  readonly 'Node Type': string
  readonly Plans: readonly PlanNode[]
  readonly [member: string]: unknown
}

/** The most files whose paths are printed. */
const MOST_FILES = 100

/** The node of a scan. `fetch` is the most rows that are wanted of it. */
export function tableScan(source: SourceScan, fetch: number): PlanNode & { readonly Output: string[] } {
  const {
    scan,
    relation,
    files,
    grids = [],
    foldersLeftOut = 0,
    filesPruned = 0,
    filesSummed = 0,
    remote,
  } = source
  const { filter } = scan
  const count = files.length + filesSummed
  const hasFiles = count > 0 && remote === undefined
  const rowsOf = unreadNamed(scan)
  return {
    'Node Type': remote === undefined ? 'TableScan' : 'Federated',
    'Relation Name': relation,
    ...(remote === undefined ? {} : printRemote(remote)),
    ...(filter === null ? {} : { 'Full Filters': conjunctsOf(filter).map((part) => printExpression(part)) }),
    ...(filter === null && Number.isFinite(fetch) ? { Fetch: String(fetch) } : {}),
    Engine: 'core',
    ...(hasFiles ? { Format: scan.format.kind, 'File Count': count } : {}),
    ...(hasFiles ? { Files: files.slice(0, MOST_FILES).map((file) => file.path) } : {}),
    ...(foldersLeftOut === 0 ? {} : { 'Folders Left Out': foldersLeftOut }),
    ...(filesPruned === 0 ? {} : { 'Files Pruned': `${filesPruned} of ${filesPruned + count}` }),
    ...(filesSummed === 0 ? {} : { 'Files Summed': `${filesSummed} of ${filesPruned + count}` }),
    ...(rowsOf === null ? {} : { 'Rows Of': rowsOf }),
    ...(grids.length === 0 ? {} : { Grids: grids.map(printGrid) }),
    Plans: [],
    Output: scan.columns.map((column) => column.name),
  }
}

/** The node of a statement that another service makes the whole answer of. */
export function relayedStatement(relation: string, remote: RemoteScan, output: readonly string[]): PlanNode {
  return {
    'Node Type': 'Federated',
    'Relation Name': relation,
    ...printRemote(remote),
    Engine: 'remote',
    Plans: [],
    Output: output,
  }
}

/** What another service is asked for, and which conditions it is not told. What came is there if it was asked. */
function printRemote({
  statement,
  appliedHere,
  whyNoLimit,
  whyNoGroups,
  isWhole,
  whyNotWhole,
  received,
}: RemoteScan): object {
  return {
    'Remote Statement': statement,
    ...(isWhole && { Relayed: true }),
    ...(whyNotWhole !== undefined && { 'Not Relayed': whyNotWhole }),
    ...(appliedHere.length === 0 ? {} : { 'Filters Applied Here': appliedHere }),
    ...(whyNoGroups === null ? {} : { 'Groups Made Here': whyNoGroups }),
    ...(whyNoLimit === null ? {} : { 'Limit Applied Here': whyNoLimit }),
    ...(received === null ? {} : { 'Rows Received': received.rows, 'Bytes Received': received.bytes }),
  }
}

/** The columns whose rows a scan of arrays has, if it does not read all of them. Null: it does. */
function unreadNamed({ rowsOf = [], columns }: SourceScan['scan']): readonly string[] | null {
  const read = new Set(columns.map(({ name }) => name))
  return rowsOf.every((name) => read.has(name)) ? null : rowsOf
}

/** The most index ranges of an axis that are printed. */
const MOST_RANGES = 16

/** What is read of the grid of a file: its dimensions, the chunks of its leader, and the indices that the filter leaves. */
function printGrid(grid: ScannedGrid): object {
  const { path, leader, axes, isChunked, chunksLeft, chunks, annex, chunkStatistics } = grid
  return {
    File: path,
    Dimensions: byName(axes, ({ size }) => size),
    ...(leader === null ? {} : { Leader: leader }),
    ...(isChunked ? { Chunk: byName(axes, ({ chunk }) => chunk) } : {}),
    Ranges: byName(axes, printRanges),
    ...(isChunked ? { Chunks: `${chunksLeft} of ${chunks}` } : {}),
    ...(chunkStatistics.length === 0 ? {} : { 'Chunk Statistics': chunkStatistics.join(', ') }),
    ...(annex.length === 0 ? {} : { Annex: printAnnex(annex) }),
  }
}

/** `temperature: szip (4)`: arrays whose chunks a thread beside the workers decodes. */
function printAnnex(annex: readonly AnnexArray[]): string {
  return annex.map(({ name, filters }) => `${name}: ${filters.join(', ')}`).join('; ')
}

function byName<T>(axes: readonly ScannedAxis[], of: (axis: ScannedAxis) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(axes.map((axis) => [axis.name, of(axis)]))
}

/** `0..31, 59..90`, where the second index is the one after the last. */
function printRanges({ ranges }: ScannedAxis): string {
  const printed = ranges.slice(0, MOST_RANGES).map(({ from, to }) => `${from}..${to}`)
  const others = ranges.length - printed.length
  return [...printed, ...(others > 0 ? [`${others} others`] : [])].join(', ')
}
