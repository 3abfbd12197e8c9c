import { ServiceError } from '../../../plan/errors.ts'
import { productOf } from '../../../plan/product-of.ts'
import type { BoxSlab } from './box-column.ts'

/** Elements of a slab that are in a box, as `box_room` takes them: the words that say where they go, and then the bytes. */
export interface SlabPart {
  /** `inflated`: the bytes are in the core, of all elements of the slab. A stride of 0 means that they are shuffled. */
  readonly kind: 'strided' | 'shuffled' | 'inflated' | 'texts' | 'validity'
  readonly parts: readonly Uint8Array[]
  /** Of `inflated`: the first element of the part. */
  readonly first?: number
  readonly elements: number
  readonly stride: number
  readonly offset: number
  readonly isBigEndian: boolean
}

/** The part of the array that is in the box, and the bytes of an element. */
export interface BoxPart {
  readonly origin: readonly number[]
  readonly extent: readonly number[]
  readonly width: number
  /** Where its first element is in the column, and how far apart neighbours are there along each dimension, in elements. */
  readonly start: number
  readonly strides: readonly number[]
}

/** A dimension of a part: where it begins in the box, its elements, and how far apart they are in the slab, and in the column. */
interface Dimension {
  readonly from: number
  readonly count: number
  readonly stride: number
  readonly step: number
}

/** Parts of this many bytes stay in the processor's second cache until they are in their places. */
const PART_BYTES = 256 << 10

/**
 * The elements of a slab that are in the box, in parts. Throws `unreadable_file` if the slab has fewer bytes than its shape needs.
 */
export function* slabParts(slab: BoxSlab, part: BoxPart): Iterable<SlabPart> {
  const elements = elementsOf(slab.extent)
  checkBytes(slab, elements, part.width)
  const dimensions: Dimension[] = []
  let first = 0
  let stride = elements
  for (const [i, extent] of slab.extent.entries()) {
    const origin = slab.origin[i] ?? 0
    const boxOrigin = part.origin[i] ?? 0
    const low = Math.max(origin, boxOrigin)
    const high = Math.min(origin + extent, boxOrigin + (part.extent[i] ?? 0))
    if (low >= high) return
    stride /= extent
    first += (low - origin) * stride
    dimensions.push({ from: low - boxOrigin, count: high - low, stride, step: part.strides[i] ?? 0 })
  }
  if (slab.kind === 'repeated') yield repeat(slab, part, dimensions)
  else if (slab.kind === 'inflated') yield inflate(slab, part, first, elements, dimensions)
  else
    for (const [at, some] of cut(dimensions, first, elementsPerPart(slab)))
      yield slabPartOf(slab, part, at, some)
}

/** The number of elements of a slab. */
export function elementsOf(extent: readonly number[]): number {
  const elements = productOf(extent)
  if (!Number.isSafeInteger(elements) || extent.some((length) => length < 0))
    throw new ServiceError('unreadable_file', 'a chunk of more elements than there can be')
  return elements
}

/** Throws `unreadable_file` if a slab has fewer bytes than its elements take. */
export function checkBytes(slab: BoxSlab, elements: number, width: number): void {
  const length = slab.kind === 'texts' ? slab.offsets.length : slab.bytes.length
  if (length < neededLength(slab, elements, width))
    throw new ServiceError('unreadable_file', `a chunk of ${elements} elements has only ${length} bytes`)
}

function neededLength(slab: BoxSlab, elements: number, width: number): number {
  if (slab.kind === 'repeated') return width
  if (elements === 0) return 0
  if (slab.kind === 'texts') return elements + 1
  if (slab.kind === 'validity') return elements
  return slab.isShuffled ? elements * slab.stride : (elements - 1) * slab.stride + slab.offset + width
}

/** The elements of a part. */
function elementsPerPart(slab: BoxSlab): number {
  const bytes = slab.kind === 'elements' ? slab.stride : 16
  return Math.max(1, Math.floor(PART_BYTES / Math.max(1, bytes)))
}

/** The dimensions in parts whose first and last elements are less than `limit` apart, each with its first element. */
function* cut(
  dimensions: readonly Dimension[],
  first: number,
  limit: number,
): Iterable<[number, readonly Dimension[]]> {
  const outer = dimensions.findIndex(({ count }) => count > 1)
  const dimension = dimensions[outer]
  if (dimension === undefined || spanOf(dimensions) <= limit) {
    yield [first, dimensions]
    return
  }
  const step = Math.max(1, Math.floor(limit / dimension.stride))
  for (let done = 0; done < dimension.count; done += step) {
    const count = Math.min(step, dimension.count - done)
    const some = dimensions.with(outer, { ...dimension, from: dimension.from + done, count })
    yield* cut(some, first + done * dimension.stride, limit)
  }
}

