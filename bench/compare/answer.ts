import { type Column, multisetHash } from './multiset-hash.ts'

/** An answer of any engine as batches of columns. */
export interface Answer {
  readonly names: readonly string[]
  readonly batches: readonly (readonly Column[])[]
}

/**
 * When two answers count as equal. `multiset`: the same rows, bit for bit, in any order. `ordered`: the same rows in the same
 * order, with floats within 1e-9 of each other, because sums depend on the order of addition. `top`: the first rows ordered by
 * the first column, where rows with equal values may be in any order, and those with the last value may be other ones of that
 * value.
 */
export type Agreement = 'multiset' | 'ordered' | 'top'

const TOLERANCE = 1e-9

/** What is different about an answer. Null: nothing. */
export function difference(expected: Answer, actual: Answer, agreement: Agreement): string | null {
  if (expected.names.join() !== actual.names.join())
    return `the columns are ${actual.names.join()}, not ${expected.names.join()}`
  if (agreement === 'multiset') return otherRows(expected, actual)
  return agreement === 'ordered' ? otherPlaces(expected, actual) : otherTop(expected, actual)
}

export function rowCount({ batches }: Answer): number {
  return batches.reduce((rows, columns) => rows + (columns[0]?.length ?? 0), 0)
}

function otherRows(expected: Answer, actual: Answer): string | null {
  const [a, b] = [multisetHash(expected.batches), multisetHash(actual.batches)]
  return a.rows === b.rows && a.hash === b.hash
    ? null
    : `${b.rows} rows (${b.hash}), not ${a.rows} (${a.hash})`
}

function otherPlaces(expected: Answer, actual: Answer): string | null {
  const [a, b] = [rowsOf(expected), rowsOf(actual)]
  if (a.length !== b.length) return `${b.length} rows, not ${a.length}`
  const place = a.findIndex((row, i) => !row.every((cell, column) => isClose(cell, b[i]?.[column])))
  return place === -1 ? null : `row ${place} is ${b[place]?.join()}, not ${a[place]?.join()}`
}

function otherTop(expected: Answer, actual: Answer): string | null {
  const [a, b] = [rowsOf(expected), rowsOf(actual)]
  const keys = (rows: readonly (readonly unknown[])[]) => answerOf(rows.map(([key]) => [key]))
  const last = a.at(-1)?.[0]
  const above = (rows: readonly (readonly unknown[])[]) => answerOf(rows.filter(([key]) => key !== last))
  return otherPlaces(keys(a), keys(b)) ?? otherRows(above(a), above(b))
}

function rowsOf({ batches }: Answer): unknown[][] {
  return batches.flatMap((columns) =>
    Array.from({ length: columns[0]?.length ?? 0 }, (_, row) => columns.map((column) => column.get(row))),
  )
}

/** Rows as an answer of one batch, whose columns have no names. */
export function answerOf(rows: readonly (readonly unknown[])[]): Answer {
  const columns = (rows[0] ?? []).map((_, i) => ({
    length: rows.length,
    get: (row: number) => rows[row]?.[i],
  }))
  return { names: [], batches: [columns] }
}

function isClose(a: unknown, b: unknown): boolean {
  if (Object.is(a ?? null, b ?? null)) return true
  if (typeof a !== 'number' || typeof b !== 'number') return false
  return Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
}
