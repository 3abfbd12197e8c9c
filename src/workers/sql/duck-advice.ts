import { listNames, nearestName } from '../../plan/nearest-name.ts'
import type { Source } from '../../plan/statement/statement.ts'
import type { DuckMessage } from './duck-message.ts'

/** The statement that an error is about. */
export interface AdvisedStatement {
  /** As DuckDB was given it. */
  readonly sql: string
  readonly sources: readonly Source[]
}

const TIME = "A time is written '2024-02-29' or '2024-02-29 12:00:00'."

/** Beginnings of DuckDB's messages, and what to write instead. */
const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^Cannot (?:compare|mix) .*(?:TIMESTAMP|DATE\b)/, TIME],
  [/^WHERE clause cannot contain aggregates/, 'Conditions on aggregates are in HAVING, after GROUP BY.'],
  [/^extract specifier /, 'Parts are year, quarter, month, week, day, hour, minute, second and others.'],
  [
    /^Type with name /,
    'Types are BOOLEAN, INTEGER, BIGINT, FLOAT, DOUBLE, DECIMAL, VARCHAR, DATE, TIME, TIMESTAMP and others.',
  ],
  // DuckDB has no other text for `LIMIT 5, 10`.
  [/^errhint NOT IMPLEMENTED/, 'To skip rows write LIMIT 10 OFFSET 5, not LIMIT 5, 10.'],
]

/** Functions of other databases, and what to write instead. */
const OTHER_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['convert', 'CAST(x AS DOUBLE)'],
  ['date_format', "strftime(time, '%Y-%m-%d')"],
  ['dateadd', 'time + INTERVAL 1 DAY'],
  ['getdate', 'now()::TIMESTAMP'],
  ['isnull', 'coalesce(x, 0)'],
  ['nvl', 'coalesce(x, 0)'],
  ['str_to_date', "strptime(text, '%Y-%m-%d')"],
  ['to_char', "strftime(time, '%Y-%m-%d')"],
  ['to_date', "strptime(text, '%Y-%m-%d')"],
  ['to_number', 'CAST(x AS DOUBLE)'],
  ['unix_timestamp', 'epoch(time)'],
])

/** What to write instead, of which DuckDB knows nothing. Null: nothing more is known. */
export function adviceOn(message: DuckMessage, statement: AdvisedStatement): string | null {
  const { what, subtype, name } = message
  const known = ADVICE.find(([pattern]) => pattern.test(what))
  if (known !== undefined) return known[1]
  if (message.kind === 'Parser Error') return adviceOnSyntax(message, statement.sql)
  if (subtype === 'COLUMN_NOT_FOUND') return adviceOnName(message, statement)
  const instead = what.startsWith('Scalar Function with name ')
    ? OTHER_FUNCTIONS.get(name.toLowerCase())
    : undefined
  if (instead !== undefined) return `Write ${instead}.`
  return adviceOnConversion(what, statement.sources)
}

/** Whether the service's advice on an error is better than DuckDB's own, which goes by the letters of names alone. */
export function replacesSuggestions({ what, name }: DuckMessage): boolean {
  return what.startsWith('Type with name ') || OTHER_FUNCTIONS.has(name.toLowerCase())
}

function adviceOnName({ name, at }: DuckMessage, { sql, sources }: AdvisedStatement): string | null {
  if (at !== undefined && sql.charAt(at) === '"')
    return `Double quotes are for names; text is written '${name.replaceAll("'", "''")}'.`
  return sources.length === 0 ? "Files are named as in FROM read_parquet('…')." : null
}

/** DuckDB names the integer as which it stores a time or a UUID, if a text is none. */
function adviceOnConversion(what: string, sources: readonly Source[]): string | null {
  const [, integer] = /^Could not convert string '.*' to (INT64|INT128)$/.exec(what) ?? []
  if (integer === undefined) return null
  const fields = sources.flatMap(({ schema }) => schema.fields)
  if (integer === 'INT64') return fields.some(({ type }) => type.kind === 'timestamp') ? TIME : null
  const columns = fields.flatMap(({ name, type }) => (type.kind === 'uuid' ? [name] : []))
  return columns.length === 0
    ? null
    : `A UUID, as in the column ${listNames(columns)}, is written 'f59283a4-1f2b-4c3d-8e9f-0123456789ab'.`
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

/** What to write instead after a word, or of a sign. */
const SYNTAX: ReadonlyMap<string, string> = new Map([
  ['EXCEPT', 'Columns are left out by * EXCLUDE (…).'],
  ['GROUP', 'GROUP is followed by BY.'],
  ['IN', 'IN takes a list in brackets: IN (1, 2).'],
  ['IS', 'IS is for NULL; other values are compared by =.'],
  ['ORDER', 'ORDER is followed by BY.'],
  ['TOP', 'The first rows are asked for by LIMIT at the end.'],
  ['=>', 'Write >= instead of =>.'],
  ['=<', 'Write <= instead of =<.'],
])

/** What to write instead of the word before the place, or of the sign at it. */
function adviceOnSyntax({ at }: DuckMessage, sql: string): string | null {
  if (at === undefined) return null
  const word = /\b([A-Za-z_]+)[\s(]*$/.exec(sql.slice(0, at))?.[1]?.toUpperCase() ?? ''
  const known = SYNTAX.get(sql.slice(at, at + 2)) ?? SYNTAX.get(word)
  if (known !== undefined) return known
  const near = KEYWORDS.includes(word) ? null : nearestName(word, KEYWORDS)
  return near === null ? null : `Did you mean ${near} instead of ${word}?`
}
