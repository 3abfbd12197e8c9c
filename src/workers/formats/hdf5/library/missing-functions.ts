import { inflateSync } from 'node:zlib'

/** Functions that print why a plugin returns an error, or free what a thread has. There are no other threads. */
const silent = (): number => 0

/** Results of zlib's `uncompress`. */
const OK = 0
const DATA_ERROR = -3

/** The part of `WebAssembly` by which h5wasm compiles its module. */
interface Compiler {
  instantiate(bytes: Uint8Array, imports: Readonly<Record<string, object>>): Promise<unknown>
}

/** An instance of the library. Its memory moves when it grows. */
interface Instance {
  readonly HEAPU8: Uint8Array
}

/**
 * Makes an instance of h5wasm with the functions of C that plugins of h5wasm-plugins 0.2.1 call and h5wasm 0.10.3 has not: a plugin aborts
 * when it calls one. h5wasm has no option for more imports, so they are added when it compiles its module. One instance is to be made at a
 * time.
 */
export async function withMissingFunctions<I extends Instance>(make: () => Promise<I>): Promise<I> {
  const { instantiate } = WebAssembly as unknown as Compiler
  let instance: I | null = null
  const functions = missingFunctions(() => instance?.HEAPU8 ?? new Uint8Array())
  const adding: Compiler['instantiate'] = (bytes, imports) => {
    Object.assign(imports['env'] ?? {}, functions)
    return instantiate(bytes, imports)
  }
  Object.assign(WebAssembly, { instantiate: adding })
  try {
    instance = await make()
    return instance
  } finally {
    Object.assign(WebAssembly, { instantiate })
  }
}

function missingFunctions(heap: () => Uint8Array): Readonly<Record<string, (...values: number[]) => number>> {
  return {
    fiprintf: silent,
    __small_fprintf: silent,
    fputc: silent,
    fwrite: silent,
    pthread_mutex_destroy: silent,
    pthread_cond_destroy: silent,
    pthread_attr_destroy: silent,
    pthread_barrier_destroy: silent,
    memcmp: (a = 0, b = 0, bytes = 0) =>
      Buffer.compare(heap().subarray(a, a + bytes), heap().subarray(b, b + bytes)),
    /** zfp of doubles: x × 2^exponent. */
    ldexp: (x = 0, exponent = 0) => scale(x, exponent),
    /** Blosc 2 with zlib. Pointers to the output, to its size, which is replaced by that of the result, and to the input, and its size. */
    uncompress(output = 0, size = 0, input = 0, inputBytes = 0) {
      const memory = heap()
      const view = new DataView(memory.buffer, memory.byteOffset)
      const most = view.getUint32(size, true)
      try {
        const stored = memory.slice(input, input + inputBytes)
        const inflated = inflateSync(stored, { maxOutputLength: Math.max(1, most) })
        memory.set(inflated, output)
        view.setUint32(size, inflated.length, true)
        return OK
      } catch {
        return DATA_ERROR
      }
    },
  }
}

/** The least exponent of a normal double, and the greatest of all. */
const LEAST = -1022
const GREATEST = 1023

/** A step down that leaves 53 bits for the last one, so that it alone rounds. */
const STEP_DOWN = 969

/** In steps, because the power of 2 may be no double although the product is one. */
function scale(x: number, exponent: number): number {
  let product = x
  let remainingExponent = Math.max(-4400, Math.min(4400, exponent))
  while (remainingExponent > GREATEST) {
    product *= 2 ** GREATEST
    remainingExponent -= GREATEST
  }
  while (remainingExponent < LEAST) {
    product *= 2 ** -STEP_DOWN
    remainingExponent += STEP_DOWN
  }
  return product * 2 ** remainingExponent
}
