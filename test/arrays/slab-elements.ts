import type { Box, Slab } from '../../src/workers/formats/arrays/array-file.ts'

/** The elements of a box: bytes of numbers, little-endian, or texts. In C order. */
export type Elements = readonly (Buffer | string)[]

/** What an element is: so many bytes, or text. */
export interface ElementKind {
  readonly bytes: number
  readonly isText: boolean
}

/** The elements of a box. Throws if a slab has not all it says, or if elements of the box come twice or not at all. */
export function elementsOfSlabs(slabs: Iterable<Slab>, box: Box, kind: ElementKind): Elements {
  const elements: (Buffer | string)[] = []
  for (const slab of slabs) {
    const elementOf = elementReader(slab, kind)
    for (const [number, index] of indicesIn(slab).entries()) {
      const inBox = index.map((each, axis) => each - (box.origin[axis] ?? 0))
      if (!inBox.every((each, axis) => each >= 0 && each < (box.extent[axis] ?? 0))) continue
      const to = inBox.reduce((sum, each, axis) => sum * (box.extent[axis] ?? 1) + each, 0)
      if (elements[to] !== undefined) throw new Error(`element ${index} comes twice`)
      elements[to] = elementOf(number)
    }
  }
  const count = box.extent.reduce((product, length) => product * length, 1)
  for (let each = 0; each < count; each++)
    if (elements[each] === undefined) throw new Error(`element ${each} of ${count} does not come`)
  return elements
}

function elementReader(
  slab: Slab,
  { bytes: width, isText }: ElementKind,
): (number: number) => Buffer | string {
  const bytes = Buffer.from(slab.kind === 'inflated' ? new Uint8Array(slab.bytes.copy()) : slab.bytes)
  if (slab.kind === 'texts')
    return (number) => bytes.toString('utf8', slab.offsets[number], slab.offsets[number + 1])
  if (slab.kind === 'validity') throw new Error('validity has no elements')
  if (slab.kind === 'repeated') return () => (isText ? bytes.toString() : bytes)
  const { stride, offset, isShuffled, isBigEndian } = slab
  const count = bytes.length / stride
  return (number) => {
    const element = Buffer.alloc(width)
    for (let byte = 0; byte < width; byte++) {
      const at = isShuffled ? (offset + byte) * count + number : number * stride + offset + byte
      if (at >= bytes.length) throw new Error('an element is not in its slab')
      element[isBigEndian ? width - 1 - byte : byte] = bytes[at] ?? 0
    }
    return element
  }
}

/** The indices of all elements of a box, in C order. */
function indicesIn({ origin, extent }: Box): number[][] {
  return extent.reduce<number[][]>(
    (all, length, axis) =>
      all.flatMap((index) => Array.from({ length }, (_, each) => [...index, (origin[axis] ?? 0) + each])),
    [[]],
  )
}

/** The elements of a box, out of all elements of an array. */
export function elementsInBox(all: Elements, shape: readonly number[], box: Box): Elements {
  return indicesIn(box).map(
    (index) => all[index.reduce((sum, at, axis) => sum * (shape[axis] ?? 1) + at, 0)] ?? '',
  )
}
