import type { TestTable } from '../query/table.ts'

/**
 * Whether native DuckDB cuts times of a table that are no whole microseconds, for a statement: those with a zone, which the service does not cut, and
 * for quantiles between two values those without, which the service rounds down.
 */
export function isCutInNative({ columns }: TestTable, sql: string): boolean {
  const isBetween = /\b(?:median|quantile_cont)\(/.test(sql)
  return columns.some(
    ({ type, cells }) =>
      type.kind === 'timestamp' &&
      type.unit === 'nanosecond' &&
      (type.zone !== null || isBetween) &&
      cells.some((cell) => typeof cell === 'bigint' && cell % 1000n !== 0n),
  )
}
