import { nearestName } from '../../../../plan/nearest-name.ts'
import {
  at,
  checkMembers,
  describe,
  isObject,
  MAX_DEPTH,
  type Members,
  readArray,
  readMembers,
  readSpelledText,
  reject,
} from '../../../json/shape.ts'
import type { Filter, NullFilter } from './filter.ts'
import { ALONE, COLUMN, HINTS, NULL_TESTS, OPERATORS, TOGETHER } from './filter-members.ts'
import { readConditions, readNullOperator } from './read-conditions.ts'

/** The most filters in one request, `and`, `or`, `not` and the values of `in` and `not_in` included. */
const MAX_FILTERS = 10_000

/** All members of filters, as messages list them. */
const KNOWN: readonly string[] = [...TOGETHER, ...ALONE]

/** The filters of the members `filter` and `filters`, in this order. A row must pass all of them. */
export function readFilters(filter: unknown, filters: unknown): readonly Filter[] {
  const count = createCount()
  if (Array.isArray(filter)) reject('filter', 'expected an object, found an array; "filters" is a list')
  if (typeof filters === 'string')
    reject('filters', `expected an array such as [{"column": "depth", "gt": 5}], found ${describe(filters)}`)
  if (isObject(filters)) reject('filters', 'expected an array, found an object; "filter" is a single one')
  const single = filter === undefined ? [] : [readFilter(filter, 'filter', 0, count)]
  const list = filters === undefined ? [] : readFilterList(filters, 'filters', count)
  return Object.freeze([...single, ...list])
}

/** The filters of a list. `path`: where it stands, for messages. */
export function readFilterList(list: unknown, path: string, count = createCount()): readonly Filter[] {
  return readArray(list, path, (item, itemPath) => readFilter(item, itemPath, 0, count))
}

/** Counts filters, and rejects the one that is too many. */
function createCount(): (path: string) => void {
  let remaining = MAX_FILTERS
  return (path) => {
    if (remaining-- === 0) reject(path, `a request may hold ${MAX_FILTERS} filters, values of lists included`)
  }
}

function readFilter(value: unknown, path: string, depth: number, count: (path: string) => void): Filter {
  if (depth > MAX_DEPTH) reject(path, `filters may be nested ${MAX_DEPTH} deep`)
  count(path)
  rejectText(value, path)
  const members = readMembers(value, path)
  const key = ALONE.find((name) => members.has(name))
  if (key === undefined) return readTogether(value, members, path, count)
  if (members.size > 1) {
    const form = NULL_TESTS.has(key) ? `, as in {"${key}": {"column": …}}` : ''
    reject(path, `"${key}" must be the only member of its object${form}`)
  }
  const [member, memberPath] = [members.get(key), at(path, key)]
  const read = (arg: unknown, argPath: string): Filter => readFilter(arg, argPath, depth + 1, count)
  switch (key) {
    case 'and':
    case 'or':
      return Object.freeze({ kind: key, args: readArray(member, memberPath, read) })
    case 'not':
      return Object.freeze({ kind: key, arg: read(member, memberPath) })
    default:
      return readNullTest(NULL_TESTS.get(key) ?? 'is_not_null', member, memberPath, path)
  }
}

function readNullTest(kind: NullFilter['kind'], value: unknown, valuePath: string, path: string): NullFilter {
  if (typeof value === 'string') reject(valuePath, `expected an object, write {"column": ${describe(value)}}`)
  const members = readMembers(value, valuePath)
  checkMembers(members, COLUMN, valuePath, { ...HINTS, listed: COLUMN })
  return Object.freeze({ kind, column: readSpelledText(members, COLUMN, valuePath), path })
}

/** Reads an object whose members all hold together. */
function readTogether(value: unknown, members: Members, path: string, count: (path: string) => void): Filter {
  rejectOperatorAsValue(members, path)
  if (!KNOWN.some((key) => members.has(key))) checkColumnIsNamed([...members.keys()], path)
  checkMembers(members, KNOWN, path, HINTS)
  const conditions = readConditions(members, path, count)
  const [first, ...others] = conditions
  if (first === undefined) {
    const nullTest = isObject(value) ? readNullOperator(value, members, path) : null
    return nullTest ?? notAFilter([...members.keys()], path)
  }
  return others.length === 0 ? first : Object.freeze({ kind: 'and', args: Object.freeze(conditions) })
}

/** Rejects an object whose members look like columns: none is known, and none is near to a known one. */
function checkColumnIsNamed(members: readonly string[], path: string): void {
  const [first] = members
  if (first === undefined) return
  if (members.some((key) => HINTS.synonyms.has(key.toLowerCase()) || nearestName(key, KNOWN) !== null)) return
  reject(path, `no filter in ${describe(members.join(', '))}: write {"column": ${describe(first)}, "eq": …}`)
}

function notAFilter(members: readonly string[], path: string): never {
  reject(
    path,
    `no filter in ${describe(members.join(', '))}: expected "column" with one of ${OPERATORS.join(', ')}; ` +
      `or one of ${ALONE.join(', ')}; or "longitude_column", "latitude_column" and "geometry"`,
  )
}

/** Rejects a condition that is written as a text, and shows the form that it has here. */
function rejectText(value: unknown, path: string): void {
  if (typeof value === 'string')
    reject(path, `expected an object such as {"column": "depth", "gt": 5}, found ${describe(value)}`)
}

/** Rejects an object that has its operator as a value, such as `"op": ">"`. */
function rejectOperatorAsValue(members: Members, path: string): void {
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
