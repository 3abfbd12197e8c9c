import { numberSource } from '../../json/json.ts'
import {
  at,
  checkMembers,
  describe,
  isObject,
  MAX_DEPTH,
  type MemberHints,
  type Members,
  readArray,
  readMembers,
  readOptionalText,
  readSpelledText,
  readText,
  reject,
  synonymsOf,
} from '../../json/shape.ts'

/** One output column of the JSON language (docs/reference/json-language.md). `path` is its JSON path in the request. */
export type SelectEntry = ColumnEntry | FunctionEntry | ValueEntry

export interface ColumnEntry {
  readonly kind: 'column'
  readonly column: string
  readonly alias: string | null
  readonly path: string
}

export interface FunctionEntry {
  readonly kind: 'function'
  readonly name: string
  readonly args: readonly SelectEntry[]
  readonly alias: string | null
  readonly path: string
}

export interface ValueEntry {
  readonly kind: 'value'
  /** A number is a 64-bit float. */
  readonly value: string | number | boolean | null
  readonly alias: string | null
  readonly path: string
}

export function readSelect(value: unknown, path: string): readonly SelectEntry[] {
  const entries = readArray(value, path, (entry, entryPath) => readEntry(entry, entryPath, 0))
  if (entries.length === 0) reject(path, 'expected at least one column')
  return entries
}

const COLUMN = ['column', 'column_name']

/** The members of each kind of entry. */
const MEMBERS: Readonly<Record<SelectEntry['kind'], readonly string[]>> = Object.freeze({
  column: [...COLUMN, 'alias'],
  function: ['function', 'args', 'alias'],
  value: ['value', 'alias'],
})

/** All members of entries. */
const KNOWN: readonly string[] = [...new Set(Object.values(MEMBERS).flat())]

const HINTS: MemberHints = Object.freeze({
  synonyms: synonymsOf([
    [['column'], ['name', 'field']],
    [['alias'], ['as']],
    [['function'], ['call', 'expr', 'expression', 'fn', 'func']],
    [['args'], ['arguments', 'params']],
    [['value'], ['literal']],
  ]),
  listed: ['column', 'alias', 'function', 'args', 'value'],
})

function readEntry(value: unknown, path: string, depth: number): SelectEntry {
  if (depth > MAX_DEPTH) reject(path, `function arguments may be nested ${MAX_DEPTH} deep`)
  if (typeof value === 'string') {
    return Object.freeze({ kind: 'column', column: readText(value, path), alias: null, path })
  }
  if (!isObject(value)) {
    const isConstant = numberSource(value) !== null || typeof value === 'boolean'
    const form = isConstant ? `; a constant is written {"value": ${describe(value)}}` : ''
    reject(path, `expected a column name or an object, found ${describe(value)}${form}`)
  }
  const members = readMembers(value, path)
  checkMembers(members, KNOWN, path, HINTS)
  const alias = readOptionalText(members, 'alias', path)
  if (COLUMN.some((key) => members.has(key))) {
    checkKind(members, 'column', path)
    const column = readSpelledText(members, COLUMN, path)
    return Object.freeze({ kind: 'column', column, alias, path })
  }
  if (members.has('function')) {
    checkKind(members, 'function', path)
    const name = readText(members.get('function'), at(path, 'function'))
    const args = readArray(members.get('args'), at(path, 'args'), (arg, argPath) =>
      readEntry(arg, argPath, depth + 1),
    )
    return Object.freeze({ kind: 'function', name, args, alias, path })
  }
  // `members` has no nulls, since elsewhere a null member counts as absent. Here null is a value.
  if (Object.hasOwn(value, 'value')) {
    checkKind(members, 'value', path)
    return Object.freeze({
      kind: 'value',
      value: readLiteral(value['value'], at(path, 'value')),
      alias,
      path,
    })
  }
  return reject(path, 'expected a member "column", "function" (with "args") or "value"')
}

/** Rejects a member that belongs to another kind of entry. */
function checkKind(members: Members, kind: SelectEntry['kind'], path: string): void {
  const other = [...members.keys()].find((key) => !MEMBERS[kind].includes(key))
  if (other !== undefined) reject(at(path, other), `an entry with "${kind}" has no "${other}"`)
}

function readLiteral(value: unknown, path: string): ValueEntry['value'] {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return readText(value, path)
  const source = numberSource(value)
  if (source === null) {
    reject(path, `expected a string, a number, a boolean or null, found ${describe(value)}`)
  }
  const number = Number(source)
  if (!Number.isFinite(number)) reject(path, `${describe(value)} is beyond a 64-bit float`)
  return number
}
