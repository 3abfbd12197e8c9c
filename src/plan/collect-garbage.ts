import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Has V8 collect the garbage of this thread, all of it, at once: 10 ms for each 10 MB that are in use. V8 would do it when the heap has grown, and a
 * thread without work makes no garbage: what one query has left, buffers and memory of WebAssembly included, would stay for hours.
 */
export function collectGarbage(): void {
  // The flag is of the whole process, and gives `gc` to contexts that are made later.
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}
