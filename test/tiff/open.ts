import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import { tiff } from '../../src/workers/formats/tiff/tiff.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readSegment, type Value } from '../formats/values.ts'

const context: ReadContext = readContext(createCore({ maximumBytes: 1 << 26 }))

const provider = createArrayProvider(tiff, { dimensions: null, isNanValue: true })

export interface PixelBox {
  readonly origin: readonly [number, number]
  readonly extent: readonly [number, number]
}

/** The values of a column in a box of pixels. `isOnlyUnit`: no other unit and no other column needs the tiles of the box. */
export function valuesIn(
  bytes: Uint8Array,
  column: string,
  { origin, extent }: PixelBox,
  isOnlyUnit = false,
): readonly Value[] {
  const store = memorySource(bytes, 'a.tif')
  const file = provider.open(store, context)
  const field = file.schema.fields.find(({ name }) => name === column)
  if (field === undefined) throw new Error(`no column ${column}`)
  const range = { kind: 'box', dimensions: [0, 1], origin, extent } as const
  if (!isOnlyUnit) return readSegment(file, store, range, [field], context).values[0] ?? []
  const exclusive = { origin: [0, 0], extent: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] }
  const alone = { ...context, unitColumns: [column] }
  return readSegment(file, store, { ...range, exclusive }, [field], alone).values[0] ?? []
}

/** The values of a column in boxes of pixels, which are read one after the other as the units of a task: from one store. */
export function valuesInEach(
  bytes: Uint8Array,
  column: string,
  boxes: readonly PixelBox[],
): readonly (readonly Value[])[] {
  const store = memorySource(bytes, 'a.tif')
  const file = provider.open(store, context)
  const fields = file.schema.fields.filter(({ name }) => name === column)
  return boxes.map(
    ({ origin, extent }) =>
      readSegment(file, store, { kind: 'box', dimensions: [0, 1], origin, extent }, fields, context)
        .values[0] ?? [],
  )
}

/** The number of values in the first and the last pixels of each column, at most 40 along each dimension. */
export function readCorners(bytes: Uint8Array): number {
  const store = memorySource(bytes, 'damaged.tif')
  const file = provider.open(store, context)
  const names = file.schema.fields.map(({ name }) => name)
  const grid = file.segments(names, store, context)
  if (grid.kind !== 'grid') throw new Error('no grid')
  const extent = grid.shape.map((size) => Math.min(size, 40))
  const fields = file.schema.fields.filter(({ name }) => !/^band\.\d*[4-9]$/.test(name))
  let count = 0
  for (const origin of [extent.map(() => 0), grid.shape.map((size, axis) => size - (extent[axis] ?? 0))]) {
    const range = {
      kind: 'box',
      dimensions: grid.axes.map(({ dimension }) => dimension),
      origin,
      extent,
    } as const
    for (const field of fields)
      count += readSegment(file, store, range, [field], context).values[0]?.length ?? 0
  }
  return count
}
