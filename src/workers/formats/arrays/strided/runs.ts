import type { Box } from '../array-file.ts'

/** Where the elements of an array lie in a file. */
export interface StridedElements {
  readonly elementBytes: number
  readonly shape: readonly number[]
  /** The place of the first element. */
  readonly begin: number
  /** Bytes from one index to the next along each dimension. They do not increase. */
  readonly strides: readonly number[]
}

/** Elements that follow each other in C order. */
export function inOrder(begin: number, shape: readonly number[], elementBytes: number): StridedElements {
  const strides: number[] = []
  for (let axis = shape.length - 1, stride = elementBytes; axis >= 0; stride *= shape[axis] ?? 1, axis--)
    strides[axis] = stride
  return { elementBytes, shape, begin, strides }
}

/** The elements of a box as runs of bytes in the file: one for each combination of indices along the axes. */
export interface Runs {
  /** The place of the first one. */
  readonly from: number
  /** Bytes of each. */
  readonly bytes: number
  /** The slowest axis first. */
  readonly axes: readonly RunAxis[]
}

export interface RunAxis {
  readonly extent: number
  /** Bytes in the file from an index to the next. */
  readonly stride: number
  /** Bytes in the file from the first to the last one of the box at an index. */
  readonly span: number
  /** Bytes of the box at an index. */
  readonly bytes: number
}

/** The runs of a box, which is not empty and lies in the array. */
export function runsOf(
  { elementBytes, shape, begin, strides }: StridedElements,
  { origin, extent }: Box,
): Runs {
  const from = origin.reduce((place, index, axis) => place + index * (strides[axis] ?? 0), begin)
  // Indices that follow each other without a gap are one run, up to the first axis along which not all are wanted.
  let bytes = elementBytes
  let outer = extent.length
  for (let isWhole = true; isWhole && outer > 0 && strides[outer - 1] === bytes; ) {
    outer--
    isWhole = extent[outer] === shape[outer]
    bytes *= extent[outer] ?? 1
  }
  const axes: RunAxis[] = []
  let inner = { span: bytes, bytes }
  for (let axis = outer - 1; axis >= 0; axis--) {
    const [length, stride] = [extent[axis] ?? 1, strides[axis] ?? 0]
    if (length === 1) continue
    axes.unshift({ extent: length, stride, ...inner })
    inner = { span: (length - 1) * stride + inner.span, bytes: length * inner.bytes }
  }
  return { from, bytes, axes }
}
