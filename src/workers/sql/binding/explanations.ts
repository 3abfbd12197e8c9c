import { createHash } from 'node:crypto'
import { createLru } from '../../../plan/lru.ts'
import type { NamedDefinition } from '../../../plan/statement/definition.ts'
import type { ScanRequest, Source } from '../../../plan/statement/statement.ts'
import type { NamedValues } from '../../../plan/statement/values.ts'
import type { SqlPreparedAnswer } from '../../../plan/task/task.ts'

/** DuckDB's explanation of a statement. */
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
  /**
   * The explanation of a statement over these sources, made by `explain` if it is not cached. Only that of a constant statement is
   * cached.
   */
  of(sql: string, named: Named, isConstant: boolean, explain: () => Explanation): Explanation
  /** Whether the text of a statement certainly calls no function whose value changes from one call to another. */
  isConstant(sql: string): boolean
}

/** The views, sources and values that a statement names. Through another view the same statement has other filters. */
interface Named {
  readonly definitions: readonly NamedDefinition[]
  readonly sources: readonly Source[]
  readonly values: readonly NamedValues[]
}

const CAPACITY = 256

/** The most characters of a cache key: a statement, and its sources or their digest. A longer one is not cached. */
const MAX_CHARACTERS = 32_768

/** From so many characters on, sources are a digest in the key: three files of arrays may have a thousand columns. */
const MOST_SOURCES = 4096

function shorten(sources: string): string {
  return sources.length < MOST_SOURCES ? sources : createHash('sha256').update(sources).digest('base64')
}

/**
 * `inconstant` are the functions whose values change from one call to another, in lower case. DuckDB puts such a value into
 * the plan, so a statement that may call one is explained each time.
 */
export function createExplanations(inconstant: readonly string[]): Explanations {
  const words = new Set(inconstant)
  const cachedExplanations = createLru<Explanation>(CAPACITY)
  return {
    isConstant: (sql) =>
      !(sql.toLowerCase().match(/[a-z_][a-z0-9_]*/g) ?? []).some((word) => words.has(word)),
    of(sql, { definitions, sources, values }, isConstant, explain) {
      // A plan depends on the columns and the number of rows of values, and not on the rows.
      const outlines = values.map(({ request, values: { fields, rows } }) => [request, fields, rows])
      const digests = definitions.map(({ digest }) => digest)
      const key = JSON.stringify([sql, digests, shorten(JSON.stringify([sources, outlines]))])
      const cached = cachedExplanations.get(key)
      if (cached !== undefined) return cached
      const explanation = explain()
      if (key.length <= MAX_CHARACTERS && isConstant) cachedExplanations.put(key, explanation)
      return explanation
    },
  }
}
