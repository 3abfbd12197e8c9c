import { all } from '../../plan/condition/combine.ts'
import type { Condition } from '../../plan/condition/condition.ts'
import { conjunctsOf } from '../../plan/condition/test.ts'
import { columnsOf } from '../../plan/expression.ts'
import type { SourceColumn } from '../../plan/scan.ts'
import type { FileRef } from '../../plan/source/file.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { evaluate } from './filter.ts'

/** The conditions of a file's filter that read nothing but constants of the file, and the others. */
export interface SplitConditions {
  readonly constant: readonly Condition[]
  readonly others: readonly Condition[]
}

/** Splits the conditions of a filter, all of which have to be true. */
export function splitByConstants(
  filter: Condition | null,
  { constants }: Pick<FileRef, 'constants'>,
): SplitConditions {
  const conditions = conjunctsOf(filter)
  if (constants === undefined) return { constant: [], others: conditions }
  const isConstant = (condition: Condition): boolean => {
    const names = columnsOf(condition)
    return names.length > 0 && names.every((name) => Object.hasOwn(constants, name))
  }
  return {
    constant: conditions.filter(isConstant),
    others: conditions.filter((condition) => !isConstant(condition)),
  }
}

/** Whether the rows of a file pass conditions on its constants: all of them do, or none. */
export function passConstants(
  conditions: readonly Condition[],
  columns: readonly SourceColumn[],
  { constants = {} }: Pick<FileRef, 'constants'>,
  core: Core,
): boolean {
  return conditions.every((condition) => {
    const names = columnsOf(condition)
    const constantColumns = new Map<string, Column>()
    try {
      for (const { name, type } of columns)
        if (names.includes(name)) constantColumns.set(name, core.constant(type, constants[name] ?? null, 1))
      const mask = evaluate(core, condition, {
        rows: 1,
        mask: null,
        checkCancelled() {},
        column(name) {
          const column = typeof name === 'string' ? constantColumns.get(name) : undefined
          const type = columns.find((each) => each.name === name)?.type
          if (column === undefined || type === undefined)
            throw new TypeError('a condition on a column that is not part of the scan')
          return { column, type }
        },
      })
      const passes = core.count(mask) === 1
      core.freeMask(mask)
      return passes
    } finally {
      for (const column of constantColumns.values()) core.free(column)
    }
  })
}

/** The conditions of a filter that read no constant of the file. Null: there are none. */
export function withoutConstants(
  filter: Condition | null,
  { constants }: Pick<FileRef, 'constants'>,
): Condition | null {
  if (constants === undefined) return filter
  const conditions = conjunctsOf(filter)
  const args = conditions.filter(
    (condition) => !columnsOf(condition).some((name) => Object.hasOwn(constants, name)),
  )
  return args.length === conditions.length ? filter : args.length === 0 ? null : all(args)
}
