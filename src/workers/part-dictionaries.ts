import { hash } from 'node:crypto'
import type { DataType } from '../plan/schema.ts'
import type { PartDictionary } from '../plan/task.ts'
import type { Column } from '../wasm/column.ts'
import type { Core } from '../wasm/core.ts'

/** What the indices of the columns of dictionary types refer to. */
export function dictionariesOf(
  core: Core,
  columns: readonly Column[],
  types: readonly DataType[],
): readonly PartDictionary[] {
  return types.flatMap((type, id) => {
    const column = columns[id]
    if (type.kind !== 'dictionary' || column === undefined) return []
    const bytes = core.encodeDictionary(column, id)
    return [{ id, key: hash('sha256', new Uint8Array(bytes)), bytes }]
  })
}
