import type { Box } from '../../../src/workers/formats/arrays/array-file.ts'

/** Elements that follow each other both in a slab and in the box that they are copied to. */
export type UseRun = (source: number, target: number, elements: number) => void

/**
 * Finds the elements that a slab and a box have in common, as runs. Positions are counted in elements, in C order, from the
 * first one of the slab and of the box.
 */
export function forEachRun(slab: Box, box: Box, use: UseRun): void {
  const rank = box.extent.length
  const low = box.origin.map((from, axis) => Math.max(from, slab.origin[axis] ?? 0))
  const lengths = low.map((from, axis) => Math.min(endOf(box, axis), endOf(slab, axis)) - from)
  if (lengths.some((length) => length <= 0)) return
  // The innermost dimensions of which both have all indices form one run with the next one.
  let inner = Math.max(0, rank - 1)
  while (inner > 0 && lengths[inner] === slab.extent[inner] && lengths[inner] === box.extent[inner]) inner--
  const run = lengths.slice(inner).reduce((all, length) => all * length, 1)
  const source = stridesOf(slab.extent)
  const target = stridesOf(box.extent)
  const begin = (of: Box, strides: readonly number[]): number =>
    low.reduce((sum, from, axis) => sum + (from - (of.origin[axis] ?? 0)) * (strides[axis] ?? 0), 0)
  const index = lengths.slice(0, inner).map(() => 0)
  let from = begin(slab, source)
  let to = begin(box, target)
  for (;;) {
    use(from, to, run)
    let axis = inner - 1
    for (; axis >= 0; axis--) {
      const next = (index[axis] ?? 0) + 1
      from += source[axis] ?? 0
      to += target[axis] ?? 0
      index[axis] = next
      const length = lengths[axis] ?? 1
      if (next < length) break
      from -= length * (source[axis] ?? 0)
      to -= length * (target[axis] ?? 0)
      index[axis] = 0
    }
    if (axis < 0) return
  }
}

/** The distance of neighbours along each dimension of a box in C order. */
export function stridesOf(extent: readonly number[]): number[] {
  const strides: number[] = extent.map(() => 1)
  for (let axis = extent.length - 2; axis >= 0; axis--)
    strides[axis] = (strides[axis + 1] ?? 1) * (extent[axis + 1] ?? 1)
  return strides
}

export function cellsIn(extent: readonly number[]): number {
  return extent.reduce((cells, length) => cells * length, 1)
}

function endOf({ origin, extent }: Box, axis: number): number {
  return (origin[axis] ?? 0) + (extent[axis] ?? 0)
}
