import type { Section, StoredElements } from '../../../../wasm/core/sections/section-column.ts'
import { fault } from '../../fault.ts'
import { widthOf } from '../types.ts'
import { axisOf, type EntryGrid } from './entry-grid.ts'
import type { EntryArray } from './group.ts'
import type { EntryBox } from './portions.ts'
import type { StoredArray } from './stored-array.ts'

/** Lays arrays along boxes of the grids of their entries. */
export interface SectionMaker {
  /** `array` null: nulls. */
  section(array: EntryArray | null, grid: EntryGrid, box: EntryBox): Section
}

/** How the dimensions of an array lie along a box: those that have an axis, and the first and the last element. */
interface Placement {
  readonly dimensions: Section['dimensions']
  readonly first: number
  readonly last: number
}

export function createSectionMaker(): SectionMaker {
  // Entries that follow each other often have the same grid, and the same dimensions.
  let last: (Pick<EntryBox, 'origin' | 'extent'> & Pick<EntryArray, 'dimensions'>) | null = null
  let placement: Placement = { dimensions: [], first: 0, last: 0 }
  return {
    section(array, { axes }, { origin, extent }) {
      if (array === null || array.stored.type.kind === 'null')
        return { shape: extent, dimensions: [], stored: null }
      const { dimensions, stored } = array
      if (last?.dimensions !== dimensions || last.origin !== origin || last.extent !== extent) {
        placement = placementOf(dimensions, axes, origin, extent)
        last = { dimensions, origin, extent }
      }
      const { first } = placement
      const elements =
        stored.ends === null ? elementsOf(stored, first, placement.last + 1) : runsOf(stored, first)
      return { shape: extent, dimensions: placement.dimensions, stored: elements }
    },
  }
}

function placementOf(
  dimensions: EntryArray['dimensions'],
  axes: EntryGrid['axes'],
  origin: EntryBox['origin'],
  extent: EntryBox['extent'],
): Placement {
  let stride = 1
  let first = 0
  let last = 0
  const placed: { readonly axis: number; readonly stride: number }[] = []
  for (const dimension of dimensions.toReversed()) {
    const axis = axisOf(axes, dimension)
    if (axis < 0) throw fault(`dimension '${dimension.name}', which is not one of its rows`)
    // A dimension of one element stretches along its axis.
    if (dimension.size > 1) {
      first += (origin[axis] ?? 0) * stride
      last += ((origin[axis] ?? 0) + (extent[axis] ?? 1) - 1) * stride
      placed.push({ axis, stride })
    }
    stride *= dimension.size
  }
  return { dimensions: placed.toSorted((a, b) => a.axis - b.axis), first, last }
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
