import { isName } from '../text/keywords.ts'
import { isSign } from '../text/tokens.ts'
import type { StatementReader } from './statement-reader.ts'

/**
 * Gets the query in a statement, behind as many spaces as there are characters before it. Throws `invalid_sql` with line and column
 * if it may not run.
 */
export type CheckQuery = (text: string) => void

/** A statement that is parsed: its text, its tokens, and what checks the queries in it. */
export interface ParsedStatement {
  readonly sql: string
  readonly reader: StatementReader
  readonly checkQuery: CheckQuery
  /** Gets passwords and values of secrets, in the order in which they are written. The node has `MASK` in their place. */
  readonly onHidden: (value: string) => void
}

/** Takes the rest of the statement, which must be a query that may run, and returns its text as it is written. */
export function parseQueryText({ sql, reader, checkQuery }: ParsedStatement): string {
  const { first, last } = reader.expectRest('a query')
  // What stands before it is replaced by spaces, so that errors have their place in the whole statement.
  const before = sql.slice(0, first.start).replaceAll(/[^\n]/g, ' ')
  const text = sql.slice(first.start, last.end)
  checkQuery(before + text)
  return text
}

/** Takes the rest of the statement, which is a call that makes rows, such as `read_csv('a.csv')`, and returns the query of all its rows. */
export function parseCallText({ sql, reader, checkQuery }: ParsedStatement): string {
  const { first, last } = reader.expectRest('a call')
  const call = sql.slice(first.start, last.end)
  checkQuery(withFrom(sql.slice(0, first.start).replaceAll(/[^\n]/g, ' ')) + call)
  return `FROM ${call}`
}

/** The spaces before a call with FROM among them. There is room for it where the statement has its first word, of four letters or more. */
function withFrom(spaces: string): string {
  const at = Math.max(spaces.lastIndexOf('    ', spaces.length - 5), 0)
  return `${spaces.slice(0, at)}FROM${spaces.slice(at + 4)}`
}

/** Whether a call of a function comes next, not the name of a table. */
export function isCallNext(reader: StatementReader): boolean {
  const { kind, text = '' } = reader.peek() ?? {}
  return (kind === 'quoted' || (kind === 'word' && isName(text))) && isSign(reader.peek(1), '(')
}

/** Whether a query comes next, not the name of a table. */
export function isQueryNext(reader: StatementReader): boolean {
  // VALUES is not reserved: without brackets behind it, it is a name.
  if (reader.isWord('VALUES')) return reader.peek(1)?.text === '('
  return reader.isSign('(') || reader.isWord('SELECT') || reader.isWord('WITH') || reader.isWord('FROM')
}
