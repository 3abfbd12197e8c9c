import type { Plan, ScanPlan, StatementPlan } from '../../../plan/plan.ts'
import type { SourceScan } from '../../../plan/scan.ts'
import type { OperatorProfile } from '../../../plan/statement/operator-profile.ts'
import type { Operator } from '../../../plan/statement/statement.ts'
import { type Figures, figuresOfScan, type ReadFigures } from '../../history/figures.ts'
import type { PlanNode } from './plan-node.ts'

/** An operator of a plan that has run, with what was measured of it alone, without the operators below it. */
export interface MeasuredNode {
  readonly node: PlanNode
  /** The rows that it has given. Null: they were not counted. */
  readonly rows: number | null
  /** Its time in microseconds, added up over all workers. Null: it was not measured. */
  readonly us: number | null
  /** What it has read, if it is a scan of files. Null: it is none. */
  readonly scan: MeasuredScan | null
  readonly children: readonly MeasuredNode[]
}

/** What a scan has read. */
export interface MeasuredScan {
  readonly read: ReadFigures
  readonly files: number
  /** Rows that were counted by statistics, without being read. */
  readonly rowsCounted: number
  /** Whether its filter is a step of the scan. If not, it is an operator of its own, as expressions of the projection are. */
  readonly isFiltering: boolean
  /** Of how many files it was asked what is known of all their values, and how many of them were left out. Null: of none. */
  readonly byStatistics: { readonly considered: number; readonly pruned: number } | null
}

/** What was measured of each operator of a plan. `root` is the root of the plan as it is printed. */
export function measuredPlan(plan: Plan, figures: Figures, root: PlanNode): MeasuredNode {
  return plan.engine === 'core'
    ? measuredChain(plan, figures, root)
    : measuredOperator(plan, figures, root, plan.operators, figures.profile)
}

/** The steps of the core, from that below all others to that above them. */
const STEPS = ['scan', 'where', 'groups', 'having', 'projection', 'order', 'count', 'around'] as const
type Step = (typeof STEPS)[number]

const STEP_OF_NODES: Readonly<Record<string, Step>> = Object.freeze({
  TableScan: 'scan',
  Federated: 'scan',
  Aggregate: 'groups',
  Distinct: 'groups',
  FirstRows: 'groups',
  Projection: 'projection',
  Sort: 'order',
  TopN: 'order',
  Limit: 'order',
  Count: 'count',
})

/** The step of a node of a plan of the core. A filter above groups is a condition on them. */
function stepOf({ 'Node Type': type, Plans: [child] }: PlanNode): Step {
  const isAboveGroups = child !== undefined && STEP_OF_NODES[child['Node Type']] === 'groups'
  return STEP_OF_NODES[type] ?? (isAboveGroups ? 'having' : 'where')
}

/** A plan of the core, each of whose operators has one below it. */
function measuredChain(plan: ScanPlan, figures: Figures, root: PlanNode): MeasuredNode {
  const nodes: PlanNode[] = []
  for (let node: PlanNode | undefined = root; node !== undefined; node = node.Plans[0]) nodes.push(node)
  // The time of the queries around the first one is that of its steps, since they are few rows then.
  const first = plan.finish.outer === undefined ? 0 : nodes.findLastIndex(isProjection)
  const steps = new Map(nodes.map((node, index) => [node, index < first ? 'around' : stepOf(node)] as const))
  const times = timesOfSteps(plan, figures, new Set(steps.values()))
  const measured = (node: PlanNode): MeasuredNode => {
    const step = steps.get(node) ?? stepOf(node)
    return {
      node,
      rows: node === root ? figures.rows : rowsOfStep(step, plan, figures),
      us: times.get(step) ?? 0,
      scan: step === 'scan' ? scanOfPlan(plan, figures) : null,
      children: node.Plans.map(measured),
    }
  }
  return measured(root)
}

function isProjection({ 'Node Type': type }: PlanNode): boolean {
  return type === 'Projection'
}

/**
 * The time of each step that the plan has, in microseconds. That of a step that it does not have, such as the bound of the first rows in an
 * order, is spent in the step below.
 */
function timesOfSteps(
  { finish: { grouping } }: ScanPlan,
  figures: Figures,
  steps: ReadonlySet<Step>,
): ReadonlyMap<Step, number> {
  const { filterMs, havingMs, computeMs, groupMs, sortMs, inspection } = figures
  const times = new Map<Step, number>()
  const add = (step: Step, ms: number): void => {
    let at = STEPS.indexOf(step)
    while (at > 0 && !steps.has(STEPS[at] ?? 'scan')) at--
    const spentIn = STEPS[at] ?? 'scan'
    times.set(spentIn, (times.get(spentIn) ?? 0) + microseconds(ms))
  }
  add('scan', readingMs(figures) - readingMs(inspection) - computeMs)
  add('where', filterMs - havingMs - inspection.filterMs)
  add('having', havingMs)
  add('groups', groupMs)
  add(grouping === null ? 'projection' : 'groups', computeMs)
  add('order', sortMs)
  return times
}

