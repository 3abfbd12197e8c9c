import { isServiceError } from '../../../plan/errors.ts'
import { memoize } from '../../../plan/memoize.ts'
import { elementsOf } from '../../../plan/source/grid.ts'
import { type DataType, sameType } from '../../../plan/types/schema.ts'
import type { ElementSpec } from '../../../wasm/core/boxes/box-column.ts'
import { elementWidth, storedWidth } from '../../../wasm/core/boxes/box-spec.ts'
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
  if (!isPlaceable(column)) return null
  const { array, dimensions } = column
  if (array.chunk !== null) return null
  const sizes = dimensions.map(({ size }) => size)
  const elements = elementsOf({ shape: sizes })
  const names = dimensions.map(({ name }) => name)
  const repeat = repeatOf(names, sizes, box.names, box.extent)
  const decoding = elementDecoding(column)
  const { spec, width } = decoding
  const rows = elementsOf({ shape: box.extent })
  if (repeat === null || isRepeatedText(decoding, elements, rows)) return null
  const stored = startOf(reading, column, elements)
  if (stored === null) return null
  const isOne = elementsOf({ shape: array.dimensions.map(({ size }) => size) }) === 1
  if (!isOne && stored.stride !== elementWidth(spec.element)) return null
  const { from, isBigEndian } = stored
  if (from + elements * width > onlyObject(reading.store).size) return null
  return { spec, isBigEndian, key: placeKey(decoding, isBigEndian), from, width, elements, repeat }
}

/** Whether the elements of a column may be read by their place: numbers, times, characters, and texts of as many letters each. */
export function isPlaceable(column: ArraysColumn): column is ArrayColumn {
  if (column.kind !== 'array' || column.lookup !== undefined) return false
  const { content, array, type } = column
  return content.kind === 'numbers' || (array.element.kind === 'char' && type.kind === 'utf8')
}

/** The most bytes of a text that is copied to each of its rows. */
const MOST_REPEATED = 16

/** Whether rows have long texts of which there are fewer than rows: they are kept once if they are read otherwise. */
export function isRepeatedText({ spec, width }: ElementDecoding, elements: number, rows: number): boolean {
  return spec.element.kind === 'char' && width > MOST_REPEATED && elements < rows
}

/**
 * How many rows that follow each other have the same element of an array along `axes`, of the rows of a box along `boxAxes`. Null: its elements come in
 * another order, or with others between them. Axes with one index do not count.
 */
export function repeatOf<T>(
  axes: readonly T[],
  sizes: readonly number[],
  boxAxes: readonly T[],
  extent: readonly number[],
): number | null {
  let at = nextLong(sizes, 0)
  let repeat = 1
  let isInside = false
  for (let axis = 0; axis < boxAxes.length; axis++) {
    const size = extent[axis] ?? 0
    if (size === 1) continue
    if (at < axes.length && axes[at] === boxAxes[axis]) {
      if (sizes[at] !== size || repeat !== 1) return null
      at = nextLong(sizes, at + 1)
      isInside = true
    } else if (isInside) repeat *= size
  }
  return at === axes.length ? repeat : null
}

/** The index of the next size that is not 1. */
function nextLong(sizes: readonly number[], from: number): number {
  let at = from
  while (at < sizes.length && sizes[at] === 1) at++
  return at
}

/** Where the elements of an array begin in the file. Null: they are not as they are stored in its bytes, or cannot be read. */
function startOf(
  { file, store, context }: Reading,
  { array }: ArrayColumn,
  elements: number,
): { readonly from: number; readonly stride: number; readonly isBigEndian: boolean } | null {
  const view = onlyObject(store).view?.(0, 0)
  if (view === undefined || elements === 0) return null
  try {
    const extent = array.dimensions.map(({ size }) => size)
    const [slab] = file.slabs(store, array, { origin: extent.map(() => 0), extent }, context)
    const isWhole = slab !== undefined && elementsOf({ shape: slab.extent }) === elementsOf({ shape: extent })
    if (slab?.kind !== 'elements' || slab.isShuffled || !isWhole) return null
    const { bytes, offset, stride, isBigEndian } = slab
    if (bytes.buffer !== view.buffer) return null
    return { from: bytes.byteOffset - view.byteOffset + offset, stride, isBigEndian }
  } catch (error) {
    if (isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
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
  /** The bytes of an element: of a number, or of all letters of a text. */
  readonly width: number
}

/** The key of a place whose elements are decoded so. */
export function placeKey({ key }: ElementDecoding, isBigEndian: boolean): string {
  return `${key} ${isBigEndian}`
}

/** How the elements of a column are decoded that is read by its place. */
export const elementDecoding = memoize((column: ArrayColumn): ElementDecoding => {
  const { element, decoding, fills } = boxSpecOf(column, NO_BOX)
  const spec = { element, decoding, fills }
  const key = JSON.stringify([column.type, spec], (_, value) =>
    typeof value === 'bigint' || Object.is(value, Number.NaN) ? `${value}` : value,
  )
  return { spec, key, width: storedWidth(spec) }
})
