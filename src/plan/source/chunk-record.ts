import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import { ARE_NULLS, type ChunkDigest, HAS_NAN, HAS_NULLS, HAS_RECORD, RECORD_BYTES } from './chunk-table.ts'
import type { ColumnStatistics } from './statistics.ts'

/** What is known of all values of a chunk. */
export interface ChunkValues {
  readonly hasNulls: boolean
  readonly areNulls: boolean
  readonly hasNan: boolean
  /** The least and the greatest value that is neither null nor NaN. Null: there is none. */
  readonly min: Scalar | null
  readonly max: Scalar | null
}

/** Whether values of a type have bounds in a record, which has 64 bits for each. */
export function hasRecords({ kind }: DataType): boolean {
  return RECORDED.includes(kind)
}

const RECORDED: readonly DataType['kind'][] = ['int', 'float', 'date', 'time', 'timestamp', 'duration']

/** The record of a chunk. `digest` names it. */
export function chunkRecord({ low, high }: ChunkDigest, values: ChunkValues): Uint8Array {
  const bytes = new Uint8Array(RECORD_BYTES)
  const view = new DataView(bytes.buffer)
  const { hasNulls, areNulls, hasNan, min, max } = values
  const flags = HAS_RECORD | (hasNulls ? HAS_NULLS : 0) | (areNulls ? ARE_NULLS : 0) | (hasNan ? HAS_NAN : 0)
  view.setInt32(0, low, true)
  view.setInt32(4, high | flags, true)
  // If there are no bounds, the least value is above the greatest one.
  setBits(view, 8, min ?? { kind: 'int', value: 1n })
  setBits(view, 16, max ?? { kind: 'int', value: 0n })
  return bytes
}

/**
 * What a record with these flags says of the values of a chunk, in the type of the column. The chunk counts as one row, which is null or
 * not: only whether none or all of its values are null matters to `mayMatch`.
 */
export function statisticsIn(record: Int32Array, flags: number, type: DataType): ColumnStatistics {
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength)
  const nulls = (flags & ARE_NULLS) !== 0 ? 1 : (flags & HAS_NULLS) !== 0 ? undefined : 0
  const nullCount = nulls === undefined ? {} : { nulls }
  const [min, max] = [scalarAt(view, 8, type), scalarAt(view, 16, type)]
  if (!(min.value <= max.value)) return nullCount
  return {
    ...nullCount,
    min,
    max,
    isMinExact: true,
    // NaN is greater than every other value.
    ...((flags & HAS_NAN) === 0 && { isMaxExact: true as const }),
  }
}

function setBits(view: DataView, at: number, scalar: Scalar): void {
  if (scalar.kind === 'float') view.setFloat64(at, scalar.value, true)
  else if (scalar.kind === 'int') view.setBigInt64(at, BigInt.asIntN(64, scalar.value), true)
  else throw new TypeError(`a bound of kind ${scalar.kind}`)
}

function scalarAt(view: DataView, at: number, type: DataType): Extract<Scalar, { kind: 'int' | 'float' }> {
  if (type.kind === 'float') return { kind: 'float', value: view.getFloat64(at, true) }
  const isUnsigned = type.kind === 'int' && !type.signed
  return { kind: 'int', value: isUnsigned ? view.getBigUint64(at, true) : view.getBigInt64(at, true) }
}
