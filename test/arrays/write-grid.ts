import h5wasm from 'h5wasm/node'
import type { DataType } from '../../src/plan/types/schema.ts'
import { type ClassicAttribute, writeClassic } from '../netcdf/write-classic.ts'
import type { Cell } from '../query/table.ts'
import { fillOf, type MadeArray, type MadeGrid, storedType, UNITS } from './made-grid.ts'

/** Bytes of a text in a file. */
const TEXT_BYTES = 24

const CHAR = 2

/** The number of a type in a classic file. */
function classicType(type: DataType): number {
  if (type.kind === 'float') return type.bits === 32 ? 5 : 6
  if (type.kind !== 'int') return CHAR
  const { bits, signed } = type
  return { 8: signed ? 1 : 7, 16: signed ? 3 : 8, 32: signed ? 4 : 9, 64: signed ? 10 : 11 }[bits]
}

/** The file in CDF-5. If `hasRecords` is true and no array prevents it, its first dimension has no limit. */
export function classicFile({ dimensions, arrays }: MadeGrid, hasRecords: boolean): Uint8Array {
  const isRecords = hasRecords && arrays.every((each) => each.dimensions.indexOf(0) <= 0)
  const strings = dimensions.length
  return writeClassic({
    version: 5,
    records: dimensions[0]?.size ?? 0,
    dimensions: [
      ...dimensions.map((each, index) => (isRecords && index === 0 ? { ...each, size: 0 } : each)),
      { name: 'string24', size: TEXT_BYTES },
    ],
    attributes: [],
    variables: arrays.map((array) => {
      const stored = storedType(array.type)
      const type = classicType(stored)
      return {
        name: array.name,
        dimensions: type === CHAR ? [...array.dimensions, strings] : array.dimensions,
        type,
        attributes: classicAttributes(array, stored),
        bytes: Buffer.concat(storedCells(array).map((cell) => bigEndian(cell, stored))),
      }
    }),
  })
}

function classicAttributes({ type }: MadeArray, stored: DataType): readonly ClassicAttribute[] {
  const fill = fillOf(type)
  const bytes = typeof fill === 'string' ? Buffer.from(fill) : bigEndian(fill, stored)
  const attributes = [{ name: '_FillValue', type: classicType(stored), bytes }]
  if (type.kind === 'timestamp') attributes.push({ name: 'units', type: CHAR, bytes: Buffer.from(UNITS) })
  return attributes
}

function storedCells({ cells, type }: MadeArray): readonly Exclude<Cell, null>[] {
  return cells.map((cell) => cell ?? fillOf(type))
}

function bigEndian(cell: Exclude<Cell, null>, type: DataType): Buffer {
  if (type.kind === 'float') {
    const bytes = Buffer.alloc(type.bits / 8)
    if (type.bits === 32) bytes.writeFloatBE(Number(cell))
    else bytes.writeDoubleBE(Number(cell))
    return bytes
  }
  if (type.kind !== 'int') return Buffer.concat([Buffer.from(String(cell))], TEXT_BYTES)
  const hex = BigInt.asUintN(type.bits, BigInt(cell)).toString(16)
  return Buffer.from(hex.padStart(type.bits / 4, '0'), 'hex')
}

const DTYPES = { 8: 'b', 16: 'h', 32: 'i', 64: 'q' } as const
const SIGNED = { 8: Int8Array, 16: Int16Array, 32: Int32Array } as const
const UNSIGNED = { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array } as const

/** What the library writes of values: their type, and the values. */
function written(cells: readonly Exclude<Cell, null>[], type: DataType) {
  if (type.kind === 'float') {
    const numbers = cells.map(Number)
    return type.bits === 32
      ? { dtype: '<f', data: Float32Array.from(numbers) }
      : { dtype: '<d', data: Float64Array.from(numbers) }
  }
  if (type.kind !== 'int') return { dtype: `S${TEXT_BYTES}`, data: cells.map(String) }
  const { bits, signed } = type
  const letter = DTYPES[bits]
  const dtype = `<${signed ? letter : letter.toUpperCase()}`
  if (bits === 64) {
    const integers = cells.map((cell) => BigInt(cell))
    return { dtype, data: signed ? BigInt64Array.from(integers) : BigUint64Array.from(integers) }
  }
  const numbers = cells.map(Number)
  return { dtype, data: signed ? SIGNED[bits].from(numbers) : UNSIGNED[bits].from(numbers) }
}

/** Versions of the format in which files are written. */
export const LIBRARIES = ['earliest', 'v108', 'v110', 'v200'] as const

/** Writes the file in HDF5, with a dimension scale for each dimension. */
export async function writeHdf5(
  path: string,
  { dimensions, arrays }: MadeGrid,
  library: (typeof LIBRARIES)[number],
): Promise<void> {
  await h5wasm.ready
  const file = new h5wasm.File(path, 'w', { libver: [library, 'latest'] })
  try {
    for (const { name, size } of dimensions)
      file
        .create_dataset({ name, data: new Float32Array(size), shape: [size] })
        // By this NetCDF-4 says that a scale has no values.
        .make_scale('This is a netCDF dimension but not a netCDF variable.')
    for (const array of arrays) {
      const { type, name, chunk, isDeflated } = array
      const { dtype, data } = written(storedCells(array), storedType(type))
      const dataset = file.create_dataset({
        name,
        dtype,
        data,
        shape: array.dimensions.map((each) => dimensions[each]?.size ?? 0),
        chunks: chunk && [...chunk],
        ...(chunk && isDeflated && { compression: 'gzip', compression_opts: 4 }),
      })
      for (const [axis, dimension] of array.dimensions.entries())
        dataset.attach_scale(axis, `/${dimensions[dimension]?.name}`)
      const fill = fillOf(type)
      const value = typeof fill === 'string' ? { dtype: 'S1', data: fill } : written([fill], storedType(type))
      dataset.create_attribute('_FillValue', value.data, [], value.dtype)
      if (type.kind === 'timestamp') dataset.create_attribute('units', UNITS, [], `S${UNITS.length}`)
    }
  } finally {
    file.close()
  }
}
