import { PYTHON } from '../input/python.ts'

/** A measured figure, other than the comparisons of single queries with native DuckDB. */
export interface Figure {
  readonly key: string
  readonly what: string
  /** Null: it was not measured, since the peer is missing. */
  readonly value: number | null
  readonly unit: 'ms' | 'µs' | 'MB' | '×' | 'GB/s' | 'req/s'
  /** When it was measured, if it was measured again after the whole run. */
  readonly date?: string
}

/** Why there are no figures: what this machine has not got. */
export interface NoFigures {
  readonly missing: string
}

/** There is no Python with duckdb. */
export const NO_PYTHON: NoFigures = Object.freeze({
  missing: `${PYTHON} has no module duckdb, or is not there: set HALOCLINE_PYTHON to a Python that has it`,
})
