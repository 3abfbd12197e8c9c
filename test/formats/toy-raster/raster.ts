import { ServiceError } from '../../../src/plan/errors.ts'
import type {
  ArrayFile,
  ArrayReader,
  Attribute,
  StoredArray,
} from '../../../src/workers/formats/arrays/array-file.ts'
import { readStrided } from '../../../src/workers/formats/arrays/strided/read-strided.ts'
import { inOrder } from '../../../src/workers/formats/arrays/strided/runs.ts'
import { createStructureBuilder } from '../../../src/workers/formats/arrays/structure/structure-builder.ts'
import type { ByteSource } from '../../../src/workers/store/byte-source.ts'
import { onlyObject, type Store } from '../../../src/workers/store/store.ts'

/** `#raster 2 3 K`: lines, samples of each line, and the unit of the values. 32-bit little-endian floats follow. */
const FIRST_LINE = /^#raster (\d{1,9}) (\d{1,9}) (\w{1,9})\n/
const FIRST_LINE_BYTES = 40
const VALUE_BYTES = 4

/** Reads images of one band, with a value for each pixel. */
export const raster: ArrayReader = Object.freeze({
  title: 'Raster',
  sniff: (store: Store) => FIRST_LINE.test(firstBytes(onlyObject(store))),
  open: (store: Store) => open(onlyObject(store)),
  structure(store: Store) {
    const file = open(onlyObject(store))
    const builder = createStructureBuilder()
    builder.group('/', file.attributes)
    for (const array of file.arrays) {
      const [dimensions, shape] = [array.dimensions.map(({ name }) => name), shapeOf(array)]
      for (const { name, size } of array.dimensions)
        builder.dimension({ group: '/', name, size, isUnlimited: false })
      builder.variable(
        {
          group: '/',
          name: array.name,
          type: 'float32',
          dimensions,
          shape,
          chunk: null,
          shard: null,
          filters: [],
          note: null,
          array: { group: '/', name: array.name },
        },
        array.attributes,
      )
    }
    return { structure: builder.finish(), tables: [{ group: '/', file, hasGroups: false }] }
  },
})

function open(source: ByteSource): ArrayFile {
  const [first, lines, samples, unit] =
    FIRST_LINE.exec(firstBytes(source)) ?? fault('its first line is not #raster')
  const dimensions = [
    { name: 'line', size: Number(lines), isInvented: false },
    { name: 'sample', size: Number(samples), isInvented: false },
  ]
  const storedBytes = VALUE_BYTES * Number(lines) * Number(samples)
  if (first.length + storedBytes !== source.size)
    fault(`it has ${source.size} bytes, and its first line says others`)
  const units: Attribute = { name: 'units', value: { kind: 'text', value: unit ?? '' } }
  const pixels: StoredArray = {
    name: 'value',
    element: { kind: 'float', bits: 32 },
    dimensions,
    chunk: null,
    isAtomic: false,
    storedBytes,
    attributes: [units],
  }
  const stored = inOrder(first.length, shapeOf(pixels), VALUE_BYTES)
  const order = { isBigEndian: false, isShuffled: false, stride: VALUE_BYTES, offset: 0 }
  return {
    arrays: [pixels],
    attributes: [],
    *slabs(store, _array, box, context) {
      for (const part of readStrided(onlyObject(store), stored, box, context.checkCancelled))
        yield { kind: 'elements', ...part, ...order }
    },
  }
}

function shapeOf({ dimensions }: StoredArray): readonly number[] {
  return dimensions.map(({ size }) => size)
}

function firstBytes(source: ByteSource): string {
  return String.fromCharCode(...source.read(0, Math.min(source.size, FIRST_LINE_BYTES)))
}

function fault(what: string): never {
  throw new ServiceError('unreadable_file', what)
}
