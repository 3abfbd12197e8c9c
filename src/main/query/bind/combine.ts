import { compareScalars } from '../../../plan/predicate/compare.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'

export const TRUE: Predicate = Object.freeze({ op: 'constant', value: true })
export const FALSE: Predicate = Object.freeze({ op: 'constant', value: false })

/** All of `args`: flat, without constants. */
export function all(args: readonly Predicate[]): Predicate {
  const flat = args.flatMap((arg) => (arg.op === 'and' ? arg.args : [arg]))
  if (flat.some((arg) => arg.op === 'constant' && !arg.value)) return FALSE
  const [first, ...rest] = flat.filter((arg) => arg.op !== 'constant')
  if (first === undefined) return TRUE
  return rest.length === 0 ? first : Object.freeze({ op: 'and', args: Object.freeze([first, ...rest]) })
}

/** Any of `args`: flat, without constants, values that one column may equal gathered into one `in`. */
export function any(args: readonly Predicate[]): Predicate {
  const flat = args.flatMap((arg) => (arg.op === 'or' ? arg.args : [arg]))
  if (flat.some((arg) => arg.op === 'constant' && arg.value)) return TRUE
  const [first, ...rest] = gatherEqualities(flat.filter((arg) => arg.op !== 'constant'))
  if (first === undefined) return FALSE
  return rest.length === 0 ? first : Object.freeze({ op: 'or', args: Object.freeze([first, ...rest]) })
}

type OneOf = Extract<Predicate, { op: 'compare' | 'in' }>

/** Each list takes the place of the first of its equalities; its values ascend, each once. */
function gatherEqualities(args: readonly Predicate[]): readonly Predicate[] {
  const byColumn = new Map<string, Scalar[]>()
  const kept = args.filter((arg) => {
    if (!isEquality(arg)) return true
    const known = byColumn.get(arg.column)
    const values = arg.op === 'in' ? arg.values : [arg.value]
    if (known === undefined) byColumn.set(arg.column, [...values])
    else for (const value of values) known.push(value)
    return known === undefined
  })
  return kept.map((arg) => {
    const values = isEquality(arg) ? ascending(byColumn.get(arg.column) ?? []) : []
    if (!isEquality(arg) || values.length < 2) return arg
    return Object.freeze({ op: 'in', column: arg.column, type: arg.type, values: Object.freeze(values) })
  })
}

function isEquality(predicate: Predicate): predicate is OneOf {
  return predicate.op === 'in' || (predicate.op === 'compare' && predicate.comparison === 'eq')
}

function ascending(values: readonly Scalar[]): Scalar[] {
  return values.toSorted(compareScalars).filter((value, index, sorted) => {
    const previous = sorted[index - 1]
    return previous === undefined || compareScalars(previous, value) !== 0
  })
}
