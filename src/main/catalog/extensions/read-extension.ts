import { alternatives } from '../../../plan/alternatives.ts'
import { didYouMean } from '../../../plan/nearest-name.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import {
  at,
  checkMembers,
  describe,
  isObject,
  type Members,
  readArray,
  readMembers,
  readOptionalText,
  readText,
  reject,
} from '../../json/shape.ts'
import { EXTENSION_KINDS, type Extension, type ExtensionKind, PRESET_OPERATORS } from './extension.ts'

/** The most characters of one extension as JSON. */
const MOST_CHARACTERS = 65_536

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/

/** Throws `invalid_query` for a kind that is not known. `path`: where it stands. */
export function readKind(text: string, path: string): ExtensionKind {
  const kind = EXTENSION_KINDS.find((each) => each === text)
  return (
    kind ??
    reject(path, `${describe(text)} is no kind of extension, which are ${alternatives(EXTENSION_KINDS)}`)
  )
}

/**
 * The value of an extension, which is what `parseJson` returns. Throws `invalid_query` with the path of the member that is wrong.
 * @param columns Those that it may name. Null: they are not known, and any may be named.
 */
export function readExtension(kind: ExtensionKind, value: unknown, columns: Schema | null): Extension {
  if (!isObject(value)) return reject(kind, `expected an object, found ${describe(value)}`)
  const size = JSON.stringify(value).length
  if (size > MOST_CHARACTERS)
    reject(kind, `it has ${size} characters as JSON, more than the ${MOST_CHARACTERS} that are stored`)
  const members = readMembers(value, kind)
  const names = columns?.fields.map(({ name }) => name) ?? null
  if (kind === 'mcp') checkMcp(members, kind, names)
  else checkPresets(members, kind, names)
  return Object.freeze(Object.fromEntries(members))
}

type Names = readonly string[] | null

function checkMcp(members: Members, path: string, columns: Names): void {
  checkMembers(
    members,
    ['enabled', 'tool_name', 'title', 'description', 'exposed_columns', 'guardrails'],
    path,
  )
  const enabled = members.get('enabled')
  if (enabled !== undefined && typeof enabled !== 'boolean')
    reject(at(path, 'enabled'), `expected true or false, found ${describe(enabled)}`)
  const toolName = readOptionalText(members, 'tool_name', path)
  if (toolName !== null && !TOOL_NAME.test(toolName))
    reject(
      at(path, 'tool_name'),
      `expected 1 to 64 letters A to Z, digits, "_" and "-", found ${describe(toolName)}`,
    )
  readOptionalText(members, 'title', path)
  readOptionalText(members, 'description', path)
  const exposed = members.get('exposed_columns')
  if (exposed !== undefined)
    readArray(exposed, at(path, 'exposed_columns'), (item, itemPath) => checkExposed(item, itemPath, columns))
  const guardrails = members.get('guardrails')
  if (guardrails !== undefined && !isObject(guardrails))
    reject(at(path, 'guardrails'), `expected an object, found ${describe(guardrails)}`)
}

function checkExposed(item: unknown, path: string, columns: Names): void {
  if (typeof item === 'string') {
    checkColumn(item, path, columns)
    return
  }
  const members = readMembers(item, path)
  checkMembers(members, ['name', 'description'], path)
  checkColumn(members.get('name'), at(path, 'name'), columns)
  readOptionalText(members, 'description', path)
}

function checkPresets(members: Members, path: string, columns: Names): void {
  checkMembers(members, ['presets'], path)
  const names = readArray(members.get('presets'), at(path, 'presets'), (item, itemPath) =>
    checkPreset(item, itemPath, columns),
  )
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) reject(at(path, 'presets'), `${describe(twice)} is there twice`)
}

/** Returns its name. */
function checkPreset(item: unknown, path: string, columns: Names): string {
  const members = readMembers(item, path)
  checkMembers(members, ['name', 'description', 'filters'], path)
  const name = readText(members.get('name'), at(path, 'name'))
  if (name === '') reject(at(path, 'name'), 'a name has at least one character')
  readOptionalText(members, 'description', path)
  readArray(members.get('filters'), at(path, 'filters'), (filter, filterPath) =>
    checkFilter(filter, filterPath, columns),
  )
  return name
}

function checkFilter(item: unknown, path: string, columns: Names): void {
  const members = readMembers(item, path)
  checkMembers(members, ['column', 'op', 'value'], path)
  checkColumn(members.get('column'), at(path, 'column'), columns)
  const op = readText(members.get('op'), at(path, 'op'))
  if (!PRESET_OPERATORS.some((each) => each === op))
    reject(at(path, 'op'), `${describe(op)} is no operator, which are ${alternatives(PRESET_OPERATORS)}`)
  const [value, valuePath] = [members.get('value'), at(path, 'value')]
  if (op === 'between' || op === 'in') checkList(op, value, valuePath)
  else checkScalar(value, valuePath)
}

function checkList(op: string, value: unknown, path: string): void {
  const { length } = readArray(value, path, checkScalar)
  if (op === 'between' && length !== 2) reject(path, `expected two values, found ${length}`)
  if (op === 'in' && length === 0) reject(path, 'expected at least one value')
}

function checkScalar(value: unknown, path: string): void {
  if (value === undefined || value === null || Array.isArray(value) || isObject(value))
    reject(path, `expected a number, a string or a boolean, found ${describe(value)}`)
}

function checkColumn(value: unknown, path: string, columns: Names): void {
  const name = readText(value, path)
  if (columns === null || columns.includes(name)) return
  reject(path, `there is no column ${describe(name)}${didYouMean(name, columns)}`)
}
