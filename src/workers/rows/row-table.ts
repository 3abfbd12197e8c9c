import type { Part } from '../../plan/task/part.ts'
import { type Field, valueType } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import { collect, join } from '../formats/collect.ts'
import type { ReadContext } from '../formats/provider.ts'
import { readParts } from './read-parts.ts'
import { type TypedTable, tableOf } from './typed-table.ts'

/** One table of the rows of fragments, in the order of the fragments. */
export function rowTable(parts: readonly Part[], fields: readonly Field[], context: ReadContext): TypedTable {
  const { core } = context
  const types = fields.map(({ type }) => valueType(type))
  const plain = fields.map((field, index) => ({ ...field, type: types[index] ?? field.type }))
  /** For each field, its columns in all sets. */
  const columnsOf: Column[][] = fields.map(() => [])
  let rows = 0
  try {
    for (const set of readParts(parts, plain, context)) {
      rows += set.rows
      for (const [index, column] of set.columns.entries()) columnsOf[index]?.push(column)
      context.checkCancelled()
    }
    const columns = collect(core, (joinedColumns) => {
      while (rows > 0 && columnsOf.length > 0) joinedColumns.push(join(core, columnsOf.shift() ?? []))
    })
    return { table: tableOf(columns, rows), types }
  } catch (error) {
    for (const column of columnsOf.flat()) core.free(column)
    throw error
  }
}
