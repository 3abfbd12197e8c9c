import type { Cell, TestTable } from '../query/table.ts'

/**
 * The table without times that native DuckDB cuts to other microseconds than the service: times with a zone in nanoseconds before 1970
 * become whole microseconds. Native DuckDB cuts them towards 1970, the service downwards (docs/decisions.md).
 */
export function cutAsInNative({ rows, columns }: TestTable): TestTable {
  const cut = (cell: Cell): Cell => (typeof cell === 'bigint' && cell < 0n ? cell * 1000n : cell)
  return {
    rows,
    columns: columns.map((column) => {
      const { type } = column
      const isCut = type.kind === 'timestamp' && type.unit === 'nanosecond' && type.zone !== null
      return isCut ? { ...column, cells: column.cells.map(cut) } : column
    }),
  }
}
