import type { GridAxis } from '../../../plan/source/array-grid.ts'
import type { Axis, ColumnAlong } from '../../../plan/source/grid.ts'
import type { ColumnStatistics } from '../../../plan/source/statistics.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import { textOf } from './attributes.ts'
import type { ArrayColumn } from './columns.ts'
import type { ElementAt } from './elements.ts'

/** Up to this number, an axis has each of its values. Longer axes have the bounds of each block. */
export const MOST_SINGLE = 65_536
const BLOCK = 64

/** The most values that are read before a query is planned: 32 MiB of 64-bit values. */
const MOST_VALUES = 1 << 22

/** The arrays of numbers that have this dimension alone, with this size, if it is not too large. */
export function arraysAlong(
  { name, size }: Pick<GridAxis, 'name' | 'size'>,
  arrays: readonly ArrayColumn[],
): readonly ArrayColumn[] {
  if (size > MOST_VALUES) return []
  return arrays.filter(
    ({ dimensions: [first, ...others], content }) =>
      first?.name === name && first.size === size && others.length === 0 && content.kind === 'numbers',
  )
}

/**
 * The array that gives the values along an axis, among those that have its dimension alone. The one that is called as the dimension
 * counts most, then times, then the first one. Null: there is none.
 */
export function coordinateOf(name: string, along: readonly ArrayColumn[]): ArrayColumn | null {
  const named = along.find((each) => each.name === name || each.name.endsWith(`/${name}`))
  return named ?? along.find(({ type }) => type.kind === 'timestamp') ?? along[0] ?? null
}

const COORDINATES = /^(?:altitude|depth|height|latitude|longitude|time)$/

/**
 * Whether an axis also has its values if a filter compares them. Up to some number those of each array are; of more, those
 * of coordinates alone, since reading them takes longer than they may spare.
 */
export function isToldIfCompared({ array: { attributes } }: ArrayColumn, size: number): boolean {
  if (size <= MOST_SINGLE || textOf(attributes, 'axis') !== null) return true
  return (
    COORDINATES.test(textOf(attributes, 'standard_name') ?? '') ||
    /^degrees?_?(?:north|east|N|E)$/.test(textOf(attributes, 'units') ?? '')
  )
}

/** The statistics of the `size` values along an axis. */
export function statisticsAlong(
  { name, type }: ArrayColumn,
  size: number,
  valueAt: ElementAt,
): ColumnAlong & Pick<Axis, 'block'> {
  const block = size <= MOST_SINGLE ? 1 : BLOCK
  const blocks = Math.ceil(size / block)
  const statistics = Array.from({ length: blocks }, (_, index) =>
    statisticsOfElements(valueAt, index * block, Math.min(size, (index + 1) * block), type),
  )
  return { column: name, block, statistics }
}

/** The statistics of the elements `from`..`to`. */
export function statisticsOfElements(
  valueAt: ElementAt,
  from: number,
  to: number,
  type: DataType,
): ColumnStatistics {
  let min: number | bigint | null = null
  let max: number | bigint | null = null
  let nulls = 0
  let hasNan = false
  for (let index = from; index < to; index++) {
    const value = valueAt(index)
    if (value === null) nulls++
    else if (Number.isNaN(value)) hasNan = true
    else {
      if (min === null || value < min) min = value
      if (max === null || value > max) max = value
    }
  }
  if (min === null || max === null) return { nulls }
  // NaN is greater than every other value.
  return {
    min: scalarOf(min, type),
    max: scalarOf(max, type),
    isMinExact: true,
    ...(!hasNan && { isMaxExact: true as const }),
    nulls,
  }
}

function scalarOf(value: number | bigint, { kind }: DataType): Scalar {
  return kind === 'float' ? { kind, value: Number(value) } : { kind: 'int', value: BigInt(value) }
}
