import { isServiceError } from '../../../plan/errors.ts'
import { memoize } from '../../../plan/memoize.ts'
import { elementsOf } from '../../../plan/source/grid.ts'
import { type DataType, sameType } from '../../../plan/types/schema.ts'
import type { ElementSpec } from '../../../wasm/core/boxes/box-column.ts'
import { elementWidth } from '../../../wasm/core/boxes/box-spec.ts'
import { onlyObject } from '../../store/store.ts'
import { boxSpecOf, type GridBox } from './box/box-spec.ts'
import type { Reading } from './box/read-array.ts'
import type { ArrayColumn, ArraysColumn } from './columns.ts'
import type { ElementPlace } from './element-place.ts'

/**
 * The place of a column over all rows of a file, which are those of a box. Null: it takes more to make rows of its elements, or they are not
 * stored one after the other in bytes that the store holds, or cannot be read, which reading them says.
 */
export function placeOf(reading: Reading, column: ArraysColumn, box: GridBox): ElementPlace | null {
  if (column.kind !== 'array' || column.lookup !== undefined || column.content.kind !== 'numbers') return null
  const { array, dimensions } = column
  if (array.chunk !== null) return null
  const rows = elementsOf({ shape: box.extent })
  const sizes = dimensions.map(({ size }) => size)
  const elements = elementsOf({ shape: sizes })
  const isConstant = elements === 1
  const isLaidAlong =
    longAxes(
      dimensions.map(({ name }) => name),
      sizes,
    ) === longAxes(box.names, box.extent)
  if (!isConstant && (elements !== rows || !isLaidAlong)) return null
  const stored = startOf(reading, column, sizes, elements)
  if (stored === null) return null
  const decoding = elementDecoding(column)
  const { spec, width } = decoding
  if (!isConstant && stored.stride !== width) return null
  const { from, isBigEndian } = stored
  if (from + (elements - 1) * width + width > onlyObject(reading.store).size) return null
  return { spec, isBigEndian, key: placeKey(decoding, isBigEndian), from, width, isConstant }
}

/** Where the elements of an array begin in the file. Null: they are not as they are stored in its bytes, or cannot be read. */
function startOf(
  { file, store, context }: Reading,
  { array }: ArrayColumn,
  sizes: readonly number[],
  elements: number,
): { readonly from: number; readonly stride: number; readonly isBigEndian: boolean } | null {
  const view = onlyObject(store).view?.(0, 0)
  if (view === undefined || elements === 0) return null
  try {
    const whole = { origin: sizes.map(() => 0), extent: sizes }
    const [slab] = file.slabs(store, array, whole, context)
    if (slab?.kind !== 'elements' || slab.isShuffled || elementsOf({ shape: slab.extent }) !== elements)
      return null
    const { bytes, offset, stride, isBigEndian } = slab
    if (bytes.buffer !== view.buffer) return null
    return { from: bytes.byteOffset - view.byteOffset + offset, stride, isBigEndian }
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}

/** The names of axes with more than one index, in their order. */
function longAxes(names: readonly string[], sizes: readonly number[]): string {
  return JSON.stringify(names.filter((_, axis) => sizes[axis] !== 1))
}

const NO_BOX: GridBox = Object.freeze({ names: [], origin: [], extent: [] })

/**
 * Whether columns of several files that have been decoded together can be widened together: they have the type, or each of their values has a place in
 * it. Of other types the error names the file whose value does not fit.
 */
export function isWidenedTogether(from: DataType, to: DataType): boolean {
  if (from.kind === 'int' && to.kind === 'float') return from.bits <= 32 && to.bits === 64
  if (from.kind === 'int' && to.kind === 'int' && from.bits < to.bits) return to.signed || !from.signed
  if (from.kind === 'float' && to.kind === 'float' && from.bits < to.bits) return true
  return sameType(from, to)
}

/** How the elements of a column are decoded. */
export interface ElementDecoding {
  readonly spec: ElementSpec
  /** Equal for equal decodings. */
  readonly key: string
  /** The bytes of an element. */
  readonly width: number
}

/** The key of a place whose elements are decoded so. */
export function placeKey({ key }: ElementDecoding, isBigEndian: boolean): string {
  return `${key} ${isBigEndian}`
}

/** How the elements of a column of numbers are decoded. */
export const elementDecoding = memoize((column: ArrayColumn): ElementDecoding => {
  const { element, decoding, fills } = boxSpecOf(column, NO_BOX)
  const spec = { element, decoding, fills }
  const key = JSON.stringify([column.type, spec], (_, value) =>
    typeof value === 'bigint' || Object.is(value, Number.NaN) ? `${value}` : value,
  )
  return { spec, key, width: elementWidth(element) }
})
