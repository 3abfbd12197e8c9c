import type { Scalar } from '../types/scalar.ts'
import { compareScalars, holds } from './compare.ts'
import type { Condition } from './condition.ts'
import { testOf } from './test.ts'

/**
 * The value of a condition for a row in which all that it compares is `value`. Null: unknown. Of other values than null no point is made, so that a
 * test of one throws `TypeError`.
 */
export function truthOf(condition: Condition, value: Scalar | null): boolean | null {
  const test = testOf(condition)
  switch (test.op) {
    case 'constant':
      return test.value
    case 'is_null':
      return value === null
    case 'is_not_null':
      return value !== null
    case 'not': {
      const truth = truthOf(test.arg, value)
      return truth === null ? null : !truth
    }
    case 'and':
    case 'or': {
      const decides = test.op === 'or'
      const truths = test.args.map((arg) => truthOf(arg, value))
      if (truths.includes(decides)) return decides
      return truths.includes(null) ? null : !decides
    }
    case 'within':
      if (value !== null) throw new TypeError('a point of one value')
      return false
  }
  if (value === null) return null
  switch (test.op) {
    case 'compare':
      return holds(test.comparison, compareScalars(value, test.value))
    case 'between':
      return compareScalars(value, test.low) >= 0 && compareScalars(value, test.high) <= 0
    case 'in':
      return test.values.some((each) => compareScalars(value, each) === 0)
  }
}
