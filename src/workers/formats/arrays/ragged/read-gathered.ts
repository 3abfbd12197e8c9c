import { getOrMake } from '../../../../plan/get-or-make.ts'
import { memoize } from '../../../../plan/memoize.ts'
import { productOf } from '../../../../plan/product-of.ts'
import type { Column } from '../../../../wasm/core/column.ts'
import { INDEX_TYPES } from '../../../../wasm/core/kernels/assembly.ts'
import { collect, join } from '../../collect.ts'
import type { GridBox } from '../box/box-spec.ts'
import { type Reading, readArray } from '../box/read-array.ts'
import { elementsOf } from '../boxes.ts'
import type { ArrayColumn, Lookup } from '../columns.ts'
import { type IndexRun, placesIn, runsOf } from './index-runs.ts'
import { indexesOf } from './lookup.ts'

/**
 * A column of the rows of a box, of values that are looked up. They are read once, and the column is a dictionary of them. Along axes
 * other than its own, its values are repeated.
 */
export function readGathered(reading: Reading, column: ArrayColumn, lookup: Lookup, box: GridBox): Column {
  const { core, stopwatch } = reading.context
  const { stored } = lookup
  const axis = box.names.indexOf(column.dimensions[0]?.name ?? '')
  const [from = 0, length = 0] = [box.origin[axis], box.extent[axis]]
  const rows = elementsOf(box)
  if (rows === 0) return core.constant(column.type, null, 0)
  const inner = productOf(box.extent.slice(axis + 1))
  const { runs, isOneRun, buffers } = placesOf(reading, lookup, { from, length, inner, rows })
  const [first] = runs
  if (first === undefined) return core.constant(column.type, null, rows)
  const name = stored.dimensions[0]?.name ?? ''
  if (isOneRun)
    return readArray(reading, stored, {
      names: box.names.with(axis, name),
      origin: box.origin.with(axis, first.from),
      extent: box.extent,
    })
  const parts = collect(core, (collected) => {
    for (const run of runs) {
      reading.context.checkCancelled()
      const of = { names: [name], origin: [run.from], extent: [run.to - run.from] }
      collected.push(readArray(reading, stored, of))
    }
  })
  return stopwatch.time('decode', () => {
    const values = join(core, parts)
    return core.assemble({
      layout: 'dictionary',
      parameter: INDEX_TYPES.indexOf('u32'),
      rows,
      buffers,
      children: [values],
    })
  })
}

/** Rows of a box: indexes `from` on along an axis, each in `inner` neighbouring rows. */
interface RowsAlong {
  readonly from: number
  readonly length: number
  readonly inner: number
  readonly rows: number
}

/** Where the values of rows are. */
interface Places {
  /** What has to be read. */
  readonly runs: readonly IndexRun[]
  /** Whether it is one value after the other. Otherwise `buffers` are those of a dictionary. */
  readonly isOneRun: boolean
  readonly buffers: readonly (Uint8Array | null)[]
}

/** The places of all columns of one reading that are looked up in the same way. */
const sharedPlaces = memoize((_reading: Reading) => new Map<string, Places>())

function placesOf(reading: Reading, lookup: Lookup, along: RowsAlong): Places {
  const { stored, counted, through } = lookup
  const way = [counted?.sample, through.map(({ column }) => column.name), stored.dimensions[0]?.size]
  const key = JSON.stringify([way, along, counted === null])
  return getOrMake(sharedPlaces(reading), key, () => {
    const { from, length, inner, rows } = along
    const indexes = indexesOf(reading, lookup, from, from + length)
    const runs = runsOf(indexes)
    const isOneRun = runs[0] !== undefined && isRun(indexes, runs[0])
    return {
      runs,
      isOneRun,
      buffers: isOneRun || runs.length === 0 ? [] : spread(indexes, runs, inner, rows),
    }
  })
}

/** Whether the indexes are those of a run, one after the other. */
function isRun(indexes: Float64Array, { from, to }: IndexRun): boolean {
  return to - from === indexes.length && indexes.every((each, at) => each === from + at)
}

/** The validity and the places among the values of all rows, where each index has `inner` neighbouring rows. */
function spread(
  indexes: Float64Array,
  runs: readonly IndexRun[],
  inner: number,
  rows: number,
): readonly (Uint8Array | null)[] {
  const placeOf = placesIn(runs)
  const hasNulls = indexes.some((each) => each < 0)
  const places = new Uint32Array(rows)
  const validity = hasNulls ? new Uint8Array(Math.ceil(rows / 8)) : null
  for (let row = 0; row < rows; ) {
    for (const index of indexes) {
      if (index >= 0) places.fill(placeOf(index), row, row + inner)
      if (index >= 0 && validity !== null)
        for (let each = row; each < row + inner; each++)
          validity[each >> 3] = (validity[each >> 3] ?? 0) | (1 << (each & 7))
      row += inner
    }
  }
  return [validity, new Uint8Array(places.buffer)]
}
