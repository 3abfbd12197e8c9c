import { type DataType, field, type Schema } from '../../src/plan/types/schema.ts'

/**
 * A value of a small table in memory. Integers, dates, times and timestamps are a bigint in the column's unit, decimals an
 * unscaled bigint, and text is a string.
 */
export type Cell = null | boolean | number | bigint | string

export interface TestColumn {
  readonly name: string
  readonly type: DataType
  readonly cells: readonly Cell[]
}

export interface TestTable {
  readonly rows: number
  readonly columns: readonly TestColumn[]
}

export function schemaOf(table: TestTable): Schema {
  return { fields: table.columns.map(({ name, type }) => field(name, type)), metadata: {} }
}