function rowsOfStep(step: Step, plan: ScanPlan, figures: Figures): number | null {
  const { finish } = plan
  const { offset, limit } = finish.outer ?? plan
  const { rowsScanned, rowsPassed, groups, groupsPassed, rows } = figures
  const ofGroups = groupsPassed === null ? null : Math.min(limit, Math.max(0, groupsPassed - offset))
  switch (step) {
    case 'scan':
      return rowsScanned
    case 'where':
      return rowsPassed
    case 'projection':
      return finish.outer === undefined ? rowsPassed : ofGroups
    case 'around':
      return null
    case 'groups':
      return groups
    case 'having':
      return groupsPassed
    case 'order':
      return finish.isCounted || finish.outer !== undefined ? ofGroups : rows
    case 'count':
      return rows
  }
}

/** What the scan of a plan has read: all that was read, except to prepare the query. */
function scanOfPlan(plan: ScanPlan, figures: Figures): MeasuredScan {
  const { inspection, computeMs, rowsCounted } = figures
  const read: ReadFigures = {
    ...figures,
    openMs: figures.openMs - inspection.openMs,
    readMs: figures.readMs - inspection.readMs,
    inflateMs: figures.inflateMs - inspection.inflateMs,
    decodeMs: figures.decodeMs - inspection.decodeMs - computeMs,
    bytesRead: figures.bytesRead - inspection.bytesRead,
  }
  return {
    read,
    files: plan.files.length,
    rowsCounted,
    isFiltering: false,
    byStatistics: filesByStatistics(plan),
  }
}

function filesByStatistics({ filesConsidered, filesPruned = 0 }: SourceScan): MeasuredScan['byStatistics'] {
  return filesConsidered === undefined ? null : { considered: filesConsidered, pruned: filesPruned }
}

/**
 * An operator of a statement, and those below it. A scan has what workers have measured, and another operator what DuckDB has: `profile` is
 * that of the operator, if its plan is the one that EXPLAIN has printed.
 */
function measuredOperator(
  plan: StatementPlan,
  figures: Figures,
  node: PlanNode,
  operator: Operator,
  profile: OperatorProfile | null,
): MeasuredNode {
  const { scan, children } = operator
  const measured = profile !== null && isOf(profile, operator) ? profile : null
  const source = scan === null ? undefined : plan.scans[scan]
  if (scan === null || source === undefined || source.files.length === 0)
    return {
      node,
      rows: measured === null || (measured.rows === 0 && PASSING.test(measured.name)) ? null : measured.rows,
      us: measured?.us ?? null,
      scan: null,
      children: node.Plans.flatMap((child, index) => {
        const below = children[index]
        return below === undefined
          ? []
          : [measuredOperator(plan, figures, child, below, measured?.children[index] ?? null)]
      }),
    }
  const read = figuresOfScan(figures, scan)
  return {
    node,
    rows: read.rowsPassed,
    us: microseconds(readingMs(read) + read.filterMs),
    scan: {
      read,
      files: source.files.length,
      rowsCounted: 0,
      isFiltering: true,
      byStatistics: filesByStatistics(source),
    },
    children: [],
  }
}

function isOf(profile: OperatorProfile, { name, children }: Operator): boolean {
  return profile.name === name && profile.children.length === children.length
}

/** Operators that only arrange others, whose rows DuckDB does not count. */
const PASSING = /^(?:CTE|DELIM_SCAN|(?:LEFT|RIGHT)_DELIM_JOIN)$/

/** The time of DuckDB's operators in microseconds, without the scans of files. Null: it was not measured. */
export function duckdbTime({ us, scan, children }: MeasuredNode): number | null {
  const times = [scan === null ? us : null, ...children.map(duckdbTime)].filter((each) => each !== null)
  return times.length === 0 ? null : times.reduce((sum, each) => sum + each, 0)
}

/** The time from opening a file to its decoded columns. Milliseconds. */
export function readingMs({ openMs, readMs, inflateMs, decodeMs }: ReadFigures): number {
  return openMs + readMs + inflateMs + decodeMs
}

/** Whole microseconds. */
export function microseconds(ms: number): number {
  return Math.round(ms * 1_000)
}
