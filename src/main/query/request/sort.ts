import { at, readArray, readMembers, readText, reject } from './shape.ts'

export interface SortKey {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** Reads `sort_by` (docs/reference/json-language.md). The most significant key comes first. */
export function readSortBy(value: unknown, path: string): readonly SortKey[] {
  if (typeof value === 'string') reject(path, `expected an array; write [{"Asc": ${JSON.stringify(value)}}]`)
  return readArray(value, path, readSortKey)
}

function readSortKey(value: unknown, path: string): SortKey {
  if (typeof value === 'string') reject(path, `expected an object; write {"Asc": ${JSON.stringify(value)}}`)
  const [entry, ...others] = readMembers(value, path)
  if (entry === undefined || others.length > 0 || (entry[0] !== 'Asc' && entry[0] !== 'Desc')) {
    reject(path, 'expected exactly one member, "Asc" or "Desc", with a column name, as in {"Desc": "time"}')
  }
  const [key, column] = entry
  return Object.freeze({
    column: readText(column, at(path, key)),
    direction: key === 'Asc' ? 'asc' : 'desc',
  })
}
