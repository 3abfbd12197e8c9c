import { memoizeLast } from '../../../../plan/memoize.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type Field, field } from '../../../../plan/types/schema.ts'
import type { Level } from '../../../datasets/partitions/level.ts'
import { scalarOf, typeOfTexts } from './partition-type.ts'

/** The column of a level of folders `key=value`. */
export interface PartitionColumn {
  readonly field: Field
  valueOf(name: string | null): Scalar | null
}

/** The column of a level. A level that has nothing but nulls is text. */
export function partitionColumn(level: Level): PartitionColumn {
  return columnOfNames(level, level.names.size)
}

/** A level that is still being searched gets more names, which may change its type. */
const columnOfNames = memoizeLast((level: Level, _names: number): PartitionColumn => {
  const type = typeOfTexts(level.names) ?? { kind: 'utf8' }
  const values = new Map<string | null, Scalar | null>([[null, null]])
  return {
    field: field(level.key, type),
    valueOf(name) {
      const value = values.get(name)
      if (value !== undefined || name === null) return value ?? null
      const scalar = scalarOf(name, type)
      values.set(name, scalar)
      return scalar
    },
  }
})
