export type Numbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array

interface Cells {
  readonly shape: readonly number[]
  readonly chunk: readonly number[]
  /** In C order. */
  readonly values: Numbers
  /** Each element is so many values. Default: one. */
  readonly textLength?: number
}

/** The bytes of a whole chunk, also at the edge of the array: cells outside of the shape are zeros. */
export function cellsOfChunk(
  { shape, chunk, values, textLength = 1 }: Cells,
  index: readonly number[],
  { isFortran = false }: { readonly isFortran?: boolean },
): Uint8Array {
  const width = values.BYTES_PER_ELEMENT * textLength
  const from = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const cells = chunk.reduce((all, each) => all * each, 1)
  const to = new Uint8Array(cells * width)
  for (let cell = 0; cell < cells; cell++) {
    const place = placeOf(cell, chunk)
    const at = place.map((each, axis) => (index[axis] ?? 0) * (chunk[axis] ?? 1) + each)
    if (at.some((each, axis) => each >= (shape[axis] ?? 1))) continue
    const source = at.reduce((sum, each, axis) => sum * (shape[axis] ?? 1) + each, 0)
    const target = isFortran
      ? place.reduceRight((sum, each, axis) => sum * (chunk[axis] ?? 1) + each, 0)
      : cell
    to.set(from.subarray(source * width, (source + 1) * width), target * width)
  }
  return to
}

/** All indices of a box, in C order. */
export function indices(extent: readonly number[]): number[][] {
  return extent.reduce<number[][]>(
    (before, size) => before.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  )
}

/** The place of a cell of a box in C order. */
function placeOf(cell: number, extent: readonly number[]): number[] {
  let left = cell
  return extent
    .toReversed()
    .map((size) => {
      const place = left % size
      left = Math.floor(left / size)
      return place
    })
    .toReversed()
}
