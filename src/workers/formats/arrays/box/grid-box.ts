import { type RowRange, rowsIn } from '../../../../plan/source/range.ts'
import type { GridBox } from './box-spec.ts'

/** The box of a range of rows of a grid whose dimensions have these names. */
export function boxOf(range: RowRange, names: readonly string[]): GridBox {
  if (range.kind !== 'box') throw new RangeError(`a ${range.kind} range of a grid`)
  const rows = rowsIn(range) ?? -1
  if (!(Number.isSafeInteger(rows) && rows >= 0)) throw new RangeError(`a box of ${range.extent.join(' x ')}`)
  const axes = range.dimensions.map((index) => names[index] ?? '')
  const { origin, extent, exclusive } = range
  return { names: axes, origin, extent, ...(exclusive !== undefined && { exclusive }) }
}
