import type { Plan, Projection } from '../../plan/plan.ts'
import type { Figures } from './figures.ts'
import { printName, printPredicate } from './print-predicate.ts'
import { printScalar } from './print-scalar.ts'

/** An operator as PostgreSQL's EXPLAIN prints it in JSON (http-api.md §5.2, §5.3). */
export interface PlanNode {
  readonly 'Node Type': string
  readonly Plans: readonly PlanNode[]
  readonly [member: string]: unknown
}

export type Explained = readonly [{ readonly Plan: PlanNode }]

/** Files that are printed by name. */
const MOST_FILES = 100

/** The plan that runs. The scan does the work of every node, unit by unit; here they are told apart. */
export function explain(plan: Plan): Explained {
  const { filter, projection } = plan.scan
  const output = plan.output.fields.map((field) => field.name)
  const scan = tableScan(plan)
  const filtered: PlanNode =
    filter === null
      ? scan
      : { 'Node Type': 'Filter', Condition: printPredicate(filter), Plans: [scan], Output: scan.Output }
  const projected: PlanNode = {
    'Node Type': 'Projection',
    Expressions: projection.map(printProjection),
    Plans: [filtered],
    Output: output,
  }
  if (plan.offset === 0 && !Number.isFinite(plan.limit)) return [{ Plan: projected }]
  return [{ Plan: { 'Node Type': 'Limit', ...limits(plan), Plans: [projected], Output: output } }]
}

function tableScan({ scan, relation, files, offset, limit }: Plan): PlanNode & { readonly Output: string[] } {
  const { filter } = scan
  const conjuncts = filter?.op === 'and' ? filter.args : filter === null ? [] : [filter]
  return {
    'Node Type': 'TableScan',
    'Relation Name': relation,
    ...(filter === null ? {} : { 'Full Filters': conjuncts.map(printPredicate) }),
    ...(filter === null && Number.isFinite(limit) ? { Fetch: String(offset + limit) } : {}),
    ...(files.length === 0 ? {} : { Format: scan.format.kind, 'File Count': files.length }),
    ...(files.length === 0 ? {} : { Files: files.slice(0, MOST_FILES).map((file) => file.path) }),
    Plans: [],
    Output: scan.columns.map((column) => column.name),
  }
}

function limits({ offset, limit }: Plan): { readonly Skip?: string; readonly Fetch?: string } {
  return {
    ...(offset === 0 ? {} : { Skip: String(offset) }),
    ...(Number.isFinite(limit) ? { Fetch: String(limit) } : {}),
  }
}

function printProjection(output: Projection): string {
  const name = printName(output.field.name)
  if (output.kind === 'column') {
    const column = printName(output.column)
    return column === name ? column : `${column} AS ${name}`
  }
  const { value, field } = output
  return `${value === null ? 'NULL' : printScalar(value, field.type)} AS ${name}`
}

/** The plan as it ran: one operator, with what was measured (http-api.md §5.3). Times in `Extras` in microseconds. */
export function explainAnalyzed(plan: Plan, figures: Figures): Explained {
  return [
    {
      Plan: {
        'Node Type': 'ScanExec',
        Details: details(plan),
        'Actual Rows': figures.rows,
        'Actual Total Time': performance.now() - figures.startedAt,
        Extras: {
          units_read: figures.unitsRead,
          units_pruned: figures.unitsPruned,
          files: plan.files.length,
          bytes_read: figures.bytesRead,
          rows_scanned: figures.rowsScanned,
          output_bytes: figures.bytes,
          queue_us: microseconds(figures.queueMs),
          open_us: microseconds(figures.openMs),
          read_us: microseconds(figures.readMs),
          inflate_us: microseconds(figures.inflateMs),
          decode_us: microseconds(figures.decodeMs),
          filter_us: microseconds(figures.filterMs),
          encode_us: microseconds(figures.encodeMs),
        },
        Plans: [],
      },
    },
  ]
}

function microseconds(ms: number): number {
  return Math.round(ms * 1_000)
}

function details(plan: Plan): string {
  const { relation, scan } = plan
  const parts = [`relation=${relation}`, `projection=[${scan.projection.map(printProjection).join(', ')}]`]
  if (scan.filter !== null) parts.push(`filter=${printPredicate(scan.filter)}`)
  const { Skip, Fetch } = limits(plan)
  if (Skip !== undefined) parts.push(`skip=${Skip}`)
  if (Fetch !== undefined) parts.push(`fetch=${Fetch}`)
  return `ScanExec: ${parts.join(', ')}`
}
