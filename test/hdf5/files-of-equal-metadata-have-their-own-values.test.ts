import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { SMALL_FILE_BYTES } from '../../src/plan/limits.ts'
import type { ArrayFile, Slab } from '../../src/workers/formats/arrays/array-file.ts'
import { createDatasetReader } from '../../src/workers/formats/hdf5/data/dataset-reader.ts'
import { hdf5, netcdf4 } from '../../src/workers/formats/hdf5/hdf5.ts'
import type { Hdf5Array } from '../../src/workers/formats/hdf5/hdf5-metadata.ts'
import { parseMetadata } from '../../src/workers/formats/hdf5/metadata/parse-metadata.ts'
import { hasSignature } from '../../src/workers/formats/hdf5/signature.ts'
import { onlyObject } from '../../src/workers/store/store.ts'
import { generator } from '../support/generate.ts'
import { context, storeOf } from './datasets.ts'

const FIXTURES = join(import.meta.dirname, '..', 'fixtures')

/** Changed copies of each file. */
const COPIES = 24

/** Files beyond it are changed, but their elements are not read: that takes long. Bytes. */
const MOST_READ = 20_000

/** Larger arrays are not read, as changed files may have. */
const MOST_BYTES = 1 << 20

const files = ['hdf5', 'hdf5-chunks', 'netcdf4'].flatMap((folder) =>
  globSync('*.{h5,nc}', { cwd: join(FIXTURES, folder) })
    .map((name) => ({ name, bytes: readFileSync(join(FIXTURES, folder, name)) }))
    .filter(({ bytes }) => bytes.length <= SMALL_FILE_BYTES && hasSignature(onlyObject(storeOf(bytes)))),
)

/** The metadata of a file as the reader has them. Null: they cannot be read. */
function opened(bytes: Buffer, areGroupsWanted: boolean): ArrayFile | null {
  return unlessUnreadable(() => (areGroupsWanted ? hdf5 : netcdf4).open(storeOf(bytes), context))
}

function unlessUnreadable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}

/** All elements of an array, or the message of the error. */
function told(slabs: () => Iterable<Slab>): string {
  let all = ''
  try {
    for (const slab of slabs()) {
      const bytes = slab.kind === 'inflated' ? new Uint8Array(slab.bytes.copy()) : slab.bytes
      all += `${slab.kind} ${slab.origin} ${slab.extent} ${Buffer.from(bytes).toString('latin1')}`
    }
  } catch (error) {
    all += String(error)
  }
  return all
}

t.test('whatever was opened before, a file has its own metadata and its own elements', async (t) => {
  const random = generator('equal metadata')
  let [shared, own, read] = [0, 0, 0]
  for (const { name, bytes } of files) {
    for (const areGroupsWanted of [true, false]) {
      let before = opened(bytes, areGroupsWanted)
      for (let copy = 0; copy < COPIES; copy++) {
        const changed = Buffer.from(bytes)
        for (let each = 0; each < 1 + (copy % 3); each++) changed[random(changed.length)] = random(256)
        if (!hasSignature(onlyObject(storeOf(changed)))) continue
        const found = opened(changed, areGroupsWanted)
        const plain = unlessUnreadable(() =>
          parseMetadata(onlyObject(storeOf(changed)), areGroupsWanted, () => {}),
        )
        if (found === null || plain === null) {
          t.equal(found, plain, name)
          continue
        }
        if (found === before) shared++
        else own++
        before = found
        const { arrays, attributes, otherDimensions, omitted } = found
        const plainly = arrays.map(({ annexFilters: _, ...rest }) => rest)
        const { base } = plain
        t.ok(isDeepStrictEqual({ arrays: plainly, attributes, otherDimensions, omitted, base }, plain), name)
        if (bytes.length > MOST_READ) continue
        for (const array of plain.arrays) {
          if (array.fault !== null || bytesToRead(array) > MOST_BYTES) continue
          const box = boxOf(array)
          const expected = told(() => createDatasetReader().slabs(storeOf(changed), array, box, context, box))
          const elements = told(() => found.slabs(storeOf(changed), array, box, context, box))
          if (elements !== expected) t.equal(elements, expected, `${name}: ${array.name}`)
          read++
        }
      }
    }
  }
  t.ok(shared > 500 && own > 200 && read > 1000, `${shared} shared, ${own} of their own, ${read} read`)
})

/** The bytes of an array with its last chunks. A changed size may be any number. */
function bytesToRead({ shape, chunk, elementBytes }: Hdf5Array): number {
  return shape.reduce((bytes, size, axis) => bytes * Math.max(size, chunk?.[axis] ?? 1), elementBytes)
}

function boxOf({ shape }: Hdf5Array) {
  return { origin: shape.map(() => 0), extent: shape }
}

t.test('what is made of metadata is shared, and the values are those of each file', async (t) => {
  const bytes = readFileSync(join(FIXTURES, 'netcdf4', 'field-contiguous.nc'))
  const other = Buffer.from(bytes)
  // The last bytes of the file are values.
  other[other.length - 100] = (other[other.length - 100] ?? 0) ^ 0x55
  const [first, second] = [netcdf4.open(storeOf(bytes), context), netcdf4.open(storeOf(other), context)]
  t.equal(second, first)
  const textOf = (of: Buffer): string =>
    first.arrays
      .map((array) => {
        const box = {
          origin: array.dimensions.map(() => 0),
          extent: array.dimensions.map(({ size }) => size),
        }
        return told(() => first.slabs(storeOf(of), array, box, context, box))
      })
      .join()
  t.not(textOf(other), textOf(bytes))
})
