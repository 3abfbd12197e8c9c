import { numberSource } from './json.ts'
import { describe, readText, reject } from './shape.ts'

/** The value that a filter compares a column with, not yet bound to the column's type. `path` is its JSON path. */
export type FilterValue =
  | {
      readonly kind: 'number'
      /** The nearest 64-bit float, finite. */
      readonly value: number
      /** The text of the exact number. */
      readonly source: string
      readonly path: string
    }
  /** `YYYY-MM-DDTHH:MM:SS`, with a fraction of at most nine digits or none, and without a zone. */
  | { readonly kind: 'date-time'; readonly text: string; readonly path: string }
  | { readonly kind: 'string'; readonly text: string; readonly path: string }

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?$/

export function readFilterValue(value: unknown, path: string): FilterValue {
  if (typeof value === 'string') {
    const kind = DATE_TIME.test(value) ? 'date-time' : 'string'
    return Object.freeze({ kind, text: readText(value, path), path })
  }
  const source = numberSource(value)
  if (source === null) reject(path, `expected a number or a string, found ${describe(value)}`)
  const number = Number(source)
  if (!Number.isFinite(number)) reject(path, `${describe(value)} is beyond a 64-bit float`)
  return Object.freeze({ kind: 'number', value: number, source, path })
}
