import type { FormatOptions } from '../../../plan/format/file-format.ts'
import type { Store } from '../../store/store.ts'
import type { ArrayFile, ArrayReader } from '../arrays/array-file.ts'
import { chunkKey } from './data/chunk-key.ts'
import { slabsOfZarr } from './data/zarr-slabs.ts'
import { openGroup, type ZarrGroup } from './metadata/open-group.ts'
import { structureOf } from './metadata/structure.ts'
import type { ZarrArray } from './stored-zarr.ts'

/** The documents of a group or an array of version 3 and of version 2. A store has at least one of them. */
const MARKERS = ['zarr.json', '.zgroup', '.zarray', '.zmetadata'] as const

/** Reads groups of arrays from stores of Zarr: those in the group `wanted`, or of the whole store. Elements of chunks are handed over as their codecs give them. */
const readerOf = (wanted: string | null): ArrayReader => ({
  title: 'Zarr',
  sniff: (store: Store) => MARKERS.some((name) => store.open(name) !== null),
  open(store: Store): ArrayFile {
    return fileOf(openGroup(store, wanted))
  },
  structure: (store: Store) => structureOf(store, fileOf),
})

export const zarr: ArrayReader = Object.freeze(readerOf(null))

/** The reader with these options of the format: of one group of each store, if they name it. */
export function zarrWith({ group }: FormatOptions): ArrayReader {
  return typeof group === 'string' ? readerOf(group) : zarr
}

function fileOf({ arrays, attributes, omitted }: ZarrGroup): ArrayFile {
  const byName = new Map(arrays.map((array) => [array.name, array]))
  const arrayOf = (name: string): ZarrArray => {
    const array = byName.get(name)
    if (array === undefined) throw new RangeError(`no array ${name}`)
    return array
  }
  return {
    arrays,
    attributes,
    omitted,
    slabs: (reading, { name }, box, context, exclusiveBox) =>
      slabsOfZarr(reading, arrayOf(name), box, context, exclusiveBox),
    chunkObject({ name }, element) {
      const array = arrayOf(name)
      return chunkKey(
        array,
        element.map((index, axis) => Math.floor(index / (array.objectShape[axis] ?? 1))),
      )
    },
  }
}
