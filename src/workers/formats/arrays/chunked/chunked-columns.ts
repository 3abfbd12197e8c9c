import { hash } from 'node:crypto'
import { hasRecords } from '../../../../plan/source/chunk-record.ts'
import type { BoxRange } from '../../../../plan/source/range.ts'
import type { ChunkedColumns, ColumnChunk } from '../../chunked-columns.ts'
import type { ArrayFile, Box } from '../array-file.ts'
import { chunkBox, chunksOf, elementsOf, intersectionOf } from '../boxes.ts'
import type { ArrayColumn, ArraysColumn } from '../columns.ts'

/** A column whose chunks have statistics of their own. */
interface Chunked {
  readonly column: ArrayColumn
  readonly chunk: readonly number[]
  /** The index of each of its dimensions among those of the file. */
  readonly dimensions: readonly number[]
  /** A digest of what the bytes of its chunks mean. */
  readonly meaning: string
}

/**
 * Those of the named columns that are numbers or times in chunks of objects. `dimensions` are the names of the file's dimensions. Null:
 * there is none.
 */
export function chunkedColumns(
  { chunkObject }: ArrayFile,
  columns: ReadonlyMap<string, ArraysColumn>,
  names: readonly string[],
  dimensions: readonly string[],
): ChunkedColumns | null {
  if (chunkObject === undefined) return null
  const chunked = new Map<string, Chunked>()
  for (const name of names) {
    const column = columns.get(name)
    if (column?.kind !== 'array' || column.lookup !== undefined || !hasRecords(column.type)) continue
    const { chunk } = column.array
    if (chunk === null || chunk.length !== column.dimensions.length) continue
    const places = column.dimensions.map((each) => dimensions.indexOf(each.name))
    if (!places.includes(-1))
      chunked.set(name, { column, chunk, dimensions: places, meaning: meaningOf(column) })
  }
  if (chunked.size === 0) return null
  return {
    has: (name) => chunked.has(name),
    stepAlong(dimension) {
      for (const { chunk, dimensions: chunkDimensions } of chunked.values()) {
        const step = chunk[chunkDimensions.indexOf(dimension)]
        if (step !== undefined) return step
      }
      return null
    },
    *chunksIn(name, range) {
      const chunkedColumn = chunked.get(name)
      if (chunkedColumn === undefined) throw new RangeError(`no statistics of the chunks of ${name}`)
      const { column, chunk, dimensions: columnDimensions, meaning } = chunkedColumn
      const asked = boxOfColumn(chunkedColumn, range)
      const shape: Box = {
        origin: columnDimensions.map(() => 0),
        extent: column.dimensions.map(({ size }) => size),
      }
      for (const position of chunksOf(asked, chunk)) {
        const box = intersectionOf(chunkBox(position, chunk), shape)
        yield {
          name: `${meaning}\0${position.join('.')}\0${box.extent.join('.')}`,
          object: chunkObject(column.array, box.origin),
          range: { kind: 'box', dimensions: columnDimensions, ...box },
          isDecoded: column.array.isAtomic || elementsOf(intersectionOf(box, asked)) === elementsOf(box),
        } satisfies ColumnChunk
      }
    },
  }
}

/** Whatever the metadata say of an array, except its size. */
function meaningOf({ array, type, content }: ArrayColumn): string {
  const { dimensions: _, storedBytes: __, ...meant } = array
  const text = JSON.stringify([{ ...meant, shape: null }, type, content], (_key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    // JSON has none of these numbers.
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return `number ${Object.is(value, -0) ? '-0' : value}`
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
  })
  return hash('sha256', text, 'base64url')
}

/** The values of a column in a box of the grid. Of a dimension with one index, and of one that the box lacks, that is the first. */
function boxOfColumn({ column, dimensions }: Chunked, range: BoxRange): Box {
  const axes = dimensions.map((dimension, at) =>
    column.dimensions[at]?.size === 1 ? -1 : range.dimensions.indexOf(dimension),
  )
  return {
    origin: axes.map((axis) => (axis < 0 ? 0 : (range.origin[axis] ?? 0))),
    extent: axes.map((axis) => (axis < 0 ? 1 : (range.extent[axis] ?? 0))),
  }
}
