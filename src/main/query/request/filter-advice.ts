import { COLUMN, SYNONYMS } from './filter-members.ts'
import { at, describe, isObject, type Members, reject } from './shape.ts'

const EXAMPLE = '{"column": "depth", "gt": 5}'

/** Rejects a condition in a form of other query languages, and shows the form that it has here. */
export function rejectOtherForms(value: unknown, path: string): void {
  if (typeof value === 'string')
    reject(path, `expected an object such as ${EXAMPLE}, found ${describe(value)}`)
}

/** Rejects an object that names the operator by its value, or the column by its member. */
export function rejectOtherMembers(members: Members, path: string): void {
  for (const [key, value] of members) {
    if (/^(?:op|operator|comparison|cmp)$/i.test(key)) {
      const operator = typeof value === 'string' ? (SYNONYMS.get(value.toLowerCase()) ?? value) : 'gt'
      reject(
        at(path, key),
        `unknown member; the operator is itself a member, as in {"column": "depth", ${JSON.stringify(operator)}: 5}`,
      )
    }
    if (isObject(value) && members.size === 1 && !COLUMN.includes(key) && key !== 'geometry')
      reject(at(path, key), `unknown member; the column is the value of "column", as in ${EXAMPLE}`)
  }
}
