import type { TypedExpression } from '../../../plan/expression.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import type { Projection } from '../../../plan/scan.ts'
import type { Finish, FirstRows, Grouping, OuterQuery, SortKey } from '../../../plan/task/finish.ts'
import { isRows } from '../../../plan/task/finish.ts'
import { type PlanNode, relayedStatement, tableScan } from './plan-node.ts'
import { printAggregate } from './print-aggregate.ts'
import { printExpression, printName } from './print-expression.ts'
import { printScalar } from './print-scalar.ts'

/** A node, and the names of its output columns. */
interface Step {
  readonly node: PlanNode
  readonly names: readonly string[]
}

/** The plan of the core as a tree of nodes, as `scanNode`, with its subqueries as the last ones below the root. */
export function corePlanNode(plan: ScanPlan): PlanNode {
  const node = scanNode(plan)
  return plan.subqueries === undefined ? node : { ...node, Plans: [...node.Plans, ...subqueryNodes(plan)] }
}

/** A node for each subquery: its name in the expressions of the plan, its value if it was run, and its plan. */
export function subqueryNodes({ subqueries = [] }: ScanPlan): readonly PlanNode[] {
  return subqueries.map(({ plan, constant: { value, type }, isRun }, index) => ({
    'Node Type': 'Subquery',
    Engine: 'core',
    Name: `$${index + 1}`,
    ...(isRun && { Value: value === null ? 'NULL' : printScalar(value, type) }),
    Plans: [corePlanNode(plan)],
    Output: outputOf(plan),
  }))
}

/**
 * The plan of the core as a tree of nodes: scan, filter, groups, order, projection. A worker runs all of them in one task, as
 * far as they can be run on a single unit.
 */
export function scanNode(plan: ScanPlan): PlanNode {
  const { scan, finish, remote } = plan
  if (remote?.isWhole) return relayedStatement(plan.relation, remote, outputOf(plan))
  const { filter } = scan
  const read = tableScan(plan, isRows(finish) ? plan.offset + plan.limit : Number.POSITIVE_INFINITY)
  const filtered = filter === null ? read : filterNode(printExpression(filter), read, read.Output)
  if (isRows(finish)) return limit(plan, project(plan, filtered))
  return finishNode(plan, finish, {
    node: filtered,
    names: scan.projection.map(({ expression }) => printExpression(expression)),
  })
}

/** The steps above the rows of a scan, or above those of the query inside of another one. */
function finishNode(plan: ScanPlan, finish: Finish, rows: Step): PlanNode {
  const { grouping, firsts, outer } = finish
  const cut = outer ?? plan
  const chosen = firsts === undefined ? rows : firstRows(firsts, rows)
  const grouped = grouping === null ? chosen : groups(grouping, rows.node, rows.names)
  // The rows of groups and of queries over them are held by one worker.
  const isOfFiles = finish === plan.finish && grouping === null && firsts === undefined
  const ordered = order(finish.order, cut, grouped, isOfFiles)
  if (finish.isCounted)
    return { 'Node Type': 'Count', Engine: 'core', Plans: [ordered], Output: outputOf(plan) }
  const sources = finish.output.map((index) => grouped.names[index] ?? '')
  if (outer !== undefined) {
    const names = sources.map(nameForOuter)
    const expressions = sources.map((source, index) =>
      source === names[index] ? source : `${source} AS ${names[index]}`,
    )
    return finishNode(plan, outer.finish, around(outer, projection(expressions, names, ordered)))
  }
  const expressions = sources.map((source, position) => {
    const name = printName(plan.output.fields[position]?.name ?? '')
    return source === name ? name : `${source} AS ${name}`
  })
  return projection(expressions, outputOf(plan), ordered).node
}

/** The most characters of an expression that is printed in each place where the query around it names it. */
const MOST_REPEATED = 200

/**
 * What an output column is called in the query around. A long one has its place there: printed at each of its uses, those of several queries
 * around each other would multiply.
 */
function nameForOuter(source: string, index: number): string {
  return source.length > MOST_REPEATED ? `#${index}` : source
}

function projection(expressions: readonly string[], names: readonly string[], child: PlanNode): Step {
  const node: PlanNode = {
    'Node Type': 'Projection',
    Engine: 'core',
    Expressions: expressions,
    Plans: [child],
    Output: names,
  }
  return { node, names }
}

/** The rows of a query that one around it reads, and what that computes of each. */
function around({ filter, columns }: OuterQuery, { node, names }: Step): Step {
  const print = (expression: TypedExpression): string => printExpression(expression, names)
  const filtered = filter === null ? node : filterNode(print(filter), node, names)
  return { node: filtered, names: columns.map(print) }
}

