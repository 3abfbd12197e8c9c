import { JSON_KEYS, SELECT, SQL_KEYS } from './request.ts'

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
  const keys = member('sql') === null ? JSON_KEYS : SQL_KEYS
  return Object.fromEntries(keys.map((key) => [key, member(key)]))
}
