import { nearestName } from '../../plan/nearest-name.ts'
import type { Source } from '../../plan/statement/statement.ts'
import type { DuckMessage } from './duck-message.ts'

/** The statement that an error is about. */
export interface AdvisedStatement {
  /** As DuckDB was given it. */
  readonly sql: string
  readonly sources: readonly Source[]
}

const TIME = "A time is written '2024-02-29' or '2024-02-29 12:00:00'."

/** What to write instead, of which DuckDB knows nothing. Null: nothing more is known. */
export function adviceOn(message: DuckMessage, statement: AdvisedStatement): string | null {
  const { kind, what, subtype } = message
  if (kind === 'Parser Error') return adviceOnSyntax(message, statement.sql)
  if (subtype === 'COLUMN_NOT_FOUND') return adviceOnName(message, statement)
  if (/^Type with name /.test(what))
    return 'Types are BOOLEAN, INTEGER, BIGINT, FLOAT, DOUBLE, DECIMAL, VARCHAR, DATE, TIME, TIMESTAMP and others.'
  // DuckDB converts text to its finer and coarser times by way of an integer, which it then names.
  if (/^Could not convert string '.*' to INT64$/.test(what) && hasTimes(statement.sources)) return TIME
  return /TIMESTAMP/.test(what) && /INTEGER_LITERAL|DECIMAL|DOUBLE/.test(what) ? TIME : null
}

function adviceOnName({ name, at }: DuckMessage, { sql, sources }: AdvisedStatement): string | null {
  if (at !== undefined && sql.charAt(at) === '"')
    return `Double quotes are for names; text is written '${name.replaceAll("'", "''")}'.`
  return sources.length === 0 ? "Files are named as in FROM read_parquet('…')." : null
}

function hasTimes(sources: readonly Source[]): boolean {
  return sources.some(({ schema }) => schema.fields.some(({ type }) => type.kind === 'timestamp'))
}

/** Words that are misspelt so that DuckDB takes them for a name, and complains of what follows. */
const KEYWORDS = [
  'FROM',
  'WHERE',
  'GROUP BY',
  'ORDER BY',
  'HAVING',
  'LIMIT',
  'OFFSET',
  'SELECT',
  'JOIN',
  'UNION',
]

/** What to write instead of the word before the place, or of the sign at it. */
function adviceOnSyntax({ at }: DuckMessage, sql: string): string | null {
  if (at === undefined) return null
  if (sql.startsWith('=>', at)) return 'Write >= instead of =>.'
  if (sql.startsWith('=<', at)) return 'Write <= instead of =<.'
  const word = /([A-Za-z_]+)\s*$/.exec(sql.slice(0, at))?.[1]?.toUpperCase() ?? ''
  if (word === 'GROUP' || word === 'ORDER') return `${word} is followed by BY.`
  if (word === 'TOP') return 'The first rows are asked for by LIMIT at the end.'
  const near = KEYWORDS.includes(word) ? null : nearestName(word, KEYWORDS)
  return near === null ? null : `Did you mean ${near} instead of ${word}?`
}
