import { createCore } from '../../src/wasm/core/create-core.ts'
import type { ArrayFile, Box, StoredArray } from '../../src/workers/formats/arrays/array-file.ts'
import { locateErrorsInFile } from '../../src/workers/formats/error-location.ts'
import { netcdf3 } from '../../src/workers/formats/netcdf3/netcdf3.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { readContext } from '../formats/context.ts'

export const context: ReadContext = readContext(createCore({ maximumBytes: 1 << 26 }))

/** Opens a classic file. As in the service, errors name the file. */
export function open(store: Store): ArrayFile {
  return locateErrorsInFile(store, netcdf3.title, () => netcdf3.open(store, context))
}

/** The array of a name. */
export function arrayOf({ arrays }: ArrayFile, name: string): StoredArray {
  const array = arrays.find((each) => each.name === name)
  if (array === undefined) throw new Error(`no array ${name}`)
  return array
}

/** All of an array. */
export function wholeOf({ dimensions }: StoredArray): Box {
  return { origin: dimensions.map(() => 0), extent: dimensions.map(({ size }) => size) }
}

/** The elements of a box as they are stored, in C order. Throws if a piece has not all it says, or if any element comes twice. */
export function elementsOf(
  store: Store,
  file: ArrayFile,
  array: StoredArray,
  box: Box = wholeOf(array),
): Buffer {
  const width = 'bits' in array.element ? array.element.bits / 8 : 1
  const elements = box.extent.reduce((product, length) => product * length, 1)
  const bytes = Buffer.alloc(elements * width)
  const isThere = new Uint8Array(elements)
  locateErrorsInFile(store, netcdf3.title, () => {
    for (const slab of file.slabs(store, array, box, context)) {
      if (slab.kind !== 'elements') throw new Error(`a slab of ${slab.kind}`)
      for (const [place, index] of indicesIn(slab).entries()) {
        const inBox = index.map((each, axis) => each - (box.origin[axis] ?? 0))
        if (!inBox.every((each, axis) => each >= 0 && each < (box.extent[axis] ?? 0))) continue
        const to = inBox.reduce((sum, each, axis) => sum * (box.extent[axis] ?? 1) + each, 0)
        if (isThere[to]) throw new Error(`element ${index} comes twice`)
        isThere[to] = 1
        const from = slab.offset + place * slab.stride
        if (from + width > slab.bytes.length) throw new Error(`element ${index} is not in its slab`)
        bytes.set(slab.bytes.subarray(from, from + width), to * width)
      }
    }
  })
  if (isThere.includes(0)) throw new Error('not all elements came')
  return bytes
}

/** The indices of all elements of a box, in C order. */
function indicesIn({ origin, extent }: Box): number[][] {
  return extent.reduce<number[][]>(
    (all, length, axis) =>
      all.flatMap((index) => Array.from({ length }, (_, each) => [...index, (origin[axis] ?? 0) + each])),
    [[]],
  )
}