function outputOf({ output }: ScanPlan): readonly string[] {
  return output.fields.map(({ name }) => name)
}

function project(plan: ScanPlan, child: PlanNode): PlanNode {
  return {
    'Node Type': 'Projection',
    Engine: 'core',
    Expressions: plan.scan.projection.map(printOutput),
    Plans: [child],
    Output: outputOf(plan),
  }
}

/** How many rows there are, after as many others. */
type Cut = Pick<ScanPlan, 'offset' | 'limit'>

function limit(cut: Cut, child: PlanNode): PlanNode {
  if (cut.offset === 0 && !Number.isFinite(cut.limit)) return child
  return { 'Node Type': 'Limit', Engine: 'core', ...limits(cut), Plans: [child], Output: child['Output'] }
}

/** The rows that a plan skips, and those that it returns after them, as EXPLAIN prints them. */
export function limits({ offset, limit }: Cut): {
  readonly Skip?: string
  readonly Fetch?: string
} {
  return {
    ...(offset === 0 ? {} : { Skip: String(offset) }),
    ...(Number.isFinite(limit) ? { Fetch: String(limit) } : {}),
  }
}

/** The node of a grouping. If only the first row of each group is kept, it is printed as distinct rows. */
function groups(
  { keys, aggregates, having, computed = [] }: Grouping,
  child: PlanNode,
  sources: readonly string[],
): Step {
  const nameOf = (index: number): string => sources[index] ?? ''
  const by = keys.map(nameOf)
  const aggregateTexts = aggregates.map((aggregate) => printAggregate(aggregate, nameOf))
  const grouped = [...by, ...aggregateTexts]
  const names = [...grouped, ...computed.map((expression) => printExpression(expression, grouped))]
  const isDistinct = keys.length > 0 && aggregates.every(({ kind }) => kind === 'first')
  const node: PlanNode = isDistinct
    ? { 'Node Type': 'Distinct', Engine: 'core', On: by, Plans: [child], Output: names }
    : {
        'Node Type': 'Aggregate',
        Engine: 'core',
        ...(by.length === 0 ? {} : { 'Group Key': by }),
        Aggregates: aggregateTexts,
        Plans: [child],
        Output: names,
      }
  if (having === null) return { node, names }
  const condition = printExpression(having, names)
  return { node: filterNode(condition, node, names), names }
}

function filterNode(condition: string, child: PlanNode, output: readonly string[]): PlanNode {
  return { 'Node Type': 'Filter', Engine: 'core', Condition: condition, Plans: [child], Output: output }
}

/** What is done with rows that take more memory than one worker may sort. EXPLAIN ANALYZE has the number of bytes that were written. */
const BEYOND_MEMORY = Object.freeze({ 'Beyond Memory': 'runs sorted by all workers, in a temporary file' })

/** The node of the first rows of each group. */
function firstRows({ keys, order, most, isNumbered }: FirstRows, { node: child, names }: Step): Step {
  const outputs = isNumbered ? [...names, 'row_number()'] : names
  const node: PlanNode = {
    'Node Type': 'FirstRows',
    Engine: 'core',
    ...(keys.length === 0 ? {} : { On: keys.map((index) => names[index] ?? '') }),
    ...(order.length === 0 ? {} : { 'Sort Key': order.map((key) => printKey(key, names)) }),
    Rows: most,
    Plans: [child],
    Output: outputs,
  }
  return { node, names: outputs }
}

function printKey({ column, isDescending, areNullsFirst }: SortKey, names: readonly string[]): string {
  const direction = isDescending ? 'DESC' : 'ASC'
  return `${names[column] ?? ''} ${direction} NULLS ${areNullsFirst ? 'FIRST' : 'LAST'}`
}

function order(order: Finish['order'], cut: Cut, { node, names }: Step, isBeyond: boolean): PlanNode {
  if (order.length === 0) return limit(cut, { ...node, Output: names })
  const keys = order.map((key) => printKey(key, names))
  const isLimited = Number.isFinite(cut.limit)
  return {
    'Node Type': isLimited ? 'TopN' : 'Sort',
    Engine: 'core',
    'Sort Key': keys,
    ...(isBeyond && !isLimited && BEYOND_MEMORY),
    ...limits(cut),
    Plans: [node],
    Output: names,
  }
}

/** Prints an output column with its expression: `depth`, `round(depth, Int64(1)) AS metres`. */
export function printOutput(output: Projection): string {
  const name = printName(output.field.name)
  const source = printExpression(output.expression)
  return source === name ? name : `${source} AS ${name}`
}
