import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../../plan/errors.ts'
import { type Api, bindApi, CPP_EXPORTS } from './api.ts'
import { addCallback, type ValueType } from './linking/callback.ts'
import { addImplicitCasts } from './linking/implicit-casts.ts'
import { keepExports } from './linking/keep-exports.ts'
import { createMemory, type Memory } from './memory.ts'

/** DuckDB-WASM in this thread: its C API and its memory. */
export interface Duck {
  readonly api: Api
  readonly memory: Memory
  /** Registers a function that DuckDB can call by the returned pointer. The function must not throw. */
  addCallback(parameters: number, callback: (...parameters: number[]) => void): number
  /** The same for a function that returns an address or a number. */
  addFunction(parameters: number, callback: (...parameters: number[]) => number): number
  /** The same for a `duckdb_cast_function_t`, which returns whether all of `count` rows were converted, as a number. */
  addCastFunction(callback: (info: number, count: number, input: number, result: number) => number): number
  /** The same for a function whose parameters and result have these types. Values of i64 are bigints. */
  addTyped(
    parameters: readonly ValueType[],
    results: readonly ValueType[],
    callback: (...parameters: never[]) => unknown,
  ): number
  /** Calls a function pointer of DuckDB. Returns a number, such as an address, or 0 if the function has no result. */
  callPointer(pointer: number, ...parameters: readonly (number | bigint)[]): number
  /** Destroys a handle. The C API takes the address of a variable with the handle. Of a handle of 0 nothing is done. */
  destroy(name: Destroyer, handle: number): void
}

type Destroyer = {
  [Name in keyof Api]: Name extends `duckdb_destroy_${string}` ? Name : never
}[keyof Api]

const PAGE_BYTES = 64 << 10
/** The initial memory that the module needs. */
const INITIAL_BYTES = 16 << 20
/** The most memory in which all addresses are below 2^31: they are signed numbers. */
const MAX_BYTES = 2 ** 31 - PAGE_BYTES
/**
 * The stack that replaces the module's own. That one has 1 MiB above DuckDB's constants and grows down into them, so that a
 * statement nested a thousand deep would overwrite them. This one is so large that the thread's stack of 4 MiB overflows first,
 * which is a RangeError: a byte of the thread's stack goes with 1 to 2 bytes of this one (measured). Pages that are never
 * touched take no memory.
 */
const STACK_BYTES = 16 << 20

/** The part of the package's JavaScript that is used (version 1.32.0, pinned). */
interface Glue {
  createDuckDB(modules: unknown, logger: unknown, runtime: unknown): Promise<Bindings>
  readonly VoidLogger: new () => unknown
  readonly NODE_RUNTIME: Readonly<Record<string, unknown>>
}

interface Bindings {
  instantiate(): Promise<unknown>
  instantiateImpl(overrides: object): Promise<unknown>
  instantiateWasm(imports: Imports, done: (instance: unknown, module: unknown) => void): unknown
}

/**
 * Mangled names of C++ functions, which only extensions link with: 72 000 of 75 000 exports. The package makes objects for each
 * export, which the garbage collector would visit again and again (60 MB, 0.1 s for each statement).
 */
const FOR_EXTENSIONS = /^(?:orig\$)?_Z/

type Imports = Record<string, Record<string, unknown>>

interface Linked {
  readonly instance: WebAssembly.Instance
  readonly module: WebAssembly.Module
  readonly imports: Imports
}

/**
 * Creates an instance, whose memory never exceeds `maximumBytes`, from a compiled module, or compiles it. It cannot reach files of the host or the network. Rejects with
 * `internal` when the package is not the version that it is written for.
 */
