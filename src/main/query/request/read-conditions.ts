import type { BetweenFilter, Filter, WithinFilter } from './filter.ts'
import { COLUMN, COMPARISONS, HIGH, LATITUDE, LONGITUDE, LOW, OPERATORS, POINT } from './filter-members.ts'
import { readFilterValue } from './filter-value.ts'
import { readGeometry } from './geometry.ts'
import { at, type Members, readSpelledText, reject, spelled } from './shape.ts'

/**
 * The conditions of an object of which all members are known: a range for a lower and an upper bound, another comparison for each
 * other operator, and the test of a point. They are in the order of the lists of members, and all of them must hold.
 */
export function readConditions(members: Members, path: string): readonly Filter[] {
  const comparisons = readComparisons(members, path)
  const isPoint = POINT.some((key) => members.has(key))
  if (isPoint && comparisons.length === 0 && COLUMN.some((key) => members.has(key)))
    reject(path, `"column" is given without an operator, expected one of ${OPERATORS.join(', ')}`)
  return isPoint ? [...comparisons, readWithin(members, path)] : comparisons
}

function readComparisons(members: Members, path: string): readonly Filter[] {
  const range = readRange(members, path)
  const others = COMPARISONS.flatMap(([comparison, spellings]): Filter[] => {
    const member = spelled(members, spellings, path)
    if (member === null || (range !== null && (spellings === LOW || spellings === HIGH))) return []
    const column = readSpelledText(members, COLUMN, path)
    const value = readFilterValue(member.value, at(path, member.key))
    return [Object.freeze({ kind: 'compare', column, comparison, value, path })]
  })
  return range === null ? others : [range, ...others]
}

/** Reads an inclusive lower bound and an inclusive upper one. Null: the object does not have both. */
function readRange(members: Members, path: string): BetweenFilter | null {
  const low = spelled(members, LOW, path)
  const high = spelled(members, HIGH, path)
  if (low === null || high === null) return null
  const column = readSpelledText(members, COLUMN, path)
  const lowValue = readFilterValue(low.value, at(path, low.key))
  const highValue = readFilterValue(high.value, at(path, high.key))
  if (lowValue.kind !== highValue.kind) {
    const found = `"${low.key}" is a ${lowValue.kind} and "${high.key}" a ${highValue.kind}`
    reject(path, `${found}, expected one kind`)
  }
  return Object.freeze({ kind: 'between', column, low: lowValue, high: highValue, path })
}

function readWithin(members: Members, path: string): WithinFilter {
  const longitude = readSpelledText(members, LONGITUDE, path)
  const latitude = readSpelledText(members, LATITUDE, path)
  if (!members.has('geometry')) reject(path, '"geometry" is missing')
  const geometry = readGeometry(members.get('geometry'), at(path, 'geometry'))
  return Object.freeze({ kind: 'within', longitude, latitude, geometry, path })
}
