import { inflateSync } from 'node:zlib'
import { ServiceError } from '../../../src/plan/errors.ts'
import type { Axis, Grid } from '../../../src/plan/source/grid.ts'
import type { BoxRange } from '../../../src/plan/source/range.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import type { Column } from '../../../src/wasm/core/column.ts'
import { collect } from '../../../src/workers/formats/collect.ts'
import { locateErrorsInFile } from '../../../src/workers/formats/error-location.ts'
import type { OpenFile, Provider, ReadContext } from '../../../src/workers/formats/provider.ts'
import type { Store } from '../../../src/workers/store/store.ts'
import { boxColumn, type Cells, cellsOfBox } from './cells.ts'
import {
  type Dimension,
  type GridDocument,
  lengthsOf,
  MARKER,
  readDocument,
  type Variable,
} from './document.ts'

const INTEGER: DataType = { kind: 'int', bits: 64, signed: true }

/** The most blocks of indices along an axis whose values are told to main. */
const MOST_BLOCKS = 4096

/**
 * Reads grids of integers in folders. `grid.json` has the dimensions; `v/2.0` is the chunk of the variable `v` that is the
 * third along its first dimension and the first along its second. Cells of a chunk that does not exist are null.
 */
export const grid: Provider = Object.freeze({
  sniff(store: Store) {
    try {
      return documentOf(store) !== null
    } catch {
      return false
    }
  },
  open: (store: Store) => locateErrorsInFile(store, 'Toy grid', () => open(store)),
})

function documentOf(store: Store): GridDocument | null {
  const source = store.open(MARKER)
  return source && readDocument(source.read(0, source.size))
}

function open(store: Store): OpenFile {
  const document = documentOf(store)
  if (document === null) throw new ServiceError('unreadable_file', `there is no ${MARKER}`)
  const { dimensions, variables } = document
  const fields = [
    ...dimensions.map(({ name }) => ({ ...field(name, INTEGER), nullable: false })),
    ...variables.map(({ name }) => field(name, INTEGER)),
  ]
  const names = fields.map(({ name }) => name)
  return {
    schema: { fields, metadata: {} },
    segments: (columns) => gridOf(document, columns.length === 0 ? names : columns, names.length),
    statistics: () => [],
    typeOf: ({ name }) => (names.includes(name) ? INTEGER : null),
    read: (store, range, asked, context) =>
      locateErrorsInFile(store, 'Toy grid', () => {
        if (range.kind !== 'box') throw new RangeError(`a ${range.kind} range of a grid`)
        requireInside(range, dimensions)
        const rows = range.extent.reduce((cells, each) => cells * each, 1)
        const columns = collect(context.core, (made) => {
          for (const { name } of asked) {
            context.checkCancelled()
            made.push(columnOf(document, name, range, store, context))
          }
        })
        return { rows, columns }
      }),
  }
}

/** All dimensions of the named columns, in the order of the document. */
function gridOf(document: GridDocument, columns: readonly string[], fields: number): Grid {
  const { dimensions, variables, isDeflated } = document
  const used = dimensions.flatMap((dimension, place) => {
    const isUsed =
      columns.includes(dimension.name) ||
      variables.some((each) => columns.includes(each.name) && each.dimensions.includes(place))
    return isUsed ? [{ dimension, place }] : []
  })
  const leader = variables
    .filter(({ name }) => columns.includes(name))
    .reduce<Variable | null>(
      (most, each) => (most === null || each.dimensions.length >= most.dimensions.length ? each : most),
      null,
    )
  return {
    kind: 'grid',
    ...(leader && { leader: leader.name }),
    shape: used.map(({ dimension }) => dimension.size),
    chunk: used.map(({ dimension }) => dimension.chunk),
    axes: used.map(({ dimension, place }) => axisOf(dimension, place)),
    isAtomic: isDeflated,
    decodedBytes: Array.from({ length: fields }, () => 8),
  }
}

