import type { ByteSource } from '../../store/byte-source.ts'
import type { Attribute } from '../arrays/array-file.ts'
import { locateErrors } from '../error-location.ts'
import { fault } from '../fault.ts'
import type { ExternalType } from './external-types.ts'
import { createHeaderCursor } from './header-cursor.ts'
import { createHeaderReader, type HeaderReader, Tag } from './header-reader.ts'

/** What the header of a classic file says. Where its variables lie has not been checked. */
export interface Header {
  /** The number of records. Null: the file was written as a stream, and its size gives their number. */
  readonly records: number | null
  readonly dimensions: readonly StoredDimension[]
  readonly attributes: readonly Attribute[]
  readonly variables: readonly StoredVariable[]
  /** The size of the header. */
  readonly bytes: number
}

interface StoredDimension {
  readonly name: string
  /** 0: it is the unlimited dimension, along which the file has records. */
  readonly size: number
}

export interface StoredVariable {
  readonly name: string
  /** Indices of dimensions of the header. */
  readonly dimensions: readonly number[]
  /** Whether its first dimension is the unlimited one. */
  readonly isInRecords: boolean
  readonly type: ExternalType
  readonly attributes: readonly Attribute[]
  /** The place of its first element in the file. */
  readonly begin: number
}

/** `CDF` and the version of the format. */
const MAGIC_BYTES = 4

/** The most dimensions of a variable. HDF5 allows as many. */
const MAX_RANK = 32

/** The version of the format that a file begins with: 1, 2 (64-bit offsets) or 5 (64-bit data). Null: it is no classic file. */
export function versionOf(source: ByteSource): number | null {
  if (source.size < MAGIC_BYTES) return null
  const [c, d, f, version = 0] = source.read(0, MAGIC_BYTES)
  return c === 0x43 && d === 0x44 && f === 0x46 && [1, 2, 5].includes(version) ? version : null
}

/** Reads the header. Throws `unreadable_file` and `memory_limit`; callers add the file's name. */
export function readHeader(source: ByteSource): Header {
  const version = versionOf(source)
  if (version === null) throw fault('it does not begin with CDF and the version 1, 2 or 5')
  const cursor = createHeaderCursor(source)
  cursor.skip(MAGIC_BYTES)
  const reader = createHeaderReader(cursor, version)
  const records = reader.records()
  const dimensions = reader.list(Tag.dimensions, 'dimensions', (name) => ({ name, size: reader.count() }))
  if (dimensions.filter(({ size }) => size === 0).length > 1)
    throw fault('two of the dimensions are unlimited')
  const attributes = reader.attributes()
  const variables = reader.list(Tag.variables, 'variables', (name) =>
    locateErrors(`variable "${name}"`, () => readVariable(name, dimensions, reader)),
  )
  return { records, dimensions, attributes, variables, bytes: cursor.position }
}

function readVariable(name: string, all: readonly StoredDimension[], reader: HeaderReader): StoredVariable {
  const rank = reader.count()
  if (rank > MAX_RANK) throw fault(`it has ${rank} dimensions, more than the ${MAX_RANK} that are read`)
  const dimensions = Array.from({ length: rank }, (_, place) => {
    const index = reader.count()
    const dimension = all[index]
    if (dimension === undefined) throw fault(`it has dimension ${index} of ${all.length}`)
    if (dimension.size === 0 && place > 0)
      throw fault(`the unlimited dimension "${dimension.name}" is not its first one`)
    return index
  })
  const isInRecords = all[dimensions[0] ?? -1]?.size === 0
  const attributes = reader.attributes()
  const type = reader.type()
  // The size of the variable is not used: it follows from the shape, and from 4 GiB on CDF-1 and CDF-2 cannot say it.
  reader.count()
  return { name, dimensions, isInRecords, type, attributes, begin: reader.offset() }
}
