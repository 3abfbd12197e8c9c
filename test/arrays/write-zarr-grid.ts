import type { DataType } from '../../src/plan/types/schema.ts'
import type { Cell } from '../query/table.ts'
import { fc } from '../support/generate.ts'
import type { Numbers } from '../zarr/cells-of-chunk.ts'
import { type ArrayToWrite, type Layout, writeZarr } from '../zarr/write-zarr.ts'
import { fillOf, inOrder, type MadeArray, type MadeGrid, storedType, UNITS } from './made-grid.ts'

/** Characters of a text in a store. */
const TEXT_LENGTH = 24

/** Layouts of both versions of Zarr, and of shards. */
export const layouts: fc.Arbitrary<Layout> = fc
  .record({
    version: fc.constantFrom(2 as const, 3 as const),
    isCompressed: fc.boolean(),
    isConsolidated: fc.boolean(),
    isFortran: fc.boolean(),
    chunksOfShard: fc.option(fc.integer({ min: 1, max: 3 })),
    indexLocation: fc.constantFrom('start' as const, 'end' as const),
  })
  .map(({ chunksOfShard, indexLocation, ...layout }): Layout => {
    const isSharded = layout.version === 3 && chunksOfShard !== null
    return { ...layout, ...(isSharded && { chunksOfShard, indexLocation }) }
  })

/** Writes the grid as a store of Zarr. Chunks in which all cells are null are absent. */
export function writeZarrGrid(folder: string, { dimensions, arrays }: MadeGrid, layout: Layout): void {
  const toWrite = arrays.map((array): ArrayToWrite => {
    const { name, type, cells } = array
    const shape = array.dimensions.map((each) => dimensions[each]?.size ?? 0)
    const chunk = array.chunk ?? shape
    const fill = fillOf(type)
    return {
      name,
      dimensions: array.dimensions.map((each) => dimensions[each]?.name ?? ''),
      shape,
      chunk,
      ...storedValues(
        cells.map((cell) => cell ?? fill),
        storedType(type),
      ),
      fill: jsonOf(fill),
      attributes: { _FillValue: jsonOf(fill), ...(type.kind === 'timestamp' && { units: UNITS }) },
      absent: chunksOfNulls(array, shape, chunk),
    }
  })
  writeZarr(folder, toWrite, layout)
}

function jsonOf(fill: Exclude<Cell, null>): number | string {
  return typeof fill === 'string' ? fill : Number(fill)
}

/** By their index in C order. */
function chunksOfNulls(
  { cells }: MadeArray,
  shape: readonly number[],
  chunk: readonly number[],
): ReadonlySet<number> {
  const counts = shape.map((size, axis) => Math.ceil(size / (chunk[axis] ?? 1)))
  const absent = new Set(inOrder(counts).keys())
  for (const [index, at] of inOrder(shape).entries())
    if (cells[index] !== null)
      absent.delete(
        at.reduce(
          (place, each, axis) => place * (counts[axis] ?? 1) + Math.floor(each / (chunk[axis] ?? 1)),
          0,
        ),
      )
  return absent
}

const SIGNED = { 8: Int8Array, 16: Int16Array, 32: Int32Array } as const
const UNSIGNED = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array } as const

function storedValues(
  cells: readonly Exclude<Cell, null>[],
  type: DataType,
): Pick<ArrayToWrite, 'values' | 'textLength'> {
  if (type.kind === 'float') {
    const numbers = cells.map(Number)
    return { values: type.bits === 32 ? Float32Array.from(numbers) : Float64Array.from(numbers) }
  }
  if (type.kind !== 'int') return { values: utf32(cells.map(String)), textLength: TEXT_LENGTH }
  return { values: integers(cells, type) }
}

function integers(
  cells: readonly Exclude<Cell, null>[],
  { bits, signed }: Extract<DataType, { kind: 'int' }>,
): Numbers {
  if (bits === 64) {
    const values = cells.map((cell) => BigInt(cell))
    return signed ? BigInt64Array.from(values) : BigUint64Array.from(values)
  }
  return (signed ? SIGNED : UNSIGNED)[bits].from(cells.map(Number))
}

function utf32(texts: readonly string[]): Uint32Array {
  const all = new Uint32Array(texts.length * TEXT_LENGTH)
  for (const [index, text] of texts.entries())
    all.set(
      Array.from(text, (character) => character.codePointAt(0) ?? 0),
      index * TEXT_LENGTH,
    )
  return all
}
