import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import { tiff } from '../../src/workers/formats/tiff/tiff.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readSegment, type Value } from '../formats/values.ts'

export const context: ReadContext = readContext(createCore({ maximumBytes: 1 << 26 }))

export const provider = createArrayProvider(tiff, { dimensions: null, isNanValue: true })

export interface PixelBox {
  readonly origin: readonly [number, number]
  readonly extent: readonly [number, number]
}

/** The values of a column in a box of pixels. */
export function valuesIn(bytes: Uint8Array, column: string, { origin, extent }: PixelBox): readonly Value[] {
  const store = memorySource(bytes, 'a.tif')
  const file = provider.open(store, context)
  const field = file.schema.fields.find(({ name }) => name === column)
  if (field === undefined) throw new Error(`no column ${column}`)
  const range = { kind: 'box', dimensions: [0, 1], origin, extent } as const
  return readSegment(file, store, range, [field], context).values[0] ?? []
}
