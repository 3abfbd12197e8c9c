import { fault } from '../../fault.ts'
import {
  type Archive,
  INLINE_BYTES,
  isSome,
  numberAt,
  rootOf,
  tagAt,
  textAt,
  vectorAt,
} from '../archive/archive.ts'
import { ARRAY_BYTES, readArray, type StoredArray } from './stored-array.ts'

/** A named dimension of an array, and the array's elements along it. */
export interface Dimension {
  readonly name: string
  readonly size: number
}

/** The array of a column in one entry. */
export interface EntryArray {
  /** In C order: the last one varies fastest. None: a scalar. */
  readonly dimensions: readonly Dimension[]
  readonly stored: StoredArray
}

/** The arrays of a column in consecutive entries. */
export interface Group {
  /** The dimensions of the array of the entry with this number in the group. Null: the column is absent there. Throws `unreadable_file`. */
  dimensions(entry: number): readonly Dimension[] | null
  /** The array itself. */
  array(entry: number): EntryArray | null
}

const GROUP_ROOT_BYTES = 32
const OPTION_BYTES = 8
const ARRAY_STRIDE = OPTION_BYTES + ARRAY_BYTES
const DIMENSIONS_STRIDE = OPTION_BYTES + 24
const DIMENSION_BYTES = 24

/** The most dimensions of an array. */
const MOST_DIMENSIONS = 32

export function openGroup(archive: Archive, entries: number): Group {
  const root = rootOf(archive, GROUP_ROOT_BYTES)
  const arrays = vectorAt(archive, root, ARRAY_STRIDE)
  const shapes = vectorAt(archive, root + 16, DIMENSIONS_STRIDE)
  if (arrays.count !== entries || shapes.count !== entries)
    throw fault(
      `a group of ${entries} entries with ${arrays.count} arrays and ${shapes.count} lists of dimensions`,
    )
  const dimensionsAt = dimensionsReader(archive)
  const dimensionsOf = (entry: number): readonly Dimension[] | null =>
    isSome(archive, arrays.at + ARRAY_STRIDE * entry)
      ? dimensionsAt(shapes.at + DIMENSIONS_STRIDE * entry)
      : null
  return {
    dimensions: dimensionsOf,
    array(entry) {
      const dimensions = dimensionsOf(entry)
      if (dimensions === null) return null
      const at = arrays.at + ARRAY_STRIDE * entry
      const stored = readArray(archive, at + OPTION_BYTES)
      const elements = dimensions.reduce((product, { size }) => product * size, 1)
      if (elements !== stored.length)
        throw fault(`an array of ${stored.length} elements whose dimensions have ${elements}`)
      return { dimensions, stored }
    },
  }
}

/** Reads the dimensions of arrays. Arrays that follow each other often have the same ones, and then share them. */
function dimensionsReader(archive: Archive): (at: number) => readonly Dimension[] {
  const { bytes } = archive
  let last: readonly Dimension[] = NO_DIMENSIONS
  /** What the last ones were read of. */
  let lastBytes: Uint8Array = new Uint8Array(0)
  return (at) => {
    if (!isSome(archive, at) || tagAt(archive, at + OPTION_BYTES, 2, 'dimensions') === 0) return NO_DIMENSIONS
    const vector = vectorAt(archive, at + OPTION_BYTES + 8, DIMENSION_BYTES)
    if (vector.count > MOST_DIMENSIONS)
      throw fault(`an array of ${vector.count} dimensions; at most ${MOST_DIMENSIONS} are read`)
    const stored = bytes.subarray(vector.at, vector.at + DIMENSION_BYTES * vector.count)
    if (isSame(stored, lastBytes)) return last
    last = Array.from({ length: vector.count }, (_, index) => {
      const dimension = vector.at + DIMENSION_BYTES * index
      return { name: textAt(archive, dimension), size: numberAt(archive, dimension + 16) }
    })
    // A long name lies elsewhere, and the same bytes in another place would point to another one.
    const areShort = last.every(({ name }) => Buffer.byteLength(name) <= INLINE_BYTES)
    lastBytes = areShort ? stored : new Uint8Array(0)
    return last
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length || a.length === 0) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

export const NO_DIMENSIONS: readonly Dimension[] = Object.freeze([])
