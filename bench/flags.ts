import { parseArgs } from 'node:util'

export interface Flags {
  /** Rows of the table. */
  readonly rows: number
  /** Timed runs of each query and engine; one more goes before them. */
  readonly rounds: number
  /** Queries and figures to run, by their keys; null: all. */
  readonly only: ReadonlySet<string> | null
}

export const USAGE = `npm run bench -- [--rows N] [--rounds N] [--only KEY,KEY…]

  --rows    rows of the table (2500000); files are kept in bench/data
  --rounds  timed runs of each query by each engine, interleaved (7)
  --only    these queries and figures alone, and no file of results`

/** Throws a TypeError that says what is wrong with them. */
export function readFlags(args: string[]): Flags {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '2500000' },
      rounds: { type: 'string', default: '7' },
      only: { type: 'string' },
    },
  })
  return {
    rows: positiveInteger('--rows', values.rows),
    rounds: positiveInteger('--rounds', values.rounds),
    only: values.only === undefined ? null : new Set(values.only.split(',')),
  }
}

function positiveInteger(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1)
    throw new TypeError(`${name} wants a positive integer, not ${text}`)
  return value
}
