import { productOf } from '../../../plan/product-of.ts'
import type { Box } from './array-file.ts'

/** How a grid is cut into boxes: boxes of elements that lie one after the other in C order, and fit into memory. */
export interface BoxSplit {
  /** The dimension that is cut. A box has one value of each dimension before it, and all values of those after it. */
  readonly split: number
  /** The values of the dimension `split` in a box. The last box of a row of them may have fewer. */
  readonly rows: number
  readonly count: number
}

/**
 * Cuts a grid of at least one element into boxes of at most `most` elements. The dimension that is cut is the first of those after which a
 * whole box still fits: so there are hardly more boxes than are needed.
 */
export function splitBox(shape: readonly number[], most: number): BoxSplit {
  let split = shape.length - 1
  let inner = 1
  while (split > 0 && inner * (shape[split] ?? 1) <= most) {
    inner *= shape[split] ?? 1
    split--
  }
  const size = shape[split] ?? 1
  const rows = Math.min(size, Math.max(1, Math.floor(most / inner)))
  return { split, rows, count: productOf(shape.slice(0, split)) * Math.ceil(size / rows) }
}

/** The same boxes, but for their length: a multiple of the chunk's, so that no chunk is in two of them. */
export function alignedTo(boxes: BoxSplit, chunk: BoxSplit, shape: readonly number[]): BoxSplit {
  if (boxes.split !== chunk.split || boxes.rows <= chunk.rows) return boxes
  const size = shape[boxes.split] ?? 1
  const rows = boxes.rows - (boxes.rows % chunk.rows)
  return { ...boxes, rows, count: productOf(shape.slice(0, boxes.split)) * Math.ceil(size / rows) }
}

/** One of the boxes, which are numbered in C order. */
export function boxAt(shape: readonly number[], { split, rows }: BoxSplit, index: number): Box {
  const size = shape[split] ?? 1
  const perRow = Math.ceil(size / rows)
  const origin = shape.map(() => 0)
  const from = (index % perRow) * rows
  origin[split] = from
  let rest = Math.floor(index / perRow)
  for (let at = split - 1; at >= 0; at--) {
    const length = shape[at] ?? 1
    origin[at] = rest % length
    rest = Math.floor(rest / length)
  }
  const extent = shape.map((length, at) =>
    at < split ? 1 : at === split ? Math.min(rows, size - from) : length,
  )
  return { origin, extent }
}

/** Cuts a box into boxes of at most `most` elements, in C order. An empty box gives none. */
export function* cutBox({ origin, extent }: Box, most: number): Generator<Box> {
  if (extent.includes(0)) return
  const split = splitBox(extent, most)
  for (let index = 0; index < split.count; index++) {
    const part = boxAt(extent, split, index)
    yield { ...part, origin: part.origin.map((at, axis) => at + (origin[axis] ?? 0)) }
  }
}
