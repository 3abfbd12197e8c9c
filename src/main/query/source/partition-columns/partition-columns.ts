import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type Field, field } from '../../../../plan/types/schema.ts'
import type { Level } from '../../../datasets/partitions/level.ts'
import { scalarOf, typeOfTexts } from './partition-type.ts'

/** The column of a level of folders `key=value`. */
export interface PartitionColumn {
  readonly field: Field
  valueOf(name: string | null): Scalar | null
}

/** Columns that were made before. A level that is still being searched gets more names, which may change its type. */
const columns = new WeakMap<Level, { readonly names: number; readonly column: PartitionColumn }>()

/** The column of a level. A level that has nothing but nulls is text. */
export function partitionColumn(level: Level): PartitionColumn {
  const earlier = columns.get(level)
  if (earlier?.names === level.names.size) return earlier.column
  const type = typeOfTexts(level.names) ?? { kind: 'utf8' }
  const values = new Map<string | null, Scalar | null>([[null, null]])
  const column: PartitionColumn = {
    field: field(level.key, type),
    valueOf(name) {
      const value = values.get(name)
      if (value !== undefined || name === null) return value ?? null
      const scalar = scalarOf(name, type)
      values.set(name, scalar)
      return scalar
    },
  }
  columns.set(level, { names: level.names.size, column })
  return column
}
