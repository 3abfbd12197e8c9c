import { at, readArray, readMembers, readText, reject } from '../../json/shape.ts'

export interface SortKey {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

/** Reads `sort_by` (docs/reference/json-language.md). The most significant key comes first. */
export function readSortBy(value: unknown, path: string): readonly SortKey[] {
  if (typeof value === 'string') reject(path, `expected an array; write [${keyOf(value)}]`)
  return readArray(value, path, readSortKey)
}

function readSortKey(value: unknown, path: string): SortKey {
  if (typeof value === 'string') reject(path, `expected an object; write ${keyOf(value)}`)
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

/** A key as it has to be written, of one that is written as a text: `temp`, `-temp` or `temp desc`. */
function keyOf(text: string): string {
  const {
    minus,
    column = text,
    order,
  } = /^(?<minus>-?)(?<column>.+?)(?:\s+(?<order>asc|desc))?$/i.exec(text)?.groups ?? {}
  const isDescending = minus === '-' || order?.toLowerCase() === 'desc'
  return `{"${isDescending ? 'Desc' : 'Asc'}": ${JSON.stringify(column)}}`
}
