import type { TestTable } from '../query/table.ts'

/** Whether a table has times with a zone that are no whole microseconds. Native DuckDB cuts them, the service does not. */
export function isCutInNative({ columns }: TestTable): boolean {
  return columns.some(
    ({ type, cells }) =>
      type.kind === 'timestamp' &&
      type.unit === 'nanosecond' &&
      type.zone !== null &&
      cells.some((cell) => typeof cell === 'bigint' && cell % 1000n !== 0n),
  )
}
