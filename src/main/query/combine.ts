import type { Predicate } from '../../plan/predicate.ts'
import { compareScalars } from './compare.ts'

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

type Equality = Extract<Predicate, { op: 'compare' }>

/** Each `in` takes the place of the first of its equalities; its values ascend, each once. */
function gatherEqualities(args: readonly Predicate[]): readonly Predicate[] {
  const byColumn = new Map<string, Equality[]>()
  const kept = args.filter((arg) => {
    if (arg.op !== 'compare' || arg.comparison !== 'eq') return true
    const same = byColumn.get(arg.column)
    if (same === undefined) byColumn.set(arg.column, [arg])
    else same.push(arg)
    return same === undefined
  })
  return kept.map((arg) => {
    const same = arg.op === 'compare' && arg.comparison === 'eq' ? (byColumn.get(arg.column) ?? []) : []
    return arg.op === 'compare' && same.length > 1 ? oneOf(arg, same) : arg
  })
}

function oneOf({ column, type }: Equality, equalities: readonly Equality[]): Predicate {
  const values = equalities
    .map((equality) => equality.value)
    .sort(compareScalars)
    .filter((value, index, sorted) => {
      const previous = sorted[index - 1]
      return previous === undefined || compareScalars(previous, value) !== 0
    })
  return Object.freeze({ op: 'in', column, type, values: Object.freeze(values) })
}
