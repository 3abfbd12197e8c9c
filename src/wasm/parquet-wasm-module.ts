import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { type ErrorCode, ServiceError } from '../plan/errors.ts'

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

const MEMORY_SECTION = 5

/**
 * A copy of a module with a maximum for its only memory, in pages of 64 KiB. Its memory section is replaced (WebAssembly core
 * specification, "Binary Format").
 */
function withMaximumMemory(wasm: Uint8Array, maximum: number): Uint8Array {
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at]
    const [size, content] = readLeb(wasm, at + 1)
    if (id === MEMORY_SECTION) {
      // Count 1, limits flag (bit 0: has a maximum), initial, maximum.
      const [initial] = readLeb(wasm, content + 2)
      const memory = [1, 1, ...leb(initial), ...leb(Math.max(initial, maximum))]
      const section = [MEMORY_SECTION, ...leb(memory.length), ...memory]
      return Buffer.concat([wasm.subarray(0, at), Uint8Array.from(section), wasm.subarray(content + size)])
    }
    at = content + size
  }
  throw new ServiceError('internal', 'the WebAssembly module has no memory of its own')
}

function readLeb(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0
  for (let at = start, scale = 1; ; at++, scale *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte & 127) * scale
    if (byte < 128) return [value, at + 1]
  }
}

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)]
}
