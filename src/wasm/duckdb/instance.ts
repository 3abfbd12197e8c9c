import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '../../plan/errors.ts'
import { type Api, bindApi, CPP_EXPORTS } from './api.ts'
import { addCallback } from './callback.ts'
import { keepExports } from './keep-exports.ts'
import { createMemory, type Memory } from './memory.ts'

/** DuckDB-WASM in this thread: its C API and its memory. */
export interface Duck {
  readonly api: Api
  readonly memory: Memory
  /** A function that DuckDB may call by the pointer that is returned. It must not throw. */
  addCallback(parameters: number, callback: (...parameters: number[]) => void): number
  /** Calls the function at a pointer of DuckDB's with one address. */
  callPointer(pointer: number, address: number): void
  /** Ends a handle: the C API wants the address of where it lies. A handle of 0 is none. */
  destroy(name: Destroyer, handle: number): void
}

export type Destroyer = {
  [Name in keyof Api]: Name extends `duckdb_destroy_${string}` ? Name : never
}[keyof Api]

const PAGE_BYTES = 64 << 10
/** The module's initial memory, by its glue. */
const INITIAL_BYTES = 16 << 20
/** Below this no address is negative. */
const MOST_BYTES = 2 ** 31 - PAGE_BYTES
/**
 * The stack. The module's own is 1 MiB that lies above DuckDB's constants and grows down into them: a statement that is
 * nested a thousand deep would overwrite them. Of this one the thread's stack of 4 MiB is used up first (measured: 1 to 2
 * bytes here for each there), which is a RangeError. What is not touched takes no memory.
 */
const STACK_BYTES = 16 << 20

/** The part of the package's glue that is used (version 1.32.0, pinned). */
interface Glue {
  createDuckDB(bundles: unknown, logger: unknown, runtime: unknown): Promise<Bindings>
  readonly VoidLogger: new () => unknown
  readonly NODE_RUNTIME: Readonly<Record<string, unknown>>
}

interface Bindings {
  instantiate(): Promise<unknown>
  instantiateImpl(overrides: object): Promise<unknown>
  instantiateWasm(imports: Imports, done: (instance: unknown, module: unknown) => void): unknown
}

/**
 * Names of C++, which only extensions link with: 72,000 of 75,000 exports. The glue makes objects for each, which the
 * garbage collector would look at again and again (60 MB, 0.1 s a statement).
 */
const FOR_EXTENSIONS = /^(?:orig\$)?_Z/

type Imports = Record<string, Record<string, unknown>>

/**
 * A new instance, in a memory that never exceeds `maximumBytes`. Nothing in it can reach a file of the host or the network.
 */
export async function instantiateDuck(limits: { readonly maximumBytes: number }): Promise<Duck> {
  refuseNetwork()
  const glue = (await import('@duckdb/duckdb-wasm/blocking')) as unknown as Glue
  const path = fileURLToPath(import.meta.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'))
  const bundle = { mainModule: path, mainWorker: '' }
  const runtime = withoutFiles(glue.NODE_RUNTIME)
  const bindings = await glue.createDuckDB({ mvp: bundle, eh: bundle }, new glue.VoidLogger(), runtime)
  const maximum = Math.floor(Math.max(INITIAL_BYTES, Math.min(limits.maximumBytes, MOST_BYTES)) / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: INITIAL_BYTES / PAGE_BYTES, maximum })

  const instantiateImpl = bindings.instantiateImpl.bind(bindings)
  bindings.instantiateImpl = (overrides) => instantiateImpl({ ...overrides, wasmMemory: memory })
  const linked = new Promise<{ instance: WebAssembly.Instance; imports: Imports }>((resolve, reject) => {
    bindings.instantiateWasm = (imports, done) => {
      Object.assign(globalThis, { DUCKDB_RUNTIME: runtime })
      // Later, as the glue expects; with the bytes gone before it links.
      Promise.resolve()
        .then(() => {
          const module = new WebAssembly.Module(
            keepExports(readFileSync(path), (name) => CPP_EXPORTS.has(name) || !FOR_EXTENSIONS.test(name)),
          )
          const instance = new WebAssembly.Instance(module, imports)
          done(instance, module)
          resolve({ instance, imports })
        })
        .catch(reject)
      return []
    }
  })
  const [{ instance, imports }] = await Promise.all([linked, bindings.instantiate()])
  const { __indirect_function_table: table, __stack_pointer: stackPointer } = imports['env'] ?? {}
  if (
    !(table instanceof WebAssembly.Table) ||
    !(stackPointer instanceof WebAssembly.Global) ||
    imports['env']?.['memory'] !== memory
  )
    throw new ServiceError('internal', 'duckdb-wasm has another glue than 1.32.0 has')
  const duck = createDuck(bindApi(instance.exports), memory, table)
  // Nothing is on the stack now, and a multiple of 16 is what the ABI wants.
  stackPointer.value = (duck.memory.allocate(STACK_BYTES) + STACK_BYTES) & ~15
  return duck
}

function createDuck(api: Api, heap: WebAssembly.Memory, table: WebAssembly.Table): Duck {
  const memory = createMemory(heap, api)
  const slot = memory.allocate(4)
  return {
    api,
    memory,
    addCallback: (parameters, callback) => addCallback(table, parameters, callback),
    callPointer(pointer, address) {
      table.get(pointer)?.(address)
    },
    destroy(name, handle) {
      if (handle === 0) return
      memory.views().u32[slot / 4] = handle
      api[name](slot)
    },
  }
}

/**
 * The glue loads extensions by XMLHttpRequest where there is one, and else waits without end for a thread that fetches.
 * So there is one, and it finds nothing.
 */
function refuseNetwork(): void {
  class NothingThere {
    readonly status = 404
    readonly response = new ArrayBuffer(0)
    open(): void {}
    setRequestHeader(): void {}
    send(): void {}
    getResponseHeader(): string {
      return ''
    }
  }
  Object.assign(globalThis, { XMLHttpRequest: NothingThere })
}

/** The functions by which a database of the glue's reads files. Ours never calls them; and if it did, there are none. */
function withoutFiles(runtime: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const nothing = () => 0
  return Object.fromEntries(
    Object.entries(runtime).map(([name, value]) => {
      const isKept = typeof value !== 'function' || name === 'testPlatformFeature'
      return [name, isKept ? value : nothing]
    }),
  )
}
