import { columnIn } from '../../../../plan/expression.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
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
export function numberRanges(filter: Predicate): readonly NumberRange[] {
  if (filter.op === 'and') return filter.args.flatMap(numberRanges)
  if (filter.op !== 'compare' && filter.op !== 'between' && filter.op !== 'in') return []
  const column = columnIn(filter.operand)
  const ends = column === null ? null : endsOf(filter)
  return column === null || ends === null ? [] : [{ column, low: ends[0], high: ends[1] }]
}

type Comparing = Extract<Predicate, { op: 'compare' | 'between' | 'in' }>

function endsOf(condition: Comparing): readonly [low: number, high: number] | null {
  switch (condition.op) {
    case 'between':
      return numbers(condition.low, condition.high)
    case 'in': {
      const [first, last] = [condition.values[0], condition.values.at(-1)]
      return first === undefined || last === undefined ? null : numbers(first, last)
    }
    case 'compare': {
      const [value] = numbers(condition.value, condition.value) ?? []
      if (value === undefined) return null
      switch (condition.comparison) {
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
