import { createLru } from '../../../plan/lru.ts'
import type { ScanRequest, Source } from '../../../plan/statement/statement.ts'
import type { NamedValues } from '../../../plan/statement/values.ts'
import type { SqlPreparedAnswer } from '../../../plan/task/task.ts'

/** What DuckDB's EXPLAIN tells of a statement. */
export interface Explanation extends Pick<SqlPreparedAnswer, 'plan'> {
  readonly scans: readonly ScanRequest[]
  /** Whether it may run in parts, one after the other: each reads on where the last one stopped. */
  readonly isRowWise: boolean
  /** Whether all its rows are there once the first one is. */
  readonly isBlocking: boolean
}

/** Explanations of the statements asked last: dashboards repeat theirs, and to explain one takes longer than to bind it. */
export interface Explanations {
  /** That of a statement over what it names, by `explain` if it is not known. Of values their number counts, and their columns. */
  of(sql: string, named: Named, explain: () => Explanation): Explanation
  /** Whether the statement calls nothing whose value at one time is not that at another. */
  isConstant(sql: string): boolean
}

/** What a statement names. */
interface Named {
  readonly sources: readonly Source[]
  readonly values: readonly NamedValues[]
}

const CAPACITY = 256

/** Characters of a statement and the schemas of its sources, beyond which it is explained each time. */
const MOST_CHARACTERS = 32_768

/**
 * Functions that DuckDB calls consistent, and yet depend on the time (`age` of one argument), and those that are words of
 * the grammar.
 */
const TIME_WORDS = ['age', 'current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp']

/**
 * `inconstant` are functions, lower case, whose value at one time is not that at another: DuckDB puts it into the plan, so
 * a statement that may call one is explained each time.
 */
export function createExplanations(inconstant: readonly string[]): Explanations {
  const words = new Set([...inconstant, ...TIME_WORDS])
  const known = createLru<Explanation>(CAPACITY)
  const isConstant = (sql: string): boolean =>
    !(sql.toLowerCase().match(/[a-z_][a-z0-9_]*/g) ?? []).some((word) => words.has(word))
  return {
    isConstant,
    of(sql, { sources, values }, explain) {
      const outlines = values.map(({ request, values: { fields, rows } }) => [request, fields, rows])
      const key = JSON.stringify([sql, sources, outlines])
      const found = known.get(key)
      if (found !== undefined) return found
      const explanation = explain()
      if (key.length <= MOST_CHARACTERS && isConstant(sql)) known.put(key, explanation)
      return explanation
    },
  }
}
