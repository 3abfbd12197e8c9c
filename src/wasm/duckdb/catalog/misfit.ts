import { ServiceError } from '../../../plan/errors.ts'

/** Calls C++, which throws exceptions whose message JavaScript cannot read: they become `internal`. */
export function guard<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof WebAssembly.Exception)) throw error
    throw new ServiceError('internal', `DuckDB: ${what} failed`)
  }
}

/** Throws the error that DuckDB is not the one that this is written for. */
export function unfit(what: string): never {
  throw new ServiceError('internal', `DuckDB has another layout of ${what} than duckdb-wasm 1.32.0`)
}
