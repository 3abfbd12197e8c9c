import { ServiceError } from '../../../plan/errors.ts'
import { listNames, nearestName } from '../../../plan/nearest-name.ts'
import { adviceOnCall } from './aggregates.ts'

/** Throws `unknown_column`. `where` is the relation or clause that was searched, and `names` are the columns that it has. */
export function unknownColumn(name: string, path: string, where: string, names: readonly string[]): never {
  throw new ServiceError(
    'unknown_column',
    `${path}: there is no column ${JSON.stringify(name)} in ${where}; ${adviceOn(name, path, where, names)}`,
    { column: name },
  )
}

/** What to write instead of a name that no column has. */
function adviceOn(name: string, path: string, where: string, names: readonly string[]): string {
  if (names.length === 0) return adviceWithoutColumns(where)
  const form = formOf(name, path, names)
  const near = form === null ? nearestColumn(name, names) : null
  const has = `it has ${listNames(names)}`
  if (form !== null) return `${form}; ${has}`
  return near === null ? has : `did you mean "${near}"? It has ${listNames(names)}`
}

function adviceWithoutColumns(where: string): string {
  return where.endsWith(')')
    ? 'it has no columns, as a file that is empty'
    : 'it has no columns. Files are named by "from", as in "from": {"parquet": {"paths": ["…"]}}, and /api/list-datasets lists them'
}

/** The most characters of a name that a message takes for something else than a name: each pattern looks at all of them, some repeatedly. */
const MOST_CHARACTERS = 200

/** How something is written that was given as the name of a column. Null: it looks like a name. */
function formOf(name: string, path: string, names: readonly string[]): string | null {
  if (name === '*') return 'name the columns, or ask in SQL, which has SELECT *'
  if (name.length > MOST_CHARACTERS) return null
  const [, called, argument] = /^(\w+)\((.*)\)$/s.exec(name) ?? []
  if (called !== undefined && argument !== undefined) return adviceOnCall(called, argument)
  const [, column, alias] = /^(.+?)\s+as\s+(\S+)$/i.exec(name.trim()) ?? []
  if (column !== undefined && alias !== undefined)
    return `another name is given as {"column": ${JSON.stringify(column)}, "alias": ${JSON.stringify(alias)}}`
  const [, distinct] = /^distinct\s+(.+)$/i.exec(name) ?? []
  if (distinct !== undefined)
    return `distinct rows are asked for by "distinct": {"on": [${JSON.stringify(distinct)}], "select": [${JSON.stringify(distinct)}]}`
  const [, outer] = /^(.+?)(?:\.|\[).+$/s.exec(name) ?? []
  if (outer !== undefined && names.includes(outer))
    return `what is inside of "${outer}" is asked for in SQL: {"sql": "SELECT ${name} FROM …"}`
  const [, operand = ''] = /^\s*"?(\w+)"?\s*[-+*/%]\s*\S/.exec(name) ?? []
  if (names.includes(operand)) return `an expression is asked for in SQL: {"sql": "SELECT ${name} FROM …"}`
  return /args\[\d+\]$/.test(path) && nearestName(name, names) === null
    ? `a text that is no column is written {"value": ${JSON.stringify(name)}}`
    : null
}

/** The column that was probably meant: by its letters, without quotes, blanks or the name of a table, or by its beginning. */
function nearestColumn(name: string, names: readonly string[]): string | null {
  if (name.length > MOST_CHARACTERS) return nearestName(name, names)
  const bare = name.replace(/^\s*["'`[]?|["'`\]]?\s*$/g, '')
  const last = bare.replace(/^.*\./s, '')
  const near = nearestName(name, names) ?? [bare, last].find((each) => names.includes(each))
  if (near !== undefined || bare.length < 3) return near ?? null
  return names.find((each) => each.toLowerCase().startsWith(bare.toLowerCase())) ?? null
}
