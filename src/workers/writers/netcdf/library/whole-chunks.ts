/** A chunk that is put together: the elements of it that are there, each once. */
interface OpenChunk {
  readonly bytes: Uint8Array
  /** Elements that are still to come. Infinite: the dataset may grow, and nobody knows. */
  missing: number
}

/** Boxes of a dataset as whole chunks. */
export interface WholeChunks {
  /** Adds a box of elements in C order. No element is added twice. `bytesOf` is called after each chunk that was written. */
  add(from: readonly number[], count: readonly number[], bytesOf: () => Uint8Array): void
  /** Writes the chunks that are not complete, with zeros in place of elements that were not added. */
  flush(): void
}

export interface WholeChunksOptions {
  readonly chunk: readonly number[]
  /** The length of each axis. Infinite: it grows. */
  readonly shape: readonly number[]
  readonly elementBytes: number
  /** Writes a chunk by the index of its first element. Its bytes are all elements of the chunk, also those beyond the shape. */
  write(origin: readonly number[], bytes: Uint8Array): void
}

/** Puts boxes together to chunks, which are written as soon as their last element comes. Boxes need not end where chunks do. */
export function createWholeChunks({ chunk, shape, elementBytes, write }: WholeChunksOptions): WholeChunks {
  const open = new Map<string, OpenChunk & { readonly origin: readonly number[] }>()
  const chunkBytes = product(chunk) * elementBytes

  function chunkAt(origin: readonly number[]): OpenChunk {
    const key = origin.join()
    const earlier = open.get(key)
    if (earlier !== undefined) return earlier
    const within = chunk.map((length, axis) => Math.min(length, at(shape, axis) - at(origin, axis)))
    const added = { origin, bytes: new Uint8Array(chunkBytes), missing: product(within) }
    open.set(key, added)
    return added
  }

  return {
    add(from, count, bytesOf) {
      for (const origin of originsIn(chunk, from, count)) {
        const target = chunkAt(origin)
        target.missing -= copyElements(target.bytes, chunk, origin, bytesOf(), from, count, elementBytes)
        if (target.missing > 0) continue
        open.delete(origin.join())
        write(origin, target.bytes)
      }
    },
    flush() {
      for (const { origin, bytes } of open.values()) write(origin, bytes)
      open.clear()
    },
  }
}

/** Where the chunks begin that a box touches, in C order. */
function* originsIn(
  chunk: readonly number[],
  from: readonly number[],
  count: readonly number[],
): Generator<readonly number[]> {
  if (count.includes(0)) return
  const first = chunk.map((length, axis) => at(from, axis) - (at(from, axis) % length))
  const origin = [...first]
  for (;;) {
    yield [...origin]
    let axis = chunk.length - 1
    for (; axis >= 0; axis--) {
      origin[axis] = at(origin, axis) + at(chunk, axis)
      if (at(origin, axis) < at(from, axis) + at(count, axis)) break
      origin[axis] = at(first, axis)
    }
    if (axis < 0) return
  }
}

/** Copies the elements of a box that are in a chunk to it. Returns how many they are. */
function copyElements(
  target: Uint8Array,
  chunk: readonly number[],
  origin: readonly number[],
  source: Uint8Array,
  from: readonly number[],
  count: readonly number[],
  elementBytes: number,
): number {
  const low = chunk.map((_, axis) => Math.max(at(origin, axis), at(from, axis)))
  const extent = chunk.map(
    (length, axis) => Math.min(at(origin, axis) + length, at(from, axis) + at(count, axis)) - at(low, axis),
  )
  // Elements that follow each other in the box and in the chunk are copied at once: those of the axes that both have whole.
  let axis = chunk.length - 1
  let together = 1
  while (axis > 0 && at(extent, axis) === at(chunk, axis) && at(extent, axis) === at(count, axis))
    together *= at(extent, axis--)
  if (axis >= 0) together *= at(extent, axis)
  const length = together * elementBytes
  const outer = extent.slice(0, Math.max(0, axis))
  for (let index = product(outer) - 1; index >= 0; index--) {
    const place = low.map((start) => start)
    for (let outerAxis = outer.length - 1, rest = index; outerAxis >= 0; outerAxis--) {
      place[outerAxis] = at(low, outerAxis) + (rest % at(outer, outerAxis))
      rest = Math.floor(rest / at(outer, outerAxis))
    }
    const read = offsetOf(place, from, count) * elementBytes
    target.set(source.subarray(read, read + length), offsetOf(place, origin, chunk) * elementBytes)
  }
  return product(extent)
}

/** The number of elements before a place in a box, in C order. */
function offsetOf(place: readonly number[], origin: readonly number[], shape: readonly number[]): number {
  return place.reduce((sum, index, axis) => sum * at(shape, axis) + index - at(origin, axis), 0)
}

function product(lengths: readonly number[]): number {
  return lengths.reduce((elements, length) => elements * length, 1)
}

function at(numbers: readonly number[], axis: number): number {
  return numbers[axis] ?? 0
}
