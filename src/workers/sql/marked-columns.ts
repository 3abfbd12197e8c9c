import { randomInt } from 'node:crypto'
import type { FilterText } from '../../plan/sql.ts'
import { ROW_COLUMN } from '../../wasm/duckdb/table-function.ts'

/*
 * EXPLAIN prints a column under the name that the statement has for it, unquoted: above the scan in
 * `SELECT * FROM (SELECT a AS b, b AS a FROM t) WHERE a > 3` it says `(a > 3)` and means b, and in a union the names are
 * those of the first branch. It prints a call as it is, with what is inside the call under its own name. So a statement
 * is explained, and only explained, over columns that are wrapped in a call which gives the same value and holds a
 * number that no statement and no file knows.
 */

/** A number for the marks of one database. */
export function createMark(): number {
  return randomInt(2 ** 32, 2 ** 48 - 1)
}

/** What a macro around a table function selects where statements are explained: each column, marked, under its name. */
export function markedColumns(mark: number): string {
  return `list_extract(list_value(COLUMNS(* EXCLUDE ("${ROW_COLUMN}"))), ${mark}) AS '\\0'`
}

/**
 * A filter that EXPLAIN prints over marked columns, `names` being those of the source in SQL. Null if it is broken into
 * lines, of which empty ones are lost, or has a column that is not surely one of the names.
 */
export function filterText(
  printed: string | readonly string[],
  mark: number,
  names: readonly string[],
): FilterText | null {
  if (typeof printed !== 'string' || names.some((name) => name.includes('list_extract('))) return null
  const text = printed
    .split(markPattern(mark))
    .map((piece, index) => (index % 2 === 0 ? piece : names.indexOf(piece)))
  return text.includes(-1) ? null : text.filter((piece) => piece !== '')
}

/** What EXPLAIN prints over marked columns, as it would print it over the columns themselves. */
export function withoutMarks(printed: string, mark: number): string {
  return printed.replace(markPattern(mark), '$1')
}

/** What is between the last opening and the mark is a name, with or without brackets in it. */
function markPattern(mark: number): RegExp {
  const opening = String.raw`list_extract\(list_value\(`
  return new RegExp(String.raw`${opening}((?:(?!${opening}).)*?)\), ${mark}\)`, 'gs')
}
