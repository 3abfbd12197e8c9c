import { createLru } from '../../../plan/lru.ts'
import type { ScanRequest, Source } from '../../../plan/statement/statement.ts'
import type { NamedValues } from '../../../plan/statement/values.ts'
import type { SqlPreparedAnswer } from '../../../plan/task/task.ts'

/** What DuckDB's EXPLAIN tells about a statement. */
export interface Explanation extends Pick<SqlPreparedAnswer, 'plan'> {
  readonly scans: readonly ScanRequest[]
  /**
   * Whether it makes its rows one by one, so that it can run in parts, each of which reads on where the last one has
   * stopped.
   */
  readonly isRowWise: boolean
  /** Whether all of its rows are known once the first one is. */
  readonly isBlocking: boolean
}

/** A cache of explanations: dashboards repeat their statements, and explaining one takes longer than binding it. */
export interface Explanations {
  /** The explanation of a statement over these sources, made by `explain` if it is not cached. */
  of(sql: string, named: Named, explain: () => Explanation): Explanation
  /** Whether the statement certainly calls no function whose value changes from one call to another. */
  isConstant(sql: string): boolean
}

/** The sources and values that a statement names. */
interface Named {
  readonly sources: readonly Source[]
  readonly values: readonly NamedValues[]
}

const CAPACITY = 256

/** The most characters of a cache key: a statement and the schemas of its sources. A longer one is not cached. */
const MAX_CHARACTERS = 32_768

/**
 * Functions that depend on the time though `duckdb_functions()` does not say so: `age` of one argument counts as consistent
 * there, and the others are words of the grammar.
 */
const TIME_WORDS = ['age', 'current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp']

/**
 * `inconstant` are the functions whose values change from one call to another, in lower case. DuckDB puts such a value into
 * the plan, so a statement that may call one is explained each time.
 */
export function createExplanations(inconstant: readonly string[]): Explanations {
  const words = new Set([...inconstant, ...TIME_WORDS])
  const known = createLru<Explanation>(CAPACITY)
  const isConstant = (sql: string): boolean =>
    !(sql.toLowerCase().match(/[a-z_][a-z0-9_]*/g) ?? []).some((word) => words.has(word))
  return {
    isConstant,
    of(sql, { sources, values }, explain) {
      // A plan depends on the columns and the number of rows of values, and not on the rows.
      const outlines = values.map(({ request, values: { fields, rows } }) => [request, fields, rows])
      const key = JSON.stringify([sql, sources, outlines])
      const found = known.get(key)
      if (found !== undefined) return found
      const explanation = explain()
      if (key.length <= MAX_CHARACTERS && isConstant(sql)) known.put(key, explanation)
      return explanation
    },
  }
}
