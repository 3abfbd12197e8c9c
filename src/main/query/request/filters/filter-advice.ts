import { at, describe, type Members, reject } from '../../../json/shape.ts'
import { HINTS } from './filter-members.ts'

/** Rejects a condition that is written as a text, and shows the form that it has here. */
export function rejectText(value: unknown, path: string): void {
  if (typeof value === 'string')
    reject(path, `expected an object such as {"column": "depth", "gt": 5}, found ${describe(value)}`)
}

/** Rejects an object that has its operator as a value, such as `"op": ">"`. */
export function rejectOperatorAsValue(members: Members, path: string): void {
  for (const [key, value] of members) {
    if (!/^(?:op|operator|comparison|cmp)$/i.test(key)) continue
    const word = typeof value === 'string' ? value.toLowerCase() : ''
    const [operator = 'gt'] = HINTS.synonyms.get(word) ?? []
    reject(
      at(path, key),
      `unknown member; the operator is itself a member, as in {"column": "depth", "${operator}": 5}`,
    )
  }
}
