import type { ArrayColumn, IndexVariable } from '../columns.ts'
import { wayTo } from './lookup.ts'

/**
 * The arrays of a file with indexed ragged arrays. Those along an instance dimension alone get the sample dimension instead, where
 * their values are looked up, unless the instance dimension is asked for. Index variables are left out.
 */
export function gatheredArrays(
  arrays: readonly ArrayColumn[],
  indexes: readonly IndexVariable[],
  asked: readonly string[] | null,
): readonly ArrayColumn[] {
  const isIndex = new Set(indexes.map(({ column }) => column))
  return arrays.flatMap((stored): readonly ArrayColumn[] => {
    if (isIndex.has(stored)) return []
    const [dimension] = stored.dimensions
    if (dimension === undefined || stored.dimensions.length > 1) return [stored]
    const { through } = wayTo(dimension.name, indexes, (name) => asked?.includes(name) ?? false)
    const [first] = through
    if (first === undefined) return [stored]
    return [{ ...stored, dimensions: first.column.dimensions, lookup: { stored, counted: null, through } }]
  })
}
