import { productOf } from '../../../plan/product-of.ts'
import type { Box } from './array-file.ts'
import { inOrder } from './strided/runs.ts'

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

/** Whether a box has all elements of another one. Both have the same rank. */
export function contains(outer: Box, { origin, extent }: Box): boolean {
  return origin.every(
    (from, axis) => from >= (outer.origin[axis] ?? 0) && from + (extent[axis] ?? 0) <= endOf(outer, axis),
  )
}

/** The number of elements. */
export function elementsOf({ extent }: Box): number {
  return productOf(extent)
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
  copyShared(bytes, whole, target, box, elementBytes)
  return target
}

/** Copies the elements that two boxes share from one to the other, both in C order. Returns how many they are. */
export function copyShared(
  source: Uint8Array,
  from: Box,
  target: Uint8Array,
  to: Box,
  elementBytes: number,
): number {
  const { origin, extent } = intersectionOf(from, to)
  const elements = productOf(extent)
  if (elements === 0) return 0
  // Elements that follow each other in both are copied at once: those of the axes that both have whole, and of the axis before these.
  let inner = extent.length - 1
  while (inner > 0 && extent[inner] === from.extent[inner] && extent[inner] === to.extent[inner]) inner--
  const runBytes = productOf(extent.slice(Math.max(0, inner))) * elementBytes
  const reads = inOrder(0, from.extent, elementBytes).strides
  const writes = inOrder(0, to.extent, elementBytes).strides

  function copy(axis: number, outerRead: number, outerWrite: number): void {
    const [readStride, writeStride] = [reads[axis] ?? 0, writes[axis] ?? 0]
    let read = outerRead + ((origin[axis] ?? 0) - (from.origin[axis] ?? 0)) * readStride
    let write = outerWrite + ((origin[axis] ?? 0) - (to.origin[axis] ?? 0)) * writeStride
    if (axis >= inner) {
      target.set(source.subarray(read, read + runBytes), write)
      return
    }
    for (let count = extent[axis] ?? 0; count > 0; count--, read += readStride, write += writeStride)
      copy(axis + 1, read, write)
  }

  copy(0, 0, 0)
  return elements
}
