import t from 'tap'
import { createWholeChunks } from '../../../src/workers/writers/netcdf/library/whole-chunks.ts'
import { fc } from '../../support/generate.ts'

/** A shape, that of a chunk, and where each axis is cut into boxes. */
const cases = fc
  .array(
    fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 9 })),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((axes) => ({
    shape: axes.map(([length]) => length),
    chunk: axes.map(([, length]) => length),
    step: axes.map(([, , length]) => length),
  }))

t.test('each chunk is written once, whole, with the elements of all boxes', async () => {
  fc.assert(
    fc.property(
      cases,
      fc.constantFrom(1, 2, 8),
      fc.boolean(),
      ({ shape, chunk, step }, elementBytes, grows) => {
        const written = new Map<string, Uint8Array>()
        const chunks = createWholeChunks({
          chunk,
          shape: shape.map((length, axis) => (grows && axis === 0 ? Number.POSITIVE_INFINITY : length)),
          elementBytes,
          write(origin, bytes) {
            if (written.has(origin.join())) throw new Error(`chunk ${origin} comes twice`)
            written.set(origin.join(), bytes)
          },
        })
        for (const from of places(shape, step)) {
          const count = from.map((start, axis) => Math.min(step[axis] ?? 1, (shape[axis] ?? 0) - start))
          const inside = places(
            count,
            count.map(() => 1),
          ).map((place) => place.map((index, axis) => index + (from[axis] ?? 0)))
          const bytes = Uint8Array.from(inside.flatMap((place) => bytesAt(place, elementBytes)))
          chunks.add(from, count, () => bytes)
        }
        chunks.flush()
        for (const origin of places(shape, chunk)) {
          const bytes = written.get(origin.join())
          for (const [index, place] of places(
            chunk,
            chunk.map(() => 1),
          ).entries()) {
            const at = place.map((each, axis) => each + (origin[axis] ?? 0))
            const isInside = at.every((each, axis) => each < (shape[axis] ?? 0))
            const expected = isInside
              ? bytesAt(at, elementBytes)
              : Array.from({ length: elementBytes }, () => 0)
            const actual = bytes?.subarray(index * elementBytes, (index + 1) * elementBytes)
            if (String(actual) !== String(expected))
              throw new Error(`at ${at}: ${actual} instead of ${expected}`)
          }
        }
        return written.size === places(shape, chunk).length
      },
    ),
  )
})

/** The places of a shape in steps, in C order. */
function places(shape: readonly number[], step: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (before, length, axis) =>
      before.flatMap((place) =>
        Array.from({ length: Math.ceil(length / (step[axis] ?? 1)) }, (_, index) => [
          ...place,
          index * (step[axis] ?? 1),
        ]),
      ),
    [[]],
  )
}

/** Bytes that no other element of a test has, but for zeros. */
function bytesAt(place: readonly number[], elementBytes: number): number[] {
  const number = place.reduce((sum, index) => sum * 11 + index + 1, 0)
  return Array.from({ length: elementBytes }, (_, byte) => (number + byte * 31) % 256)
}
