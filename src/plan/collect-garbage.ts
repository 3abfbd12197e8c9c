import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Has V8 collect the garbage of this thread, all of it, at once: 10 ms for each 10 MB that are in use. V8 would do it when the heap has grown, and a
 * thread without work makes no garbage: what one query has left, buffers and memory of WebAssembly included, would stay for hours.
 *
 * The commands that start the service have the flag `--expose-gc`, which gives each thread `gc`. Without it the flag is set here, after which V8
 * takes no code from the compile cache for modules that any thread loads later: that code is made with other flags.
 */
export function collectGarbage(): void {
  const collect = globalThis.gc ?? exposedGc()
  collect()
}

function exposedGc(): () => void {
  // The flag is of the whole process, and gives `gc` to contexts that are made later.
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
