import type { Test } from 'tap'
import { compareScalars } from '../../src/plan/condition/compare.ts'
import type { RowRange } from '../../src/plan/source/range.ts'
import type { ColumnStatistics } from '../../src/plan/source/statistics.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { type Field, isNested, valueType } from '../../src/plan/types/schema.ts'
import type { OpenFile, ReadContext } from '../../src/workers/formats/provider.ts'
import type { Store } from '../../src/workers/store/store.ts'

type Values = readonly (Scalar | null)[]

/** The values of a column of a flat type in a range. Null: it is of a nested type. */
export function scalarsIn(
  file: OpenFile,
  store: Store,
  range: RowRange,
  field: Field,
  context: ReadContext,
): Values | null {
  const type = valueType(field.type)
  if (isNested(type)) return null
  const { core } = context
  const { rows, columns } = file.read(store, range, [field], context)
  try {
    const [column] = columns
    if (column === undefined) throw new TypeError(`no column ${field.name}`)
    return Array.from({ length: rows }, (_, row) => core.valueAt(column, type, row))
  } finally {
    for (const column of columns) core.free(column)
  }
}

/**
 * What statistics promise: `nulls` are counted, `min` and `max` bound all values that are neither null nor NaN, and an exact bound
 * is a value that occurs, with neither another value nor NaN beyond it.
 */
export function statisticsConform(t: Test, name: string, told: ColumnStatistics | null, all: Values): void {
  if (told === null) return
  const { min, max, isMinExact, isMaxExact, nulls } = told
  const present = all.flatMap((value) => value ?? [])
  const values = present.filter((value) => !isNan(value))
  const hasNan = values.length < present.length
  const has = (bound: Scalar): boolean => values.some((value) => compareScalars(value, bound) === 0)
  if (nulls !== undefined) t.equal(nulls, all.length - present.length, `nulls of ${name}`)
  if (min !== undefined)
    t.ok(
      values.every((value) => compareScalars(value, min) >= 0),
      `no value of ${name} is below the least`,
    )
  if (max !== undefined)
    t.ok(
      values.every((value) => compareScalars(value, max) <= 0),
      `no value of ${name} is above the greatest`,
    )
  if (min !== undefined && isMinExact) t.ok(has(min), `the least of ${name} occurs`)
  if (max !== undefined && isMaxExact) t.ok(has(max) && !hasNan, `the greatest of ${name} occurs`)
}

function isNan(value: Scalar): boolean {
  return value.kind === 'float' && Number.isNaN(value.value)
}
