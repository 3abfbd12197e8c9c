import type { Section, StoredElements } from '../../../../wasm/core/sections/section-column.ts'
import { fault } from '../../fault.ts'
import { widthOf } from '../types.ts'
import { axisOf, type EntryGrid } from './entry-grid.ts'
import type { EntryArray } from './group.ts'
import type { EntryBox } from './portions.ts'
import type { StoredArray } from './stored-array.ts'

/** An array laid along a box of the grid of its entry. Null: nulls. */
export function sectionOf(
  array: EntryArray | null,
  { axes }: EntryGrid,
  { origin, extent }: EntryBox,
): Section {
  if (array === null || array.stored.type.kind === 'null')
    return { shape: extent, dimensions: [], stored: null }
  let stride = 1
  let first = 0
  let last = 0
  const placed: { readonly axis: number; readonly stride: number }[] = []
  for (const dimension of array.dimensions.toReversed()) {
    const axis = axisOf(axes, dimension)
    // A dimension of one element stretches along its axis.
    if (dimension.size > 1) {
      first += (origin[axis] ?? 0) * stride
      last += ((origin[axis] ?? 0) + (extent[axis] ?? 1) - 1) * stride
      placed.push({ axis, stride })
    }
    stride *= dimension.size
  }
  const dimensions = placed.toSorted((a, b) => a.axis - b.axis)
  const stored =
    array.stored.ends === null ? elementsOf(array.stored, first, last + 1) : runsOf(array.stored, first)
  return { shape: extent, dimensions, stored }
}

/** The elements from number `from` to before `to`. */
function elementsOf(
  { type, validity, offsets, values }: StoredArray,
  from: number,
  to: number,
): StoredElements {
  const bit = from % 8
  const bits = (bitmap: Uint8Array): Uint8Array => bitmap.subarray(Math.floor(from / 8), Math.ceil(to / 8))
  const common = { type, elements: to - from, bit, validity: validity && bits(validity), runs: null }
  if (type.kind === 'bool') return { ...common, offsets: null, values: bits(values) }
  if (offsets === null) {
    const width = widthOf(type)
    if (width === null)
      throw fault(`values of the type ${type.kind}, whose beginnings the file does not have`)
    return { ...common, offsets, values: values.subarray(from * width, to * width) }
  }
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.length)
  const [begin, end] = [view.getInt32(4 * from, true), view.getInt32(4 * to, true)]
  if (!(begin >= 0 && end >= begin && end <= values.length))
    throw fault(`texts at bytes ${begin} to ${end}, of ${values.length}`)
  return { ...common, offsets: offsets.subarray(4 * from, 4 * (to + 1)), values: values.subarray(begin, end) }
}

/** All runs, of which the first element wanted is number `first`. */
function runsOf(stored: StoredArray, first: number): StoredElements {
  const ends = stored.ends ?? new Uint8Array(0)
  return { ...elementsOf(stored, 0, ends.length / 4), runs: { ends, first } }
}
