import type { Duck } from '../instance.ts'
import { throwInvalidInput } from '../linking/exception.ts'

/** A vector of arguments, or the one for results. Addresses are valid until the memory grows, which nothing below does. */
export interface ScalarVector {
  readonly vector: number
  /** The address of the first value. */
  readonly data: number
  /** The address of a bit for each row, set if it has a value. 0: all have one. */
  readonly validity: number
  /** Whether all rows have the first value. */
  readonly isConstant: boolean
}

/** A call of a scalar function for some rows. */
export interface ScalarCall {
  readonly rows: number
  readonly parameters: readonly ScalarVector[]
  /** A flat vector in which all rows have values as yet. */
  readonly result: number
  /** The addresses that DuckDB has passed: the chunk of arguments, and the state of the expression. */
  readonly chunk: number
  readonly state: number
}

/** The type of a vector whose rows all have the same value, in its first byte. */
const CONSTANT_VECTOR = 2

/**
 * Makes a pointer of JavaScript that computes a scalar function, as `OverloadCopy.code` takes one. `compute` must set the null of each
 * row whose result is null (`setNull`). The message of what it throws is that of the statement's error.
 */
export function addScalarCode(duck: Duck, parameters: number, compute: (call: ScalarCall) => void): number {
  const { api } = duck
  return duck.addCallback(3, (chunk = 0, state = 0, result = 0) => {
    let message: string | null = null
    try {
      const rows = Number(api.duckdb_data_chunk_get_size(chunk))
      // All are made flat before the address of one is read, because that may take memory.
      const vectors = Array.from({ length: parameters }, (_, index) =>
        flatOrConstant(duck, api.duckdb_data_chunk_get_vector(chunk, BigInt(index)), rows),
      )
      const read = vectors.map((vector) => readVector(duck, vector))
      compute({ rows, parameters: read, result, chunk, state })
    } catch (error) {
      if (error instanceof WebAssembly.Exception) throw error
      message = error instanceof Error ? error.message : String(error)
    }
    if (message !== null) throwInvalidInput(duck, message)
  })
}

/** Makes the result of a row null. */
export function setNull(duck: Duck, result: number, row: number): void {
  const { api, memory } = duck
  api.duckdb_vector_ensure_validity_writable(result)
  const at = api.duckdb_vector_get_validity(result) / 4 + (row >>> 5)
  const { u32 } = memory.views()
  u32[at] = (u32[at] ?? 0) & ~(1 << (row & 31))
}

/** Whether a row has a value. `u32` is the memory. */
export function hasValue(u32: Uint32Array, { validity, isConstant }: ScalarVector, row: number): boolean {
  if (validity === 0) return true
  const at = isConstant ? 0 : row
  return (((u32[validity / 4 + (at >>> 5)] ?? 0) >>> (at & 31)) & 1) === 1
}

function flatOrConstant({ api, memory }: Duck, vector: number, rows: number): number {
  if (memory.views().u8[vector] !== CONSTANT_VECTOR) api.vector_flatten(vector, BigInt(rows))
  return vector
}

/** Reads a vector that is flat or constant. */
export function readVector({ api, memory }: Duck, vector: number): ScalarVector {
  return {
    vector,
    data: api.duckdb_vector_get_data(vector),
    validity: api.duckdb_vector_get_validity(vector),
    isConstant: memory.views().u8[vector] === CONSTANT_VECTOR,
  }
}
