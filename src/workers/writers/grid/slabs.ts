/** How a grid is cut into slabs: boxes of cells that lie one after the other in C order, and fit into memory. */
export interface Slabs {
  /** The dimension that is cut. A slab has one value of each dimension before it, and all values of those after it. */
  readonly split: number
  /** The values of the dimension `split` in a slab. The last slab of a row of them may have fewer. */
  readonly rows: number
  readonly count: number
}

export interface Box {
  readonly offset: readonly number[]
  readonly shape: readonly number[]
}

/**
 * Cuts a grid of at least one cell into slabs of at most `most` cells. The dimension that is cut is the first of those after which a
 * whole box still fits: so there are hardly more slabs than are needed.
 */
export function slabsOf(shape: readonly number[], most: number): Slabs {
  let split = shape.length - 1
  let inner = 1
  while (split > 0 && inner * (shape[split] ?? 1) <= most) {
    inner *= shape[split] ?? 1
    split--
  }
  const size = shape[split] ?? 1
  const rows = Math.min(size, Math.max(1, Math.floor(most / inner)))
  return { split, rows, count: cellsOf(shape.slice(0, split)) * Math.ceil(size / rows) }
}

/** The same slabs, but for their length: a multiple of the chunk's, so that no chunk is in two of them. */
export function alignedTo(slabs: Slabs, chunk: Slabs, shape: readonly number[]): Slabs {
  if (slabs.split !== chunk.split || slabs.rows <= chunk.rows) return slabs
  const size = shape[slabs.split] ?? 1
  const rows = slabs.rows - (slabs.rows % chunk.rows)
  return { ...slabs, rows, count: cellsOf(shape.slice(0, slabs.split)) * Math.ceil(size / rows) }
}

/** The box of a slab. Slabs are numbered in C order. */
export function slabBox(shape: readonly number[], { split, rows }: Slabs, slab: number): Box {
  const size = shape[split] ?? 1
  const pieces = Math.ceil(size / rows)
  const offset = shape.map(() => 0)
  const from = (slab % pieces) * rows
  offset[split] = from
  let rest = Math.floor(slab / pieces)
  for (let at = split - 1; at >= 0; at--) {
    const length = shape[at] ?? 1
    offset[at] = rest % length
    rest = Math.floor(rest / length)
  }
  const box = shape.map((length, at) =>
    at < split ? 1 : at === split ? Math.min(rows, size - from) : length,
  )
  return { offset, shape: box }
}

/** The cells of a box. */
export function cellsOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1)
}
