import { ServiceError } from '../../plan/errors.ts'
import type { Operator } from '../../plan/sql.ts'

/**
 * Operators that work on rows which the statement has already (DuckDB's `PhysicalOperatorToString`), and scans of constants
 * and of their own results.
 */
const OPERATORS: ReadonlySet<string> = new Set(
  `ASOF_JOIN BLOCKWISE_NL_JOIN CROSS_PRODUCT CTE CTE_SCAN DELIM_SCAN COLUMN_DATA_SCAN CHUNK_SCAN DUMMY_SCAN EMPTY_RESULT
  EXPRESSION_SCAN FILTER HASH_GROUP_BY HASH_JOIN IE_JOIN INOUT_FUNCTION LEFT_DELIM_JOIN LIMIT LIMIT_PERCENT
  NESTED_LOOP_JOIN ORDER_BY PARTITIONED_AGGREGATE PERFECT_HASH_GROUP_BY PIECEWISE_MERGE_JOIN PIVOT POSITIONAL_JOIN
  POSITIONAL_SCAN PROJECTION RECURSIVE_CTE_SCAN RECURSIVE_RECURRING_CTE_SCAN REC_CTE REC_CTE_SCAN REC_KEY_CTE
  REC_REC_CTE_SCAN RESERVOIR_SAMPLE RIGHT_DELIM_JOIN STREAMING_LIMIT STREAMING_SAMPLE STREAMING_WINDOW TOP_N
  UNGROUPED_AGGREGATE UNION UNNEST WINDOW`.split(/\s+/),
)

/** Table functions that read nothing. */
const FUNCTIONS: ReadonlySet<string> = new Set(['RANGE', 'GENERATE_SERIES', 'REPEAT', 'REPEAT_ROW', 'UNNEST'])

/** Refuses what else a plan may do: show DuckDB's own tables, settings and files. `scans` are ours, as EXPLAIN names them. */
export function checkOperators(operator: Operator, scans: ReadonlySet<string>): void {
  if (!OPERATORS.has(operator.name) && !FUNCTIONS.has(operator.name) && !scans.has(operator.name)) {
    const name = operator.name.toLowerCase()
    throw new ServiceError('invalid_sql', `The statement uses ${name}, which is not available in SQL here.`)
  }
  for (const child of operator.children) checkOperators(child, scans)
}

/** The plan that `EXPLAIN (FORMAT json)` prints. */
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
