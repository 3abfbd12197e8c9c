import type { Encoding } from '../../../plan/task/encoding.ts'
import { type Part, payloadAs } from '../../../plan/task/part.ts'
import { mayFailInVain } from '../plan/fails-in-vain.ts'
import type { PreparedQuery, QueryServiceOptions } from './options.ts'
import { orOnDuckDb } from './rows/or-on-duckdb.ts'
import { rowsOf } from './rows/rows.ts'
import type { Run } from './run.ts'

/** The rows of a prepared query, in parts. If it fails in vain, DuckDB runs it: `run.prepared` tells. `onIdle` is called when nobody has taken a part for as long as it may wait. */
export function rowsOfRun(
  options: QueryServiceOptions,
  run: Run,
  prepared: PreparedQuery,
  encoding: Encoding,
  onIdle: () => void,
): AsyncGenerator<Part, void, undefined> {
  const onPruned = (units: number): void => {
    run.figures.unitsPruned += units
  }
  const onRunWritten = (bytes: number): void => {
    run.figures.sortFileBytes += bytes
  }
  const onRelayed = (rows: number, bytes: number): void => {
    run.figures.rowsScanned += rows
    run.figures.rowsPassed += rows
    run.figures.bytesRead += bytes
  }
  const rows = (each: PreparedQuery): AsyncGenerator<Part, void, undefined> =>
    rowsOf(each, { ...options, ...run, encoding, onIdle, onPruned, onRunWritten, onRelayed })
  return mayFailInVain(prepared.plan) ? orOnDuckDb(prepared, run.prepareOnDuckDb, rows) : rows(prepared)
}

/** Runs a prepared query for its figures. Its rows are dropped. */
export async function measure(
  options: QueryServiceOptions,
  run: Run,
  prepared: PreparedQuery,
): Promise<void> {
  for await (const part of rowsOfRun(options, run, prepared, 'arrow', () => {})) {
    run.figures.rows += part.rows
    run.figures.bytes += payloadAs(part, 'arrow').bytes.byteLength
  }
}
