import type { ArrayColumn, ArraysColumn } from './columns.ts'

/** The named columns that are arrays, in the order of the schema. `names` null: all. */
export function arraysIn(
  columns: ReadonlyMap<string, ArraysColumn>,
  names: readonly string[] | null,
): readonly ArrayColumn[] {
  const wanted = names === null ? null : new Set(names)
  return [...columns.values()].filter(
    (column): column is ArrayColumn => column.kind === 'array' && (wanted?.has(column.name) ?? true),
  )
}
