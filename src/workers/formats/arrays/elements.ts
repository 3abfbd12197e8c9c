import { type DataType, typeName } from '../../../plan/types/schema.ts'
import { scalarOf } from '../../../wasm/core/constants.ts'
import { type Reading, readArray } from './box/read-array.ts'
import type { ArrayColumn } from './columns.ts'

/** The decoded number of an element. Null: it is null. */
export type ElementAt = (index: number) => number | bigint | null

/** The elements `from`..`to` of a column of integers, floats or times with one dimension, along which it is stored. */
export function readElements(reading: Reading, column: ArrayColumn, from: number, to: number): ElementAt {
  const { core } = reading.context
  const names = column.dimensions.map(({ name }) => name)
  const readColumn = readArray(reading, column, { names, origin: [from], extent: [to - from] })
  try {
    const { values, validity } = core.duckRows(readColumn, [], 0, to - from, 0)
    const valueAt = valuesOf(core.view(values, (to - from) * widthOf(column.type)).slice(), column.type)
    if (validity === 0) return valueAt
    const validBits = core.view(validity, 8 * Math.ceil((to - from) / 64)).slice()
    return (index) => ((validBits[index >> 3] ?? 0) & (1 << (index & 7)) ? valueAt(index) : null)
  } finally {
    core.free(readColumn)
  }
}

function widthOf(type: DataType): number {
  if (type.kind === 'timestamp') return 8
  if (type.kind === 'int' || type.kind === 'float') return type.bits / 8
  throw new RangeError(`${typeName(type)} is no number`)
}

function valuesOf(bytes: Uint8Array, type: DataType): (index: number) => number | bigint {
  if (type.kind === 'float' && type.bits === 16)
    return (index) => Number(scalarOf(type, bytes.subarray(2 * index, 2 * index + 2)).value)
  const values = viewOf(bytes.buffer, type)
  return (index) => values[index] ?? 0
}

function viewOf(buffer: ArrayBufferLike, type: DataType): ArrayLike<number | bigint> {
  if (type.kind === 'float') return type.bits === 32 ? new Float32Array(buffer) : new Float64Array(buffer)
  if (type.kind !== 'int') return new BigInt64Array(buffer)
  switch (type.bits) {
    case 8:
      return type.signed ? new Int8Array(buffer) : new Uint8Array(buffer)
    case 16:
      return type.signed ? new Int16Array(buffer) : new Uint16Array(buffer)
    case 32:
      return type.signed ? new Int32Array(buffer) : new Uint32Array(buffer)
    case 64:
      return type.signed ? new BigInt64Array(buffer) : new BigUint64Array(buffer)
  }
}
