import { columnsOf, type Predicate } from './predicate.ts'

/**
 * A predicate on some columns alone that is true for each row for which the given one is true. Null: that says nothing of these
 * columns.
 */
export function impliedOn(predicate: Predicate, isKnown: (column: string) => boolean): Predicate | null {
  if (predicate.op !== 'and' && predicate.op !== 'or')
    return columnsOf(predicate).every(isKnown) ? predicate : null
  const args = predicate.args.flatMap((arg) => impliedOn(arg, isKnown) ?? [])
  if (predicate.op === 'or') return args.length < predicate.args.length ? null : { op: 'or', args }
  return args.length === 0 ? null : { op: 'and', args }
}
