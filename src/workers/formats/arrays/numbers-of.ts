import { type DataType, typeName } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import { scalarOf } from '../../../wasm/core/constants.ts'
import type { Core } from '../../../wasm/core/core.ts'

/** The number in a row. Null: the row is null. */
export type NumberAt = (row: number) => number | bigint | null

/** The numbers of a column of integers, floats or times that has them row by row. They are copied out of the core. */
export function numbersOf(core: Core, column: Column, type: DataType): NumberAt {
  const rows = core.rows(column)
  const { values, validity } = core.duckRows(column, [], 0, rows, 0)
  const valueAt = valuesOf(core.view(values, rows * widthOf(type)).slice(), type)
  if (validity === 0) return valueAt
  const known = core.view(validity, 8 * Math.ceil(rows / 64)).slice()
  return (row) => ((known[row >> 3] ?? 0) & (1 << (row & 7)) ? valueAt(row) : null)
}

function widthOf(type: DataType): number {
  if (type.kind === 'timestamp') return 8
  if (type.kind === 'int' || type.kind === 'float') return type.bits / 8
  throw new RangeError(`${typeName(type)} is no number`)
}

function valuesOf(bytes: Uint8Array, type: DataType): (row: number) => number | bigint {
  if (type.kind === 'float' && type.bits === 16)
    return (row) => Number(scalarOf(type, bytes.subarray(2 * row, 2 * row + 2)).value)
  const values = viewOf(bytes.buffer, type)
  return (row) => values[row] ?? 0
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
