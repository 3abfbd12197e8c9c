import { createCore } from '../../src/wasm/core/create-core.ts'
import { arrow } from '../../src/workers/formats/arrow/arrow.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll, type Value } from '../formats/values.ts'

export const core = createCore({ maximumBytes: 256 << 20 })

export const context: ReadContext = readContext(core)

/** All rows of a file or stream, named `x.arrow`, column by column. */
export function read(bytes: Uint8Array): Value[][] {
  const source = memorySource(bytes, 'x.arrow')
  return readAll(arrow.open(source, context), source, context)
}
