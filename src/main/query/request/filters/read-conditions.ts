import {
  at,
  type Members,
  readArray,
  readSpelledText,
  readSpelling,
  readText,
  reject,
} from '../../../json/shape.ts'
import type { BetweenFilter, Filter, WithinFilter } from './filter.ts'
import {
  COLUMN,
  COMPARISONS,
  EQ,
  HIGH,
  LATITUDE,
  LISTS,
  LONGITUDE,
  LOW,
  MATCHES,
  NEQ,
  OPERATORS,
  POINT,
} from './filter-members.ts'
import { readEqualValue, readOrderedValue } from './filter-value.ts'
import { readGeometry } from './geometry.ts'

/**
 * The conditions of an object of which all members are known: a range for a lower and an upper bound, one for each other operator,
 * and the test of a point. They are in the order of the lists of members, and all of them must hold. `count` is called for each
 * value of a list.
 */
export function readConditions(members: Members, path: string, count: (path: string) => void): Filter[] {
  const column = (): string => readSpelledText(members, COLUMN, path)
  const conditions = [
    ...readComparisons(members, column, path),
    ...readLists(members, column, path, count),
    ...readMatches(members, column, path),
  ]
  if (!POINT.some((key) => members.has(key))) return conditions
  if (conditions.length === 0 && COLUMN.some((key) => members.has(key)))
    reject(path, `"column" is given without an operator, expected one of ${OPERATORS.join(', ')}`)
  return [...conditions, readWithin(members, path)]
}

/**
 * The test for null that `eq` or `neq` with null stands for. Null: the object, which has no operator that is not null, has neither
 * of them, or both.
 */
export function readNullOperator(
  value: Readonly<Record<string, unknown>>,
  members: Members,
  path: string,
): Filter | null {
  const isNull = (key: string): boolean => Object.hasOwn(value, key) && value[key] === null
  const [isEq, isNeq] = [EQ.some(isNull), NEQ.some(isNull)]
  if (isEq === isNeq) return null
  const column = readSpelledText(members, COLUMN, path)
  return Object.freeze({ kind: isEq ? 'is_null' : 'is_not_null', column, path })
}

function readComparisons(members: Members, column: () => string, path: string): readonly Filter[] {
  const range = readRange(members, column, path)
  const others = COMPARISONS.flatMap(([comparison, spellings]): Filter[] => {
    const member = readSpelling(members, spellings, path)
    if (member === null || (range !== null && (spellings === LOW || spellings === HIGH))) return []
    const read = spellings === EQ || spellings === NEQ ? readEqualValue : readOrderedValue
    const value = read(member.value, at(path, member.key))
    return [Object.freeze({ kind: 'compare', column: column(), comparison, value, path })]
  })
  return range === null ? others : [range, ...others]
}

/** Reads an inclusive lower bound and an inclusive upper one. Null: the object does not have both. */
function readRange(members: Members, column: () => string, path: string): BetweenFilter | null {
  const low = readSpelling(members, LOW, path)
  const high = readSpelling(members, HIGH, path)
  if (low === null || high === null) return null
  const name = column()
  const lowValue = readOrderedValue(low.value, at(path, low.key))
  const highValue = readOrderedValue(high.value, at(path, high.key))
  if (lowValue.kind !== highValue.kind) {
    const kindsFound = `"${low.key}" is a ${lowValue.kind} and "${high.key}" a ${highValue.kind}`
    const isTime = lowValue.kind === 'date-time' || highValue.kind === 'date-time'
    reject(path, `${kindsFound}, expected one kind${isTime ? '; write both as in 2024-02-29T00:00:00' : ''}`)
  }
  return Object.freeze({ kind: 'between', column: name, low: lowValue, high: highValue, path })
}

function readLists(
  members: Members,
  column: () => string,
  path: string,
  count: (path: string) => void,
): readonly Filter[] {
  return LISTS.filter((key) => members.has(key)).map((key) => {
    const values = readArray(members.get(key), at(path, key), (item, itemPath) => {
      count(itemPath)
      return readEqualValue(item, itemPath)
    })
    const isIn: Filter = Object.freeze({ kind: 'in', column: column(), values, path })
    return key === 'in' ? isIn : Object.freeze({ kind: 'not', arg: isIn })
  })
}

function readMatches(members: Members, column: () => string, path: string): readonly Filter[] {
  return MATCHES.filter((key) => members.has(key)).map((match) => {
    const pattern = readText(members.get(match), at(path, match))
    return Object.freeze({ kind: 'match', column: column(), match, pattern, path })
  })
}

function readWithin(members: Members, path: string): WithinFilter {
  const longitude = readSpelledText(members, LONGITUDE, path)
  const latitude = readSpelledText(members, LATITUDE, path)
  if (!members.has('geometry')) reject(path, '"geometry" is missing')
  const geometry = readGeometry(members.get('geometry'), at(path, 'geometry'))
  return Object.freeze({ kind: 'within', longitude, latitude, geometry, path })
}
