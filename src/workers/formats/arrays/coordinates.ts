import type { Axis } from '../../../plan/source/grid.ts'
import type { ColumnStatistics } from '../../../plan/source/statistics.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Cells } from './cells.ts'
import type { ArrayColumn } from './columns.ts'

/** Up to so many values, each one is told. Of more, the bounds of each block are. */
const MOST_SINGLE = 65_536
const BLOCK = 64

/** The most values that are read before a query is planned: 32 MiB of 64-bit values. */
export const MOST_VALUES = 1 << 22

/**
 * The array whose values are told along an axis, among those that are read. It has no other dimension. The one that is called
 * as the dimension counts most, then times, then the first one. Null: there is none.
 */
export function coordinateOf(name: string, arrays: readonly ArrayColumn[]): ArrayColumn | null {
  const along = arrays.filter(
    ({ dimensions, content }) =>
      dimensions.length === 1 &&
      dimensions[0]?.name === name &&
      dimensions[0].size <= MOST_VALUES &&
      content.kind === 'numbers',
  )
  const named = along.find((each) => each.name === name || each.name.endsWith(`/${name}`))
  return named ?? along.find(({ type }) => type.kind === 'timestamp') ?? along[0] ?? null
}

/** The statistics of the `size` values along an axis. */
export function knownAlong(
  { name, type }: ArrayColumn,
  size: number,
  valueAt: Cells,
): Omit<Axis, 'dimension'> {
  const block = size <= MOST_SINGLE ? 1 : BLOCK
  const blocks = Math.ceil(size / block)
  const statistics = Array.from({ length: blocks }, (_, index) =>
    ofBlock(valueAt, index * block, Math.min(size, (index + 1) * block), type),
  )
  return { column: name, block, statistics }
}

function ofBlock(valueAt: Cells, from: number, to: number, type: DataType): ColumnStatistics {
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
