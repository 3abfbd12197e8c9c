import { ServiceError } from '../../plan/errors.ts'
import { didYouMean } from '../../plan/nearest-name.ts'
import { isExactNumber } from './json.ts'

/** How deep filters, function arguments and geometry collections may be nested. */
export const MAX_DEPTH = 64

/**
 * The members of a JSON object without those that are null, which count as absent. It is a map, because names such as
 * `__proto__` mean something else in an object.
 */
export type Members = ReadonlyMap<string, unknown>

/** Throws `invalid_query`. The message begins with the JSON path of the offending member. */
export function reject(path: string, reason: string): never {
  throw new ServiceError('invalid_query', path === '' ? reason : `${path}: ${reason}`)
}

/** The JSON path of a member of the value at `path`. */
export function at(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
}

export function readMembers(value: unknown, path: string): Members {
  if (!isObject(value)) reject(path, `expected an object, found ${describe(value)}`)
  return new Map(Object.entries(value).filter(([, member]) => member !== null))
}

/** What messages about unknown members need to know. */
export interface MemberHints {
  /** Words of other languages in lower case, and the members that each of them means. */
  readonly synonyms: ReadonlyMap<string, readonly string[]>
  /** The members that are listed if none is near: those without their older spellings. */
  readonly listed: readonly string[]
}

/** Members, and the words of other languages that mean them, in lower case. */
export type Synonyms = readonly [members: readonly string[], words: readonly string[]]

export function synonymsOf(synonyms: readonly Synonyms[]): MemberHints['synonyms'] {
  return new Map(synonyms.flatMap(([members, words]) => words.map((word) => [word, members] as const)))
}

/** Rejects a member that is not among the `allowedKeys`, and names the nearest of them, or all if none is near. */
export function checkMembers(
  members: Members,
  allowedKeys: readonly string[],
  path: string,
  hints?: MemberHints,
): void {
  for (const key of members.keys()) {
    if (allowedKeys.includes(key)) continue
    const meant = hints?.synonyms.get(key.toLowerCase())
    const hint =
      meant === undefined ? didYouMean(key, allowedKeys) : `, did you mean "${meant.join('" and "')}"?`
    const listed = hints?.listed ?? allowedKeys
    reject(at(path, key), `unknown member${hint || `, expected one of ${listed.join(', ')}`}`)
  }
}

export function readArray<T>(
  value: unknown,
  path: string,
  readItem: (item: unknown, path: string) => T,
): readonly T[] {
  if (!Array.isArray(value)) reject(path, `expected an array, found ${describe(value)}${inBrackets(value)}`)
  return Object.freeze(value.map((item: unknown, index) => readItem(item, at(path, index))))
}

/** The end of a message that shows a value as the only one of an array. Empty: it is no value of one. */
function inBrackets(value: unknown): string {
  if (isObject(value)) return '; put brackets around it: [{…}]'
  return typeof value === 'string' ? `; write [${describe(value)}]` : ''
}

/** Reads a string. It must not contain half of a surrogate pair, which has no form in UTF-8. */
export function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') reject(path, `expected a string, found ${describe(value)}`)
  if (!value.isWellFormed()) reject(path, 'the string holds half of a surrogate pair')
  return value
}

export function readOptionalText(members: Members, key: string, path: string): string | null {
  const value = members.get(key)
  return value === undefined ? null : readText(value, at(path, key))
}

/** A member that may have several names: the one that the request uses, and its value. Null: it has none of them. */
export function readSpelling(
  members: Members,
  spellings: readonly string[],
  path: string,
): { readonly key: string; readonly value: unknown } | null {
  const key = spellings.find((spelling) => members.has(spelling))
  if (key === undefined) return null
  const other = spellings.find((spelling) => spelling !== key && members.has(spelling))
  if (other !== undefined) reject(path, `"${key}" and "${other}" are the same member, give one`)
  return { key, value: members.get(key) }
}

/** Reads a required string member that may have several names. */
export function readSpelledText(members: Members, spellings: readonly string[], path: string): string {
  const member = readSpelling(members, spellings, path)
  if (member === null) reject(path, `"${spellings[0]}" is missing`)
  return readText(member.value, at(path, member.key))
}

/** Describes a value that an error message says was found: by its JSON if that is short. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value)
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`
}
