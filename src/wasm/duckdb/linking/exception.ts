import { CPP_STRING_BYTES, freeCppString, writeCppString } from '../catalog/cpp-string.ts'
import type { Duck } from '../instance.ts'

/** The value of `ExceptionType` for a number that is out of range. */
const OUT_OF_RANGE = 1
/** The same for arguments that a function does not take. */
const INVALID_INPUT = 32
/** Bytes to allocate for an `ErrorData`. It has 52. */
const ERROR_BYTES = 128

/**
 * Makes an exception of DuckDB, which the returned function throws. A function that DuckDB has called may throw it: it goes through that
 * function to DuckDB, which ends the statement with the message. The exception can be thrown any number of times, and is never freed.
 */
export function createOutOfRange({ api, memory }: Duck, message: string): () => never {
  const error = memory.allocate(ERROR_BYTES + 2 * CPP_STRING_BYTES)
  const [text, before] = [error + ERROR_BYTES, error + ERROR_BYTES + CPP_STRING_BYTES]
  writeCppString(memory, text, message)
  writeCppString(memory, before, '')
  api.error_create(error, OUT_OF_RANGE, text)
  return () => api.error_throw(error, before)
}

/** Throws an exception of DuckDB about arguments, in the same way. */
export function throwInvalidInput({ api, memory }: Duck, message: string): never {
  using scratch = memory.scratch()
  const error = scratch.bytes(ERROR_BYTES)
  const text = scratch.bytes(CPP_STRING_BYTES)
  const before = scratch.bytes(CPP_STRING_BYTES)
  writeCppString(memory, text, message)
  api.error_create(error, INVALID_INPUT, text)
  try {
    return api.error_throw(error, before)
  } finally {
    api.error_destroy(error)
    freeCppString(memory, text)
  }
}
