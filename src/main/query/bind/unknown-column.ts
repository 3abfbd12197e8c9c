import { ServiceError } from '../../../plan/errors.ts'
import { listNames, nearestName } from '../../../plan/nearest-name.ts'
import { adviceOnCall } from './aggregates.ts'

/** Throws `unknown_column`. `where` is the relation or clause that was searched, and `names` are the columns that it has. */
export function unknownColumn(name: string, path: string, where: string, names: readonly string[]): never {
  throw new ServiceError(
    'unknown_column',
    `${path}: there is no column ${JSON.stringify(name)} in ${where}; ${adviceOn(name, names)}`,
  )
}

/** What to write instead of a name that no column has. */
function adviceOn(name: string, names: readonly string[]): string {
  if (names.length === 0)
    return 'it has no columns. Files are named by "from", as in "from": {"parquet": {"paths": ["…"]}}, and /api/list-datasets lists them'
  const [, called, argument] = /^(\w+)\((.*)\)$/s.exec(name) ?? []
  const near = nearestName(name, names)
  const has = `it has ${listNames(names)}`
  if (name === '*') return `name the columns, or ask in SQL, which has SELECT *; ${has}`
  const aliased = columnWithAlias(name)
  if (aliased !== null) return `another name is given as ${aliased}; ${has}`
  if (called !== undefined && argument !== undefined) return `${adviceOnCall(called, argument)}; ${has}`
  return near === null ? has : `did you mean "${near}"? It has ${listNames(names)}`
}

/** How a column and its alias are written in JSON, if the name is that of both in SQL: `depth AS d`. Null: it is something else. */
function columnWithAlias(name: string): string | null {
  const words = name.trim().split(/\s+/)
  const [as, alias] = words.slice(-2)
  if (words.length < 3 || as?.toLowerCase() !== 'as') return null
  return `{"column": ${JSON.stringify(words.slice(0, -2).join(' '))}, "alias": ${JSON.stringify(alias)}}`
}
