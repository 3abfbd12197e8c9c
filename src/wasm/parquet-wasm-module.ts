import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { type ErrorCode, ServiceError } from '../plan/errors.ts'
import { withMaximumMemory } from './core/maximum-memory.ts'

/** The exports of parquet-wasm 0.8.0 that are used here (its parquet_wasm_bg.wasm.d.ts). The version is pinned. */
export interface Exports {
  readonly memory: WebAssembly.Memory
  readonly __wbindgen_externrefs: { get(index: number): unknown; set(index: number, value: unknown): void }
  __wbindgen_malloc(size: number, alignment: number): number
  __wbindgen_free(address: number, size: number, alignment: number): void
  __externref_table_alloc(): number
  __externref_table_dealloc(index: number): void
  readParquet(address: number, size: number, options: number): Fallible
  table_intoFFI(table: number): Fallible
  ffistream_numArrays(stream: number): number
  ffistream_arrayAddr(stream: number, chunk: number): number
  ffistream_schemaAddr(stream: number): number
  __wbg_ffistream_free(stream: number, unused: number): void
  table_fromIPCStream(address: number, size: number): Fallible
  writerpropertiesbuilder_new(): number
  writerpropertiesbuilder_setCompression(builder: number, compression: number): number
  writerpropertiesbuilder_setMaxRowGroupSize(builder: number, rows: number): number
  writerpropertiesbuilder_setStatisticsEnabled(builder: number, statistics: number): number
  writerpropertiesbuilder_build(builder: number): number
  writeParquet(
    table: number,
    properties: number,
  ): readonly [address: number, size: number, error: number, isError: number]
}

/** A pointer, or the index of an error in the table of JavaScript values. */
export type Fallible = readonly [pointer: number, error: number, isError: number]

const WASM_PAGE_BYTES = 64 << 10

/** Copies parts into the module's memory, one behind the other. */
export function place(
  exports: Exports,
  parts: readonly Uint8Array[],
): { readonly address: number; readonly size: number } {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  const address = exports.__wbindgen_malloc(size, 1) >>> 0
  const memory = new Uint8Array(exports.memory.buffer, address, size)
  let at = 0
  for (const part of parts) {
    memory.set(part, at)
    at += part.length
  }
  return { address, size }
}

/** The pointer, or an error of this code with the crate's message. */
export function unwrap(exports: Exports, [pointer, error, isError]: Fallible, code: ErrorCode): number {
  if (isError) throw failure(exports, error, code)
  return pointer
}

/** The error of this index in the table of JavaScript values, which it leaves. */
export function failure(exports: Exports, error: number, code: ErrorCode): ServiceError {
  const cause = exports.__wbindgen_externrefs.get(error)
  exports.__externref_table_dealloc(error)
  const text = cause instanceof Error ? cause.message : String(cause)
  return new ServiceError(code, text.replace(/^(?:Parquet error: |External: )+/, ''), { cause })
}

/**
 * Compiles the module. The function that is returned makes a new instance, which is freed with its last reference.
 *
 * The package's JavaScript for Node compiles and instantiates the module when it is loaded, cannot be configured, and keeps the
 * instance for ever. So it is evaluated here as the body of a function, as CommonJS modules are, with a `WebAssembly` object
 * that gives it the module compiled here and captures the instance.
 */
export function load(maximumBytes: number): () => Exports {
  const filename = fileURLToPath(import.meta.resolve('parquet-wasm/node'))
  const glue = compileFunction(
    readFileSync(filename, 'utf8'),
    ['exports', 'require', '__dirname', 'WebAssembly'],
    {
      filename,
    },
  )
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('parquet-wasm/node/parquet_wasm_bg.wasm')))
  const module = new WebAssembly.Module(withMaximumMemory(wasm, Math.floor(maximumBytes / WASM_PAGE_BYTES)))
  const requireNothing = () => ({ readFileSync: () => wasm })
  return () => {
    let instance: WebAssembly.Instance | undefined
    const hooks = {
      Module: function Module() {
        return module
      },
      Instance: function Instance(_: unknown, imports: Record<string, Record<string, unknown>>) {
        instance = new WebAssembly.Instance(module, imports)
        return instance
      },
    }
    glue({}, requireNothing, dirname(filename), hooks)
    if (instance === undefined)
      throw new ServiceError('internal', 'parquet-wasm has another glue than 0.8.0 has')
    return instance.exports as unknown as Exports
  }
}
