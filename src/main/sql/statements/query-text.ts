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
  /** Gets the password of the statement, which its node does not have. */
  readonly onPassword: (password: string) => void
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

/** Whether a query comes next, not the name of a table. */
export function isQueryNext(reader: StatementReader): boolean {
  // VALUES is not reserved: without brackets behind it, it is a name.
  if (reader.isWord('VALUES')) return reader.peek(1)?.text === '('
  return reader.isSign('(') || reader.isWord('SELECT') || reader.isWord('WITH') || reader.isWord('FROM')
}
