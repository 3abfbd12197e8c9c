import type { Part } from '../../plan/task/part.ts'
import { type Field, valueType } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import { collect, joined } from '../formats/collect.ts'
import type { ReadContext } from '../formats/provider.ts'
import { readParts } from './read-parts.ts'
import { type TypedTable, tableOf } from './typed-table.ts'

/** The rows of partials, one after the other, as one table. */
export function rowTable(parts: readonly Part[], fields: readonly Field[], context: ReadContext): TypedTable {
  const { core } = context
  const types = fields.map(({ type }) => valueType(type))
  const plain = fields.map((field, place) => ({ ...field, type: types[place] ?? field.type }))
  const runs: Column[][] = fields.map(() => [])
  let rows = 0
  try {
    for (const set of readParts(parts, plain, context)) {
      rows += set.rows
      for (const [place, column] of set.columns.entries()) runs[place]?.push(column)
      context.checkCancelled()
    }
    const columns = collect(core, (made) => {
      while (rows > 0 && runs.length > 0) made.push(joined(core, runs.shift() ?? []))
    })
    return { table: tableOf(columns, rows), types }
  } catch (error) {
    for (const column of runs.flat()) core.free(column)
    throw error
  }
}
