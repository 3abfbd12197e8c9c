import { compareScalars } from '../../../../plan/predicate/compare.ts'
import { type Operand, operandKey, type Predicate } from '../../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'

type Constant = Extract<Predicate, { op: 'constant' }>

export const TRUE: Constant = Object.freeze({ op: 'constant', value: true })
export const FALSE: Constant = Object.freeze({ op: 'constant', value: false })

/** The conjunction of `args`. Nested conjunctions are flattened, and constants are folded. */
export function all<O extends Operand>(args: readonly Predicate<O>[]): Predicate<O> {
  const flat = args.flatMap((arg) => (arg.op === 'and' ? arg.args : [arg]))
  if (flat.some((arg) => arg.op === 'constant' && !arg.value)) return FALSE
  const [first, ...rest] = flat.filter((arg) => arg.op !== 'constant')
  if (first === undefined) return TRUE
  return rest.length === 0 ? first : Object.freeze({ op: 'and', args: Object.freeze([first, ...rest]) })
}

/**
 * The disjunction of `args`. Nested disjunctions are flattened, constants are folded, and equalities of one operand become one
 * `in`.
 */
export function any<O extends Operand>(args: readonly Predicate<O>[]): Predicate<O> {
  const flat = args.flatMap((arg) => (arg.op === 'or' ? arg.args : [arg]))
  if (flat.some((arg) => arg.op === 'constant' && arg.value)) return TRUE
  const [first, ...rest] = gatherEqualities(flat.filter((arg) => arg.op !== 'constant'))
  if (first === undefined) return FALSE
  return rest.length === 0 ? first : Object.freeze({ op: 'or', args: Object.freeze([first, ...rest]) })
}

/** The negation of a predicate. That of a test for null is the other test. */
export function negation<O extends Operand>(predicate: Predicate<O>): Predicate<O> {
  switch (predicate.op) {
    case 'constant':
      return predicate.value ? FALSE : TRUE
    case 'is_null':
      return Object.freeze({ op: 'is_not_null', operand: predicate.operand })
    case 'is_not_null':
      return Object.freeze({ op: 'is_null', operand: predicate.operand })
    case 'not':
      return predicate.arg
    default:
      return Object.freeze({ op: 'not', arg: predicate })
  }
}

type OneOf<O extends Operand> = Extract<Predicate<O>, { op: 'compare' | 'in' }>

/**
 * Replaces several equalities of one operand by an `in`, where the first of them stands. Its values ascend and have no
 * duplicates.
 */
function gatherEqualities<O extends Operand>(args: readonly Predicate<O>[]): readonly Predicate<O>[] {
  const lists = new Map<string, Scalar[]>()
  const gathered: { readonly arg: Predicate<O>; readonly values: Scalar[] }[] = []
  for (const arg of args) {
    if (!isEquality(arg)) {
      gathered.push({ arg, values: [] })
      continue
    }
    const key = operandKey(arg.operand)
    const listedValues = lists.get(key)
    const values = listedValues ?? []
    for (const value of arg.op === 'in' ? arg.values : [arg.value]) values.push(value)
    if (listedValues !== undefined) continue
    lists.set(key, values)
    gathered.push({ arg, values })
  }
  return gathered.map(({ arg, values }) => {
    const distinct = isEquality(arg) ? sortScalars(values) : []
    if (!isEquality(arg) || distinct.length < 2) return arg
    return Object.freeze({ op: 'in', operand: arg.operand, values: Object.freeze(distinct) })
  })
}

function isEquality<O extends Operand>(predicate: Predicate<O>): predicate is OneOf<O> {
  return predicate.op === 'in' || (predicate.op === 'compare' && predicate.comparison === 'eq')
}

function sortScalars(values: readonly Scalar[]): Scalar[] {
  return values.toSorted(compareScalars).filter((value, index, sorted) => {
    const previous = sorted[index - 1]
    return previous === undefined || compareScalars(previous, value) !== 0
  })
}
