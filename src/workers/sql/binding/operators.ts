import { ServiceError } from '../../../plan/errors.ts'
import type { Operator } from '../../../plan/statement/statement.ts'

/**
 * The operators that a plan may have, by the names of DuckDB's `LogicalOperatorToString` and `PhysicalOperatorToString`.
 * They work on rows of other operators, or scan constants or results of the statement itself.
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

/** Table functions of DuckDB that read no data. */
const FUNCTIONS: ReadonlySet<string> = new Set(['RANGE', 'GENERATE_SERIES', 'REPEAT', 'REPEAT_ROW', 'UNNEST'])

/**
 * Throws `invalid_sql` if the plan has any other operator, such as one that reads DuckDB's own tables, settings or files.
 * `isScan` recognises the table functions of the service, by the names that EXPLAIN prints.
 */
export function checkOperators(operator: Operator, isScan: (name: string) => boolean): void {
  const { name, children } = operator
  if (!OPERATORS.has(name) && !FUNCTIONS.has(name) && !isScan(name))
    throw new ServiceError(
      'invalid_sql',
      `The statement uses ${name.toLowerCase()}, which is not available here.`,
    )
  for (const child of children) checkOperators(child, isScan)
}

/**
 * Whether a plan makes its rows one by one from those of a single scan. Such a plan can run over one part of the scan at a
 * time.
 */
export function isRowWise(plan: Operator, isScan: (name: string) => boolean): boolean {
  const [child, ...others] = plan.children
  if (child === undefined) return isScan(plan.name)
  return (
    others.length === 0 && (plan.name === 'PROJECTION' || plan.name === 'FILTER') && isRowWise(child, isScan)
  )
}

/** Whether a plan chooses rows at random. */
export function isSampled({ name, children }: Operator): boolean {
  return name.endsWith('SAMPLE') || children.some(isSampled)
}

/** The operators that return no row before they have read all of their input. */
const BLOCKING: ReadonlySet<string> = new Set([
  'HASH_GROUP_BY',
  'ORDER_BY',
  'PERFECT_HASH_GROUP_BY',
  'TOP_N',
  'UNGROUPED_AGGREGATE',
])

/** Whether all rows of a plan are known, except for projections of each, once the first one is. */
export function isBlocking({ name, children: [child, ...others] }: Operator): boolean {
  if (BLOCKING.has(name)) return true
  return name === 'PROJECTION' && child !== undefined && others.length === 0 && isBlocking(child)
}

/**
 * Calls of `query` and `query_table`. DuckDB replaces them during binding by the statement or table that a text names, which
 * may be another one the next time, and no plan shows them. They are searched for in the text of the statement, strings and
 * comments included: a name, quoted or not, then an opening bracket or a comment, with nothing visible in between.
 */
const REPLACED = /(?<![\w$])query(?:_table)?"?[^\x21-\x7e]*(?:\(|\/\*|--)/i

/** Throws `invalid_sql` for a statement that may call such a function. */
export function checkText(sql: string): void {
  if (REPLACED.test(sql))
    throw new ServiceError('invalid_sql', 'The functions query and query_table are not available here.')
}

/** Parses a plan that `EXPLAIN (FORMAT json)` prints. */
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
