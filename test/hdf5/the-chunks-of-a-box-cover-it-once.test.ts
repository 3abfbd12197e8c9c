import t from 'tap'
import type { Box } from '../../src/workers/formats/arrays/array-file.ts'
import {
  chunkBox,
  chunksOf,
  crop,
  elementsOf,
  intersectionOf,
} from '../../src/workers/formats/arrays/boxes.ts'
import { fc } from '../support/generate.ts'

const AXIS = fc.record({ origin: fc.nat(9), extent: fc.nat(7), chunk: fc.integer({ min: 1, max: 5 }) })
const AXES = fc.array(AXIS, { maxLength: 4 })

function boxOf(axes: readonly { readonly origin: number; readonly extent: number }[]): Box {
  return { origin: axes.map(({ origin }) => origin), extent: axes.map(({ extent }) => extent) }
}

/** The indices of all elements of a box, in C order. */
function indicesOf({ origin, extent }: Box): string[] {
  return extent
    .reduce<number[][]>(
      (all, length, axis) =>
        all.flatMap((index) => Array.from({ length }, (_, each) => [...index, (origin[axis] ?? 0) + each])),
      [[]],
    )
    .map((index) => index.join())
}

t.test('each element is in one chunk, and no chunk is without an element', async () => {
  fc.assert(
    fc.property(AXES, (axes) => {
      const [box, chunk] = [boxOf(axes), axes.map((axis) => axis.chunk)]
      const positions = [...chunksOf(box, chunk)]
      const parts = positions.map((position) => intersectionOf(chunkBox(position, chunk), box))
      t.notOk(parts.some((part) => elementsOf(part) === 0))
      t.strictSame(parts.flatMap(indicesOf).toSorted(), indicesOf(box).toSorted())
      const inOrder = positions.toSorted((a, b) => a.reduce((sum, at, axis) => sum || at - (b[axis] ?? 0), 0))
      t.strictSame(positions, inOrder, 'in C order')
    }),
  )
})

t.test('a part of a chunk has its elements', async () => {
  fc.assert(
    fc.property(AXES, fc.integer({ min: 1, max: 3 }), (axes, width) => {
      const whole = boxOf(axes)
      const part = intersectionOf(whole, {
        origin: axes.map((axis) => axis.origin + axis.chunk - 3),
        extent: whole.extent,
      })
      const all = indicesOf(whole)
      const bytes = Uint8Array.from({ length: all.length * width }, (_, at) => at % 251)
      const expected = indicesOf(part).flatMap((index) => {
        const at = all.indexOf(index) * width
        return [...bytes.subarray(at, at + width)]
      })
      t.strictSame([...crop(bytes, whole, part, width)], expected)
    }),
  )
})
