import type { FilePlan } from '../../../plan/output/file-plan.ts'
import { type Plan, type ScanPlan, type StatementPlan, withSubplans } from '../../../plan/plan.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { Operator } from '../../../plan/statement/statement.ts'
import type { Figures } from '../../history/figures.ts'
import { corePlanNode, limits, printOutput, scanNode, subqueryNodes } from './explain-scan.ts'
import { duckdbTime, type MeasuredNode, measuredPlan, microseconds, readingMs } from './measured-plan.ts'
import { type NamedSources, withNames } from './named-sources.ts'
import { type PlanNode, tableScan } from './plan-node.ts'
import { printExpression } from './print-expression.ts'
import { readCounts, readTimes, withFigures } from './with-figures.ts'

export type Explained = readonly [{ readonly Plan: PlanNode }]

/**
 * Prints the plan that a query runs with. `Engine` says what runs an operator: the core, unit by unit on all workers, or DuckDB
 * on one worker. `File` of the root says how the rows become a file, and `Notices` say what in the files looks as if other options were meant.
 */
export function explain(
  plan: Plan,
  notices: ReadonlySet<string> = NO_NOTICES,
  sources: NamedSources = NO_NAMES,
  file: FilePlan | null = null,
): Explained {
  const node = plan.engine === 'duckdb' ? statementNode(plan) : corePlanNode(plan)
  const named = sources === NO_NAMES ? node : withNames(node, sources)
  return [{ Plan: withNotices(withFile(named, file), notices) }]
}

/** What a plan says whose names are not looked up. */
const NO_NAMES: NamedSources = Object.freeze({ fullName: () => null, viewsOver: () => [] })

const NO_NOTICES: ReadonlySet<string> = new Set()

/** The node with how its rows become a file. */
function withFile(node: PlanNode, file: FilePlan | null): PlanNode {
  if (file === null) return node
  const { 'Node Type': type, ...members } = node
  return { 'Node Type': type, File: file, ...members }
}

/** The node with what in the files looks as if other options were meant. */
function withNotices(node: PlanNode, notices: ReadonlySet<string>): PlanNode {
  if (notices.size === 0) return node
  const { 'Node Type': type, ...members } = node
  return { 'Node Type': type, Notices: [...notices], ...members }
}

/**
 * Prints the plan of a query that has run, with what was measured (docs/reference/http.md). The figures of the root are those of the whole
 * query, and those of the nodes below are of one operator each. Times in `Extras` are in microseconds.
 */
export function explainAnalyzed(plan: Plan, figures: Figures, sources: NamedSources = NO_NAMES): Explained {
  const root = plan.engine === 'core' ? scanNode(plan) : statementNode(plan)
  const operators = measuredPlan(plan, figures, root)
  const measured = {
    'Actual Rows': figures.rows,
    'Actual Total Time': performance.now() - figures.startedAt,
    Extras: extras(plan, figures, operators),
  }
  const isCore = plan.engine === 'core'
  return [
    {
      Plan: {
        'Node Type': isCore ? 'ScanExec' : 'StatementExec',
        Details: isCore ? details(plan, sources) : `StatementExec: ${plan.sql}`,
        ...measured,
        Plans: [withFigures(operators), ...(isCore ? subqueryNodes(plan) : [])].map((node) =>
          withNames(node, sources),
        ),
      },
    },
  ]
}

/** The files that a plan reads, without duplicates. */
export function filesOf(plan: Plan): readonly FileRef[] {
  const scans = plan.engine === 'core' ? withSubplans(plan) : plan.scans
  if (scans.length === 1) return scans[0]?.files ?? []
  return [...new Set(scans.flatMap(({ files }) => files))]
}

function extras(plan: Plan, figures: Figures, operators: MeasuredNode): Readonly<Record<string, number>> {
  const duckdbUs = plan.engine === 'duckdb' ? duckdbTime(operators) : null
  return {
    ...readCounts(figures, filesOf(plan).length),
    output_bytes: figures.bytes,
    queue_us: microseconds(figures.queueMs),
    ...readTimes(figures),
    filter_us: microseconds(figures.filterMs),
    group_us: microseconds(figures.groupMs),
    sort_us: microseconds(figures.sortMs),
    ...(figures.sortFileBytes > 0 && { sort_file_bytes: figures.sortFileBytes }),
    encode_us: microseconds(figures.encodeMs),
    ...(duckdbUs !== null && { duckdb_us: duckdbUs }),
    inspect_bytes_read: figures.inspection.bytesRead,
    inspect_us: microseconds(readingMs(figures.inspection) + figures.inspection.filterMs),
  }
}

function details(plan: ScanPlan, { fullName, viewsOver }: NamedSources): string {
  const { relation, scan, foldersLeftOut } = plan
  const parts = [`relation=${fullName(relation) ?? relation}`]
  const views = viewsOver(relation)
  if (views.length > 0) parts.push(`views=[${views.join(', ')}]`)
  if (foldersLeftOut !== undefined) parts.push(`folders_left_out=${foldersLeftOut}`)
  parts.push(`projection=[${scan.projection.map(printOutput).join(', ')}]`)
  if (scan.filter !== null) parts.push(`filter=${printExpression(scan.filter)}`)
  const { Skip, Fetch } = limits(plan)
  if (Skip !== undefined) parts.push(`skip=${Skip}`)
  if (Fetch !== undefined) parts.push(`fetch=${Fetch}`)
  return `ScanExec: ${parts.join(', ')}`
}

/**
 * The plan of a statement as a tree of nodes: DuckDB's operators, and below them the scans that the core runs for them. The
 * root says why the core has declined the statement.
 */
function statementNode(plan: StatementPlan): PlanNode {
  const { 'Node Type': type, Engine, ...node } = operatorNode(plan.operators, plan)
  return {
    'Node Type': type,
    Engine,
    ...(plan.reason === null ? {} : { Reason: plan.reason }),
    ...node,
    Output: plan.output.fields.map(({ name }) => name),
  }
}

function operatorNode({ name, details, children, scan }: Operator, plan: StatementPlan): PlanNode {
  const source = scan === null ? undefined : plan.scans[scan]
  if (source !== undefined) return tableScan(source, Number.POSITIVE_INFINITY)
  const projections = details['Projections']
  return {
    'Node Type': nodeType(name),
    Engine: 'DuckDB',
    ...details,
    Plans: children.map((child) => operatorNode(child, plan)),
    Output: projections === undefined ? [] : [projections].flat(),
  }
}

/** `HASH_GROUP_BY` → `HashGroupBy`. */
function nodeType(name: string): string {
  return name
    .trim()
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('')
}