/** The slab's elements from the first to the last one of a part. */
function spanOf(dimensions: readonly Dimension[]): number {
  return dimensions.reduce((span, { count, stride }) => span + (count - 1) * stride, 1)
}

function inflate(
  { bytes, isShuffled, isBigEndian, stride, offset }: Extract<BoxSlab, { kind: 'inflated' }>,
  { start }: BoxPart,
  first: number,
  slabElements: number,
  dimensions: readonly Dimension[],
): SlabPart {
  const parts = [words(start, dimensions)]
  const order = isShuffled
    ? { elements: Math.floor(bytes.length / stride), stride: 0 }
    : { elements: slabElements, stride }
  return { kind: 'inflated', parts, first, ...order, offset, isBigEndian }
}

function repeat(
  slab: Extract<BoxSlab, { kind: 'repeated' }>,
  { width, start }: BoxPart,
  dimensions: readonly Dimension[],
): SlabPart {
  const head = words(
    start,
    dimensions.map((dimension) => ({ ...dimension, stride: 0 })),
  )
  if (width > 0) {
    const parts = [head, slab.bytes.subarray(0, width)]
    return { kind: 'strided', parts, elements: 1, stride: 0, offset: 0, isBigEndian: false }
  }
  const parts = [head, bytesOf(Uint32Array.of(0, slab.bytes.length)), slab.bytes]
  return { kind: 'texts', parts, elements: 1, stride: 0, offset: 0, isBigEndian: false }
}

function slabPartOf(
  slab: Exclude<BoxSlab, { kind: 'repeated' | 'inflated' }>,
  { width, start }: BoxPart,
  first: number,
  dimensions: readonly Dimension[],
): SlabPart {
  const head = words(start, dimensions)
  const elements = spanOf(dimensions)
  if (slab.kind === 'texts') return textsOf(slab, head, first, elements)
  if (slab.kind === 'validity') {
    const parts = [head, slab.bytes.subarray(first, first + elements)]
    return { kind: 'validity', parts, elements, stride: 1, offset: 0, isBigEndian: false }
  }
  const { bytes, stride, offset, isBigEndian, isShuffled } = slab
  if (isShuffled) {
    const all = Math.floor(bytes.length / stride)
    const planes = Array.from({ length: width }, (_, byte) => {
      const from = (offset + byte) * all + first
      return bytes.subarray(from, from + elements)
    })
    return { kind: 'shuffled', parts: [head, ...planes], elements, stride: 0, offset: 0, isBigEndian }
  }
  const from = first * stride + offset
  const part = bytes.subarray(from, from + (elements - 1) * stride + width)
  return { kind: 'strided', parts: [head, part], elements, stride, offset: 0, isBigEndian }
}

function textsOf(
  slab: Extract<BoxSlab, { kind: 'texts' }>,
  head: Uint8Array,
  first: number,
  elements: number,
): SlabPart {
  const offsets = slab.offsets.slice(first, first + elements + 1)
  const start = offsets[0] ?? 0
  const end = offsets.at(-1) ?? 0
  if (start < 0 || end < start || end > slab.bytes.length)
    throw new ServiceError('unreadable_file', 'offsets of text that are not ascending, or beyond its bytes')
  const parts = [head, bytesOf(offsets.map((offset) => offset - start)), slab.bytes.subarray(start, end)]
  return { kind: 'texts', parts, elements, stride: 0, offset: 0, isBigEndian: false }
}

/**
 * The words of where a part goes (`box_column/mod.rs`, `head`). `start` is that of the box. Strides of a dimension of one element are never used, and may exceed
 * 32 bits.
 */
export function words(start: number, dimensions: readonly Dimension[]): Uint8Array {
  const numbers = [dimensions.length, start]
  for (const { from, count, stride, step } of dimensions) {
    numbers[1] = (numbers[1] ?? 0) + from * step
    numbers.push(count, ...(count > 1 ? [stride, step] : NO_STRIDES))
  }
  return bytesOf(Uint32Array.from(numbers))
}

const NO_STRIDES = Object.freeze([0, 0])

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}
