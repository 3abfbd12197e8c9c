import { fault } from '../../fault.ts'
import { isObject, type JsonObject } from './json.ts'

/** The members of an object of a document. */
export type Members = Readonly<Record<string, unknown>>

/** A value as a message shows it. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  const text = JSON.stringify(value, (_, each: unknown) => (isInJson(each) ? each : String(each)))
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const MAX_SHOWN = 100

function isInJson(value: unknown): boolean {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'bigint'
}

/** A member that is an object. Throws `unreadable_file` for anything else. */
export function objectIn(document: Members, name: string): JsonObject {
  const value = document[name]
  if (isObject(value)) return value
  throw fault(`"${name}" must be an object, and is ${show(value)}`)
}

/** A member that is a list. Throws `unreadable_file` for anything else. */
export function listIn(document: Members, name: string): readonly unknown[] {
  const value = document[name]
  if (Array.isArray(value)) return value
  throw fault(`"${name}" must be a list, and is ${show(value)}`)
}

/** A list of sizes in elements, each at least `least`. Throws `unreadable_file`. */
export function sizesIn(document: Members, name: string, least: number): readonly number[] {
  return listIn(document, name).map((size) => {
    if (typeof size === 'number' && Number.isSafeInteger(size) && size >= least) return size
    throw fault(`"${name}" must have whole numbers from ${least} to 2^53 - 1, and has ${show(size)}`)
  })
}
