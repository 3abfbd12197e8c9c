import type { CallExpression, Expression, TypedExpression } from '../expression.ts'
import type { Geometry } from '../geometry/geometry.ts'
import { memoize } from '../memoize.ts'
import type { Scalar } from '../types/scalar.ts'
import { COMPARISON_OF, type Comparison, compareScalars } from './compare.ts'
import type { Condition } from './condition.ts'

/**
 * What a condition tests of each row. Values of type BOOLEAN that are neither a constant nor one of the other tests are compared with
 * true.
 */
export type Test =
  | { readonly op: 'and' | 'or'; readonly args: readonly Condition[] }
  | { readonly op: 'not'; readonly arg: Condition }
  | {
      readonly op: 'compare'
      readonly operand: TypedExpression
      readonly comparison: Comparison
      readonly value: Scalar
    }
  /** Both bounds are included. */
  | {
      readonly op: 'between'
      readonly operand: TypedExpression
      readonly low: Scalar
      readonly high: Scalar
    }
  /** The values are ascending, without duplicates. */
  | { readonly op: 'in'; readonly operand: TypedExpression; readonly values: readonly Scalar[] }
  | { readonly op: 'is_null' | 'is_not_null'; readonly operand: TypedExpression }
  | {
      readonly op: 'within'
      readonly longitude: TypedExpression
      readonly latitude: TypedExpression
      readonly geometry: Geometry
    }
  /** Null: unknown. */
  | { readonly op: 'constant'; readonly value: boolean | null }

/** A test of one sort. */
export type TestOf<Op extends Test['op']> = Extract<Test, { readonly op: Op }>

/** The test that a condition is. */
export function testOf(condition: Condition): Test {
  switch (condition.kind) {
    case 'call':
      return testOfCall(condition as CallExpression)
    case 'constant':
      // The value of a subquery is not known before it has run.
      if (condition.subquery !== undefined) return isTrue(condition)
      return { op: 'constant', value: condition.value?.kind === 'bool' ? condition.value.value : null }
    default:
      return isTrue(condition)
  }
}

const YES: Scalar = Object.freeze({ kind: 'bool', value: true })

function isTrue(operand: TypedExpression): TestOf<'compare'> {
  return { op: 'compare', operand, comparison: 'eq', value: YES }
}

const testOfCall = memoize(
  (call: CallExpression): Test => Object.freeze(writtenTest(call) ?? isTrue(call as Condition)),
)

/** The test that a call is by its name. Null: it has arguments that such tests do not have. */
function writtenTest({ name, args: written, geometry }: CallExpression): Test | null {
  const args = written as readonly TypedExpression[]
  const [operand, second] = args
  if (operand === undefined) return null
  switch (name) {
    case 'and':
    case 'or':
      return { op: name, args }
    case 'not':
      return { op: name, arg: operand }
    case 'is_null':
    case 'is_not_null':
      return { op: name, operand }
    case 'within':
      return second === undefined || geometry === undefined
        ? null
        : { op: name, longitude: operand, latitude: second, geometry }
  }
  const values = valuesOf(args.slice(1))
  const [low, high] = values ?? []
  if (values === null || low === undefined) return null
  if (name === 'in') return { op: name, operand, values: sortScalars(values) }
  if (name === 'between') return high === undefined ? null : { op: name, operand, low, high }
  const comparison = COMPARISON_OF.get(name)
  return comparison === undefined ? null : { op: 'compare', operand, comparison, value: low }
}

/** The values of constants. Null: one of them is no constant, or is null. */
function valuesOf(args: readonly Expression[]): readonly Scalar[] | null {
  const values: Scalar[] = []
  for (const arg of args) {
    if (arg.kind !== 'constant' || arg.value === null) return null
    values.push(arg.value)
  }
  return values
}

/** Constants of one type in ascending order, each once. */
export function sortScalars(values: readonly Scalar[]): readonly Scalar[] {
  const isAscending = values.every((value, index) => {
    const previous = values[index - 1]
    return previous === undefined || compareScalars(previous, value) < 0
  })
  if (isAscending) return values
  return values.toSorted(compareScalars).filter((value, index, sorted) => {
    const previous = sorted[index - 1]
    return previous === undefined || compareScalars(previous, value) !== 0
  })
}

/** The conditions that a filter has, all of which a row must pass. Null: there is no filter. */
export function conjunctsOf(filter: Condition | null): readonly Condition[] {
  if (filter === null) return []
  const test = testOf(filter)
  return test.op === 'and' ? test.args : [filter]
}

/** Whether a condition is made of others: all or one of them, or the negation of one. */
export function isCombined(condition: Condition): boolean {
  const { op } = testOf(condition)
  return op === 'and' || op === 'or' || op === 'not'
}
