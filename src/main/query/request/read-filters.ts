import type { Filter } from './filter.ts'
import { ALONE, COLUMN, NULL_TESTS, OPERATORS, SYNONYMS, TOGETHER } from './filter-members.ts'
import { readConditions } from './read-conditions.ts'
import {
  at,
  checkMembers,
  describe,
  MAX_DEPTH,
  type Members,
  readArray,
  readMembers,
  readSpelledText,
  reject,
} from './shape.ts'

/** The most filters in one request, `and` and `or` included. */
const MAX_FILTERS = 10_000

/** All members of filters, as messages list them. */
const KNOWN: readonly string[] = [...TOGETHER, ...ALONE]

/** The filters of the members `filter` and `filters`, in this order. A row must pass all of them. */
export function readFilters(filter: unknown, filters: unknown): readonly Filter[] {
  const budget = { left: MAX_FILTERS }
  const single = filter === undefined ? [] : [readFilter(filter, 'filter', 0, budget)]
  const list =
    filters === undefined
      ? []
      : readArray(filters, 'filters', (item, path) => readFilter(item, path, 0, budget))
  return Object.freeze([...single, ...list])
}

function readFilter(value: unknown, path: string, depth: number, budget: { left: number }): Filter {
  if (depth > MAX_DEPTH) reject(path, `filters may be nested ${MAX_DEPTH} deep`)
  if (budget.left-- === 0) reject(path, `a request may hold ${MAX_FILTERS} filters`)
  const members = readMembers(value, path)
  const key = ALONE.find((name) => members.has(name))
  if (key === undefined) return readTogether(members, path)
  if (members.size > 1) reject(path, `"${key}" must be the only member of its object`)
  const [member, memberPath] = [members.get(key), at(path, key)]
  const nullTest = NULL_TESTS.get(key)
  if (nullTest !== undefined) return readNullTest(nullTest, member, memberPath, path)
  const args = readArray(member, memberPath, (arg, argPath) => readFilter(arg, argPath, depth + 1, budget))
  return Object.freeze({ kind: key === 'and' ? 'and' : 'or', args })
}

function readNullTest(
  kind: 'is_null' | 'is_not_null',
  value: unknown,
  valuePath: string,
  path: string,
): Filter {
  const members = readMembers(value, valuePath)
  checkMembers(members, COLUMN, valuePath, SYNONYMS)
  return Object.freeze({ kind, column: readSpelledText(members, COLUMN, valuePath), path })
}

/** Reads an object whose members all hold together. */
function readTogether(members: Members, path: string): Filter {
  checkMembers(members, KNOWN, path, SYNONYMS)
  const conditions = readConditions(members, path)
  const [first, ...others] = conditions
  if (first === undefined) {
    return reject(
      path,
      `no filter in ${describe([...members.keys()].join(', '))}: expected "column" with one of ${OPERATORS.join(', ')}; ` +
        `or one of ${ALONE.join(', ')}; or "longitude_column", "latitude_column" and "geometry"`,
    )
  }
  return others.length === 0 ? first : Object.freeze({ kind: 'and', args: Object.freeze(conditions) })
}
