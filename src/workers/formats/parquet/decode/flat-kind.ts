import { areIn64Bits, in64Bits, isShortDecimal } from '../../../../plan/kernels/decimals.ts'
import { memoize } from '../../../../plan/memoize.ts'
import { rowWidth } from '../../../../plan/types/row-width.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import { UUID_BYTES } from '../../../../plan/types/uuid.ts'
import type { FlatKind } from '../../../../wasm/core/flat-column.ts'
import { UNITS } from '../../../../wasm/core/type-code.ts'
import { Codec, Encoding, PhysicalType } from '../metadata/metadata.ts'
import { type Column, flatLeaf, type Leaf } from '../metadata/schema.ts'

/** The codecs of pages that are passed to the core: it inflates those that Node cannot. */
export const CORE_CODECS: readonly number[] = [Codec.uncompressed, Codec.snappy, Codec.lz4, Codec.lz4Raw]

const ALL = [Encoding.plain, Encoding.plainDictionary, Encoding.rleDictionary]

/** The encodings that the core can decode, by physical type. */
const ENCODINGS = new Map<number | undefined, readonly (number | undefined)[]>([
  [PhysicalType.boolean, [Encoding.plain, Encoding.rle]],
  [PhysicalType.int32, [...ALL, Encoding.deltaBinaryPacked, Encoding.byteStreamSplit]],
  [PhysicalType.int64, [...ALL, Encoding.deltaBinaryPacked, Encoding.byteStreamSplit]],
  [PhysicalType.int96, ALL],
  [PhysicalType.float, [...ALL, Encoding.byteStreamSplit]],
  [PhysicalType.double, [...ALL, Encoding.byteStreamSplit]],
  [PhysicalType.byteArray, [...ALL, Encoding.deltaLengthByteArray, Encoding.deltaByteArray]],
  [PhysicalType.fixedLenByteArray, [...ALL, Encoding.byteStreamSplit, Encoding.deltaByteArray]],
])

/** Whether the core can read data pages of this encoding. */
export function isKnownEncoding({ element }: Leaf, encoding: number | undefined): encoding is number {
  return ENCODINGS.get(element.type)?.includes(encoding) ?? false
}

/** How the core converts the stored values of a leaf to its type. Null: it cannot. */
export function flatKind(leaf: Leaf): FlatKind | null {
  const stored = storedAs(leaf)
  if (stored === null) return null
  const read = readAs(leaf, stored)
  return read && { stored, ...read }
}

/** The same of the leaf of a column, whose decimals may be asked for in 64 bits. */
export function flatKindOf({ field: { type } }: Column, leaf: Leaf): FlatKind | null {
  return flatKind(areIn64Bits(type) ? { ...leaf, type } : leaf)
}

/** A column with its decimals in 64 bits, if these are asked for and stored in no more. Else the column itself. */
export function asAsked(column: Column, asked: DataType): Column {
  return areIn64Bits(asked) ? withShortDecimals(column) : column
}

const withShortDecimals = memoize((column: Column): Column => {
  const { field } = column
  const leaf = flatLeaf(column)
  // Byte arrays may be longer than their values need.
  if (leaf === null || leaf.element.type === PhysicalType.byteArray) return column
  if (!isShortDecimal(field.type) || !isShortDecimal(leaf.type)) return column
  const short = { ...column, field: { ...field, type: in64Bits(field.type) } }
  return flatKindOf(short, leaf) === null ? column : short
})

function storedAs({ element }: Leaf): FlatKind['stored'] | null {
  switch (element.type) {
    case PhysicalType.boolean:
      return 'bits'
    case PhysicalType.int32:
    case PhysicalType.float:
      return 4
    case PhysicalType.int64:
    case PhysicalType.double:
      return 8
    case PhysicalType.int96:
      return 12
    case PhysicalType.byteArray:
      return 'byte_arrays'
    case PhysicalType.fixedLenByteArray:
      return element.typeLength ?? null
    default:
      return null
  }
}

type ReadAs = Pick<FlatKind, 'read' | 'parameter'>

const SAME: ReadAs = Object.freeze({ read: 'same', parameter: 0 })

function readAs({ element, stored: annotated, type }: Leaf, stored: FlatKind['stored']): ReadAs | null {
  const same = (expected: FlatKind['stored']): ReadAs | null => (stored === expected ? SAME : null)
  switch (type.kind) {
    case 'null':
      return { read: 'nothing', parameter: 0 }
    case 'bool':
      return same('bits')
    case 'int':
      return same(type.bits / 8) ?? { read: 'resized', parameter: type.bits / 8 }
    case 'float':
      return same(type.bits / 8)
    case 'decimal': {
      const width = type.bits / 8
      if (stored === 'byte_arrays') return { read: 'reversed', parameter: width }
      if (typeof stored !== 'number' || stored > width) return null
      if (element.type === PhysicalType.fixedLenByteArray) return { read: 'reversed', parameter: width }
      return same(width) ?? { read: 'resized', parameter: width }
    }
    case 'utf8':
      return stored === 'byte_arrays' ? { read: 'text', parameter: 0 } : null
    case 'binary':
      return same('byte_arrays')
    case 'fixed_binary':
      return same(type.width)
    case 'uuid':
      return same(UUID_BYTES)
    case 'date':
      if (type.unit === 'millisecond' && stored === 4) return { read: 'milliseconds', parameter: 0 }
      return same(rowWidth(type))
    case 'timestamp':
      if (element.type === PhysicalType.int96) return { read: 'instant', parameter: UNITS[type.unit] }
      // The values are the same whatever the zone.
      return annotated.kind !== 'timestamp' || annotated.unit === type.unit ? same(8) : null
    case 'time':
    case 'duration':
      return same(rowWidth(type))
    case 'interval':
      if (stored !== 12) return null
      if (type.unit === 'month_day_nano') return { read: 'interval', parameter: 0 }
      return { read: 'part', parameter: type.unit === 'day_time' ? 4 : 0 }
    default:
      return null
  }
}
