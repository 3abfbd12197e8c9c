import { JSON_KEYS, SELECT, SQL_KEYS } from './request.ts'

/**
 * JSON text of a request that `parseRequest` has accepted: every member of its form, null where it is absent, under
 * its first spelling, numbers as they came.
 */
export function normalizedRequest(json: Readonly<Record<string, unknown>>): string {
  const member = (key: string): unknown => {
    const spelling = (key === 'select' ? SELECT : [key]).find((name) => (json[name] ?? null) !== null)
    return spelling === undefined ? null : json[spelling]
  }
  const keys = member('sql') === null ? JSON_KEYS : SQL_KEYS
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, member(key)])))
}
