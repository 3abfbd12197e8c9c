import type { BoxRange } from '../../../src/plan/source/range.ts'
import type { Column } from '../../../src/wasm/core/column.ts'
import type { Core } from '../../../src/wasm/core/core.ts'
import type { Dimension, Variable } from './document.ts'

/** Values along some of the dimensions of a box, in C order. */
export interface Cells {
  readonly dimensions: readonly number[]
  readonly values: BigInt64Array
  /** For each value 0 if it is null, else 1. Null: no value is null. */
  readonly isThere: Uint8Array | null
}

/** The cells of a variable in a box, copied from the chunks that have them. */
export function cellsOfBox(
  { dimensions }: Variable,
  lengths: readonly Dimension[],
  range: BoxRange,
  chunkOf: (place: string, cells: number) => BigInt64Array | null,
): Cells {
  const at = dimensions.map((each) => range.dimensions.indexOf(each))
  const from = at.map((place) => range.origin[place] ?? 0)
  const extent = at.map((place) => range.extent[place] ?? 0)
  const values = new BigInt64Array(product(extent))
  const isThere = new Uint8Array(values.length)
  const first = lengths.map(({ chunk }, place) => Math.floor((from[place] ?? 0) / chunk))
  const counts = lengths.map(({ chunk }, place) => {
    const end = (from[place] ?? 0) + (extent[place] ?? 0)
    return extent[place] === 0 ? 0 : Math.ceil(end / chunk) - (first[place] ?? 0)
  })
  forEachIndex(counts, (index) => {
    const chunk = index.map((each, place) => each + (first[place] ?? 0))
    const begin = chunk.map((each, place) => each * (lengths[place]?.chunk ?? 1))
    const size = begin.map((each, place) =>
      Math.min(lengths[place]?.chunk ?? 1, (lengths[place]?.size ?? 0) - each),
    )
    const cells = chunkOf(chunk.join('.') || '0', product(size))
    if (cells === null) return
    const low = begin.map((each, place) => Math.max(each, from[place] ?? 0))
    const rows = low.map((each, place) => {
      const end = Math.min(
        (begin[place] ?? 0) + (size[place] ?? 0),
        (from[place] ?? 0) + (extent[place] ?? 0),
      )
      return end - each
    })
    // The cells along the last dimension lie together.
    const run = rows.at(-1) ?? 1
    forEachIndex(rows.slice(0, -1), (row) => {
      let [source, target] = [0, 0]
      for (const [place, each] of low.entries()) {
        const cell = each + (row[place] ?? 0)
        source = source * (size[place] ?? 1) + cell - (begin[place] ?? 0)
        target = target * (extent[place] ?? 1) + cell - (from[place] ?? 0)
      }
      for (let cell = 0; cell < run; cell++) values[target + cell] = cells[source + cell] ?? 0n
      isThere.fill(1, target, target + run)
    })
  })
  return { dimensions, values, isThere }
}

/** A column of the rows of a box. Along dimensions that the cells do not have, values are repeated. */
export function boxColumn(cells: Cells, { dimensions, extent }: BoxRange, core: Core): Column {
  const rows = product(extent)
  const isWhole = dimensions.length === cells.dimensions.length
  const strides = stridesOf(cells.dimensions, dimensions, extent)
  const values = isWhole ? cells.values : new BigInt64Array(rows)
  const validity = new Uint8Array(Math.ceil(rows / 8))
  let row = 0
  forEachIndex(extent, (index) => {
    let place = 0
    for (const [axis, stride] of strides.entries()) place += (index[axis] ?? 0) * stride
    if (!isWhole) values[row] = cells.values[place] ?? 0n
    if (cells.isThere === null || cells.isThere[place] === 1)
      validity[row >> 3] = (validity[row >> 3] ?? 0) | (1 << (row & 7))
    row++
  })
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  return core.assemble({ layout: 'fixed', parameter: 8, rows, buffers: [cells.isThere && validity, bytes] })
}

/** The strides of the cells along each dimension of a box; 0 along one that the cells do not have. */
function stridesOf(
  own: readonly number[],
  all: readonly number[],
  extent: readonly number[],
): readonly number[] {
  let stride = 1
  return all
    .map((dimension, place) => ({ dimension, length: extent[place] ?? 0 }))
    .reverse()
    .map(({ dimension, length }) => {
      const its = own.includes(dimension) ? stride : 0
      if (its > 0) stride *= length
      return its
    })
    .reverse()
}

/** Calls `use` with all indices of a box in C order. The array is reused for each call. */
function forEachIndex(extent: readonly number[], use: (index: readonly number[]) => void): void {
  const index = extent.map(() => 0)
  for (let cells = product(extent); cells > 0; cells--) {
    use(index)
    for (let place = index.length - 1; place >= 0; place--) {
      index[place] = (index[place] ?? 0) + 1
      if ((index[place] ?? 0) < (extent[place] ?? 0)) break
      index[place] = 0
    }
  }
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all * each, 1)
}
