import type { MostRows } from '../../query/run/rows/first-rows.ts'

/** The most rows of an answer, which a model has to read. */
export const MOST_ROWS = 1000

/** The most bytes of the rows of an answer: some 60 000 tokens of a model. */
export const MOST_BYTES = 256 << 10

/** Rows as JSON texts, as many as one answer has. */
export interface BoundedRows {
  readonly rows: readonly string[]
  /** Why there are no more of them. Null: these are all. */
  readonly cutAt: 'rows' | 'bytes' | null
}

/** What has to be asked for of rows that are to be bounded, to tell whether there are more. */
export function enoughFor(mostRows: number): MostRows {
  return { rows: mostRows + 1, bytes: MOST_BYTES + 1 }
}

/** The first of some rows, each of which counts with its line end. */
export function boundRows(rows: readonly string[], mostRows = MOST_ROWS): BoundedRows {
  let bytes = 0
  let fitting = 0
  for (const row of rows.slice(0, mostRows)) {
    bytes += Buffer.byteLength(row) + 1
    if (bytes > MOST_BYTES) break
    fitting++
  }
  if (fitting === rows.length) return { rows, cutAt: null }
  return { rows: rows.slice(0, fitting), cutAt: fitting === mostRows ? 'rows' : 'bytes' }
}

/** Rows as one JSON text: an array, or an object with it that says that the rows are cut, and by `guidance` what to do. */
export function printRows({ rows, cutAt }: BoundedRows, mostRows: number, guidance: string): string {
  const array = `[${rows.join(',\n')}]`
  if (cutAt === null) return array
  const limit = cutAt === 'rows' ? { max_rows: mostRows } : { max_rows: mostRows, max_bytes: MOST_BYTES }
  const head = JSON.stringify({ truncated: true, returned_rows: rows.length, ...limit, guidance })
  return `${head.slice(0, -1)},"rows":${array}}`
}
