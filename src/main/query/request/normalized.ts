import { JSON_KEYS, SELECT, SQL_KEYS } from './request.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * A request that `parseRequest` has accepted: every member of its form, null where it is absent, under its first spelling, numbers
 * as they came.
 */
export function normalizedRequest(json: Json): Json {
  const member = (key: string): unknown => {
    const spelling = (key === 'select' ? SELECT : [key]).find((name) => (json[name] ?? null) !== null)
    return spelling === undefined ? null : json[spelling]
  }
  const keys = member('sql') === null ? JSON_KEYS : SQL_KEYS
  return Object.fromEntries(keys.map((key) => [key, member(key)]))
}
