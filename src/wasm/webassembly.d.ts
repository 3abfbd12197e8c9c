/** The parts of the WebAssembly JavaScript API that are used. @types/node 24 has none, and lib.dom has those of the browser. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean })
    readonly buffer: ArrayBuffer
    /** Pages of 64 KiB; returns the previous size, throws RangeError past the maximum. */
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: ArrayBufferView | ArrayBuffer)
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
  class Table {
    /** Returns the previous length. */
    grow(entries: number): number
    set(index: number, value: unknown): void
    get(index: number): ((...parameters: readonly (number | bigint)[]) => unknown) | null
  }
  class Global {
    value: unknown
  }
  class RuntimeError extends Error {}
  /** What C++ throws. */
  class Exception {
    private constructor()
  }
}
