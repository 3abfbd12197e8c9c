import type { Core } from '../../src/wasm/core/core.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'

/** A context to read files with. Nothing is cancelled, and what the stopwatch measures is not used. */
export function readContext(core: Core): ReadContext {
  return {
    core,
    stopwatch: createStopwatch(),
    chunks: {
      maxChunkBytes: 1 << 28,
      get: (_store, _chunk, _version, make) => make(),
      isHeld: () => false,
      isShared: () => false,
    },
    undoFilter() {
      throw new TypeError('there is no annex here')
    },
    checkCancelled() {},
  }
}