function axisOf(dimension: Dimension, place: number): Axis {
  const { name, size, chunk, start, step } = dimension
  const block = chunk * Math.max(1, Math.ceil(size / chunk / MOST_BLOCKS))
  const statistics = Array.from({ length: Math.ceil(size / block) }, (_, index) => {
    const ends = [index * block, Math.min(size, (index + 1) * block) - 1].map((each) => start + step * each)
    const [min, max] = [Math.min(...ends), Math.max(...ends)].map((value) => ({
      kind: 'int' as const,
      value: BigInt(value),
    }))
    return {
      ...(min && { min }),
      ...(max && { max }),
      isMinExact: true as const,
      isMaxExact: true as const,
      nulls: 0,
    }
  })
  return { dimension: place, name, column: name, block, statistics }
}

function columnOf(
  document: GridDocument,
  name: string,
  range: BoxRange,
  store: Store,
  context: ReadContext,
): Column {
  const place = document.dimensions.findIndex((each) => each.name === name)
  const dimension = document.dimensions[place]
  if (dimension !== undefined) return boxColumn(coordinate(dimension, place, range), range, context.core)
  const variable = document.variables.find((each) => each.name === name)
  if (variable === undefined) throw new RangeError(`no column ${name}`)
  const lengths = lengthsOf(document, variable)
  const chunkOf = (key: string, cells: number) => chunk(document, variable, key, cells, store, context)
  return boxColumn(cellsOfBox(variable, lengths, range, chunkOf), range, context.core)
}

/** The values along one dimension. */
function coordinate(
  { start, step }: Dimension,
  place: number,
  { dimensions, origin, extent }: BoxRange,
): Cells {
  const at = dimensions.indexOf(place)
  const from = origin[at] ?? 0
  const values = BigInt64Array.from({ length: extent[at] ?? 0 }, (_, index) =>
    BigInt(start + step * (from + index)),
  )
  return { dimensions: [place], values, isThere: null }
}

/** The cells of a chunk in C order. Null: the chunk does not exist. */
function chunk(
  { isDeflated }: GridDocument,
  { name }: Variable,
  place: string,
  cells: number,
  store: Store,
  { chunks, stopwatch }: ReadContext,
): BigInt64Array | null {
  const key = `${name}/${place}`
  const source = store.open(key)
  if (source === null) return null
  const stored = () => source.read(0, source.size)
  if (isDeflated) {
    const make = () => stopwatch.time('inflate', () => inflated(key, stored(), 8 * cells))
    return new BigInt64Array(chunks.get(store, key, source.version, make))
  }
  const bytes = requireLength(key, stored(), 8 * cells)
  const isAligned = bytes.byteOffset % 8 === 0
  return isAligned
    ? new BigInt64Array(bytes.buffer, bytes.byteOffset, cells)
    : new BigInt64Array(bytes.slice().buffer)
}

function inflated(key: string, stored: Uint8Array, length: number): ArrayBuffer {
  return Uint8Array.from(requireLength(key, inflate(key, stored, length), length)).buffer
}

function requireLength(key: string, bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes
  throw new ServiceError('unreadable_file', `${key} has ${bytes.length} of ${length} bytes`)
}

function inflate(key: string, stored: Uint8Array, bytes: number): Uint8Array {
  try {
    return inflateSync(stored, { maxOutputLength: bytes })
  } catch (cause) {
    throw new ServiceError('unreadable_file', `${key} cannot be inflated`, { cause })
  }
}

function requireInside({ dimensions, origin, extent }: BoxRange, all: readonly Dimension[]): void {
  for (const [place, dimension] of dimensions.entries()) {
    const [from, length, size] = [origin[place] ?? -1, extent[place] ?? 0, all[dimension]?.size ?? 0]
    if (!(from >= 0 && length >= 0 && from + length <= size))
      throw new RangeError(`no indices ${from}..${from + length} of ${size}`)
  }
}
