import type { Condition } from '../../../../plan/condition/condition.ts'
import { conjunctsOf, type TestOf, testOf } from '../../../../plan/condition/test.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'

/** Bounds of all entries as numbers: of those of which nothing is known, −∞ and ∞. */
export interface NumberBounds {
  readonly min: Float64Array
  readonly max: Float64Array
}

/** A range of numbers in which a value of a column has to lie. Both ends are included. */
export interface NumberRange {
  readonly column: string
  readonly low: number
  readonly high: number
}

/**
 * Ranges outside of which a filter is not true. There may be other conditions. Integers are rounded to the nearest number, which keeps their
 * order: two that are equal as numbers count as inside.
 */
export function numberRanges(filter: Condition): readonly NumberRange[] {
  return conjunctsOf(filter).flatMap((condition): readonly NumberRange[] => {
    const test = testOf(condition)
    if (test.op !== 'compare' && test.op !== 'between' && test.op !== 'in') return []
    const ends = test.operand.kind === 'column' ? endsOf(test) : null
    return test.operand.kind !== 'column' || ends === null
      ? []
      : [{ column: test.operand.column, low: ends[0], high: ends[1] }]
  })
}

type Comparing = TestOf<'compare' | 'between' | 'in'>

function endsOf(test: Comparing): readonly [low: number, high: number] | null {
  switch (test.op) {
    case 'between':
      return numbers(test.low, test.high)
    case 'in': {
      const [first, last] = [test.values[0], test.values.at(-1)]
      return first === undefined || last === undefined ? null : numbers(first, last)
    }
    case 'compare': {
      const [value] = numbers(test.value, test.value) ?? []
      if (value === undefined) return null
      switch (test.comparison) {
        case 'eq':
          return [value, value]
        case 'gt':
        case 'gt_eq':
          return [value, Number.POSITIVE_INFINITY]
        case 'lt':
        case 'lt_eq':
          return [Number.NEGATIVE_INFINITY, value]
        default:
          return null
      }
    }
  }
}

/** Null: they are no numbers. NaN is beyond all numbers. */
function numbers(low: Scalar, high: Scalar): readonly [number, number] | null {
  if (low.kind === 'bytes' || high.kind === 'bytes') return null
  const [from, to] = [Number(low.value), Number(high.value)]
  return Number.isNaN(from) || Number.isNaN(to) ? null : [from, to]
}
