import { listNames } from '../../plan/nearest-name.ts'
import type { NamedDefinition } from '../../plan/statement/definition.ts'
import type { Source } from '../../plan/statement/statement.ts'
import type { DataType, Field } from '../../plan/types/schema.ts'
import type { DuckMessage } from './duck-message.ts'
import { insteadOfFunction } from './other-functions.ts'
import { adviceOnEnd, adviceOnSyntax, isUnfinished, NEAR } from './syntax-advice.ts'

/** The statement that an error is about. */
export interface AdvisedStatement {
  /** As DuckDB was given it. */
  readonly sql: string
  readonly sources: readonly Source[]
  /** The tables and views that it may name. */
  readonly definitions: readonly NamedDefinition[]
}

const TIME = "A time is written '2024-02-29' or '2024-02-29 12:00:00'."

/** Beginnings of DuckDB's messages, and what to write instead. */
const ADVICE: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^Cannot (?:compare|mix) .*(?:TIMESTAMP|DATE\b)/, TIME],
  [/^WHERE clause cannot contain aggregates/, 'Conditions on aggregates are in HAVING, after GROUP BY.'],
  [
    /^Type with name /,
    'Types are BOOLEAN, INTEGER, BIGINT, FLOAT, DOUBLE, DECIMAL, VARCHAR, DATE, TIME, TIMESTAMP and others.',
  ],
  // DuckDB has no other text for `LIMIT 5, 10`.
  [/^errhint NOT IMPLEMENTED/, 'To skip rows write LIMIT 10 OFFSET 5, not LIMIT 5, 10.'],
  [/^Overflow in subtraction of UINT/, 'A signed type has negative values: x::HUGEINT - y.'],
  [/^Overflow in /, 'A DOUBLE has a greater range: CAST(x AS DOUBLE).'],
  [
    /(?:types '|call ")-\((?:TIMESTAMP[\w ]*|DATE), (?!TIMESTAMP)/,
    'A span of time is an interval: time - INTERVAL 7 DAY.',
  ],
  [
    /(?:types '|call ")\+\((?:TIMESTAMP[\w ]*|DATE), (?!TIMESTAMP)/,
    'A span of time is an interval: time + INTERVAL 7 DAY.',
  ],
  [/for cast \(.* -> TIMESTAMPTZ_NS\)/, 'Write the cast: time::TIMESTAMPTZ_NS.'],
  [/for cast \(INTEGER -> INTERVAL\)/, 'An interval has a unit: INTERVAL 5 DAY.'],
  [/call "\+\((?:STRING_LITERAL|VARCHAR), (?:STRING_LITERAL|VARCHAR)\)/, 'Texts are joined by ||.'],
  [/types 'date_?diff\([^,]*,[^,]*\)'/, "Write date_diff('day', from, to)."],
  [/^Could not convert string '.*' to BOOL$/, "A condition compares a column each time: x = 'a' OR x = 'b'."],
  [/^\* expression without FROM clause/, "Files are named as in FROM read_parquet('…')."],
]

/** Columns that other databases have in each table, and what to write instead. */
const OTHER_COLUMNS: ReadonlyMap<string, string> = new Map([
  [
    'filename',
    "The path of each row's file is a column with filename = true, as in read_parquet('…', filename = true).",
  ],
  ['rownum', 'The first rows are asked for by LIMIT 5.'],
  ['sysdate', 'Write now().'],
])

/** What to write instead, of which DuckDB knows nothing. Null: nothing more is known. */
export function adviceOn(message: DuckMessage, statement: AdvisedStatement): string | null {
  const { what, subtype, name, at } = message
  const { sql } = statement
  const misplaced = adviceOnArgument(message, sql)
  if (misplaced !== null) return misplaced
  const entry = ADVICE.find(([pattern]) => pattern.test(what))
  if (entry !== undefined) return entry[1]
  if (isUnfinished(what)) return adviceOnEnd(sql)
  if (message.kind === 'Parser Error') return at === undefined ? null : adviceOnSyntax(sql, at)
  if (subtype === 'COLUMN_NOT_FOUND') return adviceOnName(message, statement)
  const instead = isFunction(what) ? insteadOfFunction(name) : undefined
  return instead === undefined ? adviceOnValue(message, statement) : `Write ${instead}.`
}

/** Whether the service's advice on an error is better than DuckDB's own, which goes by the letters of names alone. */
export function replacesSuggestions({ what, name }: DuckMessage): boolean {
  if (what.startsWith('Type with name ') || /types 'date_?diff\([^,]*,[^,]*\)'/.test(what)) return true
  return isFunction(what) && insteadOfFunction(name) !== undefined
}

/** Whether DuckDB says that a function does not exist. */
export function isFunction(what: string): boolean {
  return /^(?:Scalar|Aggregate) Function with name /.test(what)
}

/** Advice on an argument of a function that reads files, which DuckDB takes for something else. */
function adviceOnArgument({ what, at }: DuckMessage, sql: string): string | null {
  if (at === undefined) return null
  const call = sql.slice(at, at + NEAR)
  const [, option] = /^Type with name (\w+) does not exist/.exec(what) ?? []
  if (option !== undefined && new RegExp(`^read_\\w+\\(.*,\\s*${option}\\s*'`, 'is').test(call))
    return `An argument is named as in ${option} = '…'.`
  return what.includes('//(') && /^read_\w+\(\s*[\w-]+\//i.test(call)
    ? "A path is in single quotes: read_parquet('…')."
    : null
}

function adviceOnName({ name, at }: DuckMessage, { sql, sources }: AdvisedStatement): string | null {
  if (at !== undefined && sql.charAt(at) === '"')
    return `Double quotes are for names; text is written '${name.replaceAll("'", "''")}'.`
  const other = OTHER_COLUMNS.get(name.toLowerCase())
  if (other !== undefined) return other
  return sources.length === 0 ? "Files are named as in FROM read_parquet('…')." : null
}

/**
 * Advice on a text that is no value of the type that it is compared with. DuckDB names the integer as which it stores a time or a
 * UUID.
 */
function adviceOnValue({ what, at }: DuckMessage, { sql, sources }: AdvisedStatement): string | null {
  const fields = sources.flatMap(({ schema }) => schema.fields)
  if (/^Could not convert string '.*' to INT128$|^Unimplemented type for cast \(\w+ -> UUID\)/.test(what)) {
    const columns = fields.flatMap(({ name, type }) => (type.kind === 'uuid' ? [name] : []))
    return columns.length === 0
      ? null
      : `A UUID, as in the column ${listNames(columns)}, is written 'f59283a4-1f2b-4c3d-8e9f-0123456789ab'.`
  }
  if (!/^Could not convert string '.*' to INT64$/.test(what)) return null
  if (!fields.some(({ type }) => type.kind === 'timestamp')) return null
  const compared = at === undefined ? null : typeBefore(sql.slice(Math.max(0, at - NEAR), at), fields)
  return compared === null || compared.kind === 'timestamp' ? TIME : null
}

/** The type of the column whose name ends a text. Null: the text ends with no such name. */
function typeBefore(text: string, fields: readonly Field[]): DataType | null {
  const name = /\b(\w+)"?\s*\[?\s*$/.exec(text)?.[1]?.toLowerCase()
  return fields.find((each) => each.name.toLowerCase() === name)?.type ?? null
}
