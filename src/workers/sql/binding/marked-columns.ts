import { randomInt } from 'node:crypto'
import type { FilterText } from '../../../plan/statement/statement.ts'
import { ROW_COLUMN } from '../../../wasm/duckdb/table-function.ts'

/*
 * EXPLAIN prints a column under the name that the statement has for it, unquoted: above the scan in
 * `SELECT * FROM (SELECT a AS b, b AS a FROM t) WHERE a > 3` it says `(a > 3)` and means b, and in a union the names are
 * those of the first branch. What it moves below a GROUP BY it prints under the names that the groups have there. So for
 * its filters a statement is explained, and only explained, over rows that are grouped by all of their columns, whose names
 * hold a number there that no statement and no file knows. The groups are the rows themselves: `ROW_COLUMN`, whose values
 * DuckDB does not know, may be different in each.
 */

/** A number for the marks of one database. */
export function createMark(): number {
  return randomInt(2 ** 32, 2 ** 48 - 1)
}

/** What a macro around a table function selects where filters are looked for: all columns but the first, by their names. */
export function markedGroups(mark: number, scan: string): string {
  const columns = `"${ROW_COLUMN}", COLUMNS(* EXCLUDE ("${ROW_COLUMN}")) AS '[${mark}:\\0:${mark}]'`
  const groups = `SELECT ${columns} FROM ${scan} GROUP BY ALL`
  return `SELECT COLUMNS('(?s)^\\[${mark}:(.*):${mark}\\]$') AS '\\1' FROM (${groups})`
}

/**
 * A filter that EXPLAIN prints over marked columns, `names` being those of the source in SQL. Null if it is broken into
 * lines, of which empty ones are lost.
 */
export function filterText(
  printed: string | readonly string[],
  mark: number,
  names: readonly string[],
): FilterText | null {
  if (typeof printed !== 'string') return null
  const marked = new RegExp(String.raw`\[${mark}:(.*?):${mark}\]`, 's')
  const text = printed.split(marked).map((piece, index) => (index % 2 === 0 ? piece : names.indexOf(piece)))
  return text.includes(-1) ? null : text.filter((piece) => piece !== '')
}
