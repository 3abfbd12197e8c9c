import type { Core } from '../../src/wasm/core/core.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'

/** What a file is read with: nothing is measured that is looked at, or kept, and nobody cancels. */
export function readContext(core: Core): ReadContext {
  return {
    core,
    stopwatch: createStopwatch(),
    chunks: { get: (_store, _chunk, _version, make) => make() },
    checkCancelled() {},
  }
}