export async function instantiateDuck(options: {
  readonly maximumBytes: number
  readonly module: WebAssembly.Module | null
}): Promise<{ readonly duck: Duck; readonly module: WebAssembly.Module }> {
  refuseNetwork()
  const glue = (await import('@duckdb/duckdb-wasm/blocking')) as unknown as Glue
  const path = fileURLToPath(import.meta.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'))
  const files = { mainModule: path, mainWorker: '' }
  const runtime = withoutFiles(glue.NODE_RUNTIME)
  const bindings = await glue.createDuckDB({ mvp: files, eh: files }, new glue.VoidLogger(), runtime)
  const maximum = Math.floor(Math.max(INITIAL_BYTES, Math.min(options.maximumBytes, MAX_BYTES)) / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: INITIAL_BYTES / PAGE_BYTES, maximum })

  const instantiateImpl = bindings.instantiateImpl.bind(bindings)
  bindings.instantiateImpl = (overrides) => instantiateImpl({ ...overrides, wasmMemory: memory })
  const linked = new Promise<Linked>((resolve, reject) => {
    bindings.instantiateWasm = (imports, done) => {
      Object.assign(globalThis, { DUCKDB_RUNTIME: runtime })
      // Asynchronously, as the package expects. The module's bytes can be freed before `done` links it.
      Promise.resolve()
        .then(() => {
          const module = options.module ?? compile(path)
          const instance = new WebAssembly.Instance(module, imports)
          done(instance, module)
          resolve({ instance, module, imports })
        })
        .catch(reject)
      return []
    }
  })
  const [{ instance, module, imports }] = await Promise.all([linked, bindings.instantiate()])
  const { __indirect_function_table: table, __stack_pointer: stackPointer } = imports['env'] ?? {}
  if (
    !(table instanceof WebAssembly.Table) ||
    !(stackPointer instanceof WebAssembly.Global) ||
    imports['env']?.['memory'] !== memory
  )
    throw new ServiceError('internal', 'duckdb-wasm has another glue than 1.32.0 has')
  const duck = createDuck(bindApi(instance.exports), memory, table)
  // The stack is empty now, so it can be replaced. The ABI requires a multiple of 16.
  stackPointer.value = (duck.memory.allocate(STACK_BYTES) + STACK_BYTES) & ~15
  return { duck, module }
}

function compile(path: string): WebAssembly.Module {
  const isKept = (name: string): boolean => CPP_EXPORTS.has(name) || !FOR_EXTENSIONS.test(name)
  return new WebAssembly.Module(addImplicitCasts(keepExports(readFileSync(path), isKept)))
}

function createDuck(api: Api, heap: WebAssembly.Memory, table: WebAssembly.Table): Duck {
  const memory = createMemory(heap, api)
  const slot = memory.allocate(4)
  return {
    api,
    memory,
    addCallback: (parameters, callback) => addCallback(table, addresses(parameters), [], callback),
    addFunction: (parameters, callback) => addCallback(table, addresses(parameters), ['i32'], callback),
    addTyped: (parameters, results, callback) => addCallback(table, parameters, results, callback),
    addCastFunction: (callback) =>
      addCallback(table, CAST, ['i32'], (info: number, count: bigint, input: number, result: number) =>
        callback(info, Number(count), input, result),
      ),
    callPointer: (pointer, ...addresses) => Number(table.get(pointer)?.(...addresses) ?? 0),
    destroy(name, handle) {
      if (handle === 0) return
      memory.views().u32[slot / 4] = handle
      api[name](slot)
    },
  }
}

/** The parameters of a `duckdb_cast_function_t`. */
const CAST = Object.freeze(['i32', 'i64', 'i32', 'i32'] as const)

function addresses(count: number): readonly ValueType[] {
  return Array.from({ length: count }, () => 'i32')
}

/**
 * Defines an XMLHttpRequest that answers every request with 404. The package loads extensions by it, and if there is none waits
 * without end for a thread that would fetch them.
 */
function refuseNetwork(): void {
  class NotFoundRequest {
    readonly status = 404
    readonly response = new ArrayBuffer(0)
    open(): void {}
    setRequestHeader(): void {}
    send(): void {}
    getResponseHeader(): string {
      return ''
    }
  }
  Object.assign(globalThis, { XMLHttpRequest: NotFoundRequest })
}

/** Replaces the functions by which the package reads files with ones that do nothing. They are never called here anyway. */
function withoutFiles(runtime: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const nothing = () => 0
  return Object.fromEntries(
    Object.entries(runtime).map(([name, value]) => {
      const isKept = typeof value !== 'function' || name === 'testPlatformFeature'
      return [name, isKept ? value : nothing]
    }),
  )
}
