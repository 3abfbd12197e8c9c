import { ServiceError } from '../../../plan/errors.ts'
import type { Operator } from '../../../plan/statement/statement.ts'

/**
 * Operators of a plan as it is bound (DuckDB's `LogicalOperatorToString`) and as it runs (`PhysicalOperatorToString`), that
 * work on rows which the statement has already, or scan constants and its own results.
 */
const OPERATORS: ReadonlySet<string> = new Set(
  `AGGREGATE ANY_JOIN CHUNK_GET COMPARISON_JOIN CROSS_PRODUCT CTE CTE_SCAN DELIM_GET DELIM_JOIN DEPENDENT_JOIN DISTINCT
  DUMMY_SCAN EMPTY_RESULT EXCEPT EXPRESSION_GET FILTER INTERSECT JOIN LIMIT ORDER_BY PIVOT POSITIONAL_JOIN PROJECTION
  REC_CTE REC_REC_CTE SAMPLE TOP_N UNION UNNEST WINDOW ASOF_JOIN
  BLOCKWISE_NL_JOIN CHUNK_SCAN COLUMN_DATA_SCAN DELIM_SCAN EXPRESSION_SCAN HASH_GROUP_BY HASH_JOIN IE_JOIN
  INOUT_FUNCTION LEFT_DELIM_JOIN LIMIT_PERCENT NESTED_LOOP_JOIN PARTITIONED_AGGREGATE PERFECT_HASH_GROUP_BY
  PIECEWISE_MERGE_JOIN POSITIONAL_SCAN RECURSIVE_CTE_SCAN RECURSIVE_RECURRING_CTE_SCAN REC_CTE_SCAN REC_KEY_CTE
  REC_REC_CTE_SCAN RESERVOIR_SAMPLE RIGHT_DELIM_JOIN STREAMING_LIMIT STREAMING_SAMPLE STREAMING_WINDOW
  UNGROUPED_AGGREGATE`.split(/\s+/),
)

/** Table functions that read nothing. */
const FUNCTIONS: ReadonlySet<string> = new Set(['RANGE', 'GENERATE_SERIES', 'REPEAT', 'REPEAT_ROW', 'UNNEST'])

/** Refuses what else a plan may do: show DuckDB's own tables, settings and files. `scans` are ours, as EXPLAIN names them. */
export function checkOperators(operator: Operator, isScan: (name: string) => boolean): void {
  const { name, children } = operator
  if (!OPERATORS.has(name) && !FUNCTIONS.has(name) && !isScan(name))
    throw new ServiceError(
      'invalid_sql',
      `The statement uses ${name.toLowerCase()}, which is not available here.`,
    )
  for (const child of children) checkOperators(child, isScan)
}

/** Whether a plan makes its rows one by one of those of a single scan: of parts of the scan, it makes parts of its rows. */
export function isRowWise(plan: Operator, isScan: (name: string) => boolean): boolean {
  const [child, ...others] = plan.children
  if (child === undefined) return isScan(plan.name)
  return (
    others.length === 0 && (plan.name === 'PROJECTION' || plan.name === 'FILTER') && isRowWise(child, isScan)
  )
}

/** Whether a plan chooses rows by chance. */
export function isSampled({ name, children }: Operator): boolean {
  return name.endsWith('SAMPLE') || children.some(isSampled)
}

/** Operators that give no row before they have seen all of theirs. */
const BLOCKING: ReadonlySet<string> = new Set([
  'HASH_GROUP_BY',
  'ORDER_BY',
  'PERFECT_HASH_GROUP_BY',
  'TOP_N',
  'UNGROUPED_AGGREGATE',
])

/** Whether all rows of a plan are there, but for what is done with each, once the first one is. */
export function isBlocking({ name, children: [child, ...others] }: Operator): boolean {
  if (BLOCKING.has(name)) return true
  return name === 'PROJECTION' && child !== undefined && others.length === 0 && isBlocking(child)
}

/**
 * What a plan does not show, because they are replaced while it is bound by what a text stands for, which need not be the
 * same each time. Looked for in the statement as it is written, strings and comments included: a name, perhaps quoted, and
 * an opening bracket or a comment after nothing that one can see.
 */
const REPLACED = /(?<![\w$])query(?:_table)?"?[^\x21-\x7e]*(?:\(|\/\*|--)/i

/** Throws `invalid_sql` for a statement that may hold such a function. */
export function checkText(sql: string): void {
  if (REPLACED.test(sql))
    throw new ServiceError('invalid_sql', 'The functions query and query_table are not available here.')
}

/** A plan that `EXPLAIN (FORMAT json)` prints. */
export function parsePlan(text: string): Operator {
  const parsed: unknown = JSON.parse(text)
  return operatorOf(Array.isArray(parsed) ? parsed[0] : parsed)
}

function operatorOf(node: unknown): Operator {
  const { name, children, extra_info } = node as { name: string; children?: unknown[]; extra_info?: object }
  return {
    name: name.trim(),
    details: Object.fromEntries(Object.entries(extra_info ?? {}).map(([key, value]) => [key, detail(value)])),
    children: (children ?? []).map(operatorOf),
    scan: null,
  }
}

function detail(value: unknown): string | readonly string[] {
  return Array.isArray(value) ? value.map(String) : String(value)
}
