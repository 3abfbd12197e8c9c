import type { TestTable } from '../query/table.ts'

/** No column of a generated table has this name. */
const ID = 'row id'

/** The table with the numbers of its rows as the first column. */
export function numbered({ rows, columns }: TestTable): TestTable {
  const cells = Array.from({ length: rows }, (_, row) => BigInt(row))
  return { rows, columns: [{ name: ID, type: { kind: 'int', bits: 32, signed: true }, cells }, ...columns] }
}
