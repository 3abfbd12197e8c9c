import { JSON_KEYS, PRESET, SELECT, SQL_KEYS } from './request.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Normalises a request that `parseRequest` has accepted: it gets every member of its form, null where the request has none,
 * each under its first spelling. The values stay as the request writes them.
 */
export function normalizedRequest(json: Json): Json {
  const member = (key: string): unknown => {
    const spelling = (key === 'select' ? SELECT : [key]).find((name) => (json[name] ?? null) !== null)
    return spelling === undefined ? null : json[spelling]
  }
  const ofJson = member(PRESET) === null ? JSON_KEYS : [...JSON_KEYS, PRESET]
  const keys = member('sql') === null ? ofJson : SQL_KEYS
  return Object.fromEntries(keys.map((key) => [key, member(key)]))
}
