import type { DataType } from '../../../plan/types/schema.ts'
import type { Column } from '../column.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'

export interface Points {
  readonly column: Column
  /** The least x and y, then the greatest. Null: there is no point. */
  readonly box: readonly [number, number, number, number] | null
}

const BOX_BYTES = 32

export function points(instance: Instance, x: Column, xType: DataType, y: Column, yType: DataType): Points {
  const column = instance.call('points_new', x, ...typeCode(xType), y, ...typeCode(yType)) as Column
  const [west = 0, south = 0, east = 0, north = 0] = new Float64Array(
    instance.copy(instance.result(0), BOX_BYTES),
  )
  return { column, box: west > east ? null : [west, south, east, north] }
}
