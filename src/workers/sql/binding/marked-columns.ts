import { randomInt } from 'node:crypto'
import type { FilterText } from '../../../plan/statement/statement.ts'
import { ROW_COLUMN } from '../../../wasm/duckdb/functions/table-function.ts'

/*
 * EXPLAIN is the only way to learn which filters DuckDB applies to a scan, but the names that it prints are ambiguous. It
 * prints a column unquoted and under its alias in the statement: above the scan in `SELECT * FROM (SELECT a AS b, b AS a
 * FROM t) WHERE a > 3` it prints `(a > 3)` for the column b, and in a union it prints the names of the first branch. But a
 * condition that DuckDB moves below a GROUP BY is printed with the names that the columns have there.
 *
 * So a statement is also explained, not run, over sources that are grouped by all of their columns, with a mark in each
 * column's name: a random number that no statement and no file contains. The grouping changes no rows, because it includes
 * `ROW_COLUMN`: as far as DuckDB knows, its values are distinct.
 */

/** A random number for the marks of one database. */
export function createMark(): number {
  return randomInt(2 ** 32, 2 ** 48 - 1)
}

/**
 * The query of the macro around a table function on the connection for marked columns. It has all columns except
 * `ROW_COLUMN`.
 */
export function markedGroups(mark: number, scan: string): string {
  const columns = `"${ROW_COLUMN}", COLUMNS(* EXCLUDE ("${ROW_COLUMN}")) AS '[${mark}:\\0:${mark}]'`
  const groups = `SELECT ${columns} FROM ${scan} GROUP BY ALL`
  return `SELECT COLUMNS('(?s)^\\[${mark}:(.*):${mark}\\]$') AS '\\1' FROM (${groups})`
}

/**
 * Parses a filter that EXPLAIN prints over marked columns. `names` are the names in SQL of the source's columns. Null:
 * EXPLAIN has broken it into lines, which loses empty lines inside of strings.
 */
export function filterText(
  printed: string | readonly string[],
  mark: number,
  names: readonly string[],
): FilterText | null {
  if (typeof printed !== 'string') return null
  const marked = new RegExp(String.raw`\[${mark}:(.*?):${mark}\]`, 's')
  const text = printed.split(marked).map((part, index) => (index % 2 === 0 ? part : names.indexOf(part)))
  return text.includes(-1) ? null : text.filter((part) => part !== '')
}
