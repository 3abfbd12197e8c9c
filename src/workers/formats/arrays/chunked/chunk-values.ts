import { compareScalars } from '../../../../plan/condition/compare.ts'
import type { ChunkValues } from '../../../../plan/source/chunk-record.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { Column } from '../../../../wasm/core/column.ts'
import type { Core } from '../../../../wasm/core/core.ts'

/** What is known of the values of a column of numbers or times. */
export function valuesOf(core: Core, column: Column, type: DataType, rows: number): ChunkValues {
  const isThere = core.isNotNull(column)
  try {
    const present = core.count(isThere)
    const nulls = { hasNulls: present < rows, areNulls: present === 0 }
    if (present === 0) return { ...nulls, hasNan: false, min: null, max: null }
    if (type.kind !== 'float')
      return { ...nulls, hasNan: false, ...boundsOf(core, column, type, rows, false) }
    const numbers = core.compare(column, type, 'lt_eq', INFINITE)
    try {
      const count = core.count(numbers)
      const bounds = count === 0 ? NONE : boundsOf(core, column, type, rows, count < present && numbers)
      return { ...nulls, hasNan: count < present, ...bounds }
    } finally {
      core.freeMask(numbers)
    }
  } finally {
    core.freeMask(isThere)
  }
}

/** What is known of the values of two sets of rows together. */
export function mergeValues(a: ChunkValues, b: ChunkValues): ChunkValues {
  return {
    hasNulls: a.hasNulls || b.hasNulls,
    areNulls: a.areNulls && b.areNulls,
    hasNan: a.hasNan || b.hasNan,
    min: firstOf(a.min, b.min, -1),
    max: firstOf(a.max, b.max, 1),
  }
}

/** NaN is greater than every other value, and so than this one. */
const INFINITE: Scalar = Object.freeze({ kind: 'float', value: Number.POSITIVE_INFINITY })
const NONE = Object.freeze({ min: null, max: null })

type Bounds = Pick<ChunkValues, 'min' | 'max'>

/** The bounds of the values that are true in `mask`; false: of all. */
function boundsOf(
  core: Core,
  column: Column,
  type: DataType,
  rows: number,
  mask: Parameters<Core['addRows']>[4] | false,
): Bounds {
  const groups = core.groups(
    [],
    [
      { kind: 'min', type },
      { kind: 'max', type },
    ],
    GROUP_BYTES,
  )
  try {
    core.addRows(groups, [], [column, column], rows, mask === false ? null : mask)
    const bounds = core.groupColumns(groups)
    try {
      const [min = null, max = null] = bounds.map((each) => core.valueAt(each, type, 0))
      return { min, max }
    } finally {
      for (const each of bounds) core.free(each)
    }
  } finally {
    core.freeGroups(groups)
  }
}

/** More than a table of one group takes. */
const GROUP_BYTES = 1 << 20

/** The value that comes first in the direction of `sign`. Null: there is none. */
function firstOf(a: Scalar | null, b: Scalar | null, sign: -1 | 1): Scalar | null {
  if (a === null || b === null) return a ?? b
  return Math.sign(compareScalars(b, a)) === sign ? b : a
}
