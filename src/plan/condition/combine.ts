import { expressionKey } from '../expression.ts'
import type { Scalar } from '../types/scalar.ts'
import { type Condition, conditionCall, FALSE, isNotNull, isNull, isOneOf, TRUE } from './condition.ts'
import { conjunctsOf, sortScalars, type TestOf, testOf } from './test.ts'

/** The conjunction of `conditions`. Nested conjunctions are flattened, and true and false are folded. */
export function all(conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap(conjunctsOf)
  if (flat.some((each) => isConstant(each, false))) return FALSE
  const [first, ...rest] = flat.filter((each) => !isConstant(each, true))
  if (first === undefined) return TRUE
  return rest.length === 0 ? first : conditionCall('and', [first, ...rest])
}

/**
 * The disjunction of `conditions`. Nested disjunctions are flattened, true and false are folded, and equalities of one operand become
 * one `in`.
 */
export function any(conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap((each) => {
    const test = testOf(each)
    return test.op === 'or' ? test.args : [each]
  })
  if (flat.some((each) => isConstant(each, true))) return TRUE
  const [first, ...rest] = gatherEqualities(flat.filter((each) => !isConstant(each, false)))
  if (first === undefined) return FALSE
  return rest.length === 0 ? first : conditionCall('or', [first, ...rest])
}

/** The negation of a condition. That of a test for null is the other test. */
export function negation(condition: Condition): Condition {
  const test = testOf(condition)
  switch (test.op) {
    case 'constant':
      return test.value === null ? condition : test.value ? FALSE : TRUE
    case 'is_null':
      return isNotNull(test.operand)
    case 'is_not_null':
      return isNull(test.operand)
    case 'not':
      return test.arg
    default:
      return conditionCall('not', [condition])
  }
}

/** The condition as a filter. Null: every row passes. */
export function unlessTrue(condition: Condition): Condition | null {
  return isConstant(condition, true) ? null : condition
}

/** Whether a condition is that truth for each row. */
export function isConstant(condition: Condition, truth: boolean): boolean {
  const test = testOf(condition)
  return test.op === 'constant' && test.value === truth
}

/**
 * Replaces several equalities of one operand by an `in`, where the first of them stands. Its values ascend and have no
 * duplicates.
 */
function gatherEqualities(conditions: readonly Condition[]): readonly Condition[] {
  const lists = new Map<string, Scalar[]>()
  const gathered: {
    readonly condition: Condition
    readonly test: Equality | null
    readonly values: Scalar[]
  }[] = []
  for (const condition of conditions) {
    const test = equalityOf(condition)
    if (test === null) {
      gathered.push({ condition, test, values: [] })
      continue
    }
    const key = expressionKey(test.operand)
    const listedValues = lists.get(key)
    const values = listedValues ?? []
    for (const value of test.op === 'in' ? test.values : [test.value]) values.push(value)
    if (listedValues !== undefined) continue
    lists.set(key, values)
    gathered.push({ condition, test, values })
  }
  return gathered.map(({ condition, test, values }) => {
    const distinct = sortScalars(values)
    return test === null || distinct.length < 2 ? condition : isOneOf(test.operand, distinct)
  })
}

type Equality = TestOf<'compare' | 'in'>

/** Null: a condition is no equality with constants. */
function equalityOf(condition: Condition): Equality | null {
  const test = testOf(condition)
  return test.op === 'in' || (test.op === 'compare' && test.comparison === 'eq') ? test : null
}
