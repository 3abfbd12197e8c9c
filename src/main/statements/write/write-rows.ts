import { writeText } from '../../query/duckdb/from-json/write.ts'

/** A column of rows that are written as a query. */
export interface WrittenColumn {
  readonly name: string
  readonly type: 'VARCHAR' | 'UBIGINT' | 'BOOLEAN'
}

export type WrittenValue = string | number | boolean | null

/** A query that has these rows, in this order. */
export function writeRows(
  columns: readonly WrittenColumn[],
  rows: readonly (readonly WrittenValue[])[],
): string {
  const words = columns.map((_, index) => `c${index}`)
  const selected = columns.map(
    ({ name, type }, index) => `CAST(${rows.length === 0 ? 'NULL' : words[index]} AS ${type}) AS "${name}"`,
  )
  if (rows.length === 0) return `SELECT ${selected.join(', ')} WHERE false`
  const written = rows.map(
    (row) => `(${columns.map((_, index) => writeValue(row[index] ?? null)).join(', ')})`,
  )
  return `SELECT ${selected.join(', ')} FROM (VALUES ${written.join(', ')}) AS written(${words.join(', ')})`
}

function writeValue(value: WrittenValue): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? writeText(value) : String(value)
}
