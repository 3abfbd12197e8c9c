import type { KnownColumn } from '../../../plan/condition/bounds.ts'
import type { Condition } from '../../../plan/condition/condition.ts'
import { mayMatch } from '../../../plan/condition/prune.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, type Field, fieldIndexes } from '../../../plan/types/schema.ts'

export type Constants = NonNullable<FileRef['constants']>

/** Whether rows with these constants may pass the condition. `fields` has the types of the constants. */
export function mayHaveRows(constants: Constants, fields: readonly Field[], condition: Condition): boolean {
  const indexes = fieldIndexes(fields)
  const statisticsOf = (name: string): KnownColumn | null => {
    const value = Object.hasOwn(constants, name) ? constants[name] : undefined
    const type = fields[indexes.get(name) ?? -1]?.type
    if (value === undefined || type === undefined) return null
    return knownConstant(type, value)
  }
  return mayMatch(condition, statisticsOf, 1)
}

/** What is known of a row that has this constant. */
export function knownConstant(type: DataType, value: Scalar | null): KnownColumn {
  if (value === null) return { type, nulls: 1 }
  const bounds = { type, min: value, max: value, isMinExact: true, isMaxExact: true, nulls: 0 } as const
  return value.kind === 'float' && !Number.isNaN(value.value) ? { ...bounds, noNaN: true } : bounds
}

/** The files that may have rows that pass the condition, by their constants. The list itself, if these are all. */
export function filesThatMayPass(
  files: readonly FileRef[],
  fields: readonly Field[],
  condition: Condition | null,
): readonly FileRef[] {
  if (condition === null || files[0]?.constants === undefined) return files
  /** Files of one folder have the same constants. */
  const passesByConstants = new Map<Constants, boolean>()
  const passing = files.filter(({ constants }) => {
    if (constants === undefined) return true
    const passes = passesByConstants.get(constants) ?? mayHaveRows(constants, fields, condition)
    passesByConstants.set(constants, passes)
    return passes
  })
  return passing.length === files.length ? files : passing
}
