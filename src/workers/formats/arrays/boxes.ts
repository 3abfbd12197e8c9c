import type { Box } from './array-file.ts'

/** The part that two boxes share. Both have the same rank. */
export function intersectionOf(a: Box, b: Box): Box {
  const origin = a.origin.map((from, axis) => Math.max(from, b.origin[axis] ?? 0))
  const extent = origin.map((from, axis) => {
    const end = Math.min(endOf(a, axis), endOf(b, axis))
    return Math.max(0, end - from)
  })
  return { origin, extent }
}

function endOf({ origin, extent }: Box, axis: number): number {
  return (origin[axis] ?? 0) + (extent[axis] ?? 0)
}

/** Whether a chunk, which may reach beyond its array, has no element of the array outside of a box. */
export function isInside(chunk: Box, shape: readonly number[], box: Box): boolean {
  return chunk.origin.every((from, axis) => {
    const end = Math.min(endOf(chunk, axis), shape[axis] ?? 0)
    return from >= (box.origin[axis] ?? 0) && end <= endOf(box, axis)
  })
}

/** The number of elements. */
export function elementsOf({ extent }: Box): number {
  return extent.reduce((product, length) => product * length, 1)
}

/** The numbers of the chunks that have elements of a box, along each dimension, in C order. */
export function* chunksOf({ origin, extent }: Box, chunk: readonly number[]): Generator<readonly number[]> {
  if (extent.includes(0)) return
  const first = origin.map((from, axis) => Math.floor(from / (chunk[axis] ?? 1)))
  const last = origin.map((from, axis) => Math.floor((from + (extent[axis] ?? 1) - 1) / (chunk[axis] ?? 1)))
  const position = [...first]
  for (;;) {
    yield position.slice()
    let axis = position.length - 1
    for (; axis >= 0; axis--) {
      const next = (position[axis] ?? 0) + 1
      position[axis] = next <= (last[axis] ?? 0) ? next : (first[axis] ?? 0)
      if (next <= (last[axis] ?? 0)) break
    }
    if (axis < 0) return
  }
}

/** The box of a chunk. It may reach beyond the array. */
export function chunkBox(position: readonly number[], chunk: readonly number[]): Box {
  return { origin: position.map((at, axis) => at * (chunk[axis] ?? 1)), extent: chunk }
}

/** The elements of a box that lies in `whole`, of whose elements `bytes` has all. Both are in C order. */
export function crop(bytes: Uint8Array, whole: Box, box: Box, elementBytes: number): Uint8Array {
  const target = new Uint8Array(elementsOf(box) * elementBytes)
  const rank = box.extent.length
  const strides: number[] = []
  for (let axis = rank - 1, stride = elementBytes; axis >= 0; stride *= whole.extent[axis] ?? 1, axis--)
    strides[axis] = stride
  let to = 0

  function copy(axis: number, from: number): void {
    const run = axis >= rank - 1 ? (box.extent[rank - 1] ?? 1) * elementBytes : 0
    const skipped = ((box.origin[axis] ?? 0) - (whole.origin[axis] ?? 0)) * (strides[axis] ?? 0)
    if (axis >= rank - 1) {
      target.set(bytes.subarray(from + skipped, from + skipped + run), to)
      to += run
      return
    }
    for (let index = 0; index < (box.extent[axis] ?? 0); index++)
      copy(axis + 1, from + skipped + index * (strides[axis] ?? 0))
  }

  copy(0, 0)
  return target
}
