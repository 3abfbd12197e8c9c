import { numberSource } from '../../../json/json.ts'
import { describe, readText, reject } from '../../../json/shape.ts'

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
  | { readonly kind: 'boolean'; readonly value: boolean; readonly path: string }

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?$/

/** Reads a value that has an order. */
export function readOrderedValue(value: unknown, path: string): FilterValue {
  return readValue(value, path, 'a number or a string')
}

/** Reads a value that may be equal to others: a boolean too. */
export function readEqualValue(value: unknown, path: string): FilterValue {
  if (typeof value === 'boolean') return Object.freeze({ kind: 'boolean', value, path })
  return readValue(value, path, 'a number, a string or a boolean')
}

function readValue(value: unknown, path: string, expected: string): FilterValue {
  if (typeof value === 'string') {
    const kind = DATE_TIME.test(value) ? 'date-time' : 'string'
    return Object.freeze({ kind, text: readText(value, path), path })
  }
  const source = numberSource(value)
  if (source === null) {
    const list = Array.isArray(value) ? '; "in" and "not_in" take a list' : ''
    reject(path, `expected ${expected}, found ${describe(value)}${list}`)
  }
  const number = Number(source)
  if (!Number.isFinite(number)) reject(path, `${describe(value)} is beyond a 64-bit float`)
  return Object.freeze({ kind: 'number', value: number, source, path })
}
